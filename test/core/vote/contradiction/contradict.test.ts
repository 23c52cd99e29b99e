import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clausesOf } from '../../../../src/core/vote/contradiction/clauses.ts';
import { contradict } from '../../../../src/core/vote/contradiction/contradict.ts';

interface Pair {
  readonly relation: 'conflict' | 'harmless';
  readonly one: string;
  readonly other: string;
}

const open = JSON.parse(
  readFileSync(new URL('../../../../bench/motions/pairs/open.json', import.meta.url), 'utf8'),
) as Pair[];

const doContradict = (one: string, other: string): boolean =>
  clausesOf(one).some(clause => clausesOf(other).some(against => contradict(clause, against)));

/** Sentences of a council, made of what decides. */
const sentence = fc
  .array(
    fc.constantFrom(
      ...'members publish audit logs public secret never not without only shall may before after vote 14 30 days ban repeal if , and consent'.split(
        ' ',
      ),
    ),
    { minLength: 5, maxLength: 25 },
  )
  .map(words => words.join(' '));

describe('two clauses', () => {
  it('of the open pairs are told apart as often as is said', () => {
    const flagged = open.filter(({ one, other }) => doContradict(one, other));
    const right = flagged.filter(({ relation }) => relation === 'conflict').length;
    const conflicts = open.filter(({ relation }) => relation === 'conflict').length;
    expect(right / conflicts).toBeGreaterThanOrEqual(0.9);
    expect(right / flagged.length).toBeGreaterThanOrEqual(0.95);
  });

  it.each([
    ['a denial', 'Clerks shall copy the tax ledgers', 'Clerks shall not copy the tax ledgers'],
    [
      'a denial with more behind it',
      'Clerks shall copy the tax ledgers',
      'Clerks shall not copy the tax ledgers, and nothing else shall be changed in the practice of the office',
    ],
    [
      'a word against a thing',
      'I am firmly against sealed tax ledgers',
      'Establish sealed tax ledgers in all towns',
    ],
    [
      'no support',
      'We do not support yearly tax ledgers',
      'Adopt yearly tax ledgers in all the towns',
    ],
    [
      'opposite words',
      'The tax ledgers of the town are confidential',
      'The tax ledgers of the town are published to the public',
    ],
    [
      'an exception that is the rule of the other',
      'Clerks open the tax ledgers only with a warrant',
      'Clerks open the tax ledgers without a warrant',
    ],
    [
      'the order of two things',
      'The tax ledgers are printed before the vote',
      'The tax ledgers are printed after the vote',
    ],
    ['a number', 'Tax ledgers must be kept for 14 years', 'Tax ledgers must be kept for 40 years'],
  ])('contradict each other by %s', (_, one, other) => {
    expect(doContradict(one, other)).toBe(true);
  });

  it.each([
    [
      'two denials',
      'No clerk sells tax ledgers of towns',
      'Clerks never sell tax ledgers of towns',
    ],
    [
      'an exception and its condition',
      'No tax ledger is opened without a warrant',
      'A tax ledger is opened only with a warrant',
    ],
    [
      'denials of other things',
      'Clerks copy the tax ledgers of towns',
      'Clerks of towns with tax ledgers are not paid',
    ],
    [
      'opposite words for other things',
      'Reduce queues at the tax office',
      'Increase staff at the tax office',
    ],
    [
      'both orders turned round',
      'The tax ledgers are printed before the council votes',
      'The council votes after the tax ledgers are printed',
    ],
    [
      'numbers of other things',
      'Tax ledgers must be kept for 14 years',
      'Tax ledgers must be kept in 3 towns',
    ],
  ])('do not by %s', (_, one, other) => {
    expect(doContradict(one, other)).toBe(false);
  });

  it('contradict each other whichever comes first, and neither itself', () => {
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        expect(doContradict(one, other)).toBe(doContradict(other, one));
        for (const clause of clausesOf(one)) expect(contradict(clause, clause)).toBe(false);
      }),
      { numRuns: 2_000 },
    );
    for (const { one, other } of open)
      expect(doContradict(one, other), one).toBe(doContradict(other, one));
  });
});
