/** Opens the real reviewers of a formal vote. When they cannot start, that is an error: nothing is put in their place. */
import type { VotePlan } from '../../core/printed/votes.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { usageError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Steps } from '../../core/ports/steps.ts';
import type { VoteSpending } from '../../core/vote/motions-run.ts';
import { defaultLimits, type MotionsLimits } from '../../core/vote/motions-settings.ts';
import { byCodePoint, type Member } from '../../core/vote/motion.ts';
import { exemplifyPrompts } from '../../core/vote/prompts/examples.ts';
import { renderIdentity } from '../../core/vote/prompts/motions.ts';
import { type AskedBy, shownEndpoint } from '../../core/vote/recorded-inputs.ts';
import type { HeldSecondPass } from '../../core/vote/ratify.ts';
import type { PanelRecord, ReviewResponse } from '../../core/vote/records.ts';
import { type RiskTier, riskTiers } from '../../core/vote/triage.ts';
import type { Config, Seat } from '../../core/words/config.ts';
import type { Spent } from '../../core/words/review.ts';
import { createCeiling } from '../../engine/ceiling.ts';
import type { MonthCeiling } from '../../engine/month-ceiling.ts';
import { type Asking, jitterBy, type Question } from '../../engine/vote/ask-member.ts';
import {
  collectReviews,
  planReviews,
  type Reviewing,
  type ReviewsPlanned,
} from '../../engine/vote/collect-reviews.ts';
import { createEndpoints } from '../../engine/vote/endpoint-limits.ts';
import { holdPanels, panelKey } from '../../engine/vote/hold-panels.ts';
import { type ConflictsFound, searchConflicts } from '../../engine/vote/search-conflicts.ts';
import type { Deliberators, ReviewsWanted } from '../../engine/vote/deliberators.ts';
import { holdSecondPass } from '../../engine/vote/second-pass.ts';
import { type Call, clockOf } from '../call.ts';
import { recipientsOf, refuseToSend } from '../egress.ts';
import { openRunners, type RunnerFor } from '../open-world.ts';
import { describeModels, type MemberSeats, type PlacedSeat, seatMembers } from './seat-members.ts';
import type { Limits } from '../../core/context/budget.ts';

interface OpeningRequest {
  readonly config: Config;
  /** Folder that relative paths of the configuration refer to. */
  readonly home: string;
  /** Top of the repository; null outside of one. */
  readonly checkout: string | null;
  readonly roster: readonly Member[];
  readonly concurrency: number;
  /** Files of the session, absolute: what members are shown is made of their text. */
  readonly files: readonly string[];
}

/** Throws `UserError` (kind `usage`) when nobody could be asked. */
export async function openReviewers(
  { config, home, checkout, roster, concurrency, files }: OpeningRequest,
  call: Call,
): Promise<OpenReviewers> {
  const seats = seatMembers({ config, home, concurrency });
  if (config.egress.length > 0)
    await refuseToSend(
      { config, files: files.map(file => ['SESSION', file] as const), root: checkout },
      await recipientsOf(
        seatsAtPlaces(seats, roster).map(seat => ({
          ...seat,
          id: `the members asked at ${seat.baseUrl ?? seat.model ?? seat.runner}`,
        })),
        call,
      ),
    );
  const runnerFor = openRunners(call, checkout);
  const reason = await whyNobody(seats, roster, runnerFor);
  if (reason !== null)
    throw usageError(`Error: real reviewers requested but not available: ${reason}`);
  const textLimits = config.motions?.limits ?? defaultLimits;
  return { seats, runnerFor, roster, concurrency, textLimits, clock: clockOf(call) };
}

export interface OpenReviewers extends Pick<OpeningRequest, 'roster' | 'concurrency'> {
  readonly seats: MemberSeats;
  readonly runnerFor: RunnerFor;
  readonly textLimits: MotionsLimits;
  readonly clock: Clock;
}

interface Deliberation {
  readonly batch: number;
  readonly panelConcurrency: number;
  readonly limits: Limits;
  /** Null: nobody who is asked costs anything. */
  readonly month: MonthCeiling | null;
  /** 32 random hex digits, the same whenever the run goes on. */
  readonly fence: string;
  /** The journal of the run: what is in it is not asked again. */
  readonly steps: Steps;
  readonly round: number;
  /** What the rounds before have spent. */
  readonly before: Spent;
  /** Are amended texts put to those who amended or opposed? Else the second pass is assumed. */
  readonly asksAgain: boolean;
}

interface RealDeliberators extends Omit<Deliberators, 'run'> {
  readonly spent: () => VoteSpending;
  /** Questions besides those for reviews of either pass that have ended without an answer. */
  unanswered(): number;
}

