/** The claim a person means by an id, or by the beginning of one. */
import { distance } from 'fastest-levenshtein';
import { didYouMean, UserError } from '../errors.ts';

/** `c-` may be left out. Throws `UserError` (kind `input`) with the nearest ids, or with the candidates when there are several. */
export function findClaim(wanted: string, ids: readonly string[]): string {
  const typed = wanted.trim().toLowerCase();
  const start = typed.startsWith('c-') ? typed : `c-${typed}`;
  const matches = [...new Set(ids)].filter(id => id.startsWith(start) && typed !== '' && typed !== 'c-').sort();
  const [first] = matches;
  if (first !== undefined && matches.length === 1) return first;
  if (matches.length > 1) throw new UserError(`${show(wanted)} is the beginning of ${matches.length} claims.`, { kind: 'input', hint: didYouMean(matches.slice(0, 5)) });
  throw new UserError(`There is no claim ${show(wanted)} in the latest run or in the memory of this project.`, { kind: 'input', hint: didYouMean(nearest(start.slice(0, 40), ids)) });
}

function nearest(start: string, ids: readonly string[]): string[] {
  return [...new Set(ids)].map(id => ({ id, steps: distance(start, id) })).sort((one, other) => one.steps - other.steps || (one.id < other.id ? -1 : 1)).slice(0, 3).map(({ id }) => id);
}

function show(wanted: string): string {
  return JSON.stringify(wanted.slice(0, 60));
}
