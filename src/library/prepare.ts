/**
 * What comes before anybody is asked, one way for a run that begins, one that goes on and one that is only shown: subject,
 * configuration, panel, what may go to whom, plan. Nothing is written.
 */
import type { GitRepository } from '../adapters/git/repository.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { defaultThresholds } from '../core/context/budget.ts';
import { inputError, usageError } from '../core/errors.ts';
import { refuseUnmeetable } from '../core/panel.ts';
import { processes, processOf, Request } from '../core/process.ts';
import type { ContinueRequest } from '../core/request.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import { parseRequest } from '../core/schema-problem.ts';
import type { Coverage } from '../core/verdict/record.ts';
import type { Subject } from '../core/words/change.ts';
import type { Config, Seat } from '../core/words/config.ts';
import { modeNamed } from '../core/words/mode.ts';
import { isReader, voicesOf } from '../core/words/runner.ts';
import type { Plan } from '../core/words/plan.ts';
import { type Call, clockOf } from './call.ts';
import { egressOf, situationOf } from './egress.ts';
import { checkStrategy, readDecisions } from './open-memory.ts';
import { openState } from './own-state.ts';
import { type Opening, openRunnersOn } from './open-world.ts';
import {
  findAgain,
  type Found,
  type Order,
  planAgain,
  planFor,
  readAgain,
  readOutcomeRules,
  ruleChoiceOf,
  type Seating,
  settingsAgain,
  smallest,
  type Told,
} from './settle.ts';
import {
  applySettings,
  choosePanelOf,
  measureOf,
  panelFor,
  sizeUp,
  type Sizing,
} from './panel-choice.ts';
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
  const names: readonly string[] = processes.map(({ name }) => name);
  if (!names.includes(request.process))
    throw usageError(
      `There is no process "${request.process}".`,
      `Use one of ${names.join(', ')}.`,
    );
  const { process: name, ...settings }: Order['settings'] & Pick<Request, 'process'> = parseRequest(
    Request,
    request,
  );
  const process = processOf(name);
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

async function prepareOrder(order: Order): Promise<Prepared> {
  const { before, settings, repository, state, call } = order;
  const read = before ? await readAgain(before, repository) : await readSubject(settings, order);
  const { planned, spoken } = read;
  const seating = await seatPanel(order, read);
  const { config, ground, panel } = seating;
  const asked = spoken ? { ...call, runners: { [spoken.runner.name]: spoken.runner } } : call;
  const runnerFor = openRunnersOn(ground, asked, repository.root);
  // What the first start needs to know is found out beside all that follows.
  for (const seat of panel) void runnerFor(seat).catch(() => null);
  const { subject, excluded } = excludeFrom(read.subject, before ?? config);
  const rules = before?.rules ?? (await readOutcomeRules(ruleChoiceOf(order)));
  const spending = spendingOf(order, subject, config);
  const { quorum = null, failOn = null } = config;
  if (!before && !spoken) refuseUnmeetable({ quorum, failOn, rules }, panel);
  const isSized = !before && spending !== null && subject.kind === 'change';
  const isNamed = settings.reviewers !== undefined;
  const sizing = isSized ? sizeUp(panel, { ...spending, change: subject, isNamed }) : null;
  refuseUnreachable(quorum, panel, sizing);
  const seats = sizing?.seats ?? panel;
  const named = { '--plan': settings.plan, '--context-file': settings.contextFile };
  // What was said already goes nowhere.
  const egress = spoken
    ? undefined
    : await egressOf(
        { config, seats, subject, planned: planned.subject, root: repository.root, named },
        call,
      );
  const chosen = { ...read, ...seating, reviewed: subject, rules, spending, sizing, seats, egress };
  const told = await readTold(order, chosen);
  const source = planned.subject;
  const inspected = await inspectChange(ground, { subject, source }, repository, call);
  const found: Found = { ...chosen, gaps: inspected.gaps, runnerFor };
  const plan = before ? planAgain(before, found) : await planFor(order, found, told);
  return {
    plan,
    subject: withNotices(subject, inspected.told),
    excluded,
    state,
    repository,
    ground,
    runnerFor,
    config,
    copies: call.copies ?? config.copies,
    isNew: !before,
    isAsked: true,
    measure: measureOf(plan, subject, { repository, state }),
    sizing,
    fresh: settings.fresh ?? false,
    notes: [
      ...seating.notes,
      ...(spoken?.notes ?? []),
      ...(sizing?.triage.leftOut ?? []).map(({ id, why }) => `${id} is left out: ${why}.`),
      ...told.notes,
    ],
  };
}

