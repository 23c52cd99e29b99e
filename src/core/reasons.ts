/** The reasons of an outcome, as reports print them. */
import type { RunRecord } from './run.ts';

type Reason = RunRecord['reasons'][number];

/** One sentence for people. Untrusted: it may quote the world. */
export function sentenceOf(reason: Reason): string {
  return reason;
}

export function sentencesOf({ reasons }: Pick<RunRecord, 'reasons'>): readonly string[] {
  return reasons.map(sentenceOf);
}

type Told = Pick<RunRecord, 'reasons' | 'blocking' | 'engineFindings' | 'quorum' | 'reviewers'>;

/** Those that a report does not tell anyway where it lists what blocks and counts who completed. */
export function furtherReasons({ reasons, blocking, engineFindings = [], quorum, reviewers }: Told): readonly string[] {
  const told = new Set([...engineFindings.map(({ text }) => text), `${quorum.completed} of ${reviewers.length} reviewers completed; the quorum is ${quorum.required}.`]);
  return reasons.map(sentenceOf).filter(sentence => !told.has(sentence) && !blocking.some(id => sentence.startsWith(`${id} is `)));
}
