import fc from 'fast-check';
import { expect, it } from 'vitest';
import { identifiersOf, splitIdentifier } from '../../../src/core/languages/identifiers.ts';

it.each([
  ['parsePatch', 'parse patch'],
  ['parse_patch', 'parse patch'],
  ['HTTPServerError', 'http server error'],
  ['user2Name', 'user2 name'],
  ['$scope.kebab-case', 'scope kebab case'],
  ['größeÄndern', 'größe ändern'],
])('reads the words of %s', (identifier, words) => {
  expect(splitIdentifier(identifier).join(' ')).toBe(words);
});

it('finds the identifiers of a text, each once', () => {
  expect([...identifiersOf('let $a1 = _b + $a1("c d")')]).toEqual(['let', '$a1', '_b', 'c', 'd']);
});

it('loses no letter of any text', () => {
  fc.assert(
    fc.property(fc.string(), text => {
      expect(splitIdentifier(text).join('')).toBe(
        (text.match(/[\p{L}\p{N}]/gu) ?? []).join('').toLowerCase(),
      );
    }),
  );
});
