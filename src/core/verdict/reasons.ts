/** The reasons of an outcome, as reports print them. */
import type { RunRecord } from '../words/run.ts';
import { isApprovable } from './approval.ts';
import { unreadIn } from './onward.ts';
import type { Reason } from './record.ts';
import { present } from '../present.ts';

/** One sentence for people. Untrusted: it may quote the world. */
export function sentenceOf({ sentence }: Reason) {
  return sentence;
}

export function sentencesOf({ reasons }: Pick<RunRecord, 'reasons'>) {
  return reasons.map(sentenceOf);
}

/** Was it cut short? Then it is to go on, whatever it had come to by then. */
export function wasInterrupted({ reasons }: Pick<RunRecord, 'reasons'>) {
  return reasons.some(({ rule }) => rule === 'interrupted');
}

/** Those that a report does not tell anyway where it lists what blocks, counts who completed and lists what nobody read. */
export function furtherReasons({
  reasons,
  quorum,
  research,
  coverage,
}: Pick<RunRecord, 'reasons' | 'quorum' | 'research' | 'coverage'>) {
  const unread = new Set(unreadIn(coverage));
  const isTold = (reason: Reason): boolean =>
    reason.rule === 'engine' ||
    isToldByClaim(reason) ||
    (reason.rule === 'unread' && unread.has(reason.subject)) ||
    (reason.rule === 'quorum' && !quorum.met && (research ?? null) === null);
  return reasons.filter(reason => !isTold(reason)).map(sentenceOf);
}

/** Does a claim fail the run as it is shown, and not as it would be in another reading? */
export function isToldByClaim({ rule, effect, subject, sentence }: Reason) {
  return rule === 'claim' && effect === 'FAIL' && sentence.startsWith(subject);
}

const mostPaths = 5;

/** How a person lets pass what an undecided run asks a person about, or nobody could read; none where that cannot be. */
export function approvalCommands({
  run,
  outcome,
  reasons,
}: Pick<RunRecord, 'run' | 'outcome' | 'reasons'>) {
  if (outcome !== 'INCOMPLETE') return [];
  const open = reasons.filter(isApprovable);
  const unread = new Set(
    open.filter(({ rule }) => rule === 'unread').map(({ subject }) => subject),
  );
  return present(
    open.some(({ rule }) => rule === 'require-human') &&
      `jury approve require-human --run ${run} --reason TEXT`,
    unread.size !== 0 &&
      `jury approve unread --run ${run} --path ${[...unread].slice(0, mostPaths).map(shellWord).join(' ')} --reason TEXT`,
  );
}

/** Quoted where a shell would take it apart. */
export function shellWord(path: string) {
  return /^[\w./@%+,:-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`;
}
