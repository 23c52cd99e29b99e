import { describe, expect, it } from 'vitest';
import { Claim, likelihood, markAct, orderClaims } from '../../../src/core/words/claim.ts';
import { claimOf } from '../run-files/samples.ts';

const actOf = (changes: Partial<Claim>, blocking: readonly string[] = [], cut = 0.3) =>
  markAct([claimOf(changes)], { blocking, cut })[0]?.act;

describe("what is worth a person's time", () => {
  it('is whatever fails the gate', () => {
    const { id } = claimOf({});
    expect(actOf({ severity: 'low', confidence: 0.1, worth: 0.01 }, [id])).toBe(true);
  });

  it.each<[Partial<Claim>, boolean]>([
    [{ severity: 'low', confidence: 0.4, worth: 0.3 }, true],
    [{ severity: 'critical', confidence: 0.99, worth: 0.29 }, false],
    [{ severity: 'critical', confidence: 0.9, worth: 0.9, state: 'dismissed' }, false],
    [{ severity: 'critical', confidence: 0.9, worth: 0.9, state: 'fixed' }, false],
  ])('is whatever reaches the cut: %j', (changes, act) => expect(actOf(changes)).toBe(act));

  it('is nothing else where no cut keeps to what is demanded', () => {
    const { id } = claimOf({});
    expect(actOf({ worth: 1 }, [], Number.POSITIVE_INFINITY)).toBe(false);
    expect(actOf({ worth: 1 }, [id], Number.POSITIVE_INFINITY)).toBe(true);
  });

  it.each<[Partial<Claim>, boolean | null]>([
    [{ severity: 'critical', confidence: 0.5 }, true],
    [{ severity: 'high', confidence: 0.49 }, false],
    [{ severity: 'medium', confidence: 0.99 }, false],
    [{ severity: 'high', confidence: null }, null],
    [{ severity: 'medium', confidence: null }, false],
    [{ severity: 'critical', confidence: 0.9, state: 'dismissed' }, false],
  ])(
    'is, where nobody computed its worth, serious and more likely true than not: %j',
    (changes, act) => expect(actOf({ worth: null, ...changes })).toBe(act),
  );

  it('is not known of claims of earlier versions', () => {
    const {
      matters: _matters,
      worth: _worth,
      act: _act,
      against: _against,
      ...earlier
    } = claimOf({});
    expect(Claim.parse(earlier)).toMatchObject({
      matters: null,
      worth: null,
      act: null,
      against: [],
    });
  });
});

describe('how likely something is', () => {
  it.each([
    [0.744, 100, '74%'],
    [0.744, 99, 'likely'],
    [0.6, undefined, 'likely'],
    [0.59, 0, 'about even'],
    [0.41, 0, 'about even'],
    [0.4, 0, 'unlikely'],
  ])(
    'is told in words but where a hundred judged cases are like it: %d of %d',
    (share, cases, told) => expect(likelihood(share, cases)).toBe(told),
  );
});

describe('the order in which claims are read', () => {
  it('is what blocks, what is worth acting on, the rest, what is closed; in each the most severe first', () => {
    const claims = [
      claimOf({ id: 'c-0000000001', severity: 'low', act: true, state: 'dismissed' }),
      claimOf({ id: 'c-0000000002', severity: 'critical', act: false }),
      claimOf({ id: 'c-0000000003', severity: 'low', act: true }),
      claimOf({ id: 'c-0000000004', severity: 'medium', act: true }),
      claimOf({ id: 'c-0000000005', severity: 'low', act: true }),
      claimOf({ id: 'c-0000000006', severity: 'high', act: null }),
    ];
    expect(
      orderClaims({ claims, blocking: ['c-0000000005'] }).map(({ id }) => id.slice(-1)),
    ).toEqual(['5', '4', '3', '2', '6', '1']);
  });

  it('is that of the places where nothing else tells them apart, as an editor shows them', () => {
    const [location] = [claimOf({}).location];
    const at = (digit: number, path: string, line: number | null) =>
      claimOf({
        id: `c-000000000${digit}`,
        location: location === null ? null : { ...location, path, line },
      });
    const claims = [
      claimOf({ id: 'c-0000000001', location: null }),
      at(2, 'src/b.ts', 3),
      at(3, 'src/a.ts', 100),
      at(4, 'src/a.ts', 20),
      at(5, 'src/a.ts', null),
    ];
    expect(orderClaims({ claims, blocking: [] }).map(({ id }) => id.slice(-1))).toEqual([
      '5',
      '4',
      '3',
      '2',
      '1',
    ]);
  });
});
