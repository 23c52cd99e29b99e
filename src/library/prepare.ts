/**
 * What comes before anybody is asked, one way for a run that begins, one that goes on and one that is only shown: subject,
 * configuration, panel, what may go to whom, plan. Nothing is written.
 */
import type { GitRepository } from '../adapters/git/repository.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { defaultThresholds } from '../core/context/progressive-mode.ts';
import type { EgressPlan } from '../core/context/egress.ts';
import type { Measure } from '../core/context/scope.ts';
import { inputError, usageError } from '../core/errors.ts';
import { type Process, processes, processOf, Request, type Settings } from '../core/process.ts';
import type { ContinueRequest } from '../core/request.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { parseRequest } from '../core/schema-problem.ts';
import { refuseUnmeetable } from '../core/verdict/meetable.ts';
import type { Coverage } from '../core/verdict/record.ts';
import type { Subject } from '../core/words/change.ts';
import {
  type Config,
  defaultFailOn,
  type ReviewerConfig,
  type Seat,
} from '../core/words/config.ts';
import { modeNamed } from '../core/words/mode.ts';
import { voicesOf } from '../core/words/reader.ts';
import type { Plan, SpendingRules } from '../core/words/plan.ts';
import { makePlan } from '../engine/make-plan.ts';
import { type Call, clockOf, idsOf } from './call.ts';
import { egressOf, situationOf } from './egress.ts';
import { checkStrategy } from './open-matcher.ts';
import { readDecisions } from './open-memory.ts';
import { openState } from './own-state.ts';
import { type Opening, openRunnersOn, type RunnerFor } from './open-world.ts';
import {
  type Chosen,
  draftOf,
  type Found,
  type Order,
  readOutcomeRules,
  ruleChoiceOf,
  type Seating,
  smallest,
  type Told,
} from './settle.ts';
import {
  applySettings,
  choosePanelOf,
  type ChosenPanel,
  measureLater,
  panelFor,
  sizeUp,
  type Sizing,
  withJudgeFor,
} from './panel-choice.ts';
import { findAgain, planAgain, readAgain, settingsAgain } from './plan-again.ts';
import { readGuidelines } from './read-guidelines.ts';
import type { ReadSubject } from './read-subject.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';
import { readSubject } from './subjects.ts';
import { inspectChange, withNotices } from './trusted-base.ts';

export interface Prepared extends Opening {
  readonly config: Config;
  readonly excluded: Coverage['excluded'];
  /** What the caller should know before anybody is asked. One sentence each. */
  readonly notes: readonly string[];
  /** Null where nobody is chosen by the size of a change. */
  readonly sizing: Sizing | null;
  /** Is everybody asked about everything, whatever earlier runs have read? */
  readonly fresh: boolean;
}

/** Throws `UserError` for what the caller can put right. */
export async function prepare(
  request: Request,
  repository: GitRepository,
  call: Call,
): Promise<Prepared> {
  checkName(request);
  const { process: name, ...given } = parseRequest(Request, request);
  const [process, settings]: [Process, Settings] = [processOf(name), given];
  const mode = process.mode ?? modeNamed(settings.mode ?? 'general') ?? 'general-prompt';
  const state = await openState(repository.root, call);
  return prepareOrder({ process, mode, settings, repository, state, call, before: null });
}

/**
 * A plan says who was asked, never who is: programs, endpoints and variables come from the configuration as it is now, and where that
 * says something else the run is over: `UserError` (kind `input`) that names it.
 */
export async function prepareAgain(
  before: Plan,
  given: ContinueRequest,
  where: Pick<Order, 'repository' | 'state' | 'call'>,
): Promise<Prepared> {
  const { command, mode, cwd } = before;
  return prepareOrder({
    ...where,
    process: processOf(command),
    mode,
    settings: settingsAgain(before, given),
    call: { ...where.call, cwd },
    before,
  });
}

function checkName({ process }: { readonly process: string }): void {
  const names = processes.map(({ name }) => name);
  if (!(names as readonly string[]).includes(process))
    throw usageError(`There is no process "${process}".`, `Use one of ${names.join(', ')}.`);
}

