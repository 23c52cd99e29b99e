/** Starts a run, or answers from an earlier one when nothing that decides the answers has changed. */
import { readApprovals } from '../adapters/memory/approval-files.ts';
import { journalName, readJournal } from '../adapters/store/journal.ts';
import { hasOlderState } from '../adapters/store/copies.ts';
import { removeOldRuns } from '../adapters/store/runs.ts';
import type { StateFolder } from '../adapters/store/storage.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Steps } from '../core/ports.ts';
import { type Approval, changeOf, withoutApproved } from '../core/verdict/approval.ts';
import { Review } from '../core/words/review.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { recallUsable } from '../engine/review/rounds.ts';
import { runPanel } from '../engine/run-panel.ts';
import { clockOf, type Call } from './call.ts';
import { findEarlierRun, type EarlierRun } from './earlier-run.ts';
import { withWorld } from './open-world.ts';
import type { Prepared } from './prepare.ts';

/** `fresh` asks everybody again. Otherwise a decided run of the same plan is the answer, and of an undecided one the complete reviews are kept, and what the others had read. */
export async function startRun(prepared: Prepared, fresh: boolean, call: Call): Promise<Run> {
  const { plan, state } = prepared;
  for (const message of prepared.notes) call.onEvent?.({ type: 'note', message });
  const earlier =
    fresh || plan.configurationHash === null
      ? null
      : await findEarlierRun(state, plan.configurationHash);
  const approvals = await readApprovals(state, changeOf(plan));
  // Somebody may have dismissed a claim since: then the reviews are kept and what they come to is worked out anew.
  if (
    earlier &&
    earlier.run.record.outcome !== 'INCOMPLETE' &&
    earlier.plan.decisions === plan.decisions &&
    isApprovedAlike(earlier.run.record, approvals) &&
    isDeliberatedAlike(earlier.plan, plan)
  )
    return { ...earlier.run, record: { ...earlier.run.record, reused: true } };
  if (await hasOlderState(state))
    call.onEvent?.({
      type: 'note',
      message:
        'The runs and decisions that an earlier version of Jury kept in .jury of the project are not read; "jury import" takes the runs over, to look at.',
    });
  await removeOldRuns(state, prepared.config.retentionDays, clockOf(call).now());
  return withWorld(
    {
      ...prepared,
      copies: prepared.config.copies,
      measure: prepared.sizing?.measure ?? null,
      isNew: true,
    },
    call,
    async world => {
      if (earlier) await adoptReviews(earlier, { plan, state, steps: world.steps });
      return runPanel(
        { plan, subject: prepared.subject, excluded: prepared.excluded, round: 1, approvals },
        world,
        signalOf(call),
        call.onEvent ?? (() => {}),
      );
    },
  );
}

function isDeliberatedAlike(one: Plan, other: Plan): boolean {
  return JSON.stringify(one.deliberation ?? null) === JSON.stringify(other.deliberation ?? null);
}

/** Would the record be the same today? */
function isApprovedAlike(
  { reasons, approvals: given = [] }: RunRecord,
  approvals: readonly Approval[],
): boolean {
  return (
    withoutApproved(reasons, approvals).given.length === 0 &&
    given.every(({ id }) => approvals.some(approval => approval.id === id))
  );
}

export function signalOf({ signal }: Call): AbortSignal {
  return signal ?? new AbortController().signal;
}

/** What was paid for in a run that could not be decided is not paid for again. */
async function adoptReviews(
  { folder }: EarlierRun,
  {
    plan,
    state,
    steps,
  }: { readonly plan: Plan; readonly state: StateFolder; readonly steps: Steps },
): Promise<void> {
  const journal = await readJournal(state, `${folder}/${journalName}`);
  for (const seat of plan.seats) {
    const usable = recallUsable(journal, seat);
    if (usable) await steps.step(usable.key, () => Promise.resolve(usable.review), Review);
  }
}
