/**
 * Seats the panel of a run that goes on. A plan says who was asked, never who is: programs, endpoints and variables come from the
 * configuration as it is now, and where that says something else the run is over.
 */
import type { GitRepository } from '../adapters/git/repository.ts';
import type { Change } from '../core/words/change.ts';
import type { Config, ReviewerConfig, Seat } from '../core/words/config.ts';
import { UserError } from '../core/errors.ts';
import { demandsOfRun } from '../core/safety/demands.ts';
import type { Plan } from '../core/words/plan.ts';
import type { TrustedBase } from './trusted-base.ts';
import type { Call } from './call.ts';
import { panelFor } from './panel-choice.ts';
import { configure, seatReviewers } from './seat-reviewers.ts';

export interface SeatedAgain {
  readonly seats: readonly Seat[];
  readonly ground: TrustedBase;
}

/** Throws `UserError` (kind `input`) that names what is not as it was. */
export async function seatAgain(
  plan: Plan,
  { change, repository }: { readonly change: Change | null; readonly repository: GitRepository },
  call: Call,
): Promise<SeatedAgain> {
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
  );
  for (const [index, seat] of seats.entries())
    refuseOther(`reviewer ${seat.id}`, plan.seats[index], seat, plan);
  refuseOther(
    'what the strategy asks',
    matchingOf(plan, plan),
    matchingOf(plan, configured.config),
    plan,
  );
  return { seats, ground: configured.ground };
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
    kind: 'input',
    hint: 'Start a new review; the old run stays readable with "jury show".',
  });
}
