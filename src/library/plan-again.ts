/** What of a plan holds when its run goes on: what it asks, and of whom, must be the same; its ceilings may change. */
import type { GitRepository } from '../adapters/git/repository.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { excludeFrom } from '../core/change/set-aside.ts';
import { inputError, usageError, type UserError } from '../core/errors.ts';
import type { Settings } from '../core/process.ts';
import type { ContinueRequest } from '../core/request.ts';
import type { Reason } from '../core/verdict/record.ts';
import { type Config, judgeOf, type ReviewerConfig, type Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import { identityOf } from '../engine/make-plan.ts';
import type { Found } from './settle.ts';
import { limitsOf } from './panel-choice.ts';
import type { ReadSubject } from './read-subject.ts';
import { readPlanned } from './subjects.ts';

/** The subject as the plan names it, if it is still the same. */
export async function readAgain(plan: Plan, repository: GitRepository): Promise<ReadSubject> {
  const whole = await readPlanned(plan, repository);
  const { subject } = excludeFrom(whole, plan);
  if (sha256(JSON.stringify(identityOf(subject))) === plan.subjectHash)
    return { planned: plan, subject: whole };
  throw inputError(
    `The ${subject.kind} has moved since run ${plan.run} began.`,
    'Start a new review; the old run stays readable with "jury show".',
  );
}

/** What is given now, else what was given when the run began; all else is as the configuration says it now. */
export function settingsAgain({ panel }: Plan, given: ContinueRequest): Settings {
  const { limits, ...named } = panel ?? {};
  return Object.fromEntries(
    Object.entries({ ...named, ...limits, ...given }).filter(([, value]) => value !== null),
  );
}

export function findAgain(plan: Plan, panel: readonly ReviewerConfig[]): ReviewerConfig[] {
  return plan.seats.map(({ id }) => {
    const found = panel.find(reviewer => reviewer.id === id);
    if (found === undefined)
      throw hasChanged(plan, `reviewer ${id} is not on the panel that the configuration seats now`);
    return found;
  });
}

/** Throws `UserError` where another question would be asked than the journal of the run holds answers to. */
export function planAgain(plan: Plan, found: Found): Plan {
  const { seats, config, egress, choice, spending, gaps } = found;
  for (const [index, seat] of seats.entries())
    refuseOther(`reviewer ${seat.id}`, withoutTimes(plan.seats[index]), withoutTimes(seat), plan);
  refuseOther('what may go to whom', plan.egress ?? {}, egress ?? {}, plan);
  refuseOther('what the strategy asks', matchingOf(plan, plan), matchingOf(plan, config), plan);
  const { maxCostPerMonth: _, ...planned } = plan;
  return {
    ...planned,
    seats,
    spending,
    panel: choice,
    limits: limitsOf(config),
    ...(config.maxCostPerMonth !== undefined && { maxCostPerMonth: config.maxCostPerMonth }),
    gaps: joinGaps(plan.gaps ?? [], gaps),
  };
}

/** What was found when the run began stays, also where it would not be found now. */
export function joinGaps(before: readonly Reason[], now: readonly Reason[]): readonly Reason[] {
  return [...new Map([...before, ...now].map(gap => [gap.sentence, gap])).values()];
}

/** How long a reviewer may take is a ceiling: who it is, it does not change. */
function withoutTimes(seat: Partial<Seat> = {}): object {
  const { timeout: _, firstOutputTimeout: __, idleTimeout: ___, ...rest } = seat;
  return rest;
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

function refuseOther(what: string, planned: object, now: object, plan: Plan): void {
  const [before, after] = [fieldsOf(planned), fieldsOf(now)];
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
