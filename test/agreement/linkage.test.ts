import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkByAverage, type Link } from '../../src/agreement/linkage.ts';

/** Of so many statements that name no file. */
const group = (count: number, links: readonly Link[]) =>
  linkByAverage(
    Array.from({ length: count }, () => ''),
    links,
  );
const link = (one: number, other: number, odds: number) => ({ one, other, odds });

describe('grouping by average link', () => {
  it('joins what is linked well on average', () =>
    expect(group(4, [link(0, 1, 3), link(1, 2, 2), link(0, 2, -1)])).toEqual([[0, 1, 2], [3]]));

  it('joins what just reaches the cut, and nothing below', () =>
    expect(group(4, [link(0, 1, 0), link(2, 3, -0.01)])).toEqual([[0, 1], [2], [3]]));

  it('does not chain: a missing pair counts as hopeless', () =>
    expect(group(3, [link(0, 1, 4), link(1, 2, 3)])).toEqual([[0, 1], [2]]));

  it('a single no is outweighed by clear yes of all the others, for any one pair can be misread', () => {
    const links = [link(0, 1, 4), link(0, 2, 4), link(1, 2, 4), link(0, 3, 4), link(1, 3, 4)];
    expect(group(4, [...links, link(2, 3, -2)])).toEqual([[0, 1, 2, 3]]);
  });

  it('never puts two files into one group, by way of what names none either', () => {
    const links = [link(0, 1, 4), link(1, 2, 4)];
    expect(linkByAverage(['a.ts', '', 'b.ts'], [...links, link(0, 2, 4)])).toEqual([[0, 1], [2]]);
  });

  it('counts one very sure pair no more than a sure one', () =>
    expect(
      group(4, [
        link(0, 1, 5),
        link(2, 3, 5),
        link(0, 2, 90),
        link(0, 3, -1.9),
        link(1, 2, -1.9),
        link(1, 3, -1.9),
      ]),
    ).toEqual([
      [0, 1],
      [2, 3],
    ]));

  it('puts each position into one group', () => {
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
        expect(
          group(12, links)
            .flat()
            .sort((one, other) => one - other),
        ).toEqual(Array.from({ length: 12 }, (_, index) => index));
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
        expect(group(10, [...alone, ...tied])).toEqual(group(10, alone));
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
    expect(group(9, links).filter(({ length }) => length > 1)).toEqual(
      group(4, links).filter(({ length }) => length > 1),
    );
  });
});

/** Of those that name a pair in its order; of several about one pair the last. */
function onePerPair(links: readonly Link[]) {
  return [
    ...new Map(
      links
        .filter(({ one, other }) => one < other)
        .map(each => [`${each.one} ${each.other}`, each]),
    ).values(),
  ];
}
