import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifiersOf, shellQuote, splitIdentifier } from '../../src/core/text.ts';

describe('a path as a word of the shell', () => {
  it.each([
    ['src/a.ts', 'src/a.ts'],
    ['a b', "'a b'"],
    ["it's", String.raw`'it'\''s'`],
    ['$(id)', "'$(id)'"],
    ['', "''"],
    ['-rf', './-rf'],
    ['a\nb', String.raw`$'a\u000ab'`],
  ])('%j becomes %s', (path, word) => expect(shellQuote(path)).toBe(word));

  it('means the path again to a real shell', () => {
    const paths = fc.sample(
      fc.string({
        unit: fc.constantFrom(...Array.from('ab \'"$`\\!*?\n\t;&|<>(){}[]#~é')),
        minLength: 1,
      }),
      200,
    );
    const script = `printf '%s\\0' ${paths.map(path => shellQuote(path)).join(' ')}`;
    const { stdout } = spawnSync('bash', ['-c', script], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(stdout.split('\0').slice(0, -1)).toEqual(paths);
  });
});

it.each([
  ['parsePatch', 'parse patch'],
  ['parse_patch', 'parse patch'],
  ['HTTPServerError', 'http server error'],
  ['user2Name', 'user2 name'],
  ['$scope.kebab-case', 'scope kebab case'],
  ['größeÄndern', 'größe ändern'],
])('reads the words of %s', (identifier, words) =>
  expect(splitIdentifier(identifier).join(' ')).toBe(words),
);

it('finds the identifiers of a text, each once', () =>
  expect([...identifiersOf('let $a1 = _b + $a1("c d")')]).toEqual(['let', '$a1', '_b', 'c', 'd']));

it('loses no letter of any text', () =>
  fc.assert(
    fc.property(fc.string(), text => {
      expect(splitIdentifier(text).join('')).toBe(
        (text.match(/[\p{L}\p{N}]/gu) ?? []).join('').toLowerCase(),
      );
    }),
  ));