async function seatPanel(
  { process, mode, settings, call, repository, before }: Order,
  { subject, planned, spoken }: ReadSubject,
): Promise<Seating> {
  const settle = (found: Config) => {
    const applied = {
      ...applySettings(found, process, settings),
      ...(spoken && { reviewers: [...spoken.reviewers] }),
      ...(before && { strategy: before.strategy, trust: before.trust }),
    };
    const chosen = choosePanelOf(process, applied, settings, call);
    const configured = panelFor({ process, mode }, applied, chosen.choice);
    const reviewers = before ? findAgain(before, configured) : configured;
    // Where checks sit alone there is nothing that a judge could join.
    const judge = reviewers.some(isReader) ? {} : { judge: 'off' as const };
    return { ...chosen, reviewers, config: { ...applied, ...judge } };
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
  if (!before) checkStrategy(config, call);
  const situation = situationOf(config.trust, planned.subject);
  const seated = await seatReviewers(reviewers, configured, choice.timeout ?? undefined, situation);
  return {
    ...configured,
    ...settled,
    panel: spoken ? seated.map(seat => ({ ...seat, persona: spoken.persona })) : seated,
  };
}

/** A quorum that somebody set is never lowered: where too few have anything to read, nobody is asked. */
function refuseUnreachable(quorum: number | null, panel: readonly Seat[], sizing: Sizing | null) {
  const voices = voicesOf(panel);
  const leftOut = (sizing?.triage.leftOut ?? []).filter(({ id }) =>
    voices.some(seat => seat.id === id),
  );
  const readers = voices.length - leftOut.length;
  if (quorum === null || leftOut.length === 0 || quorum <= readers) return;
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
function spendingOf({ before, process, settings }: Order, subject: Subject, config: Config) {
  const { cover } = settings;
  if (before) return before.spending && { ...before.spending, ...(cover && { cover }) };
  if (process.sizing === 'none' || subject.kind !== 'change') return null;
  return {
    complexity: settings.complexity ?? smallest(process, subject),
    isolation: settings.isolation ?? 'auto',
    sensitiveFiles: config.sensitiveFiles,
    thresholds: config.progressive_summarization ?? defaultThresholds,
    cover: cover ?? config.cover ?? null,
    readers: settings.readers ?? null,
  };
}

async function readTold(
  { before, mode, state, call }: Order,
  found: Omit<Found, 'runnerFor' | 'gaps'>,
): Promise<Told> {
  const { reviewed: subject, seats, ground, egress, spoken } = found;
  if (before) return { guidelines: [], learnt: [], decisions: '', notes: [] };
  const isReview = subject.kind === 'change' && mode === 'code-review' && !spoken;
  const { guidelines, notes } = isReview
    ? await readGuidelines(found, seats)
    : { guidelines: [], notes: [] };
  const decided = await readDecisions({ state, subject, ground }, clockOf(call).now(), call);
  return {
    guidelines,
    // A claim may quote whatever its reviewer was shown: where rules say what may go to whom, nobody is told what was said.
    learnt: !egress && isReview ? decided.learnt : [],
    decisions: decided.stand,
    notes: [...notes, ...decided.notes],
  };
}
