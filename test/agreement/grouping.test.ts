import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  describeUncompared,
  keyOfText,
  linkByAverage,
  type Link,
  selectForMatching,
} from '../../src/agreement/grouping.ts';
import { findingOf } from './sample.ts';

const linkage = { join: 0, veto: -2, most: 4 };
const link = (one: number, other: number, odds: number): Link => ({ one, other, odds });

describe('grouping by average link', () => {
  it('joins what is linked well on average', () => {
    expect(linkByAverage(4, [link(0, 1, 3), link(1, 2, 2), link(0, 2, -1)], linkage)).toEqual([
      [0, 1, 2],
      [3],
    ]);
  });

  it('joins what just reaches the cut, and nothing below', () => {
    expect(linkByAverage(4, [link(0, 1, 0), link(2, 3, -0.01)], linkage)).toEqual([
      [0, 1],
      [2],
      [3],
    ]);
  });

  it('does not chain: a missing pair keeps two groups apart', () => {
    expect(linkByAverage(3, [link(0, 1, 4), link(1, 2, 3)], linkage)).toEqual([[0, 1], [2]]);
  });

  it('a single clear no outweighs any number of yes', () => {
    const links = [
      link(0, 1, 4),
      link(0, 2, 4),
      link(1, 2, 4),
      link(0, 3, 4),
      link(1, 3, 4),
      link(2, 3, -2.1),
    ];
    expect(linkByAverage(4, links, linkage)).toEqual([[0, 1, 2], [3]]);
  });

  it('counts one very sure pair no more than a sure one', () => {
    expect(
      linkByAverage(
        4,
        [
          link(0, 1, 5),
          link(2, 3, 5),
          link(0, 2, 90),
          link(0, 3, -1.9),
          link(1, 2, -1.9),
          link(1, 3, -1.9),
        ],
        linkage,
      ),
    ).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  it('puts each position into one group of which every two are linked above the veto', () => {
    const edges = fc.uniqueArray(
      fc
        .record({
          one: fc.nat(11),
          other: fc.nat(11),
          odds: fc.double({ min: -5, max: 5, noNaN: true }),
        })
        .filter(({ one, other }) => one < other),
      { selector: ({ one, other }) => `${one} ${other}` },
    );
    fc.assert(
      fc.property(edges, links => {
        const groups = linkByAverage(12, links, linkage);
        expect(groups.flat().sort((one, other) => one - other)).toEqual(
          Array.from({ length: 12 }, (_, index) => index),
        );
        const odds = new Map(links.map(each => [`${each.one} ${each.other}`, each.odds]));
        for (const group of groups) {
          for (const one of group)
            for (const other of group)
              if (one < other)
                expect(odds.get(`${one} ${other}`)).toBeGreaterThanOrEqual(linkage.veto);
        }
      }),
    );
  });

  it('is not changed by ties too weak to join anybody', () => {
    const odds = fc.double({ min: -5, max: 5, noNaN: true });
    const inside = fc.array(fc.record({ one: fc.nat(4), other: fc.nat(4), odds }), {
      maxLength: 10,
    });
    const across = fc.array(
      fc.record({
        one: fc.nat(4),
        other: fc.nat(4),
        odds: fc.double({ min: -2, max: -0.01, noNaN: true }),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(inside, inside, across, (left, right, weak) => {
        const shifted = right.map(each => link(each.one + 5, each.other + 5, each.odds));
        const alone = onePerPair([...left, ...shifted]);
        const tied = onePerPair(weak.map(each => link(each.one, each.other + 5, each.odds)));
        expect(linkByAverage(10, [...alone, ...tied], linkage)).toEqual(
          linkByAverage(10, alone, linkage),
        );
      }),
    );
  });

  it('is not changed by positions that nothing links', () => {
    const links = [
      link(0, 1, 1),
      link(2, 3, 2),
      link(1, 2, 0.5),
      link(0, 2, 0.5),
      link(0, 3, 0.5),
      link(1, 3, 0.5),
    ];
    expect(linkByAverage(9, links, linkage).filter(group => group.length > 1)).toEqual(
      linkByAverage(4, links, linkage).filter(group => group.length > 1),
    );
  });
});

/** Of those that name a pair in its order; of several about one pair the last. */
function onePerPair(links: readonly Link[]): Link[] {
  return [
    ...new Map(
      links
        .filter(({ one, other }) => one < other)
        .map(each => [`${each.one} ${each.other}`, each]),
    ).values(),
  ];
}

describe('more findings than there is room for', () => {
  const findings = [
    findingOf('A', 'The lock is never released', { label: 'CRITICAL' }),
    findingOf('A', 'The cache leaks', { label: 'LOW' }),
    findingOf('A', 'The cache leaks', { label: 'LOW' }),
    findingOf('A', 'The index is stale', { label: 'LOW' }),
    findingOf('B', 'The cache leaks', { label: 'CRITICAL' }),
    findingOf('B', 'The index is stale', { label: 'LOW' }),
    findingOf('B', 'The index is stale', { label: 'LOW', path: 'b.ts', line: 2 }),
    findingOf('C', 'The file stays open', { label: 'HIGH' }),
  ];

  it('the most severe of each reviewer are compared; what is said in the same words goes with it, matched or not', () => {
    const { matched, apart } = selectForMatching(findings, 4);
    const positions = (bundles: typeof matched): number[][] =>
      bundles.map(bundle => bundle.map(finding => findings.indexOf(finding)));
    expect([positions(matched), positions(apart)]).toEqual([
      [[0], [4, 1, 2], [7]],
      [[3, 5], [6]],
    ]);
  });

  it('how many were compared with nothing is told in a sentence', () => {
    expect(describeUncompared(0, 8, 4)).toBeNull();
    expect(describeUncompared(3, 8, 4)).toContain('3 of 8 findings were compared with no other');
  });

  it('long texts are told apart by what stands behind their beginning', () => {
    const long = 'The lock is never released. '.repeat(400);
    const texts = [long, `${long}a`, `${long}b`, `${long.slice(0, -2)}b `, long.toUpperCase()];
    expect(new Set(texts.map(keyOfText)).size).toBe(texts.length);
    expect(keyOfText(long)).toBe(keyOfText(long.slice()));
    expect(keyOfText('short')).toBe('short');
  });
});
