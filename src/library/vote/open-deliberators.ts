/** Opens whoever answers for the members: nobody, a simulation, or real reviewers with the run that keeps what they say. */
import path from 'node:path';
import { sessionFileNames } from '../../core/vote/session-input.ts';
import type { Deliberators } from '../../engine/vote/deliberators.ts';
import { simulatedMembers } from '../../engine/vote/simulated-members.ts';
import type { Call } from '../call.ts';
import { openState, type OwnState } from '../own-state.ts';
import { repositoryRootOf } from '../root.ts';
import { type MonthRequest, openMonth, refuseUnaffordable } from '../open-month.ts';
import { findBegun, isAnswered, type MotionsEnd, openMotionsRun } from './motions-run.ts';
import type { PreparedVote } from './prepare-vote.ts';
import {
  deliberateWith,
  openReviewers,
  type OpenReviewers,
  seatsAtPlaces,
} from './real-reviewers.ts';
import type { Limits } from '../../core/context/budget.ts';

export interface OpenedDeliberators extends Deliberators {
  /** Questions besides those for reviews of either pass that have ended without an answer. */
  unanswered(): number;
  /** Notes that the results are written: the vote has come to its end. */
  end(result: Omit<MotionsEnd, 'spent'>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Null: nobody answers. `resumes`: id of the run that is gone on with; null for one that fits, else a new one. Throws `UserError`
 * (kind `usage`) when real reviewers cannot start: nothing is simulated in their place.
 */
export async function openDeliberators(
  prepared: PreparedVote,
  resumes: string | null,
  call: Call,
): Promise<OpenedDeliberators | null> {
  const { simulate, realAgent, triageOnly } = prepared.request;
  if (triageOnly) return null;
  if (simulate === true) return simulateDeliberators();
  return realAgent ? openRealDeliberators(prepared, resumes, call) : null;
}

function simulateDeliberators(): OpenedDeliberators {
  return {
    ...simulatedMembers,
    unanswered: () => 0,
    end: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** What they answer is in the journal of a run: what is there already is not asked again. */
async function openRealDeliberators(
  prepared: PreparedVote,
  resumes: string | null,
  call: Call,
): Promise<OpenedDeliberators> {
  const { settings } = prepared;
  const { reviewers, checkout } = await openPrepared(prepared, call);
  const state = await openState(checkout, call);
  const month = monthOf(prepared, reviewers, state);
  // Where every answer is there, nobody is asked and nothing spent.
  const begun = await findBegun(prepared, state, resumes);
  if (!isAnswered(begun)) await refuseUnaffordable(month, call);
  const run = await openMotionsRun(prepared, { state, begun }, call);
  const spending = await openMonth(month, call).catch(async (error: unknown) => {
    await run.close();
    throw error;
  });
  const { plan, steps, round, before } = run;
  const { unanswered, ...deliberators } = deliberateWith(reviewers, {
    batch: settings.batch,
    panelConcurrency: settings.panel_concurrency,
    limits: limitsOf(prepared),
    month: spending,
    fence: plan.fence,
    steps,
    round,
    before,
    asksAgain: asksAgain(prepared),
  });
  return {
    ...deliberators,
    unanswered,
    run: plan.run,
    end: ({ counts, ...result }) =>
      run.end({
        ...result,
        spent: deliberators.spent(),
        counts: { ...counts, missing: (counts.missing ?? 0) + unanswered() },
      }),
    async close() {
      spending?.close();
      await run.close();
    },
  };
}

/** Whoever would be asked. `checkout`: top of the repository; null outside of one. */
export async function openPrepared(
  { request, input, settings, config, home }: PreparedVote,
  call: Call,
): Promise<{ readonly reviewers: OpenReviewers; readonly checkout: string | null }> {
  const checkout = await repositoryRootOf(call);
  const reviewers = await openReviewers(
    {
      config,
      home,
      checkout,
      roster: input.session.roster,
      concurrency: settings.concurrency,
      files: Object.values(sessionFileNames).map(name =>
        path.resolve(call.cwd, request.dir ?? '', name),
      ),
    },
    call,
  );
  return { reviewers, checkout };
}

/** Are real reviewers asked about amended texts? */
export function asksAgain({ request }: Pick<PreparedVote, 'request'>): boolean {
  return request.secondPass !== 'assume';
}

export function monthOf(
  { request, config }: Pick<PreparedVote, 'request' | 'config'>,
  reviewers: OpenReviewers,
  state: OwnState,
): MonthRequest {
  const limit = request.maxCostPerMonth ?? config.maxCostPerMonth ?? null;
  const { maxCost } = limitsOf({ request, config });
  const asked = seatsAtPlaces(reviewers.seats, reviewers.roster);
  // Members are no reviewers of the configuration.
  return {
    state,
    limit,
    maxCost,
    asked: asked.map(({ runner, price }) => ({ runner, ...(price && { price }) })),
  };
}

export function limitsOf({ request, config }: Pick<PreparedVote, 'request' | 'config'>): Limits {
  return {
    maxCalls: request.maxCalls ?? config.maxCalls ?? null,
    maxTokens: request.maxTokens ?? config.maxTokens ?? null,
    maxCost: request.maxCost ?? config.maxCost ?? null,
  };
}
