import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Conflict } from '../../../src/core/vote/conflicts.ts';
import type { Motion } from '../../../src/core/vote/motion.ts';
import { summariseTriage } from '../../../src/core/vote/motions-run.ts';
import { triage, type RiskTier } from '../../../src/core/vote/triage.ts';
import { firstNames, sessionOf, thresholds } from './sample-session.ts';

const conflictsOf = (count: number): Conflict[] =>
  firstNames(count).map(memberName => ({
    memberName,
    motionId: 'm-1',
    kind: 'stance',
    own: 'oppose',
    against: null,
    source: 'positions.json',
  }));

function tierOf(
  {
    size = 72,
    supporters,
    conflicts = 0,
    ...rest
  }: { size?: number; supporters: number; conflicts?: number } & Partial<
    Omit<Motion, 'supporters'>
  >,
  settings = thresholds,
): RiskTier | undefined {
  const session = sessionOf(size, [{ ...rest, supporters: firstNames(supporters) }]);
  return triage(session, new Map([['m-1', conflictsOf(conflicts)]]), settings)[0]?.riskTier;
}

describe('risk tiers', () => {
  it.each([
    [{ supporters: 48 }, 'low'],
    [{ supporters: 47 }, 'medium'],
    [{ supporters: 24 }, 'medium'],
    [{ supporters: 23 }, 'high'],
    [{ supporters: 60, isNovel: true }, 'high'],
    [{ supporters: 48, conflicts: 1 }, 'medium'],
    [{ supporters: 30, conflicts: 5 }, 'medium'],
    [{ supporters: 30, conflicts: 6 }, 'high'],
  ] as const)('%o of 72 is %s', (given, expected) => {
    expect(tierOf(given)).toBe(expected);
  });

  // By hand: the least count whose share reaches 0.66, and 0.33.
  it.each([
    [3, 2, 1],
    [7, 5, 3],
    [72, 48, 24],
    [100, 66, 33],
    [1, 1, 1],
  ])('of %i members, %i make a motion low and %i make it medium', (size, low, medium) => {
    for (let supporters = 0; supporters <= size; supporters++) {
      expect(tierOf({ size, supporters }), `${supporters} of ${size}`).toBe(
        supporters >= low ? 'low' : supporters >= medium ? 'medium' : 'high',
      );
    }
  });

  it('follow exact arithmetic for rosters of any size', () => {
    fc.assert(
      fc.property(
        fc
          .integer({ min: 1, max: 400 })
          .chain(size => fc.tuple(fc.constant(size), fc.integer({ min: 0, max: size }))),
        ([size, supporters]) => {
          const expected =
            supporters * 100 >= 66 * size
              ? 'low'
              : supporters * 100 >= 33 * size
                ? 'medium'
                : 'high';
          expect(tierOf({ size, supporters })).toBe(expected);
        },
      ),
    );
  });

  it('fast-track more when the threshold of low risk is lowered', () => {
    expect(tierOf({ supporters: 40 }, { ...thresholds, low: 0.5 })).toBe('low');
  });

  it('may trust a broad source, without conflict and with ten supporters', () => {
    const trusting = { ...thresholds, lowFromTier: true };
    expect(tierOf({ supporters: 30, consensusTier: 'high' }, trusting)).toBe('low');
    expect(tierOf({ supporters: 30, consensusTier: 'high' })).toBe('medium');
    expect(tierOf({ supporters: 30, consensusTier: 'high', conflicts: 1 }, trusting)).toBe(
      'medium',
    );
    expect(tierOf({ supporters: 30, consensusTier: 'medium' }, trusting)).toBe('medium');
    expect(tierOf({ size: 20, supporters: 9, consensusTier: 'high' }, trusting)).toBe('medium');
  });

  it('list who has not spoken by code point and average the shares in motion order', () => {
    const session = {
      ...sessionOf(0, [{ supporters: ['b'] }, { supporters: [] }]),
      roster: ['c', 'b', 'Ä', 'a', 'Z'].map(name => ({
        name,
        id: name,
        role: null,
        backstory: null,
        model: null,
        baseUrl: null,
      })),
    };
    const triaged = triage(session, new Map(), thresholds);
    expect(triaged[0]?.gap).toEqual(['Z', 'a', 'c', 'Ä']);
    expect(summariseTriage(triaged)).toMatchObject({
      total_motions: 2,
      high_risk: 2,
      average_implicit_support: 0.1,
      total_conflicts: 0,
    });
    expect(summariseTriage([]).average_implicit_support).toBe(0);
  });
});
