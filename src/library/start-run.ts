/** Starts a run, or answers from an earlier one when nothing that decides the answers has changed. */
import { readApprovals } from '../adapters/memory/allowed-records.ts';
import { removeOldRuns } from '../adapters/store/runs.ts';
import type { Plan } from '../core/words/plan.ts';
import { type Approval, withoutApproved } from '../core/verdict/approval.ts';
import { wasInterrupted } from '../core/verdict/review-status.ts';
import { describeSubject } from '../core/run-files/run-record.ts';
import type { Run, RunRecord } from '../core/words/run.ts';
import { type RunRequest, nextRound } from '../engine/review/review-task.ts';
import { runPanel } from '../engine/run-panel.ts';
import type { World } from '../engine/world.ts';
import { type Call, clockOf, noteTo, signalOf } from './call.ts';
import { type EarlierRun, findEarlierRun } from './own-state.ts';
import {
  adoptReviews,
  beginWith,
  findEarlierPush,
  keepReviews,
  seatsToAsk,
} from './second-push.ts';
import { paidBy, refuseUnaffordable } from './open-memory.ts';
import { withWorld } from './open-world.ts';
import type { Prepared } from './prepare.ts';

/**
 * `fresh` asks everybody again. Otherwise the complete reviews of a run of the same plan are kept, and what the others had read;
 * where all of them are complete and nothing else has changed, that run is the answer.
 */
export async function startRun(prepared: Prepared, call: Call): Promise<Run> {
  const { plan, state, fresh } = prepared;
  const note = noteTo(call);
  for (const message of prepared.notes) note(message);
  const earlier = fresh ? null : await findEarlierRun(state, plan);
  const isSame = earlier?.plan.configurationHash === plan.configurationHash;
  const push = isSame ? null : await findEarlierPush(prepared);
  if (earlier && isSame && (await isAnswer(earlier, prepared))) {
    // The change may be the same under another name: what was not committed then is the last commit now.
    const subject = describeSubject(prepared.subject);
    const { run } = earlier;
    return { ...run, record: { ...run.record, subject, reused: true } };
  }
  const asked = push ? seatsToAsk(push, plan) : plan.seats;
  return goThrough(prepared, asked, call, async world => {
    const adopted = earlier && (await adoptReviews(earlier, { plan, state, ...world }));
    if (adopted) {
      const { run, reviewers } = adopted;
      const [answers, are] = reviewers.length === 1 ? ['answer', 'is'] : ['answers', 'are'];
      note(
        `Nothing has changed since run ${run}: the ${answers} of ${reviewers.join(', ')} ${are} used again.`,
      );
    }
    if (!push) return;
    const kept = await keepReviews(push, { ...world, ...prepared });
    if (await beginWith(push, kept, { plan, state, ...world }))
      note(
        `An earlier state of this change was reviewed by run ${push.run}: ` +
          'what has not changed since is not asked about again (--fresh asks about all of it).',
      );
  });
}

/** Works on a run until it has come to its end. `begin` comes before anybody is asked; who is sure not to be need not be afforded. */
export async function goThrough(
  prepared: Prepared,
  asked: Plan['seats'],
  call: Call,
  begin: (world: World) => Promise<void>,
): Promise<Run> {
  const { plan, state, isNew, config, subject, excluded } = prepared;
  await refuseUnaffordable(paidBy({ ...plan, seats: asked }, state), call);
  if (isNew) await removeOldRuns(state, config.retentionDays, clockOf(call).now());
  return withWorld(prepared, call, async world => {
    await begin(world);
    const approvals = await readApprovals(state, plan.changeHash);
    const round = await nextRound(world.steps);
    return runIn(world, { plan, subject, excluded, round, approvals }, call);
  });
}

export function runIn(world: World, request: RunRequest, call: Call): Promise<Run> {
  return runPanel(request, world, signalOf(call), call.onEvent ?? (() => {}));
}

/** Somebody may have dismissed a claim since: then the reviews are kept and what they come to is worked out anew. */
async function isAnswer({ run, plan }: EarlierRun, now: Prepared) {
  const { record, reviews } = run;
  return (
    record.outcome !== 'INCOMPLETE' &&
    reviews.every(({ status }) => status === 'complete') &&
    !wasInterrupted(record) &&
    plan.decisions === now.plan.decisions &&
    JSON.stringify(plan.deliberation) === JSON.stringify(now.plan.deliberation) &&
    isApprovedAlike(record, await readApprovals(now.state, now.plan.changeHash))
  );
}

/** Would the record be the same today? */
function isApprovedAlike(
  { reasons, approvals: given = [] }: RunRecord,
  approvals: readonly Approval[],
) {
  return (
    withoutApproved(reasons, approvals).given.length === 0 &&
    given.every(({ id }) => approvals.some(approval => approval.id === id))
  );
}