async function prepareOrder(order: Order): Promise<Prepared> {
  const { before, settings, repository, state, call } = order;
  const read =
    before === null ? await readSubject(settings, order) : await readAgain(before, repository);
  const seating = await seatPanel(order, read);
  const { subject: reviewed, excluded } = excludeFrom(read.subject, before ?? seating.config);
  const chosen = await choose(order, { ...read, ...seating, reviewed });
  const egress = await egressIn(order, chosen);
  const told = await readTold(order, { ...chosen, egress });
  const source = read.planned.subject;
  const inspected = await inspectChange(
    seating.ground,
    { subject: reviewed, source },
    repository,
    call,
  );
  const found: Found = {
    ...chosen,
    egress,
    gaps: inspected.gaps,
    runnerFor: runnersFor(order, chosen),
  };
  const plan =
    before === null
      ? makePlan(await draftOf(order, found, told), {
          clock: clockOf(call),
          ids: idsOf(call),
          hash: sha256,
        })
      : planAgain(before, found);
  return {
    plan,
    subject: withNotices(reviewed, inspected.told),
    excluded,
    state,
    repository,
    ground: seating.ground,
    runnerFor: found.runnerFor,
    config: seating.config,
    copies: call.copies ?? seating.config.copies,
    isNew: before === null,
    isAsked: true,
    measure: measureOf(plan, reviewed, { repository, state }),
    sizing: found.sizing,
    fresh: settings.fresh ?? false,
    notes: [
      ...seating.notes,
      ...(read.spoken?.notes ?? []),
      ...(found.sizing?.triage.leftOut ?? []).map(({ id, why }) => `${id} is left out: ${why}.`),
      ...told.notes,
    ],
  };
}

async function seatPanel(
  order: Order,
  { subject, planned, spoken }: ReadSubject,
): Promise<Seating> {
  const { process, mode, settings, call, repository, before } = order;
  const settle = (found: Config): ChosenPanel & Pick<Seating, 'config'> & Reviewers => {
    const applied = {
      ...applySettings(found, process, settings),
      ...(spoken && { reviewers: [...spoken.reviewers] }),
      ...(before && { strategy: before.strategy, trust: before.trust }),
    };
    const chosen = choosePanelOf(process, applied, settings, call);
    const configured = panelFor({ command: process.name, mode }, applied, chosen.choice);
    const reviewers = before === null ? configured : findAgain(before, configured);
    return { ...chosen, reviewers, config: withJudgeFor(reviewers, applied) };
  };
  const configured = await configure(call, {
    named: settings.config,
    change: subject.kind === 'change' ? subject : null,
    repository,
    wants: found => {
      const { reviewers, config } = settle(found);
      // Other questions than reviews are told none.
      const guidelines = mode === 'code-review' ? config.guidelines : [];
      return demandsOfRun(reviewers, { ...config, guidelines });
    },
  });
  const { reviewers, ...settled } = settle(configured.config);
  const { config, choice } = settled;
  if (before === null) checkStrategy(config, call);
  const situation = situationOf(config.trust, planned.subject);
  const seated = await seatReviewers(reviewers, configured, choice.timeout ?? undefined, situation);
  return {
    ...configured,
    ...settled,
    panel: spoken ? seated.map(seat => ({ ...seat, persona: spoken.persona })) : seated,
  };
}

interface Reviewers {
  readonly reviewers: readonly ReviewerConfig[];
}

/** Who of the panel is asked. Throws `UserError` where that can never come to a pass. */
async function choose(
  order: Order,
  found: ReadSubject & Seating & Pick<Found, 'reviewed'>,
): Promise<Chosen> {
  const { before, settings } = order;
  const { config, panel, reviewed, spoken } = found;
  const rules = before?.rules ?? (await readOutcomeRules(ruleChoiceOf(order)));
  const spending = spendingOf(order, found);
  if (before !== null) return { ...found, rules, spending, seats: panel, sizing: null };
  if (!spoken)
    refuseUnmeetable(
      { quorum: config.quorum ?? null, failOn: demandedRules(config), rules },
      panel,
    );
  if (spending === null || reviewed.kind !== 'change')
    return { ...found, rules, spending, seats: panel, sizing: null };
  const isNamed = settings.reviewers !== undefined;
  const sizing = sizeUp({ ...spending, change: reviewed, seats: panel, isNamed });
  refuseUnreachable(config, panel, sizing.triage);
  return { ...found, rules, spending, seats: sizing.seats, sizing };
}

