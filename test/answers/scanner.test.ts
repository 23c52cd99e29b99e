import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isList, isObject, scanJson, type Json } from '../../src/answers/scanner.ts';

function toPlain(value: Json): unknown {
  if (isObject(value))
    return Object.fromEntries([...value].map(([key, member]) => [key, toPlain(member)]));
  return isList(value) ? value.map(toPlain) : value;
}

describe('the JSON scanner', () => {
  test('reads what JSON.parse reads', () =>
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.nat(3), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const scanned = scanJson(text);
        if (!scanned.ok) return text.includes('"__proto__"');
        return (
          scanned.end === text.length &&
          JSON.stringify(toPlain(scanned.value)) === JSON.stringify(JSON.parse(text))
        );
      }),
    ));

  test('refuses what JSON.parse refuses', () => {
    const isSame = fc.property(
      fc.string({
        unit: fc.constantFrom(
          '{',
          '}',
          '[',
          ']',
          '"',
          ':',
          ',',
          '1',
          '-',
          '.',
          'e',
          '\\',
          'n',
          'true',
          ' ',
          'a',
          '\n',
        ),
      }),
      text => {
        const scanned = scanJson(text);
        const isRead = scanned.ok && text.slice(scanned.end).trim() === '';
        try {
          JSON.parse(text);
          return isRead || (!scanned.ok && scanned.cause === 'dupkey');
        } catch {
          return !isRead;
        }
      },
    );
    fc.assert(isSame, { numRuns: 2_000 });
  });

  test('every proper prefix of an object is cut off, not malformed', () =>
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1 }),
        fc.nat(),
        (value, at) => {
          const text = JSON.stringify(value);
          const scanned = scanJson(text.slice(0, 1 + (at % (text.length - 1))));
          return (
            !scanned.ok &&
            (scanned.cause === 'truncated' ||
              (scanned.cause === 'schema' && text.includes('__proto__')))
          );
        },
      ),
    ));

  test.each([
    ['{"a":1,"a":1}', 'dupkey'],
    ['{"a":{"b":1,"\\u0062":2}}', 'dupkey'],
    ['{"__proto__":1}', 'schema'],
    ['[1e999]', 'schema'],
    ['[01]', 'syntax'],
    ['["\\x"]', 'syntax'],
    ['["\t"]', 'syntax'],
    [`${'['.repeat(64)}${']'.repeat(64)}`, null],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'depth'],
    ['["\\u00', 'truncated'],
    ['[tru', 'truncated'],
    ['[-', 'truncated'],
  ])('%s', (text, cause) => {
    const scanned = scanJson(text);
    expect(scanned.ok ? null : scanned.cause).toBe(cause);
  });

  test('remembers where each object stands', () => {
    const text = '{"list": [ {"a": 1}, {"b": 2} ]}';
    const scanned = scanJson(text);
    const list = scanned.ok && isObject(scanned.value) ? scanned.value.get('list') : null;
    const pieces =
      scanned.ok && isList(list ?? null)
        ? (list as readonly Json[]).map(item => text.slice(...(scanned.spans.get(item) ?? [0, 0])))
        : [];
    expect(pieces).toEqual(['{"a": 1}', '{"b": 2}']);
  });
});
