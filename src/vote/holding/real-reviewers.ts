/** Opens the real reviewers of a formal vote. When they cannot start, that is an error: nothing is put in their place. */
import path from 'node:path';
import { sha256 } from '../../adapters/system/ids.ts';
import type { Limits } from '../../core/context/budget.ts';
import { usageError } from '../../core/errors.ts';
import type { VotePlan } from '../../core/printed/votes.ts';
import { sessionFileNames } from '../session-input.ts';
import type { Seat } from '../../core/words/config.ts';
import { turnOf } from '../../engine/asking/ask-member.ts';
import type { Voting } from '../asking/collect-reviews.ts';
import type { Call } from '../../library/call.ts';
import { recipientsOf, refuseToSend } from '../../library/egress.ts';
import type { MonthRequest } from '../../library/open-month.ts';
import { openRunners, type RunnerFor } from '../../library/open-world.ts';
import type { OwnState } from '../../library/own-state.ts';
import { repositoryRootOf } from '../../library/root.ts';
import type { PreparedVote } from './prepare-vote.ts';
import { type MemberSeats, seatMembers } from './seat-members.ts';

/** The reviewers that would be asked. */
export interface RealReviewers {
  readonly seats: MemberSeats;
  readonly runnerFor: RunnerFor;
  /** Top of the repository; null outside of one. */
  readonly checkout: string | null;
}

/** Throws `UserError` (kind `usage`) when nobody could be asked. */
export async function openReviewers(
  { request, input, settings, config, home }: PreparedVote,
  call: Call,
): Promise<RealReviewers> {
  const { roster } = input.session;
  const checkout = await repositoryRootOf(call);
  const seats = seatMembers({ config, home, concurrency: settings.concurrency, roster });
  if (config.egress.length > 0) {
    // What members are shown is made of the text of these files.
    const files = Object.values(sessionFileNames).map(
      name => ['SESSION', path.resolve(call.cwd, request.dir ?? '', name)] as const,
    );
    const asked = seats.places.map(seat => ({
      ...seat,
      id: `the members asked at ${seat.baseUrl ?? seat.model ?? seat.runner}`,
    }));
    await refuseToSend({ config, files, root: checkout }, await recipientsOf(asked, call));
  }
  const runnerFor = openRunners(call, checkout);
  const reason =
    roster.length === 0 ? 'the roster is empty' : await whyNobody(seats.places, runnerFor);
  if (reason !== null)
    throw usageError(`Error: real reviewers requested but not available: ${reason}`);
  return { seats, runnerFor, checkout };
}

/** How they are asked. `fence`: 32 random hex digits, the same whenever the run goes on. */
export function votingOf(
  { settings, ...prepared }: PreparedVote,
  { seatFor, lanes }: MemberSeats,
  fence: string,
): Voting {
  return {
    seatFor,
    lanes,
    settings,
    textLimits: settings.limits,
    ceilings: limitsOf(prepared),
    fence,
    hash: sha256,
  };
}

/** Each once. */
export function placesOf({ places }: MemberSeats): VotePlan['places'][number][] {
  return places.map(({ runner, baseUrl: endpoint = null, model = null }) => ({
    runner,
    endpoint,
    model,
  }));
}

export function limitsOf({ request, config }: Pick<PreparedVote, 'request' | 'config'>): Limits {
  return {
    maxCalls: request.maxCalls ?? config.maxCalls ?? null,
    maxTokens: request.maxTokens ?? config.maxTokens ?? null,
    maxCost: request.maxCost ?? config.maxCost ?? null,
  };
}

export function monthOf(
  prepared: Pick<PreparedVote, 'request' | 'config'>,
  { places }: MemberSeats,
  state: OwnState,
): MonthRequest {
  return {
    state,
    limit: prepared.request.maxCostPerMonth ?? prepared.config.maxCostPerMonth ?? null,
    maxCost: limitsOf(prepared).maxCost,
    // Members are no reviewers of the configuration.
    asked: places.map(({ runner, price }) => ({ runner, ...(price && { price }) })),
  };
}

/** Null: somebody can be asked. */
async function whyNobody(places: readonly Seat[], runnerFor: RunnerFor): Promise<string | null> {
  if (places.length === 0)
    return 'the configuration has no motions.reviewer and no motions.endpoints, and no member of the roster has a base_url';
  let reason = '';
  for (const seat of places) {
    const problem = await problemOf(seat, runnerFor);
    if (problem === null) return null;
    reason ||= problem;
  }
  return reason;
}

/** A runner that cannot be set up says so before it looks whether it should stop. */
async function problemOf(seat: Seat, runnerFor: RunnerFor): Promise<string | null> {
  const runner = await runnerFor(seat);
  if ((await runner.fingerprint(seat)) !== null) return null;
  const turn = turnOf({ instructions: '', prompt: '' }, seat);
  const answer = await runner.ask(turn, AbortSignal.abort());
  return answer.status === 'answered' || answer.failure.cause === 'cancelled'
    ? null
    : answer.failure.message;
}
