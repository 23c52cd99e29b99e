import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { criteriaIn, verify } from '../../../src/core/verdict/verification.ts';
import type { Review } from '../../../src/core/words/review.ts';
import { reviewOf } from '../../agreement/sample.ts';

const voting = (reviewer: string, votes: string, sample: Partial<Review> = {}) =>
  reviewOf(reviewer, {
    votes: votes.split('').flatMap((letter, index) =>
      letter === '-'
        ? []
        : [
            {
              criterion: index + 1,
              vote: letter === 'P' ? ('PASS' as const) : ('FAIL' as const),
            },
          ],
    ),
    ...sample,
  });

describe('verification', () => {
  it.each([
    [['P', 'P', 'P'], 'pass', 'pass'],
    [['P', 'P', '-'], 'disputed', 'undecided'],
    [['F', 'F', 'P'], 'fail', 'fail'],
    [['F', 'P', 'P'], 'disputed', 'undecided'],
    [['F', 'P'], 'disputed', 'undecided'],
    [['F'], 'fail', 'fail'],
  ])('votes %j make the criterion %s and the result %s', (votes, criterion, result) => {
    const counted = verify(
      votes.map((letter, index) => voting(`R${index}`, letter)),
      [1],
    );
    expect([counted.criteria[0]?.result, counted.result]).toEqual([criterion, result]);
  });

  it('counts only reviewers that completed, and keeps who said what', () => {
    const counted = verify([
      voting('Alpha', 'PF'),
      voting('Beta', 'FP', { status: 'failed' }),
      voting('Gamma', 'PF'),
    ]);
    expect(counted).toEqual({
      result: 'fail',
      criteria: [
        { criterion: 1, pass: ['Alpha', 'Gamma'], fail: [], result: 'pass' },
        { criterion: 2, pass: [], fail: ['Alpha', 'Gamma'], result: 'fail' },
      ],
    });
  });

  it('is undecided when nobody answered or nothing was asked', () => {
    expect(verify([], [1, 2])).toMatchObject({
      result: 'undecided',
      criteria: [
        { criterion: 1, result: 'disputed' },
        { criterion: 2, result: 'disputed' },
      ],
    });
    expect(verify([reviewOf('Alpha')])).toEqual({ result: 'undecided', criteria: [] });
  });

  it('a criterion that was asked and not voted on keeps the result from passing', () =>
    expect(verify([voting('Alpha', 'P'), voting('Beta', 'P')], [1, 2]).result).toBe('undecided'));

  it('a reviewer that says both has said FAIL', () => {
    const both = reviewOf('Alpha', {
      votes: [
        { criterion: 1, vote: 'PASS' },
        { criterion: 1, vote: 'FAIL' },
      ],
    });
    expect(verify([both]).criteria).toEqual([
      { criterion: 1, pass: [], fail: ['Alpha'], result: 'fail' },
    ]);
  });

  it('never passes a criterion that somebody failed or left out', () =>
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('P', 'F', '-'), { minLength: 1, maxLength: 6 }),
        votes => {
          const [criterion] = verify(
            votes.map((letter, index) => voting(`R${index}`, letter)),
            [1],
          ).criteria;
          expect(criterion?.result === 'pass').toBe(votes.every(letter => letter === 'P'));
          expect(criterion?.result === 'fail').toBe(
            votes.filter(letter => letter === 'F').length > votes.length / 2,
          );
        },
      ),
    ));

  it('hears a partial review where it says FAIL, not where it says PASS', () => {
    const partial = voting('Gamma', 'FP', { status: 'partial' });
    expect(
      verify([voting('Alpha', 'PP'), voting('Beta', 'PP'), partial]).criteria.map(
        ({ result }) => result,
      ),
    ).toEqual(['disputed', 'pass']);
    expect(verify([partial], [1, 2]).criteria.map(({ result }) => result)).toEqual([
      'fail',
      'disputed',
    ]);
  });

  it('finds the numbers of the criteria in the prompt', () => {
    expect(
      criteriaIn('Check:\n1. it builds\n 2) it runs in 3.5 s\n- 4: it stops\n4. again\n10 years'),
    ).toEqual([1, 2, 4]);
    expect(criteriaIn('(1) it builds (2) it runs\n### AC3: it stops')).toEqual([1, 2, 3]);
    expect(
      criteriaIn(
        'Criterion 1 it builds\n**2.** it runs\n### 3. it stops\n#4 ends\n5 - is\n| 6 | it',
      ),
    ).toEqual([1, 2, 3, 4, 5, 6]);
    expect(criteriaIn('Check: 1.5 s; (1) it builds (2) it runs\n[3] it\nR4: it\n5.it')).toEqual([
      1, 2, 3, 4, 5,
    ]);
  });

  it('finds a list that stands on one line, and takes no other number for a criterion', () => {
    expect(criteriaIn('1. it builds 2. it runs 3) it stops')).toEqual([1, 2, 3]);
    expect(criteriaIn('1. it needs 7. or more, and returns 2.\n2. it runs')).toEqual([1, 2]);
    expect(criteriaIn('1. it returns 2.')).toEqual([1]);
  });
});
