/** What a request and the configuration settle of a plan, besides who is asked, and what of it holds when its run goes on. */
import type { EgressPlan } from '../core/context/egress.ts';
import { defaultRulesOf, scaleOfContract, type Settings } from '../core/process.ts';
import type { Recall } from '../core/ports/steps.ts';
import type { Reason } from '../core/verdict/record.ts';
import {
  OutcomeRules,
  parseFailRules,
  RuleChange,
  type RuleChoice,
  settleRules,
  withChanges,
} from '../core/verdict/rule-set.ts';
import type { Subject } from '../core/words/change.ts';
import { type Config, defaultFailOn, judgeOf, type Seat } from '../core/words/config.ts';
import { type ModeName, modes } from '../core/words/mode.ts';
import type { Plan, SpendingRules } from '../core/words/plan.ts';
import { type Call, version } from './call.ts';
import type { OwnState } from './own-state.ts';
import type { RunnerFor } from './open-world.ts';
import { limitsOf, type Seating, type Sizing } from './panel-choice.ts';
import type { ReadSubject, SubjectSource } from './read-subject.ts';
import path from 'node:path';
import { readRegularFile } from '../adapters/system/given-file.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { usageError } from '../core/errors.ts';
import { MotionsSettings } from '../core/words/motions-settings.ts';
import { voicesOf } from '../core/words/runner.ts';
import { scaleOf } from '../core/words/finding.ts';
import { defaultQuorum } from '../core/panel.ts';
import { makePlan, packRulesOf } from '../engine/make-plan.ts';
import { recallUsable } from '../engine/review/review-task.ts';
import { matcherIdentity } from './open-memory.ts';
import { readNamed } from './subjects.ts';

/** The plan of a run that begins. */
export async function planFor(order: Order, found: Found, told: Told) {
  const { process, mode, settings, call } = order;
  const { config, seats, planned, choice, reviewed, rules, spending, egress, gaps } = found;
  const { quorum = null, failOn = defaultFailOn, strategy, act, trust, exclude, accept } = config;
  const { unverifiedBlocker, protectedPaths, concurrency } = config;
  const stages = found.stages?.map(ids => ids.filter(id => seats.some(seat => seat.id === id)));
  const first = stages?.[0];
  const firstAsked = first ? seats.filter(({ id }) => first.includes(id)) : seats;
  const matcher = matcherIdentity(call);
  const draft = {
    version,
    command: process.name,
    mode,
    description: settings.description ?? null,
    requirements:
      settings.plan === undefined
        ? (settings.requirements ?? null)
        : await readNamed(settings.plan, '--plan', call),
    prompt: planned.prompt,
    context: planned.context,
    seats,
    threshold: thresholdOf(call),
    labels: [...scaleFor(order)],
    policy: {
      failOn: parseFailRules(failOn),
      quorum: quorum ?? defaultQuorum(voicesOf(firstAsked).length),
      isUsual: quorum === null,
      unverifiedBlocker,
      ...(config.checksOnly && { checksOnly: true }),
    },
    strategy,
    ...(matcher && { matcher }),
    embedding: strategy === 'embedding' ? (config.embedding ?? null) : null,
    judge: matcher ? null : judgeOf(config),
    trust,
    exclude,
    accept,
    stages: stages ?? null,
    allStages: settings.allStages ?? false,
    protectedPaths,
    gaps,
    ...(egress && { egress }),
    rules,
    spending,
    limits: limitsOf(config),
    cwd: call.cwd,
    subject: planned.subject,
    act,
    panel: choice,
    concurrency,
    ...(config.maxCostPerMonth !== undefined && { maxCostPerMonth: config.maxCostPerMonth }),
    // Not part of what reviewers are asked: a review that was held is put to the vote later without asking it again.
    deliberation: settings.deliberate ? deliberationSettings(config) : null,
    guidelines: told.guidelines,
    learnt: told.learnt,
    packs: reviewed.kind === 'change' && mode === 'code-review' ? packRulesOf(config, seats) : null,
  };
  return makePlan(
    draft,
    {
      subject: reviewed,
      whole: found.subject,
      fingerprints: await fingerprintsOf(found),
      isSensitive: found.sizing?.isSensitive ?? false,
      decisions: told.decisions,
      quorum,
    },
    { clock: call.clock, ids: call.ids },
  );
}

