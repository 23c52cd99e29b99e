import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkByAverage, type Link } from '../../../src/core/matching/grouping.ts';

const linkage = { join: 0, veto: -2, most: 4 };
const link = (one: number, other: number, odds: number): Link => ({ one, other, odds });

describe('grouping by average link', () => {
  it('joins what is linked well on average', () => {
    expect(linkByAverage(4, [link(0, 1, 3), link(1, 2, 2), link(0, 2, -1)], linkage)).toEqual([
      [0, 1, 2],
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
