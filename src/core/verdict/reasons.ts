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

type Told = Pick<RunRecord, 'reasons' | 'quorum' | 'research' | 'coverage'>;

/** Those that a report does not tell anyway where it lists what blocks, counts who completed and lists what nobody read. */
export function furtherReasons({ reasons, quorum, research, coverage }: Told): readonly string[] {
  const unread = new Set(
    coverage.files.filter(({ by }) => by.length === 0).map(({ path }) => path),
  );
  const isTold = ({ rule, effect, subject }: Reason): boolean =>
    rule === 'engine' ||
    (rule === 'claim' && effect === 'FAIL') ||
    (rule === 'unread' && unread.has(subject)) ||
    (rule === 'quorum' && !quorum.met && (research ?? null) === null);
  return reasons.filter(reason => !isTold(reason)).map(sentenceOf);
}
