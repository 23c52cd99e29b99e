/** The reasons of an outcome, as reports print them. */
import type { RunRecord } from '../words/run.ts';
import type { Reason } from './record.ts';

/** One sentence for people. Untrusted: it may quote the world. */
export function sentenceOf({ sentence }: Reason): string {
  return sentence;
}

export function sentencesOf({ reasons }: Pick<RunRecord, 'reasons'>): readonly string[] {
  return reasons.map(sentenceOf);
}

/** Those that a report does not tell anyway where it lists what blocks and counts who completed. */
export function furtherReasons({ reasons }: Pick<RunRecord, 'reasons'>): readonly string[] {
  return reasons.filter(reason => !isTold(reason)).map(sentenceOf);
}

function isTold({ rule, effect }: Reason): boolean {
  return rule === 'engine' || rule === 'quorum' || (rule === 'claim' && effect === 'FAIL');
}
