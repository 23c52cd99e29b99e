import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kinshipOf, weaknessesIn } from '../../src/agreement/statements.ts';
import table from '../../src/agreement/weaknesses.json' with { type: 'json' };

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
