import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createClauseIndex } from '../../../../src/core/vote/contradiction/clause-index.ts';
import { clausesOf, type Clause } from '../../../../src/core/vote/contradiction/clauses.ts';
import { contradict } from '../../../../src/core/vote/contradiction/contradict.ts';

const indexOf = (clauses: readonly Clause[], allowance?: number) =>
  createClauseIndex(
    clauses.map((clause, position) => ({ clause, owner: String(position) })),
    [],
    allowance,
  );

/** What is looked at and compared when each clause is asked about. */
function workOf(texts: readonly string[]): number {
  const clauses = texts.flatMap(text => clausesOf(text));
  const index = indexOf(clauses);
  for (const clause of clauses) index.opposing(clause, () => true);
  expect(index.isExhausted).toBe(false);
  return index.spent;
}

/** Clauses about many matters, every other one a denial. */
function variedTexts(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) =>
      `Council ${at % 2 ? 'shall' : 'shall not'} fund bridge${at} and mill${at} near river${at % 997} town${at}`,
  );
}

describe('the index of clauses', () => {
  it('finds exactly what comparing every pair finds', () => {
    const vocabulary = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta'];
    const clauses = Array.from({ length: 300 }, (_, seed) =>
      clausesOf(
        (seed % 2 ? 'never ' : '') +
          vocabulary.filter((__, index) => (seed * 37) % (index + 3) > 0).join(' ') +
          (seed % 5 ? '' : ' public') +
          (seed % 7 ? '' : ' secret'),
      ),
    ).flat();
    const index = indexOf(clauses);
    let pairs = 0;
    for (const clause of clauses) {
      const expected = clauses.flatMap((other, position) =>
        contradict(clause, other) ? [String(position)] : [],
      );
      pairs += expected.length;
      expect(index.opposing(clause, () => true).map(({ owner }) => owner)).toEqual(expected);
    }
    expect(pairs).toBeGreaterThan(100);
  });

  it('misses no pair, however rare and common words are mixed', () => {
    const words = fc.uniqueArray(
      fc.constantFrom(
        ...'abbey barn castle dam estate farm gate hall inn jetty kiln lodge'.split(' '),
      ),
      { minLength: 4, maxLength: 9 },
    );
    const text = fc
      .tuple(fc.boolean(), words)
      .map(([isDenied, said]) => `${isDenied ? 'never ' : ''}${said.join(' ')}`);
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 12 }), texts => {
        const clauses = texts.flatMap(one => clausesOf(one));
        const index = indexOf(clauses);
        for (const clause of clauses)
          expect(index.opposing(clause, () => true).map(({ owner }) => owner)).toEqual(
            clauses.flatMap((other, at) => (contradict(clause, other) ? [String(at)] : [])),
          );
      }),
      { numRuns: 1_000 },
    );
  });

  it('looks at twice as much for twice as many clauses of many matters', () => {
    const [once, twice] = [workOf(variedTexts(4_000)), workOf(variedTexts(8_000))];
    expect(once).toBeGreaterThan(4_000);
    expect(twice / once).toBeLessThan(2.5);
  });

  it('gives up within its allowance when all clauses are alike, and says so', () => {
    const clauses = Array.from({ length: 400 }, (_, seed) =>
      clausesOf(`${seed % 2 ? 'never' : ''} common words stand here word${seed} tail${seed % 7}`),
    ).flat();
    const index = indexOf(clauses, 1000);
    for (const clause of clauses) index.opposing(clause, () => true);
    expect(index.isExhausted).toBe(true);
    expect(index.spent).toBeLessThan(2000);
    expect(index.opposing(clauses[0] ?? expect.fail(), () => true)).toEqual([]);
  });

  it.each([
    ['a megabyte of denials', 'not '.repeat(250_000)],
    ['denials and words', 'not one tax ledger '.repeat(50_000)],
    ['commas', 'not, a, '.repeat(120_000)],
    ['numbers', '5 days '.repeat(150_000)],
    ['conditions', 'if without unless '.repeat(60_000)],
    ['full stops', '.*'.repeat(500_000)],
  ])('reads %s once, and looks at little', (_, text) => {
    const clauses = clausesOf(text);
    const index = indexOf(clauses);
    for (const clause of clauses) index.opposing(clause, () => true);
    expect(index.spent).toBeLessThan(1000);
    expect(clauses.every(clause => !contradict(clause, clause))).toBe(true);
  });
});
