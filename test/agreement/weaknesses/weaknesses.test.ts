import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { behaviourWeaknesses } from '../../../src/agreement/weaknesses/behaviour.ts';
import { securityWeaknesses } from '../../../src/agreement/weaknesses/security.ts';
import { systemWeaknesses } from '../../../src/agreement/weaknesses/systems.ts';
import { upkeepWeaknesses } from '../../../src/agreement/weaknesses/upkeep.ts';
import {
  compareWeaknesses,
  type Kinship,
  readTable,
  readWeaknesses,
  spokenOf,
} from '../../../src/agreement/weaknesses/weaknesses.ts';

function compare(one: string, other: string): Kinship {
  return compareWeaknesses(readWeaknesses(one), readWeaknesses(other));
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
  ['misleading-name', 'The getter writes as well, rename it', 'Confusing name'],
  ['typo', 'Spelling mistake', 'Typo in a heading'],
];

describe('the table of weaknesses', () => {
  it.each(troubles)('knows two wordings of %s', (weakness, one, other) => {
    expect(compare(one, other)).toMatchObject({ weakness });
    expect(compare(one, other).likeness).toBeGreaterThan(0.3);
  });

  it('takes no trouble for its neighbour', () => {
    const strange = troubles.flatMap(([weakness, one], index) =>
      troubles
        .filter((_, other) => other !== index)
        .filter(([, , other]) => compare(one, other).likeness > 0.3)
        .map(([neighbour]) => `${weakness} for ${neighbour}`),
    );
    expect(strange).toEqual([]);
  });

  it('reads every row of each table, and no weakness twice', () => {
    const { names, rows, rowsOf } = readTable(
      [securityWeaknesses, behaviourWeaknesses, systemWeaknesses, upkeepWeaknesses].join(''),
    );
    expect(new Set(names).size).toBe(names.length);
    const reached = new Map<number, number>();
    for (const list of rowsOf.values())
      for (const { row, group } of list) reached.set(row, (reached.get(row) ?? 0) | group);
    expect(rows.filter(({ all }, row) => reached.get(row) !== all)).toEqual([]);
  });

  it.each(['no name here', 'Capital: word', 'two: names: words', 'known: $nobody'])(
    'refuses %j',
    line => {
      expect(() => readTable(`\n${line}\n`)).toThrow(/No (weakness|family of words)/);
    },
  );

  it('tells a complete row from a word in passing', () => {
    expect(spokenOf(readWeaknesses('Both threads wait for each other'))).toContain('deadlock');
    expect(spokenOf(readWeaknesses('Threads'))).not.toContain('deadlock');
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

  it('is symmetric and from 0 to 1', () => {
    fc.assert(
      fc.property(remark, remark, (one, other) => {
        const { likeness, weakness } = compare(one, other);
        expect(compare(other, one).likeness).toBeCloseTo(likeness, 12);
        expect(compare(other, one).weakness).toBe(weakness);
        expect(likeness).toBeGreaterThanOrEqual(0);
        expect(likeness).toBeLessThanOrEqual(1 + 1e-12);
      }),
    );
  });

  it('counts no word of both, which may be what they are about', () => {
    expect(compare('Readiness probe', 'Readiness probe').likeness).toBe(0);
    expect(compare('Errors are swallowed', 'Errors are swallowed').likeness).toBe(0);
  });

  it('is not raised by a word that no weakness is told in', () => {
    fc.assert(
      fc.property(remark, remark, (one, other) => {
        expect(compare(`${one} zyzzyva`, other).likeness).toBeLessThanOrEqual(
          compare(one, other).likeness + 1e-12,
        );
      }),
    );
  });

  it('reads signs of code aloud, names of code in parts, and either spelling', () => {
    expect(compare('Should be `<=`', 'The last element is skipped').weakness).toBe('off-by-one');
    expect(compare('Use `===`', 'Coerced before it is compared').weakness).toBe('loose-equality');
    expect(compare('deserialiseRequest', 'Pickle').weakness).toBe('deserialization');
    expect(compare('deserializeRequest', 'Pickle').weakness).toBe('deserialization');
  });

  it('reads a bounded part of whatever text', () => {
    const long = Array.from({ length: 50_000 }, (_, index) => `word${index}`).join(' ');
    expect(readWeaknesses(long).terms.size).toBeLessThan(4_000);
    expect(readWeaknesses(`${'a_'.repeat(50_000)}!`).terms.size).toBeLessThan(6);
    expect(readWeaknesses('').terms.size).toBe(0);
  });
});
