import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../src/core/context/packing/line-range.ts';
import { declares, isParameter } from '../../../../src/core/context/packing/declarations.ts';
import { occurrencesIn } from '../../../../src/core/context/packing/references.ts';
import { vocabularyOf } from '../../../../src/core/languages/languages.ts';
import { createModules } from '../../../../src/core/context/packing/modules.ts';
import type { Vocabulary } from '../../../../src/core/languages/language.ts';
import { sampleFile } from '../../sample.ts';

function language(name: string): Vocabulary {
  const found = vocabularyOf(name);
  if (found === null) throw new Error(name);
  return found;
}

describe('a line', () => {
  it.each([
    'const rate = 2;',
    'let rate: number = 2;',
    'rate := 2',
    'rate = 2',
    'final int rate = 2;',
    'const { a, rate } = b;',
    'for rate in rates:',
    'for (const rate of rates) {',
    'for key, rate := range rates {',
    'list.map(rate => rate + 1)',
    'list.map((a, rate) => 1)',
    'lambda rate: 1',
    'list.each do |rate|',
    'except Error as rate:',
    '} catch (rate) {',
    'function (a, rate) {',
    'if rate, err := read(); err != nil {',
  ])('declares the name in: %s', line => {
    expect(declares(line, 'rate')).toBe(true);
  });

  it.each([
    'return rate + 1;',
    'price.rate = 2',
    'if (rate == 2)',
    'call(rate)',
    'const rated = 2',
    'value as rate',
    'type A = string | rate | null;',
    'x <= rate',
  ])('only uses it in: %s', line => {
    expect(declares(line, 'rate')).toBe(false);
  });
});

describe('the header of a function', () => {
  it.each([
    ['typescript', 'function f(a: number, rate: Rate) {', true],
    ['typescript', 'function f(a: rate) {', false],
    ['typescript', 'function F({ a, rate }: Props) {', true],
    ['python', 'def f(self, *rate):', true],
    ['go', 'func (s *Store) F(ctx context.Context, rate int) error {', true],
    ['go', 'func F(a rate) {', false],
    ['java', 'int f(final Rate rate) {', true],
    ['java', 'int f(rate a) {', false],
  ])('in %s: %s', (name, header, holds) => {
    expect(isParameter(header, 'rate', language(name))).toBe(holds);
  });
});

describe('a name in a line', () => {
  it.each([
    ['sum(rate)', 'rate', [{ role: 'bare' }]],
    [
      'store.find(1)[0].rate',
      'rate',
      [
        {
          role: 'member',
          chain: [
            { name: 'store', isCall: false },
            { name: 'find', isCall: true },
          ],
        },
      ],
    ],
    ['.then(rate)', 'then', [{ role: 'member', chain: [] }]],
    ['call({ rate: 1 })', 'rate', [{ role: 'field' }]],
    ['[...rate]', 'rate', [{ role: 'bare' }]],
  ])('%s: %s', (line, name, found) => {
    expect(occurrencesIn(line, name, language('typescript'))).toEqual(found);
  });

  it('is found at the end of a thousand others', () => {
    expect(occurrencesIn(`${'a.'.repeat(1_000)}rate`, 'rate', language('typescript'))).toHaveLength(
      1,
    );
  });
});

describe('the module of a file', () => {
  const moduleOf = createModules([
    'src/billing/rates/a.ts',
    'src/users/b.ts',
    'packages/web/package.json',
    'packages/web/lib/c.ts',
    'docs/x.md',
  ]);
  it.each([
    ['src/billing/rates/a.ts', 'src/billing/rates'],
    ['src/users/b.ts', 'src/users'],
    ['packages/web/lib/deep/c.ts', 'packages/web'],
    ['docs/x.md', 'docs'],
    ['test/users/b.test.ts', 'src/users'],
    ['packages/web/test/c.test.ts', 'packages/web'],
  ])('of %s is %s', (path, name) => {
    expect(moduleOf(path)).toBe(name);
  });
});

const file = (lines: readonly string[], newLines: number) =>
  sampleFile({
    path: 'a',
    hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines, heading: '', lines: [...lines] }],
  });

describe('changed lines', () => {
  it('are the added ones, and the neighbours of a gap where lines were only taken away', () => {
    expect(piecesOf(file([' a', '-b', '+c', ' d', '-e', ' f'], 4))).toEqual([
      {
        path: 'a',
        changed: [{ start: 2, end: 4 }],
        added: [2],
        removed: [
          { at: 2, isBehind: false, old: { start: 2, end: 2 } },
          { at: 4, isBehind: false, old: { start: 4, end: 4 } },
        ],
        hunk: { start: 1, end: 4 },
      },
    ]);
  });
});
