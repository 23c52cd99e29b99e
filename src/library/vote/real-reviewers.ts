/** Opens the real reviewers of a formal vote. When they cannot start, that is an error: nothing is put in their place. */
import { sha256 } from '../../adapters/system/ids.ts';
import { UserError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { nothingSpent } from '../../core/words/review.ts';
import type { Member } from '../../core/vote/motion.ts';
import { renderIdentity } from '../../core/vote/prompts/motions.ts';
import { type RiskTier, riskTiers } from '../../core/vote/triage.ts';
import { defaultLimits, type MotionsLimits } from '../../core/vote/motions-settings.ts';
import type { Config, Seat } from '../../core/words/config.ts';
import { createCeiling, type Limits } from '../../engine/ceiling.ts';
import { jitterBy, type Asking } from '../../engine/vote/ask-member.ts';
import { collectReviews, type Reviewing } from '../../engine/vote/collect-reviews.ts';
import { createEndpoints } from '../../engine/vote/endpoint-limits.ts';
import { holdPanels } from '../../engine/vote/hold-panels.ts';
import type { Deliberators, ReviewsWanted } from '../../engine/vote/run-motions.ts';
import { type Call, clockOf } from '../call.ts';
import { recipientsOf, refuseToSend } from '../egress.ts';
import { openRunners, type RunnerFor } from '../open-world.ts';
import { describeModels, type MemberSeats, type PlacedSeat, seatMembers } from './seat-members.ts';

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
        placesOf(seats, roster).map(seat => ({
          ...seat,
          id: `the members asked at ${seat.baseUrl ?? seat.model ?? seat.runner}`,
        })),
        call,
      ),
    );
  const runnerFor = openRunners(call, checkout);
  const reason = await whyNobody(seats, roster, runnerFor);
  if (reason !== null)
    throw new UserError(`Error: real reviewers requested but not available: ${reason}`, {
      kind: 'usage',
    });
  const textLimits = config.motions?.limits ?? defaultLimits;
  return { seats, runnerFor, roster, concurrency, textLimits, clock: clockOf(call) };
}

interface OpenReviewers extends Pick<OpeningRequest, 'roster' | 'concurrency'> {
  readonly seats: MemberSeats;
  readonly runnerFor: RunnerFor;
  readonly textLimits: MotionsLimits;
  readonly clock: Clock;
}

interface Deliberation {
  readonly batch: number;
  readonly panelConcurrency: number;
  readonly limits: Limits;
  /** 32 random hex digits, the same whenever the run goes on. */
  readonly fence: string;
  /** The journal of the run: what is in it is not asked again. */
  readonly steps: Steps;
}

/** When the signal aborts both answer with nothing: what was finished is in the journal. */
export function deliberateWith(
  { seats, runnerFor, roster, concurrency, textLimits, clock }: OpenReviewers,
  { batch, panelConcurrency, limits, fence, steps }: Deliberation,
): Deliberators {
  const ceiling = createCeiling(limits, nothingSpent);
  const told: { note: (message: string) => void } = { note: () => {} };
  const jitter = jitterBy(sha256);
  const endpoints = createEndpoints(seats.shared, concurrency, {
    mostCalls: concurrency,
    clock,
    jitter,
    note: message => told.note(message),
  });
  const reviewing = {
    seatFor: (member: Member, riskTier: RiskTier | null) => seats.seatFor(member, riskTier),
    textLimits,
    batch,
    concurrency,
    panelConcurrency,
    limits,
    fence,
    hash: sha256,
  } satisfies Omit<Reviewing, 'asking'>;
  const withAsking = async <Row>(
    { signal, note }: Phase,
    work: (asking: Asking) => Promise<readonly Row[]>,
  ): Promise<readonly Row[]> => {
    told.note = note;
    try {
      return await work({
        steps,
        signal,
        ceiling,
        endpoints,
        runnerFor,
        jitter,
        clock,
        seatAt: (seat, endpoint) => seats.seatAt(seat, endpoint),
      });
    } catch (error) {
      if (!signal.aborted) throw error;
      return [];
    } finally {
      endpoints.rest();
    }
  };
  return {
    simulated: false,
    collectReviews(wanted) {
      const models = describeModels(wanted, seats);
      if (models !== null) wanted.note(models);
      return withAsking(wanted, asking => collectReviews(wanted, { ...reviewing, asking }));
    },
    holdPanels: wanted =>
      withAsking(wanted, asking =>
        holdPanels(wanted, {
          ...reviewing,
          asking,
          identify: renderIdentity,
          facilitatorFor: ({ riskTier }) => facilitatorOf(seats, roster, riskTier),
        }),
      ),
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
  const places = placesOf(seats, roster);
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
function placesOf(seats: MemberSeats, roster: readonly Member[]): Seat[] {
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
    ...new Map(places.map(seat => [JSON.stringify([seat.baseUrl, seat.model]), seat])).values(),
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
