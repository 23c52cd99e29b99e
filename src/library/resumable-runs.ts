/** Which runs can be gone on with, and which of them `latest` means. */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import { ifUserError } from '../core/errors.ts';
import { unaskable } from '../core/verdict/onward.ts';
import { wasInterrupted } from '../core/verdict/reasons.ts';
import type { RunRecord } from '../core/words/run.ts';
import { readMotions } from '../vote/index.ts';
import { readPlan, readRecord } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';

/** It ended undecided or was cut short, or was failed before a reviewer whose tokens ran out had read every file. */
export function isResumable({ outcome, reasons, reviewers }: RunRecord): boolean {
  return (
    outcome === 'INCOMPLETE' ||
    wasInterrupted({ reasons }) ||
    (outcome === 'FAIL' &&
      reviewers.some(
        ({ status, cause }) => status === 'partial' && (cause === 'budget' || cause === 'room'),
      ))
  );
}

/** Has a reviewer of the change anything left to read, whatever the run came to? */
export function isContinuable({ outcome, reviewers, subject }: RunRecord): boolean {
  return (
    subject.kind === 'change' &&
    (outcome === 'INCOMPLETE' ||
      reviewers.some(
        ({ status, cause }) => status !== 'complete' && !(cause !== null && unaskable.has(cause)),
      ))
  );
}

type IsOpen = (record: RunRecord) => boolean;

/**
 * As `findRun`, but `latest` is the run begun last that can be gone on with; where there is none, the one that answered last. A vote
 * that ended last is gone on with, whatever it came to, but for what was begun later and never ended.
 */
export async function findResumableRun(
  own: OwnState,
  wanted: string,
  isOpen: IsOpen = isResumable,
): Promise<string> {
  if (wanted !== 'latest') return own.findRun(wanted);
  const last = await own.findAnsweredRun(wanted).catch(ifUserError(null));
  const isVote = last !== null && (await readMotions(own, last)) !== null;
  const decided = new Map<string, string>();
  let inUse: string | undefined;
  for (const id of await own.listRuns()) {
    if (isVote && id === last) return id;
    const state = await standOf(own, id, isOpen);
    if (isVote && state.hasEnded) continue;
    if (state.isOpen && !decided.has(state.configurationHash ?? '')) {
      if (!(await journalsOf(own).isHeld(id))) return id;
      inUse ??= id;
    }
    // A later run of the same plan has the answer that an earlier one would come to.
    if (!state.isOpen && state.configurationHash !== null && !decided.has(state.configurationHash))
      decided.set(state.configurationHash, id);
  }
  if (inUse !== undefined) return inUse;
  const answered = await own.findAnsweredRun(wanted);
  // The later run may have been killed before it could answer.
  const stand = await standOf(own, answered, isOpen);
  const { configurationHash } = stand;
  return (stand.isOpen ? decided.get(configurationHash ?? '') : undefined) ?? answered;
}

async function standOf(own: OwnState, id: string, isOpen: IsOpen) {
  const store = await openRunFolder(own, id);
  const plan = await readPlan(store);
  if (!plan) {
    // A vote is open while it has not ended, and when it ended with answers missing.
    const vote = await readMotions(own, id);
    return {
      isOpen: vote !== null && vote.missing !== 0,
      hasEnded: vote?.ended !== null,
      configurationHash: vote?.plan.inputHash ?? null,
    };
  }
  const record = await readRecord(store);
  return {
    isOpen: !record || isOpen(record),
    hasEnded: record !== null,
    configurationHash: plan.configurationHash,
  };
}
