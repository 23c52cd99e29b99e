import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fit, layOut, candidateOf, toQuestions } from '../../../../src/core/context/packing/fit.ts';
import {
  chunk,
  lengthOf,
  overlaps,
  splitChange,
  subtract,
} from '../../../../src/core/context/packing/line-range.ts';

const Range = fc
  .tuple(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 0, max: 90 }))
  .map(([start, more]) => ({ start, end: start + more }));
const Candidate = fc.record({
  path: fc.constantFrom('a.ts', 'b.ts'),
  range: Range,
  distance: fc.integer({ min: 0, max: 4 }),
});

const names = (...ranges: readonly (readonly [number, number])[]) =>
  layOut(
    ranges.map(([start, end]) => candidateOf({ path: 'a', range: { start, end }, distance: 2 })),
    2,
  ).map(({ path, range }) => `${path}:${range?.start}-${range?.end}`);

describe('anchors that are laid out', () => {
  it('never overlap, are never longer than 60 lines, and cover every line that was asked for', () => {
    fc.assert(
      fc.property(fc.array(Candidate, { maxLength: 20 }), asked => {
        const placed = layOut(
          asked.map(({ path, range, distance }) => candidateOf({ path, range, distance })),
          2,
        );
        const ranges = placed.flatMap(({ path, range }) =>
          range === null ? [] : [{ path, range }],
        );
        for (const { range } of ranges) expect(lengthOf(range)).toBeLessThanOrEqual(60);
        for (const [index, one] of ranges.entries())
          for (const other of ranges.slice(index + 1))
            expect(one.path === other.path && overlaps(one.range, other.range)).toBe(false);
        for (const { path, range } of asked)
          expect(
            subtract(
              range,
              ranges.filter(one => one.path === path).map(one => one.range),
            ),
          ).toEqual([]);
      }),
    );
  });

  it('merges ranges that overlap when the result is short, and cuts them apart when it is not', () => {
    expect(names([1, 40], [30, 60])).toEqual(['a:1-60']);
    expect(names([1, 40], [30, 61])).toEqual(['a:1-40', 'a:41-61']);
    expect(names([1, 61])).toEqual(['a:1-60', 'a:61-61']);
  });
});

describe('a change that is divided', () => {
  it('keeps every changed line exactly once', () => {
    fc.assert(
      fc.property(
        fc.array(Range, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 50, max: 400 }),
        (ranges, tokens) => {
          const pieces = ranges.map((range, index) => ({
            path: `f${index}`,
            changed: [range],
            added: chunk(range, 1).map(({ start }) => start),
            removed: [],
            hunk: range,
          }));
          const groups = splitChange(
            pieces,
            { tokens, pieces: 4 },
            (_, range) => 10 * lengthOf(range),
          );
          expect(
            groups.flat().flatMap(({ path, added }) => added.map(line => `${path}:${line}`)),
          ).toEqual(pieces.flatMap(({ path, added }) => added.map(line => `${path}:${line}`)));
          for (const group of groups) expect(group.length).toBeLessThanOrEqual(4);
        },
      ),
    );
  });
});

describe('a pack that is fitted into a budget', () => {
  it('never exceeds it, never loses a changed line, and is the same for the same candidates', () => {
    fc.assert(
      fc.property(
        fc.array(Candidate, { minLength: 1, maxLength: 25 }),
        fc.integer({ min: 50, max: 3_000 }),
        fc.integer({ min: 0, max: 100 }),
        (asked, budget, hundredths) => {
          const candidates = asked.map(({ path, range, distance }) =>
            candidateOf({
              path,
              range,
              distance,
              core: distance === 0 ? [range] : [],
              needed: Number(distance < 3),
            }),
          );
          // oxlint-disable-next-line unicorn/consistent-function-scoping -- a measure of this property alone
          const tokensOf = ({
            range,
          }: {
            readonly range: { start: number; end: number } | null;
          }) => (range === null ? 5 : 10 + 3 * lengthOf(range));
          const measures = {
            budget,
            reserve: Math.floor((budget * hundredths) / 100),
            tokensOf,
            tokensOfAll: (placed: readonly Parameters<typeof tokensOf>[0][]) =>
              20 + placed.reduce((sum, one) => sum + tokensOf(one), 0),
          };
          const fitted = fit(candidates, measures);
          expect(fit(candidates, measures)).toEqual(fitted);
          if (fitted.tokens > budget) return;
          expect(measures.tokensOfAll(fitted.placed)).toBeLessThanOrEqual(budget);
          for (const { path, range, distance } of asked)
            if (distance === 0)
              expect(
                subtract(
                  range,
                  fitted.placed
                    .filter(one => one.path === path)
                    .flatMap(one => (one.range === null ? [] : [one.range])),
                ),
              ).toEqual([]);
          expect(fitted.evicted.every(({ distance }) => distance > 0)).toBe(true);
        },
      ),
    );
  });
});

/** What is missing of a pack, and how it is asked. */
const unshown = (symbol: string, place: string) => ({
  symbol,
  at: 'a.ts:1',
  reason: `its definition at ${place} does not fit`,
  place,
});

describe('what is asked beyond the first entries', () => {
  const unknown = { symbol: 'lost', at: 'a.ts:2', reason: 'nobody knows it', place: null };

  it('shares an entry that tells each name once, with the place of its definition', () => {
    const missing = [unshown('one', 'b.ts:5'), unshown('two', 'c.ts:9'), unshown('two', 'c.ts:9')];
    expect(toQuestions([...missing, unknown], 1)).toEqual([
      'lost (a.ts:2): nobody knows it',
      'and 2 more: one b.ts:5, two c.ts:9',
    ]);
  });
});
