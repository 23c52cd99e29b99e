/** Goes on with a run: nothing that finished is done again. */
import type { GitRepository } from '../adapters/git/repository.ts';
import { readApprovals } from '../adapters/memory/approval-files.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import type { Measure } from '../core/context/scope.ts';
import { type UserError, inputError, usageError } from '../core/errors.ts';
import { processOf } from '../core/process.ts';
import { toJsonText } from '../core/json.ts';
import type { Repository } from '../core/ports/repository.ts';
import type { RunStore } from '../core/ports/run-store.ts';
import type { Ceilings, ContinueRequest } from '../core/request.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { type Approval, changeOf, isApprovable } from '../core/verdict/approval.ts';
import type { Reason } from '../core/verdict/record.ts';
import type { Subject } from '../core/words/change.ts';
import { type Config, judgeOf, type ReviewerConfig, type Seat } from '../core/words/config.ts';
import type { PanelChoice, Plan } from '../core/words/plan.ts';
import type { Run } from '../core/words/run.ts';
import { identityOf } from '../engine/make-plan.ts';
import { nextRound } from '../engine/review/rounds.ts';
import { type Call, clockOf, noteTo } from './call.ts';
import { egressOf, situationOf } from './egress.ts';
import { readEndedRun, readPlan } from './earlier-run.ts';
import { paidBy, refuseUnaffordable } from './open-month.ts';
import { openRunnersOn, withWorld } from './open-world.ts';
import type { OwnState } from './own-state.ts';
import { measureLater, panelFor, withJudgeFor } from './panel-choice.ts';
import { findResumableRun, isContinuable, isResumable } from './runs.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { runIn } from './start-run.ts';
import { readPlanned } from './subjects.ts';
import { createTrustedBase, foresee, type TrustedBase, withNotices } from './trusted-base.ts';
import { withRepository } from './root.ts';

/** In which way a run is gone on with, and the ceilings it is given for that. */
export interface Onward {
  /** `resume` lets a decided run be; `continue` goes on with a review while anybody has anything left to read, whatever it came to. */
  readonly how: 'resume' | 'continue';
  readonly given: ContinueRequest;
}

/**
 * A run with which nothing is left to do is returned as it is. Any other asks those again that did not complete, about what they
 * have not read.
 */
export async function resumeRunIn(
  state: OwnState,
  wanted: string,
  { how, given }: Onward,
  call: Call,
): Promise<Run> {
  const isOpen = how === 'resume' ? isResumable : isContinuable;
  const id = await findResumableRun(state, wanted, isOpen);
  const store = await openRunFolder(state, id);
  const plan = await planOf(store);
  if (how === 'continue') refuseOtherSubject(plan);
  const ended = (await store.read('report.json')) === null ? null : await readEndedRun(state, id);
  if (ended && !isOpen(ended.record)) {
    if (how === 'continue')
      noteTo(call)(
        `Every reviewer of run ${id} has read all it is to read: nobody is asked again.`,
      );
    return { ...ended, record: { ...ended.record, reused: true } };
  }
  if (processOf(plan.command).subject === 'collected')
    throw usageError(
      'What was collected holds nobody who could be asked again.',
      'When the files are as they should be, collect the folder again: jury collect DIR',
    );
  return withRepository({ ...call, cwd: plan.cwd }, async repository => {
    const whole = await readPlanned(plan, repository);
    const { subject, excluded } = excludeFrom(whole, plan);
    checkUnchanged(subject, plan);
    const { ceilings, ground, copies } = await seatAgain(
      plan,
      given,
      { whole, subject, repository },
      call,
    );
    const { maxCostPerMonth: _, ...planned } = plan;
    const foreseen = await foresee(ground, { subject, source: plan.subject }, repository, call);
    const gaps = joinGaps(plan.gaps ?? [], foreseen.gaps);
    const seated: Plan = {
      ...planned,
      ...ceilings,
      ...coverOf(plan, given),
      gaps,
    };
    const runnerFor = openRunnersOn(ground, call, repository.root);
    const limit = seated.maxCostPerMonth ?? null;
    const { maxCost } = seated.limits;
    await refuseUnaffordable({ state, limit, maxCost, asked: paidBy(seated) }, call);
    return withWorld(
      {
        plan: seated,
        subject: withNotices(subject, foreseen.told),
        state,
        copies,
        isNew: false,
        repository,
        ground,
        runnerFor,
        month: { limit },
        measure: measureOf(seated, subject, { repository, state }),
      },
      call,
      async world => {
        await noteCeilings(plan, seated, { store: world.store, call });
        const approvals = await readApprovals(state, changeOf(plan));
        const round = nextRound(world.steps);
        return runIn(world, { plan: seated, subject, excluded, round, approvals }, call);
      },
    );
  });
}

