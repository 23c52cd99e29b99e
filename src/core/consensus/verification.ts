/** Counts the votes of verification mode: every criterion passes, fails or is disputed. */
import type { Review } from '../review.ts';
import type { RunRecord } from '../run.ts';

export type Verification = NonNullable<RunRecord['verification']>;
type Criterion = Verification['criteria'][number];

/**
 * Passes when every completed reviewer says PASS, fails when more than half of them say FAIL, else it is disputed; also
 * when nobody completed. `asked` are the numbers of the criteria in the prompt: one that nobody voted on is disputed,
 * not forgotten; numbers that were voted on and not asked are counted too. A reviewer that says both says neither PASS
 * nor nothing: the FAIL stands.
 */
export function verify(reviews: readonly Review[], asked: readonly number[] = []): Verification {
  const completed = reviews.filter(review => review.status === 'complete');
  const numbers = new Set([...asked, ...completed.flatMap(review => review.votes.map(vote => vote.criterion))]);
  const criteria = [...numbers].sort((one, other) => one - other).map(criterion => judge(criterion, completed));
  return { result: summarise(criteria), criteria };
}

function judge(criterion: number, completed: readonly Review[]): Criterion {
  const says = (review: Review, word: 'PASS' | 'FAIL'): boolean => review.votes.some(vote => vote.criterion === criterion && vote.vote === word);
  const fail = completed.filter(review => says(review, 'FAIL')).map(review => review.reviewer);
  const pass = completed.filter(review => says(review, 'PASS') && !says(review, 'FAIL')).map(review => review.reviewer);
  return { criterion, pass, fail, result: resultOf(pass.length, fail.length, completed.length) };
}

function resultOf(pass: number, fail: number, completed: number): Criterion['result'] {
  if (fail > completed / 2) return 'fail';
  return completed > 0 && pass === completed ? 'pass' : 'disputed';
}

/** `pass` needs at least one criterion: nothing asked proves nothing. */
function summarise(criteria: readonly Criterion[]): Verification['result'] {
  if (criteria.some(({ result }) => result === 'fail')) return 'fail';
  return criteria.length > 0 && criteria.every(({ result }) => result === 'pass') ? 'pass' : 'undecided';
}

/** The numbers of the criteria in a prompt: lines that begin with a number and `.`, `)`, `:` or `|`. */
export function criteriaIn(prompt: string): number[] {
  const found = [...prompt.matchAll(/^[ \t]{0,8}(?:[-*+][ \t])?(\d{1,4})[.):|](?=\s|$)/gm)].map(match => Number(match[1]));
  return [...new Set(found)].sort((one, other) => one - other);
}
