/** Counts the votes of verification mode: every criterion passes, fails or is disputed, and what that makes of the whole. */
import { z } from 'zod';
import type { Review } from '../words/review.ts';
import { Rows, Texts, Whole } from '../words/fields.ts';

export const Verification = z.object({
  result: z.enum(['pass', 'fail', 'undecided']),
  criteria: Rows({
    criterion: Whole,
    pass: Texts,
    fail: Texts,
    result: z.enum(['pass', 'fail', 'disputed']),
  }),
});
export type Verification = z.infer<typeof Verification>;
type Criterion = Verification['criteria'][number];

/**
 * Passes when every completed reviewer says PASS, fails when more than half of them say FAIL, else it is disputed; also
 * when nobody completed. A partial review is heard where it says FAIL: its findings count, its silence and its PASS do not.
 * `asked` are the numbers of the criteria in the prompt: one that nobody voted on is disputed, not forgotten; numbers that
 * were voted on and not asked are counted too. A reviewer that says both says neither PASS nor nothing: the FAIL stands.
 */
export function verify(reviews: readonly Review[], asked: readonly number[] = []): Verification {
  const heard = reviews.filter(review => review.status !== 'failed');
  const numbers = new Set([
    ...asked,
    ...heard.flatMap(review => review.votes.map(vote => vote.criterion)),
  ]);
  const criteria = [...numbers]
    .sort((one, other) => one - other)
    .map(criterion => judge(criterion, heard));
  return { result: summarise(criteria), criteria };
}

function judge(criterion: number, heard: readonly Review[]): Criterion {
  const says = (review: Review, word: 'PASS' | 'FAIL') =>
    review.votes.some(vote => vote.criterion === criterion && vote.vote === word);
  const against = heard.filter(review => says(review, 'FAIL'));
  const judges = heard.filter(review => review.status === 'complete' || against.includes(review));
  const pass = judges
    .filter(review => says(review, 'PASS') && !against.includes(review))
    .map(review => review.reviewer);
  return {
    criterion,
    pass,
    fail: against.map(review => review.reviewer),
    result: resultOf(pass.length, against.length, judges.length),
  };
}

function resultOf(pass: number, fail: number, judges: number) {
  if (fail > judges / 2) return 'fail';
  return judges > 0 && pass === judges ? 'pass' : 'disputed';
}

/** `pass` needs at least one criterion: nothing asked proves nothing. */
function summarise(criteria: readonly Criterion[]) {
  if (criteria.some(({ result }) => result === 'fail')) return 'fail';
  return criteria.length > 0 && criteria.every(({ result }) => result === 'pass')
    ? 'pass'
    : 'undecided';
}

export const criterionStates = ['not met', 'disputed', 'unanswered', 'met'] as const;

/** What a criterion came to, in the words people get. */
export function stateOfCriterion({
  result,
  pass,
  fail,
}: Criterion): (typeof criterionStates)[number] {
  if (result === 'pass') return 'met';
  if (result === 'fail') return 'not met';
  return pass.length + fail.length === 0 ? 'unanswered' : 'disputed';
}

export function describeCriterion(criterion: Criterion) {
  return (
    `Criterion ${criterion.criterion} is ${stateOfCriterion(criterion)}: ${criterion.pass.length} PASS, ` +
    `${criterion.fail.length} FAIL.`
  );
}

const mark = String.raw`^[ \t|]{0,8}(?:(?:[-*+]|#{1,6})[ \t])?[([*_]{0,3}`;
const behindWord = String.raw`(?:#|(?:criterion|criteria|ac)[ #-]?)(\d{1,4})(?![\d.]*\d)`;
const numbered = String.raw`[a-z]?(\d{1,4})[*_]{0,2}(?:[ \t]?[.:)\]|]|[ \t][-–—])(?!\d)`;
const insideLine = String.raw`(?<=[ \t])[([]?(\d{1,4})[.)\]](?=[ \t]+\S)`;
const criterionPattern = new RegExp(`${mark}(?:${behindWord}|${numbered})|${insideLine}`, 'gim');

/**
 * The numbers of the criteria in a prompt: lines that begin with a number as lists, tables and headings have it, or behind `#`,
 * `Criterion` or `AC`. Inside a line only the next number counts, as in `1. it builds 2. it runs`: a criterion that is overlooked could
 * pass without an answer.
 */
export function criteriaIn(prompt: string) {
  const found: number[] = [];
  for (const [, named, first = named, next] of prompt.normalize('NFKC').matchAll(criterionPattern))
    if (first !== undefined || Number(next) === (found.at(-1) ?? 0) + 1)
      found.push(Number(first ?? next));

  return [...new Set(found)].sort((one, other) => one - other);
}

/** What the finding of a FAIL says; null where the vote named no criterion. */
export function sayUnmet(criterion: number | null, reason: string) {
  if (criterion === null) return reason || 'A criterion is not met';
  return reason === '' ? `Criterion ${criterion} is not met` : `Criterion ${criterion}: ${reason}`;
}