/** What budgets grow for from now on, where somebody said so. */
function coverOf({ spending }: Plan, { cover }: ContinueRequest): Pick<Plan, 'spending'> {
  return { spending: spending === null || cover === undefined ? spending : { ...spending, cover } };
}

function refuseOtherSubject({ run, subject }: Plan): void {
  if (subject.kind === 'change') return;
  throw usageError(
    `Run ${run} reviewed a ${subject.kind}: what is unread is of a change only.`,
    `To ask those again that did not complete: jury resume ${run}`,
  );
}

/** Throws `UserError` (kind `input`) where there is none to go on with. */
async function planOf(store: RunStore): Promise<Plan> {
  const plan = await readPlan(store);
  if (plan !== null) return plan;
  throw inputError(
    (await store.read('plan.json')) === null
      ? `Run ${store.runId} was killed before it had a plan; nobody was asked yet.`
      : `The plan of run ${store.runId} is damaged, or of another version of Jury.`,
    'Start the review again.',
  );
}

function joinGaps(earlier: readonly Reason[], found: readonly Reason[]): Reason[] {
  return [...new Map([...earlier, ...found].map(gap => [gap.sentence, gap])).values()];
}

/**
 * A run that has ended, to be judged again with what a person lets pass: by the judges it had, from the reviews it holds. Nobody is
 * asked. Throws `UserError` (kind `input`) where its change cannot be read any more, before anything is written.
 */
export async function judgeAgain(
  state: OwnState,
  plan: Plan,
  ended: Run,
  call: Call,
): Promise<(approvals: readonly Approval[]) => Promise<Run>> {
  const read = <Result>(
    work: (subject: Planned, repository: GitRepository) => Promise<Result>,
  ): Promise<Result> =>
    withRepository({ ...call, cwd: plan.cwd }, async repository => {
      const whole = await readPlanned(plan, repository);
      const planned = { whole, ...excludeFrom(whole, plan) };
      checkUnchanged(planned.subject, plan);
      return work(planned, repository);
    });
  await read(() => Promise.resolve());
  // What was found when the run went on stands in its record alone.
  const asked: Plan = {
    ...plan,
    gaps: joinGaps(plan.gaps ?? [], ended.record.reasons.filter(isApprovable)),
  };
  return approvals =>
    read(({ whole, subject, excluded }, repository) =>
      withWorld(
        {
          plan: asked,
          subject,
          state,
          copies: ended.copies !== null,
          isNew: false,
          repository,
          ground: createTrustedBase(whole.kind === 'change' ? whole : null, repository),
          runnerFor: ({ runner }) => Promise.reject(askedAgain(plan, runner)),
          measure: measureOf(plan, subject, { repository, state }),
        },
        call,
        async world => {
          const round = nextRound(world.steps) - 1;
          return runIn(world, { plan: asked, subject, excluded, round, approvals }, call);
        },
      ),
    );
}

interface Planned {
  readonly whole: Subject;
  readonly subject: Subject;
  readonly excluded: ReturnType<typeof excludeFrom>['excluded'];
}

function askedAgain({ run }: Plan, runner: string): UserError {
  return inputError(
    `Run ${run} cannot be judged again: it does not hold what a reviewer (${runner}) said.`,
    'Review the change again: what was approved holds for it as long as it stays as it is.',
  );
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
  throw inputError(
    `The ${subject.kind} has moved since run ${run} began.`,
    'Start a new review; the old run stays readable with "jury show".',
  );
}

interface SeatedAgain {
  readonly ceilings: Pick<Plan, 'seats' | 'limits' | 'panel' | 'maxCostPerMonth'>;
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
  given: Ceilings,
  { whole, subject, repository }: Again,
  call: Call,
): Promise<SeatedAgain> {
  const change = whole.kind === 'change' ? whole : null;
  const configured = await configure(call, {
    cwd: plan.cwd,
    named: plan.panel?.config,
    change,
    repository,
    wants: found => {
      const reviewers = panelAgain(plan, found);
      return demandsOfRun(reviewers, {
        ...withJudgeFor(reviewers, found),
        strategy: plan.strategy,
      });
    },
  });
  for (const message of configured.notes) noteTo(call)(message);
  const panel = given.timeout === undefined ? plan.panel : withTimeout(plan.panel, given.timeout);
  const seats = await seatReviewers(
    panelAgain(plan, configured.config),
    configured,
    panel?.timeout ?? undefined,
    situationOf(plan.trust, plan.subject),
  );
  for (const [index, seat] of seats.entries())
    refuseOther(`reviewer ${seat.id}`, withoutTimes(plan.seats[index]), withoutTimes(seat), plan);
  const config = withJudgeFor(seats, configured.config);
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
  return {
    ceilings: { seats, ...limitsAgain(plan, panel, given, config) },
    ground: configured.ground,
    copies: config.copies,
  };
}