/** When the signal aborts all answer with nothing: what was finished is in the journal. */
export function deliberateWith(
  reviewers: OpenReviewers,
  deliberation: Deliberation,
): RealDeliberators {
  const { seats, roster } = reviewers;
  const { panelConcurrency, limits, month, before, asksAgain } = deliberation;
  const ceiling = createCeiling(limits, before, month);
  const unanswered = new Set<string>();
  const withAsking = phasesOf(reviewers, deliberation, {
    ceiling,
    // Of both passes the rows tell: what was left out of a batch may have been answered alone.
    onUnanswered: ({ key }) => /^(?:review|second\/(?!text\/))/.test(key) || unanswered.add(key),
  });
  const reviewing = { ...reviewingWith(reviewers, deliberation), panelConcurrency, limits };
  return {
    simulated: false,
    asked: askedBy(reviewers),
    unanswered: () => unanswered.size,
    spent: () => spendingOf(ceiling.spent(), seats),
    findContradictions: wanted =>
      withAsking<ConflictsFound>(
        wanted,
        { contradictions: [], isFinished: false, dropped: 0 },
        asking =>
          searchConflicts(wanted, { ...reviewing, ...facilitatorOf(seats, roster, null), asking }),
      ),
    collectReviews: wanted =>
      withAsking<readonly ReviewResponse[]>(wanted, [], asking => {
        const models = describeModels(wanted, seats);
        if (models !== null) wanted.note(models);
        return collectReviews(wanted, { ...reviewing, asking });
      }),
    async holdPanels(wanted) {
      const held = await withAsking<readonly PanelRecord[]>(wanted, [], asking =>
        holdPanels(wanted, {
          ...reviewing,
          asking,
          identify: renderIdentity,
          facilitatorFor: ({ riskTier }) => facilitatorOf(seats, roster, riskTier),
        }),
      );
      // One that ran out of time has questions that nobody was asked.
      for (const { panel_id, mega_motion_id, status } of held)
        if (
          status === 'failed' &&
          ![...unanswered].some(key => key.startsWith(`${panelKey(mega_motion_id)}/`))
        )
          unanswered.add(panel_id);
      return held;
    },
    holdSecondPass: asksAgain
      ? wanted =>
          withAsking<HeldSecondPass>(wanted, { texts: new Map(), responses: [] }, asking =>
            holdSecondPass(wanted, {
              ...reviewing,
              asking,
              facilitatorFor: ({ riskTier }) => facilitatorOf(seats, roster, riskTier),
            }),
          )
      : null,
  };
}

interface Planned
  extends
    Pick<Deliberation, 'batch' | 'fence' | 'round'>,
    Pick<ReviewsWanted, 'session' | 'motions' | 'packets'> {
  readonly steps: Pick<Steps, 'recall'>;
}

/** What collecting the reviews takes from here on. Nobody is asked. */
export function planWith(
  reviewers: OpenReviewers,
  { session, motions, packets, steps, round, ...deliberation }: Planned,
): ReviewsPlanned {
  const reviewing = {
    ...reviewingWith(reviewers, deliberation),
    asking: { steps, round, hash: sha256 },
  };
  return planReviews({ session, motions, packets }, reviewing);
}

/** As the record of the vote holds it. */
function askedBy(reviewers: OpenReviewers): AskedBy {
  const places = placesOf(reviewers);
  return {
    prompts: exemplifyPrompts(),
    models: eachOnce(places.map(({ model }) => model)),
    endpoints: eachOnce(places.map(({ runner, endpoint }) => shownEndpoint(endpoint ?? runner))),
  };
}

function eachOnce(names: readonly (string | null)[]): string[] {
  return [...new Set(names.filter(name => name !== null))].sort(byCodePoint);
}

/** Each once. */
export function placesOf({ seats, roster }: OpenReviewers): VotePlan['places'][number][] {
  const places = seatsAtPlaces(seats, roster).map(({ runner, baseUrl, model }) => ({
    runner,
    endpoint: baseUrl ?? null,
    model: model ?? null,
  }));
  return [...new Map(places.map(place => [JSON.stringify(place), place])).values()];
}

function reviewingWith(
  { seats, roster, concurrency, textLimits }: OpenReviewers,
  { batch, fence }: Pick<Deliberation, 'batch' | 'fence'>,
): Omit<Reviewing, 'asking' | 'limits' | 'panelConcurrency'> {
  return {
    seatFor: (member, riskTier) => seats.seatFor(member, riskTier),
    textLimits,
    batch,
    concurrency,
    lanes: lanesOf(seats, roster, concurrency),
    fence,
    hash: sha256,
  };
}

