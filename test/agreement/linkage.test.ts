import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkByAverage, type Link, allPairs } from '../../src/agreement/linkage.ts';
import { createOverlapMatcher } from '../../src/agreement/calibrated.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import { findingOf } from './sample.ts';

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

describe('the overlap strategy', () => {
  it.each([
    ['missing error handling in main function', 'no error handling in main function', true],
    ['Missing validation in src/foo.js', 'Missing validation', true],
    ['Missing validation in src/foo.js', 'Missing validation in src/bar.js', false],
    ['Missing validation in src/foo.js', 'Missing validation in foo.js', true],
    ['SQL injection', 'SQL injection in the user search endpoint allows arbitrary reads', true],
    ['user_id missing', 'user id missing', false],
    ['the and or', 'the and or', false],
    ['', 'x', false],
  ])('%j and %j are the same at 60: %j', async (one, other, same) => {
    const matcher = createOverlapMatcher(60);
    const [first, second] = [findingOf('Alpha', one), findingOf('Beta', other)];
    await matcher.prepare([first, second]);
    expect(matcher.compare(first, second).same).toBe(same);
    expect(matcher.compare(second, first)).toEqual(matcher.compare(first, second));
  });

  it('says how much is needed where it is too little', async () => {
    const [one, other] = [findingOf('Alpha', 'lock and race'), findingOf('Beta', 'lock or leak')];
    const reasonAt = (threshold: number) =>
      createOverlapMatcher(threshold).compare(one, other).reason;
    expect([reasonAt(60), reasonAt(50)]).toEqual([
      '50 % of the words of one stand in the other; 60 % are needed.',
      '50 % of the words of one stand in the other.',
    ]);
  });

  it('keeps two files apart that only the places tell apart', () => {
    const matcher = createOverlapMatcher(60);
    expect(
      matcher.compare(
        findingOf('Alpha', 'no check', { path: 'a.js' }),
        findingOf('Beta', 'no check', { path: 'b.js' }),
      ).same,
    ).toBe(false);
  });

  it('names every pair that is the same among those worth comparing, at any threshold', () => {
    const word = fc.constantFrom(...'lock race null check cache the a.js b.js index'.split(' '));
    const texts = fc.array(
      fc.array(word, { maxLength: 7 }).map(list => list.join(' ')),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 100 }), (list, threshold) => {
        const matcher = createOverlapMatcher(threshold);
        const findings = list.map(text => findingOf('Alpha', text));
        const named = new Set([...matcher.pairs(findings)].map(pair => pair.join()));
        const same = [...allPairs(findings.length)].filter(
          ([one, other]) =>
            matcher.compare(findings[one] as Finding, findings[other] as Finding).same,
        );
        expect(same.filter(pair => !named.has(pair.join()))).toEqual([]);
      }),
    );
  });
});
