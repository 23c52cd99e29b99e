/** Goes on with a run: nothing that finished is done again. */
import { type GitRepository, openRepository } from '../adapters/git/repository.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import type { Measure } from '../core/context/scope.ts';
import { UserError } from '../core/errors.ts';
import type { Repository } from '../core/ports.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { OutcomeRules } from '../core/verdict/rule-set.ts';
import type { Subject } from '../core/words/change.ts';
import type { Config, ReviewerConfig, Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Run } from '../core/words/run.ts';
import { identityOf } from '../engine/make-plan.ts';
import { nextRound } from '../engine/review/rounds.ts';
import { runPanel } from '../engine/run-panel.ts';
import { type Call, temporaryFolderOf } from './call.ts';
import { egressOf, situationOf } from './egress.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { openRunnersOn, withWorld } from './open-world.ts';
import type { OwnState } from './own-state.ts';
import { measureLater, panelFor } from './panel-choice.ts';
import { findResumableRun, isResumable } from './runs.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { signalOf } from './start-run.ts';
import { readPlanned } from './subjects.ts';
import { gapsOf, type TrustedBase } from './trusted-base.ts';

/** A run that was decided is returned as it is; one that ended INCOMPLETE asks those again that did not complete, about what they have not read. */
export async function resumeRunIn(state: OwnState, wanted: string, call: Call): Promise<Run> {
  const id = await findResumableRun(state, wanted);
  const store = await openRunFolder(state, id);
  const plan = await readPlan(store);
  if (!plan)
    throw new UserError(`Run ${id} was killed before it had a plan; nobody was asked yet.`, {
      kind: 'input',
      hint: 'Start the review again.',
    });
  if (!OutcomeRules.safeParse(plan.rules).success)
    throw new UserError(`Run ${id} was begun by another version of Jury.`, {
      kind: 'input',
      hint: 'Start the review again.',
    });
  const ended = (await store.read('report.json')) === null ? null : await readEndedRun(state, id);
  if (ended && !isResumable(ended.record))
    return { ...ended, record: { ...ended.record, reused: true } };
  const repository = await openRepository(plan.cwd, { temporaryFolder: temporaryFolderOf(call) });
  try {
    const whole = await readPlanned(plan, repository);
    const { subject, excluded } = excludeFrom(whole, plan.exclude);
    checkUnchanged(subject, plan);
    const { seats, ground, copies } = await seatAgain(plan, { whole, subject, repository }, call);
    const seated: Plan = {
      ...plan,
      seats,
      gaps: [
        ...new Map(
          [...(plan.gaps ?? []), ...gapsOf(ground)].map(reason => [reason.sentence, reason]),
        ).values(),
      ],
    };
    const runnerFor = openRunnersOn(ground, call, repository.root);
    return await withWorld(
      {
        plan: seated,
        subject,
        state,
        copies,
        isNew: false,
        repository,
        ground,
        runnerFor,
        measure: measureOf(seated, subject, { repository, state }),
      },
      call,
      async world =>
        runPanel(
          { plan: seated, subject, excluded, round: nextRound(world.steps) },
          world,
          signalOf(call),
          call.onEvent ?? (() => {}),
        ),
    );
  } finally {
    await repository.close();
  }
}

function measureOf(
  { spending, seats }: Plan,
  subject: Subject,
  world: { readonly repository: Repository; readonly state: OwnState },
): Measure | null {
  return spending === null || subject.kind !== 'change'
    ? null
    : measureLater({ ...spending, change: subject, ...world, seats });
}

function checkUnchanged(subject: Subject, { run, subjectHash }: Plan): void {
  if (sha256(JSON.stringify(identityOf(subject))) === subjectHash) return;
  throw new UserError(`The ${subject.kind} has moved since run ${run} began.`, {
    kind: 'input',
    hint: 'Start a new review; the old run stays readable with "jury show".',
  });
}

interface SeatedAgain {
  readonly seats: readonly Seat[];
  readonly ground: TrustedBase;
  readonly copies: boolean;
}

interface Again {
  /** With what the configuration excludes. */
  readonly whole: Subject;
  readonly subject: Subject;
  readonly repository: GitRepository;
}

/**
 * Seats the panel of a run that goes on. A plan says who was asked, never who is: programs, endpoints and variables come from the
 * configuration as it is now, and where that says something else the run is over: `UserError` (kind `input`) that names it.
 */
async function seatAgain(
  plan: Plan,
  { whole, subject, repository }: Again,
  call: Call,
): Promise<SeatedAgain> {
  const change = whole.kind === 'change' ? whole : null;
  const configured = await configure({
    cwd: plan.cwd,
    named: plan.panel?.config ?? null,
    change,
    repository,
    given: call,
    wants: found => demandsOfRun(panelAgain(plan, found), { ...found, strategy: plan.strategy }),
  });
  for (const message of configured.notes) call.onEvent?.({ type: 'note', message });
  const seats = await seatReviewers(
    panelAgain(plan, configured.config),
    configured,
    plan.panel?.timeout ?? undefined,
    situationOf(plan.trust, plan.subject),
  );
  for (const [index, seat] of seats.entries())
    refuseOther(`reviewer ${seat.id}`, plan.seats[index], seat, plan);
  const { config } = configured;
  const egress = await egressOf(
    {
      config: { ...config, strategy: plan.strategy },
      seats,
      subject,
      planned: plan.subject,
      root: repository.root,
    },
    call,
  );
  refuseOther('what may go to whom', plan.egress ?? {}, egress ?? {}, plan);
  refuseOther('what the strategy asks', matchingOf(plan, plan), matchingOf(plan, config), plan);
  return { seats, ground: configured.ground, copies: configured.config.copies };
}

function panelAgain(plan: Plan, config: Config): ReviewerConfig[] {
  const panel = panelFor(plan, config, plan.panel ?? { reviewers: null, require: [] });
  return plan.seats.map(({ id }) => {
    const found = panel.find(reviewer => reviewer.id === id);
    if (found === undefined)
      throw hasChanged(plan, `reviewer ${id} is not on the panel that the configuration seats now`);
    return found;
  });
}

/** Endpoints and keys of the strategy; nothing where it asks nobody. */
function matchingOf(
  { strategy }: Plan,
  { embedding, judge }: Pick<Plan | Config, 'embedding' | 'judge'>,
): object {
  return {
    embedding: strategy === 'embedding' ? (embedding ?? null) : null,
    judge: strategy === 'llm' ? (judge ?? null) : null,
  };
}

function refuseOther(what: string, planned: object | undefined, now: object, plan: Plan): void {
  const [before, after] = [fieldsOf(planned ?? {}), fieldsOf(now)];
  const other = [...new Set([...before.keys(), ...after.keys()])].filter(
    key => before.get(key) !== after.get(key),
  );
  if (other.length > 0)
    throw hasChanged(plan, `${what} was another when it began (${other.join(', ')})`);
}

/** As the plan keeps them. */
function fieldsOf(value: object): Map<string, string> {
  return new Map(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [key, JSON.stringify(field)]),
  );
}

function hasChanged({ run }: Plan, what: string): UserError {
  return new UserError(`Run ${run} cannot go on: ${what}.`, {
    kind: 'usage',
    hint: 'Start a new review; the old run stays readable with "jury show".',
  });
}