async function fingerprintsOf({ seats, runnerFor }: Found) {
  const known = seats.map(async seat => {
    const runner = seat.withheld === undefined ? await runnerFor(seat) : null;
    return [seat.id, (await runner?.fingerprint(seat)) ?? null] as const;
  });
  return Object.fromEntries(await Promise.all(known));
}

function scaleFor({ process, mode, settings: { scale, severities } }: Order) {
  if (!severities) return scaleOfContract(process.contract) ?? scale ?? modes[mode].scale;
  const chosen = scaleOf(severities);
  if (!chosen) throw usageError(`Error: Invalid --severities '${severities.join(',')}'`);
  return chosen;
}

/** Any of the three flags asks for the rule set of a protocol; otherwise the process has one. */
export function ruleChoiceOf({ process, mode, settings }: Order): RuleChoice {
  const { protocol, strict = false, ignoreVetos = false, failOn, rules, reader } = settings;
  if (protocol === 'ci')
    throw usageError(
      '--protocol ci: an exchange of findings between reviewers is not available.',
      'Use veto, aad or vote.',
    );
  const flags = [...(strict ? ['strict'] : []), ...(ignoreVetos ? ['ignore-vetos'] : [])];
  return {
    names: [
      protocol ?? (flags.length > 0 ? 'veto' : (rules ?? defaultRulesOf(process.name, mode))),
      ...flags,
    ],
    hasFailRules: failOn !== undefined,
    reader,
  };
}

/** Claims in one call. */
const defaultBatch = 5;

/** The thresholds of the formal vote: claims and motions are sorted alike. */
function deliberationSettings(config: Config) {
  const {
    low,
    medium,
    consensus,
    contested,
    batch = defaultBatch,
    panel_concurrency: panelConcurrency = 2,
  } = config.motions ?? MotionsSettings.parse({});
  return { low, medium, consensus, contested, batch, panelConcurrency };
}

/** Percent of shared words at which the overlap strategy calls two findings the same. */
export function thresholdOf({ environment }: Call) {
  const text = environment.SIMILARITY_THRESHOLD ?? '60';
  const threshold = Number(text);
  if (!/^\d{1,3}$/.test(text) || threshold > 100)
    throw usageError('Error: SIMILARITY_THRESHOLD must be an integer from 0 to 100');
  return threshold;
}

/** What is asked for, and where. */
export interface Order extends SubjectSource {
  readonly mode: ModeName;
  readonly settings: Settings;
  readonly state: OwnState;
  /** The plan of a run that goes on; null: one begins. */
  readonly before: Plan | null;
}

/** What an order has come to. */
export interface Found extends ReadSubject, Seating {
  /** Without what is not reviewed. */
  readonly reviewed: Subject;
  readonly rules: OutcomeRules;
  readonly seats: readonly Seat[];
  /** Null where nobody has a budget. */
  readonly spending: SpendingRules | null;
  /** Null where nobody is chosen by the size of a change. */
  readonly sizing: Sizing | null;
  /** Absent where everything may go to all. */
  readonly egress: EgressPlan | undefined;
  readonly runnerFor: RunnerFor;
  /** What keeps the run from being proof whatever its reviewers say. */
  readonly gaps: readonly Reason[];
}

/** What reviewers are told besides the subject. A run that goes on tells what it began with. */
interface Told extends Required<Pick<Plan, 'guidelines' | 'learnt'>> {
  /** What people's decisions about claims come to. */
  decisions: string;
  notes: readonly string[];
}

/** A rule set with what the flags after it change, settled for this caller. */
export async function readOutcomeRules({
  names: [name, ...flags],
  ...choice
}: RuleChoice): Promise<OutcomeRules> {
  const rules = OutcomeRules.parse(await readShipped(name));
  const changes = await Promise.all(
    flags.map(async flag => RuleChange.parse(await readShipped(flag))),
  );
  return settleRules(withChanges(rules, changes), choice);
}

