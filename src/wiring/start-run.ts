/** Starts a run, or answers from an earlier one when nothing that decides the answers has changed. */
import type { GitRepository } from '../adapters/git/repository.ts';
import { openJournal } from '../adapters/store/journal.ts';
import { ensureIgnored } from '../adapters/store/ignore-file.ts';
import { removeOldRuns } from '../adapters/store/runs.ts';
import { sha256 } from '../adapters/system/ids.ts';
import type { Subject } from '../core/change.ts';
import type { Config, Seat } from '../core/config.ts';
import type { Plan, SpendingRules } from '../core/plan.ts';
import type { Coverage, Run } from '../core/run.ts';
import { makePlan, type PlanRequest } from '../engine/make-plan.ts';
import { recallUsable, runPanel } from '../engine/run-panel.ts';
import { gapsOf, type Ground } from './base-ground.ts';
import { clockOf, idsOf, type Call } from './call.ts';
import { findEarlierRun, type EarlierRun } from './earlier-run.ts';
import { readDecisions } from './open-memory.ts';
import { ownStateIn } from './own-state.ts';
import { checkStrategy, matcherIdentity } from './open-matcher.ts';
import type { Sizing } from './size-up.ts';
import { stateRootIn } from './root.ts';
import { openRunnersOn, withWorld, type RunnerFor } from './open-world.ts';
import { version } from './version.ts';

export interface Prepared {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  readonly root: string;
  readonly repository: GitRepository | null;
  readonly ground: Ground;
  readonly runnerFor: RunnerFor;
  readonly config: Config;
  readonly notes: readonly string[];
  /** Null when the subject is no change. */
  readonly sizing: Sizing | null;
}

export interface Preparing extends Omit<PlanRequest, 'version' | 'cwd' | 'fingerprints' | 'decisions' | 'spending' | 'gaps' | 'matcher'> {
  readonly sizing?: Sizing & { readonly settings: SpendingRules };
  readonly excluded: Coverage['excluded'];
  readonly repository: GitRepository | null;
  readonly ground: Ground;
  readonly notes: readonly string[];
}

/** Settles the plan. Nothing is written and nobody is asked yet. */
export async function prepareRun(preparing: Preparing, call: Call): Promise<Prepared> {
  const { subject, excluded, repository, config, ground, sizing = null } = preparing;
  checkStrategy(config, call);
  const root = stateRootIn(repository?.root ?? null, call);
  const runnerFor = openRunnersOn(ground, call, repository?.root ?? null);
  const fingerprints = await Promise.all(preparing.seats.map(async (seat: Seat) => (seat.withheld === undefined ? (await runnerFor(seat)).fingerprint(seat) : null)));
  const { stand: decisions, notes } = await readDecisions({ root, subject, ground, repositoryRoot: repository?.root ?? null }, clockOf(call).now(), call);
  const plan = makePlan({ ...preparing, ...(sizing && { spending: sizing.settings }), version, cwd: call.cwd, fingerprints, decisions, gaps: gapsOf(ground), matcher: matcherIdentity(call.matcher) }, { clock: clockOf(call), ids: idsOf(call), hash: sha256 });
  return { plan, subject, excluded, repository, ground, config, root, runnerFor, sizing, notes: [...preparing.notes, ...notes] };
}

/** `fresh` asks everybody again. Otherwise a decided run of the same plan is the answer, and of an undecided one the complete reviews are kept, and what the others had read. */
export async function startRun(prepared: Prepared, fresh: boolean, call: Call): Promise<Run> {
  const { plan, root } = prepared;
  for (const message of prepared.notes) call.onEvent?.({ type: 'note', message });
  const earlier = fresh || plan.configurationHash === null ? null : await findEarlierRun(ownStateIn(root, call), plan.configurationHash);
  // Somebody may have dismissed a claim since: then the reviews are kept and what they come to is worked out anew.
  if (earlier && earlier.run.record.outcome !== 'INCOMPLETE' && earlier.plan.decisions === plan.decisions && isDeliberatedAlike(earlier.plan, plan)) return { ...earlier.run, record: { ...earlier.run.record, reused: true } };
  if (prepared.repository?.root === root) await ensureIgnored(root);
  await removeOldRuns(root, prepared.config.retentionDays, clockOf(call).now());
  return withWorld({ ...prepared, measure: prepared.sizing?.measure ?? null, isNew: true }, call, async world => {
    if (earlier) await adoptReviews(earlier, plan, world.steps);
    return runPanel({ plan, subject: prepared.subject, excluded: prepared.excluded, round: 1 }, world, signalOf(call), call.onEvent ?? (() => {}));
  });
}

function isDeliberatedAlike(one: Plan, other: Plan): boolean {
  return JSON.stringify(one.deliberation ?? null) === JSON.stringify(other.deliberation ?? null);
}

export function signalOf({ signal }: Call): AbortSignal {
  return signal ?? new AbortController().signal;
}

/** What was paid for in a run that could not be decided is not paid for again. */
async function adoptReviews({ folder }: EarlierRun, plan: Plan, steps: Awaited<ReturnType<typeof openJournal>>): Promise<void> {
  const journal = await openJournal(`${folder}/journal.sqlite`);
  try {
    for (const seat of plan.seats) {
      const usable = recallUsable(journal, seat);
      if (usable) await steps.step(usable.key, () => Promise.resolve(usable.review));
    }
  } finally {
    journal.close();
  }
}