const noChoice: PanelChoice = { config: null, reviewers: null, require: [], timeout: null };

function withTimeout(choice: PanelChoice = noChoice, timeout: number): PanelChoice {
  return { ...choice, timeout };
}

/** How long a reviewer may take is a ceiling: who it is, it does not change. */
function withoutTimes(seat: Partial<Seat> = {}): object {
  const { timeout: _, firstOutputTimeout: __, idleTimeout: ___, ...rest } = seat;
  return rest;
}

/** What is given now, else what was given when the run began, else the configuration as it is now. */
function limitsAgain(
  { limits: before }: Plan,
  choice: PanelChoice = noChoice,
  given: Ceilings,
  config: Config,
): Pick<Plan, 'limits' | 'panel' | 'maxCostPerMonth'> {
  const named = choice.limits;
  const ofMonth = given.maxCostPerMonth ?? choice.maxCostPerMonth;
  const month = ofMonth ?? config.maxCostPerMonth;
  const limits = {
    maxCalls: given.maxCalls ?? named?.maxCalls ?? null,
    maxTokens: given.maxTokens ?? named?.maxTokens ?? null,
    maxCost: given.maxCost ?? named?.maxCost ?? null,
  };
  // A plan of an earlier version does not say which of its ceilings somebody named: they stay.
  const otherwise = named === undefined ? before : config;
  return {
    panel: { ...choice, limits, ...(ofMonth !== undefined && { maxCostPerMonth: ofMonth }) },
    ...(month !== undefined && { maxCostPerMonth: month }),
    limits: {
      maxCalls: limits.maxCalls ?? otherwise.maxCalls ?? null,
      maxTokens: limits.maxTokens ?? otherwise.maxTokens ?? null,
      maxCost: limits.maxCost ?? otherwise.maxCost ?? null,
    },
  };
}

interface Noting {
  readonly store: RunStore;
  readonly call: Call;
}

/** Kept before anybody is asked: the plan holds the ceilings that hold, `events.jsonl` those before them. */
async function noteCeilings(before: Plan, now: Plan, { store, call }: Noting): Promise<void> {
  const [earlier, later] = [ceilingsOf(before), ceilingsOf(now)];
  const changed = [...later].filter(([name, value]) => earlier.get(name) !== value);
  if (changed.length === 0) return;
  const told = changed.map(([name, value]) => `${name} ${value} (before: ${earlier.get(name)})`);
  noteTo(call)(`Ceilings of this run from now on: ${told.join(', ')}.`);
  await store.append(
    'events.jsonl',
    JSON.stringify({
      at: clockOf(call).now().toISOString(),
      type: 'ceilings-change',
      before: Object.fromEntries(earlier),
      now: Object.fromEntries(later),
    }),
  );
  await store.write('plan.json', toJsonText({ ...before, ...pickCeilings(now) }));
}

function pickCeilings({ seats, limits, panel, spending, maxCostPerMonth }: Plan): Partial<Plan> {
  return {
    seats,
    limits,
    spending,
    ...(panel !== undefined && { panel }),
    ...(maxCostPerMonth !== undefined && { maxCostPerMonth }),
  };
}

function ceilingsOf({ limits, seats, spending, maxCostPerMonth }: Plan): Map<string, string> {
  return new Map([
    ['calls', String(limits.maxCalls ?? 'none')],
    ['tokens', String(limits.maxTokens ?? 'none')],
    ['dollars', String(limits.maxCost ?? 'none')],
    ...(maxCostPerMonth === undefined
      ? []
      : [['dollars of the month', String(maxCostPerMonth)] as const]),
    ['cover', spending?.cover ?? 'as budgets allow'],
    ...seats.map(({ id, timeout }) => [`seconds of ${id}`, String(timeout)] as const),
  ]);
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
  { strategy, matcher }: Plan,
  { embedding, judge }: Pick<Plan | Config, 'embedding' | 'judge'>,
): object {
  return {
    embedding: strategy === 'embedding' ? (embedding ?? null) : null,
    judge: matcher === undefined ? judgeOf({ strategy, judge }) : null,
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
  return usageError(
    `Run ${run} cannot go on: ${what}.`,
    'Start a new review; the old run stays readable with "jury show".',
  );
}