async function readShipped(name: string) {
  return JSON.parse(
    await readRegularFile(path.join(packageRoot, 'rules', 'outcome', `${name}.json`)),
  );
}

// What of a plan holds when its run goes on: what it asks, and of whom, must be the same; its ceilings may change.

/** In the order in which they sat. Throws `UserError` where anybody else is wanted now. */
export function findAgain(plan: Plan, wanted: readonly Seat[]) {
  const seats = plan.seats.map(({ id }) => {
    const found = wanted.find(seat => seat.id === id);
    if (!found)
      throw hasChanged(plan, `reviewer ${id} is not on the panel that the configuration seats now`);
    return found;
  });
  const other = wanted.find(seat => !seats.includes(seat));
  if (other) throw hasChanged(plan, `reviewer ${other.id} was not on the panel when it began`);
  return seats;
}

/** Throws `UserError` where another question would be asked than the journal of the run holds answers to. */
export async function planAgain(plan: Plan, found: Found, journal: Recall): Promise<Plan> {
  const { seats, config, egress, choice, spending, gaps } = found;
  const fingerprints = await fingerprintsOf(found);
  for (const [index, seat] of seats.entries()) {
    const who = `reviewer ${seat.id}`;
    refuseOther(who, withoutTimes(plan.seats[index]), withoutTimes(seat), plan);
    const before = plan.fingerprints?.[seat.id] ?? null;
    const isOther = before !== null && before !== fingerprints[seat.id];
    // One that has not answered yet may have been put right.
    if (isOther && (await recallUsable(journal, seat)) !== null)
      throw hasChanged(plan, `${who} was another when it began (its program, files or variables)`);
  }
  refuseOther('what may go to whom', plan.egress ?? {}, egress ?? {}, plan);
  refuseOther('what the strategy asks', matchingOf(plan, plan), matchingOf(plan, config), plan);
  const { maxCostPerMonth: _, ...planned } = plan;
  return {
    ...planned,
    seats,
    fingerprints,
    spending,
    panel: choice,
    limits: limitsOf(config),
    ...(config.maxCostPerMonth !== undefined && { maxCostPerMonth: config.maxCostPerMonth }),
    gaps: joinGaps(plan, gaps),
  };
}

/** What was found when the run began stays, also where it would not be found now. */
export function joinGaps({ gaps }: Plan, now: readonly Reason[]) {
  return [...new Map([...gaps, ...now].map(gap => [gap.sentence, gap])).values()];
}

/** How long a reviewer may take is a ceiling: who it is, it does not change. */
function withoutTimes(seat: Partial<Seat> = {}) {
  const { timeout: _, firstOutputTimeout: __, idleTimeout: ___, ...rest } = seat;
  return rest;
}

/** Endpoints and keys of the strategy; nothing where it asks nobody. */
function matchingOf({ strategy, matcher }: Plan, { embedding, judge }: Plan | Config): object {
  return {
    embedding: strategy === 'embedding' ? (embedding ?? null) : null,
    judge: matcher ? null : judgeOf({ strategy, judge }),
  };
}

function refuseOther(what: string, planned: object, now: object, plan: Plan) {
  const [before, after] = [fieldsOf(planned), fieldsOf(now)];
  const other = [...new Set([...before.keys(), ...after.keys()])].filter(
    key => before.get(key) !== after.get(key),
  );
  if (other.length > 0)
    throw hasChanged(plan, `${what} was another when it began (${other.join(', ')})`);
}

/** As the plan keeps them. */
function fieldsOf(value: object) {
  return new Map(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .map(([key, field]) => [key, JSON.stringify(field)]),
  );
}

function hasChanged({ run }: Plan, what: string) {
  return usageError(
    `Run ${run} cannot go on: ${what}.`,
    'Start a new review; the old run stays readable with "jury show".',
  );
}
