import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf } from '../../../src/core/text.ts';
import {
  addObservations,
  countWith,
  factorRange,
  learnFactor,
  mostObservations,
  type TokenObservation,
} from '../../../src/core/context/measure.ts';

const observation = fc.record({
  family: fc.constantFrom('anthropic', 'openai', '__proto__'),
  counted: fc.integer({ min: 1, max: 1e6 }),
  reported: fc.integer({ min: 1, max: 1e6 }),
});
const plain = (): number => 7;
const observed = (family: string, ...reports: number[]): TokenObservation[] =>
  reports.map(reported => ({ family, counted: 1000, reported }));

describe('the factor of a family', () => {
  it.each([
    ['anthropic', 1.1],
    ['openai', 1],
    ['nobody', 1],
    [null, 1],
  ] as const)('of %s is %d before anything was observed', (family, factor) => {
    expect(learnFactor(family, [])).toBe(factor);
  });

  it('stays with what is known beforehand until the third observation, whatever other families report', () => {
    expect(
      learnFactor('anthropic', [
        ...observed('anthropic', 1500, 1500),
        ...observed('openai', 1500, 1500, 1500),
      ]),
    ).toBe(1.1);
    expect(learnFactor('anthropic', observed('anthropic', 1500, 1500, 1500))).toBe(1.5);
  });

  it.each([
    [[1300, 900, 1200], 1.2],
    [[1300, 900, 1200, 1100], 1.15],
    [[1, 1, 9], 0.5],
    [[9000, 9000, 1], 2],
  ])('is the median of %j a thousand, within its range: %d', (reports, factor) => {
    expect(learnFactor('openai', observed('openai', ...reports))).toBe(factor);
  });

  it('is in its range, and the same in whatever order the observations came', () => {
    fc.assert(
      fc.property(fc.array(observation), observations => {
        const factor = learnFactor('openai', observations);
        expect(factor).toBeGreaterThanOrEqual(factorRange.least);
        expect(factor).toBeLessThanOrEqual(factorRange.most);
        expect(learnFactor('openai', observations.toReversed())).toBe(factor);
      }),
    );
  });

  it('finds what providers really count by, however many reports up to a half are about something else', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 500, max: 2000 }),
        fc.integer({ min: 3, max: 20 }),
        fc.array(fc.integer({ min: 1, max: 1e6 }), { maxLength: 2 }),
        (real, count, strays) => {
          expect(
            learnFactor('openai', [
              ...observed('openai', ...strays),
              ...observed('openai', ...Array.from({ length: count }, () => real)),
            ]),
          ).toBe(real / 1000);
        },
      ),
    );
  });
});

describe('observations', () => {
  it('are kept in their order, the last of each family only', () => {
    fc.assert(
      fc.property(
        fc.array(observation, { maxLength: 200 }),
        fc.array(observation, { maxLength: 60 }),
        (known, further) => {
          const kept = addObservations(known, further);
          for (const name of ['anthropic', 'openai', '__proto__']) {
            expect(kept.filter(({ family }) => family === name)).toEqual(
              [...known, ...further]
                .filter(({ family }) => family === name)
                .slice(-mostObservations),
            );
          }
        },
      ),
    );
  });
});

describe('a count for a family', () => {
  it('is never more than the bytes, and otherwise the count by the factor', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.double({ min: 0.5, max: 2, noNaN: true }),
        (text, factor) => {
          const count = countWith(() => Math.ceil(bytesOf(text) * 0.8), factor)(text);
          expect(count).toBe(
            Math.min(bytesOf(text), Math.ceil(Math.ceil(bytesOf(text) * 0.8) * factor)),
          );
        },
      ),
    );
  });

  it('by the factor 1 is the plain count', () => {
    expect(countWith(plain, 1)).toBe(plain);
    expect(countWith(plain, 1.1)('ten letters')).toBe(8);
  });
});