/** Those that somebody set: the usual ones hold for every panel, as far as it reaches. */
function demandedRules({ failOn }: Config): readonly string[] | null {
  return failOn.join() === defaultFailOn.join() ? null : failOn;
}

/** A quorum that somebody set is never lowered: where too few have anything to read, nobody is asked. */
function refuseUnreachable(
  { quorum }: Config,
  panel: readonly Seat[],
  triage: Sizing['triage'],
): void {
  const voices = voicesOf(panel);
  const leftOut = triage.leftOut.filter(({ id }) => voices.some(seat => seat.id === id));
  const readers = voices.length - leftOut.length;
  if (quorum === undefined || leftOut.length === 0 || quorum <= readers) return;
  const isOfDomain = leftOut.every(({ isOutside }) => isOutside);
  throw inputError(
    `The quorum is ${quorum}, and ${readers} of the ${voices.length} reviewers ` +
      (isOfDomain
        ? `${readers === 1 ? 'has' : 'have'} a file of this change in the domain `
        : `${readers === 1 ? 'is' : 'are'} needed for a change of this size `) +
      `(${leftOut.map(({ id, why }) => `${id}: ${why}`).join('; ')}), so that it can never be met.`,
    isOfDomain
      ? 'Lower the quorum, or seat more reviewers in whose domain the change is.'
      : 'Lower the quorum, or give --complexity STANDARD, which seats all of them.',
  );
}

/** Null where nobody has a budget. */
function spendingOf(
  { before, process, settings }: Order,
  { reviewed, config }: Pick<Found, 'reviewed' | 'config'>,
): SpendingRules | null {
  const { cover } = settings;
  if (before !== null)
    return before.spending === null || cover === undefined
      ? before.spending
      : { ...before.spending, cover };
  if (process.sizing === 'none' || reviewed.kind !== 'change') return null;
  return {
    complexity: settings.complexity ?? smallest(process, reviewed),
    isolation: settings.isolation ?? 'auto',
    sensitiveFiles: config.sensitiveFiles,
    thresholds: config.progressive_summarization ?? defaultThresholds,
    cover: cover ?? config.cover ?? null,
    readers: settings.readers ?? null,
  };
}

/** Exact figures of a change; null where nobody has a budget. */
export function measureOf(
  { spending, seats }: Plan,
  subject: Subject,
  where: Pick<Order, 'repository' | 'state'>,
): Measure | null {
  return spending === null || subject.kind !== 'change'
    ? null
    : measureLater({ ...spending, ...where, change: subject, seats });
}

/** What was said already goes nowhere. */
function egressIn(
  { settings, repository, call }: Order,
  { config, seats, reviewed: subject, planned, spoken }: Chosen,
): Promise<EgressPlan | undefined> {
  if (spoken) return Promise.resolve(undefined);
  const named = [
    ['--plan', settings.plan],
    ['--context-file', settings.contextFile],
  ] as const;
  return egressOf(
    { config, seats, subject, planned: planned.subject, root: repository.root, named },
    call,
  );
}

function runnersFor({ call, repository }: Order, { ground, spoken }: Chosen): RunnerFor {
  const asked = spoken ? { ...call, runners: { [spoken.runner.name]: spoken.runner } } : call;
  return openRunnersOn(ground, asked, repository.root);
}

async function readTold(
  { before, mode, state, repository, call }: Order,
  found: Omit<Found, 'runnerFor' | 'gaps'>,
): Promise<Told> {
  const { reviewed: subject, seats, ground, egress, spoken } = found;
  if (before !== null) return { guidelines: [], learnt: [], decisions: '', notes: [] };
  const isReview = subject.kind === 'change' && mode === 'code-review' && !spoken;
  const { guidelines, notes } = isReview
    ? await readGuidelines(found, seats)
    : { guidelines: [], notes: [] };
  const decided = await readDecisions(
    { state, subject, ground, repositoryRoot: repository.root },
    clockOf(call).now(),
    call,
  );
  return {
    guidelines,
    // A claim may quote whatever its reviewer was shown: where rules say what may go to whom, nobody is told what was said.
    learnt: egress === undefined && isReview ? decided.learnt : [],
    decisions: decided.stand,
    notes: [...notes, ...decided.notes],
  };
}
