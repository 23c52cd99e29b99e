/** What a vote about a claim came to, in words. */
import type { ClaimDeliberation, ClaimOutcome } from '../core/deliberation/claim-deliberation.ts';

const words: Readonly<Record<ClaimOutcome, string>> = {
  passed: 'well supported, passed without a vote',
  confirmed: 'confirmed',
  voted_down: 'voted down',
  contested: 'contested',
  undecided: 'undecided',
};

/** `confirmed, 3 for and 0 against`, `voted down, 1 for and 2 against, after a panel that recommends fail`. */
export function describeVote(deliberation: ClaimDeliberation): string {
  const { outcome, panel, noResponse, error } = deliberation;
  if (outcome === 'passed') return words.passed;
  return [
    words[outcome],
    `${deliberation.for.length} for and ${deliberation.against.length} against`,
    ...(panel === null ? [] : [panel.status === 'failed' ? 'the panel failed' : `after a panel that recommends ${panel.recommendation ?? 'nothing'}`]),
    ...(noResponse.length === 0 ? [] : [`${noResponse.length} did not answer`]),
    ...(error === null ? [] : [error.replace(/\.$/, '')]),
  ].join(', ');
}
