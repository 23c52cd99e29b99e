import { describe, expect, it } from 'vitest';
import {
  readStatements,
  shareOf,
  type Statement,
  describeUncompared,
  selectForMatching,
  kinshipOf,
  weaknessesIn,
} from '../../src/agreement/statements.ts';
import { findingOf } from './sample.ts';
import * as fc from 'fast-check';
import table from '../../src/agreement/weaknesses.json' with { type: 'json' };

function pairOf(one: string, other: string): readonly [Statement, Statement] {
  const [left, right] = readStatements([findingOf('Alpha', one), findingOf('Beta', other)])
    .statements as [Statement, Statement];
  return [left, right];
}

describe('the statements of a panel', () => {
  it('are one for the same words about the same place, with all who say it', () => {
    const place = { path: 'a.ts', line: 3 };
    const { statements } = readStatements([
      findingOf('Beta', 'The lock is held', place),
      findingOf('Alpha', ' the lock is held', place),
      findingOf('Alpha', 'The lock is held', { path: 'a.ts', line: 9 }),
    ]);
    expect(statements.map(({ reviewers, positions }) => [reviewers, positions])).toEqual([
      [
        ['Alpha', 'Beta'],
        [0, 1],
      ],
      [['Alpha'], [2]],
    ]);
  });

  it('have stems of words and of the parts of a name in common', () => {
    const [one, other] = pairOf('Validating the userId', 'The user is not valid');
    expect(shareOf(one.stems, other.stems).count).toBe(2);
    expect(shareOf(one.names, other.names).count).toBe(0);
  });

  it('have each name also with the word behind it, so that a name in common is no whole subject', () => {
    const [one, other] = pairOf('userId lock', 'userId cache');
    expect(one.names.terms).toHaveLength(2);
    expect(shareOf(one.names, other.names).count).toBe(1);
  });

  it('of scripts without spaces have pairs of characters in common', () => {
    const [one, other] = pairOf('缓存更新存在竞态条件', '缓存更新时有竞态条件问题');
    expect(shareOf(one.stems, other.stems).count).toBeGreaterThan(4);
  });

  it('weigh a word less the more of them use it, and one that all reviews use from the start', () => {
    const { statements } = readStatements([
      findingOf('Alpha', 'The queue is null'),
      findingOf('Beta', 'The queue overflows'),
      findingOf('Gamma', 'The queue blocks'),
    ]);
    const weights = statements.flatMap(({ stems }) => stems.weights);
    expect(new Set(weights).size).toBe(3);
  });
});

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
    const positions = (bundles: typeof matched) =>
      bundles.map(bundle => bundle.map(finding => findings.indexOf(finding)));
    expect([positions(matched), positions(apart)]).toEqual([
      [[0], [1, 2, 4], [7]],
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
    const said = [...texts, long].map(text => findingOf('A', text));
    const { matched, apart } = selectForMatching(said, 1);
    expect([...matched, ...apart]).toHaveLength(texts.length);
  });
});

function compare(one: string, other: string) {
  return kinshipOf({ text: one }, { text: other });
}

/** A trouble in two wordings with hardly a word in common; the next line is its neighbour, and something else. */
const troubles: readonly (readonly [weakness: string, one: string, other: string])[] = [
  ['sql-injection', 'SQLi in the search', 'Concatenating raw values into the statement; bind them'],
  ['xss', 'Stored XSS', 'A script in the title runs in the browser of every visitor'],
  ['ssrf', 'SSRF', 'The server fetches whatever host it is given, localhost too'],
  ['weak-random', 'Reset codes are predictable', 'Math.random is no CSPRNG'],
  ['deadlock', 'Both threads wait for each other', 'Locks are acquired in opposite order'],
  ['resource-leak', 'Unclosed sockets pile up', 'An early return leaves the descriptor open'],
  ['off-by-one', 'The final entry is left out', 'Fencepost mistake in the range'],
  ['wrong-operator', 'Subtracts instead of adding', 'The operator must be a plus'],
  ['unit-mismatch', 'Wrong unit', 'Milliseconds are passed where seconds are expected'],
  ['n-plus-one', 'One query per row', 'Eager load the authors, hundreds of lookups'],
  ['stale-cache', 'Old prices are shown after an update', 'Entries are never invalidated'],
  ['time-zone', 'Midnight of the server is used', 'Use UTC'],
  ['missing-test', 'Nothing covers the new branch', 'Untested'],
  ['misleading-name', 'The name suggests a getter, rename it', 'Confusing name'],
  ['typo', 'Spelling mistake', 'Typo in a heading'],
];

describe('the table of weaknesses', () => {
  it.each(troubles)('knows two wordings of %s, and neither of another', (weakness, one, other) => {
    expect(weaknessesIn(one).get(weakness)).toBeGreaterThan(0);
    const own = compare(one, other);
    expect(own).toBeGreaterThan(0.1);
    for (const [name, , strange] of troubles)
      if (name !== weakness) expect(compare(one, strange), name).toBeLessThan(own);
  });

  it('names no weakness twice', () => {
    const names = Object.values(table).flatMap(Object.keys);
    expect(new Set(names).size).toBe(names.length);
  });

  it('takes a few words of one weakness for more than each by itself', () => {
    const [both, ...each] = ['Threads wait for each other', 'Threads', 'Wait for each other'].map(
      text => weaknessesIn(text).get('deadlock') ?? 0,
    );
    expect(both).toBeGreaterThan(each.reduce((sum, own) => sum + own, 0));
  });
});

describe('kinship', () => {
  const words = fc.constantFrom(
    ...'race lock swallowed error null timeout retry stale cache upload slow query loop index'.split(
      ' ',
    ),
    ...'the of in every quux frob'.split(' '),
  );
  const remark = fc.array(words, { maxLength: 9 }).map(list => list.join(' '));

  it('is symmetric and from 0 to 1', () =>
    fc.assert(
      fc.property(remark, remark, (one, other) => {
        const likeness = compare(one, other);
        expect(compare(other, one)).toBeCloseTo(likeness, 12);
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1 + 1e-12);
      }),
    ));

  it('counts no word of both, which may be what they are about', () => {
    expect(compare('Readiness probe', 'Readiness probe')).toBe(0);
    expect(compare('Errors are swallowed', 'Errors are swallowed')).toBe(0);
  });

  it('is not raised by a word that no weakness is told in', () =>
    fc.assert(
      fc.property(remark, remark, (one, other) => {
        expect(compare(`${one} zyzzyva`, other)).toBeLessThanOrEqual(compare(one, other) + 1e-12);
      }),
    ));
});
