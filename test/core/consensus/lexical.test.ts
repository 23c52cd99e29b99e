import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLexicalMatcher } from '../../../src/core/consensus/lexical.ts';
import { allPairs } from '../../../src/core/consensus/matching.ts';
import type { Finding } from '../../../src/core/finding.ts';
import type { Comparison } from '../../../src/core/ports.ts';
import { findingOf, type FindingSample } from './sample.ts';

async function compare(one: string, other: string, [first, second]: readonly [FindingSample, FindingSample] = [{}, {}]): Promise<Comparison> {
  const matcher = createLexicalMatcher();
  const [left, right] = [findingOf('Alpha', one, first), findingOf('Beta', other, second)];
  await matcher.prepare([left, right, findingOf('Gamma', 'Log output is verbose'), findingOf('Gamma', 'Naming is inconsistent')]);
  return matcher.compare(left, right);
}

const at = (line: number): FindingSample => ({ path: 'a.ts', line });

async function scoreAmong(others: readonly string[]): Promise<number> {
  const matcher = createLexicalMatcher();
  const [one, other] = [findingOf('Alpha', 'scheduler drops jobs'), findingOf('Beta', 'scheduler sleeps long')];
  await matcher.prepare([one, other, ...others.map((text, index) => findingOf(`R${index}`, text))]);
  return matcher.compare(one, other).score;
}

describe('the lexical strategy', () => {
  it.each([
    ['SQL injection', 'SQL injection in the user search endpoint'],
    ['missing error handling in main function', 'no error handling in main function'],
    ['Race condition on the connection pool', 'race-condition: the connection pool is not synchronised'],
    ['Passwords are stored in plain text', 'Storing the password as plain text'],
    ['Race', 'race'],
    ['`user_id` is not validated', 'Validation of userId missing'],
  ])('%j and %j are the same', async (one, other) => {
    expect(await compare(one, other)).toMatchObject({ same: true });
  });

  it.each([
    ['Missing lock', 'Missing test'],
    ['Missing input validation', 'Missing output validation'],
    ['Missing input validation', 'Need better documentation'],
    ['Race in src/cache.ts', 'Typo in src/cache.ts'],
    ['the and or', 'the and or'],
    ['', 'x'],
  ])('%j and %j are different', async (one, other) => {
    expect(await compare(one, other)).toMatchObject({ same: false });
  });

  it('never joins two files or two numbers', async () => {
    expect(await compare('No check of the index', 'No check of the index', [{ path: 'a.ts' }, { path: 'b.ts' }])).toMatchObject({ same: false });
    expect(await compare('The timeout of 30 seconds is wrong', 'The timeout of 60 seconds is wrong')).toMatchObject({ same: false });
    expect(await compare('No check in a.ts:30', 'No check in a.ts:60')).toMatchObject({ same: true });
  });

  it.each([
    ['The cache is thread safe', 'The cache is not thread safe'],
    ['The timeout is too high for uploads', 'The timeout is too low for uploads'],
    ['The lock should be added around writes', 'The lock should be removed around writes'],
  ])('%j and %j contradict each other', async (one, other) => {
    expect(await compare(one, other)).toMatchObject({ same: false, contradicts: true });
  });

  it('counts the same spot of a file for a match, and another spot against it', async () => {
    const [one, other] = ['Index may exceed the buffer length', 'Buffer overrun: index unchecked here'];
    const near = await compare(one, other, [at(10), at(11)]);
    const far = await compare(one, other, [at(10), at(300)]);
    const nowhere = await compare(one, other);
    expect(near.score).toBeGreaterThan(nowhere.score);
    expect(far.score).toBeLessThan(nowhere.score);
  });

  it('lets a word that everybody uses count less than a rare one', async () => {
    const often = await scoreAmong(Array.from({ length: 20 }, () => 'scheduler again'));
    expect(often).toBeLessThan(await scoreAmong(Array.from({ length: 20 }, () => 'parser again')));
  });

  const text = fc.array(fc.constantFrom('lock', 'race', 'not', 'cacheIndex', 'user_id', 'a.ts', '30', '60', 'the', 'missing', 'safe', 'unsafe'), { maxLength: 8 }).map(list => list.join(' '));
  const spoken = fc.array(fc.record({ text, line: fc.constantFrom(null, 3, 5, 90) }), { maxLength: 10 })
    .map(list => list.map((entry, index) => findingOf(`R${index % 3}`, entry.text, entry.line === null ? {} : { path: 'b.ts', line: entry.line })));

  it('is symmetric, stays within 0 to 100, and names every pair that is the same among those worth comparing', async () => {
    await fc.assert(fc.asyncProperty(spoken, async findings => {
      const matcher = createLexicalMatcher();
      await matcher.prepare(findings);
      const named = new Set([...matcher.pairs(findings)].map(pair => pair.join()));
      const all = [...allPairs(findings.length)].map(([one, other]) => {
        const [first, second] = [findings[one] as Finding, findings[other] as Finding];
        return { key: `${one},${other}`, there: matcher.compare(first, second), back: matcher.compare(second, first) };
      });
      expect(all.map(({ back }) => back)).toEqual(all.map(({ there }) => there));
      expect(all.filter(({ there }) => there.score < 0 || there.score > 100)).toEqual([]);
      expect(all.filter(({ key, there }) => there.same && !named.has(key))).toEqual([]);
    }));
  });
});