/** Calls that can be under way at once: as many as the endpoints take, and no more than the vote makes. */
function lanesOf(seats: MemberSeats, roster: readonly Member[], concurrency: number): number {
  const limits = new Map(seats.shared.map(({ key, limit }) => [key, limit]));
  for (const { endpoint } of roster.map(member => seats.seatFor(member, null)))
    if (endpoint !== null && !limits.has(endpoint)) limits.set(endpoint, concurrency);
  const all = [...limits.values()].reduce((sum, limit) => sum + limit, 0);
  return Math.max(1, Math.min(concurrency, all));
}

/** Without a price nobody knows what was paid. */
function spendingOf({ calls, tokens, cost }: Spent, { isPriced }: MemberSeats): VoteSpending {
  return { calls, tokens, cost: cost > 0 || isPriced ? cost : null };
}

/** `nothing`: what there is when the signal aborts. */
type WithAsking = <Result>(
  phase: Phase,
  nothing: Result,
  work: (asking: Asking) => Promise<Result>,
) => Promise<Result>;

interface Counting extends Pick<Asking, 'ceiling'> {
  readonly onUnanswered: (question: Question) => void;
}

function phasesOf(
  { seats, runnerFor, concurrency, clock }: OpenReviewers,
  { steps, round }: Pick<Deliberation, 'steps' | 'round'>,
  counting: Counting,
): WithAsking {
  const told: { note: (message: string) => void } = { note: () => {} };
  const jitter = jitterBy(sha256);
  const endpoints = createEndpoints(seats.shared, concurrency, {
    mostCalls: concurrency,
    clock,
    jitter,
    note: message => told.note(message),
  });
  return async ({ signal, note }, nothing, work) => {
    told.note = note;
    try {
      return await work({
        ...counting,
        steps,
        round,
        signal,
        endpoints,
        runnerFor,
        jitter,
        clock,
        hash: sha256,
        seatAt: (seat, endpoint) => seats.seatAt(seat, endpoint),
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      return nothing;
    } finally {
      endpoints.rest();
    }
  };
}

type Phase = Pick<ReviewsWanted, 'signal' | 'note'>;

function facilitatorOf(
  seats: MemberSeats,
  roster: readonly Member[],
  riskTier: RiskTier | null,
): PlacedSeat {
  // Where nothing is shared, the facilitator is asked where the first member is that has an endpoint.
  const host =
    seats.shared.length > 0 ? null : (roster.find(({ baseUrl }) => baseUrl !== null) ?? null);
  const facilitator = {
    name: 'Facilitator',
    id: 'facilitator',
    role: null,
    backstory: null,
    model: host?.model ?? null,
    baseUrl: host?.baseUrl ?? null,
  };
  return seats.seatFor(facilitator, riskTier);
}

/** Null: somebody can be asked. */
async function whyNobody(
  seats: MemberSeats,
  roster: readonly Member[],
  runnerFor: RunnerFor,
): Promise<string | null> {
  if (roster.length === 0) return 'the roster is empty';
  const places = seatsAtPlaces(seats, roster);
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

/** A seat for each place and model where anybody may be asked. */
export function seatsAtPlaces(seats: MemberSeats, roster: readonly Member[]): Seat[] {
  const alike = new Map(
    roster.map(member => [JSON.stringify([member.baseUrl, member.model]), member]),
  );
  const places = [...alike.values()].flatMap(member =>
    riskTiers.flatMap(riskTier => {
      const { seat, endpoint } = seats.seatFor(member, riskTier);
      const keys = endpoint === null ? seats.shared.map(({ key }) => key) : [endpoint];
      return keys.map(key => seats.seatAt(seat, key));
    }),
  );
  return [
    ...new Map(
      places.map(seat => [JSON.stringify([seat.runner, seat.baseUrl, seat.model]), seat]),
    ).values(),
  ];
}

/** A runner that cannot be set up says so before it looks whether it should stop. */
async function problemOf(seat: Seat, runnerFor: RunnerFor): Promise<string | null> {
  const runner = await runnerFor(seat);
  if ((await runner.fingerprint(seat)) !== null) return null;
  const answer = await runner.ask(
    {
      seat,
      attempt: 1,
      instructions: '',
      prompt: '',
      change: null,
      read: () => Promise.resolve(null),
      deadlines: { firstOutputMs: 1_000, idleMs: 1_000, totalMs: 1_000 },
    },
    AbortSignal.abort(),
  );
  return answer.status === 'answered' || answer.failure.cause === 'cancelled'
    ? null
    : answer.failure.message;
}
