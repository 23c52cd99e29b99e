/** Opens the real reviewers of a formal vote. When they cannot start, that is an error: nothing is put in their place. */
import { requireAtLeast } from '../../core/words/isolation.ts';
import { sha256 } from '../../adapters/system/ids.ts';
import { UserError } from '../../core/errors.ts';
import type { Clock } from '../../core/ports/clock.ts';
import type { Steps } from '../../core/ports/steps.ts';
import { nothingSpent } from '../../core/words/review.ts';
import type { Member } from '../../core/vote/motion.ts';
import { renderIdentity } from '../../core/vote/prompts.ts';
import type { HeldSecondPass } from '../../core/vote/ratify.ts';
import type { PanelRecord, ReviewResponse } from '../../core/vote/records.ts';
import {
  type Config,
  defaultTimeout,
  type MotionsEndpoint,
  type MotionsReviewer,
  ReviewerId,
  type Seat,
} from '../../core/words/config.ts';
import { createCeiling, type Limits } from '../../engine/ceiling.ts';
import { jitterBy, type Asking } from '../../engine/vote/ask-member.ts';
import { collectReviews, type Reviewing } from '../../engine/vote/collect-reviews.ts';
import { createEndpoints, type EndpointSettings } from '../../engine/vote/endpoint-limits.ts';
import { holdPanels } from '../../engine/vote/hold-panels.ts';
import type { Deliberators, ReviewsWanted } from '../../engine/vote/run-motions.ts';
import { holdSecondPass } from '../../engine/vote/second-pass.ts';
import { type Call, clockOf } from '../call.ts';
import { recipientsOf, refuseToSend } from '../egress.ts';
import { openRunners, type RunnerFor } from '../open-world.ts';

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
  return { seats, runnerFor, roster, concurrency, clock: clockOf(call) };
}

interface OpenReviewers extends Pick<OpeningRequest, 'roster' | 'concurrency'> {
  readonly seats: MemberSeats;
  readonly runnerFor: RunnerFor;
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
  /** Are amended texts put to those who amended or opposed? Else the second pass is assumed. */
  readonly asksAgain: boolean;
}

/** When the signal aborts they all answer with nothing: what was finished is in the journal. */
export function deliberateWith(
  { seats, runnerFor, roster, concurrency, clock }: OpenReviewers,
  { batch, panelConcurrency, limits, fence, steps, asksAgain }: Deliberation,
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
    seatFor: (member: Member) => seats.seatFor(member),
    batch,
    concurrency,
    panelConcurrency,
    limits,
    fence,
    hash: sha256,
  } satisfies Omit<Reviewing, 'asking'>;
  const withAsking = async <Result>(
    { signal, note }: Phase,
    nothing: Result,
    work: (asking: Asking) => Promise<Result>,
  ): Promise<Result> => {
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
      return nothing;
    } finally {
      endpoints.rest();
    }
  };
  return {
    simulated: false,
    collectReviews: wanted =>
      withAsking<readonly ReviewResponse[]>(wanted, [], asking =>
        collectReviews(wanted, { ...reviewing, asking }),
      ),
    holdPanels: wanted =>
      withAsking<readonly PanelRecord[]>(wanted, [], asking =>
        holdPanels(wanted, {
          ...reviewing,
          asking,
          identify: renderIdentity,
          facilitatorFor: () => facilitatorOf(seats, roster),
        }),
      ),
    holdSecondPass: asksAgain
      ? wanted =>
          withAsking<HeldSecondPass>(wanted, { texts: new Map(), responses: [] }, asking =>
            holdSecondPass(wanted, {
              ...reviewing,
              asking,
              facilitator: facilitatorOf(seats, roster),
            }),
          )
      : null,
  };
}

type Phase = Pick<ReviewsWanted, 'signal' | 'note'>;

function facilitatorOf(
  seats: MemberSeats,
  roster: readonly Member[],
): { readonly seat: Seat; readonly endpoint: string | null } {
  // Where nothing is shared, the facilitator is asked where the first member is that has an endpoint.
  const host =
    seats.shared.length > 0 ? null : (roster.find(({ baseUrl }) => baseUrl !== null) ?? null);
  return seats.seatFor({
    name: 'Facilitator',
    id: 'facilitator',
    role: null,
    backstory: null,
    model: host?.model ?? null,
    baseUrl: host?.baseUrl ?? null,
  });
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

/** A seat for each place where anybody is asked. */
function placesOf(seats: MemberSeats, roster: readonly Member[]): Seat[] {
  const [first] = roster;
  if (first === undefined) return [];
  const own = roster.filter(({ baseUrl }) => baseUrl !== null).map(member => seats.seatFor(member));
  const common = seats.shared.map(({ key }) => ({
    seat: seats.seatFor({ ...first, baseUrl: null }).seat,
    endpoint: key,
  }));
  return [...common, ...own].map(({ seat, endpoint }) =>
    endpoint === null ? seat : seats.seatAt(seat, endpoint),
  );
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

/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
interface MemberSeats {
  readonly shared: readonly EndpointSettings[];
  seatFor(member: Member): { readonly seat: Seat; readonly endpoint: string | null };
  seatAt(seat: Seat, endpoint: string): Seat;
}

interface SeatingRequest {
  readonly config: Config;
  /** Folder that relative paths of the configuration refer to. */
  readonly home: string;
  /** Calls at a time where nobody says otherwise. */
  readonly concurrency: number;
}

/** Without a configured reviewer members are asked through runner `api`, and there is no default endpoint. */
function seatMembers({ config, home, concurrency }: SeatingRequest): MemberSeats {
  const { reviewer = null, endpoints = [] } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const timeout = base.timeout ?? config.timeout ?? defaultTimeout;
  const byKey = new Map(endpoints.map(endpoint => [keyOf(endpoint.baseUrl), endpoint]));
  return {
    shared:
      endpoints.length > 0
        ? [...byKey].map(([key, endpoint]) => ({
            key,
            limit: endpoint.concurrency ?? concurrency,
            weight: endpoint.weight,
          }))
        : defaultEndpoint(reviewer, concurrency),
    seatFor(member) {
      const seat = { ...seatOf(base, member), home, timeout };
      if (member.baseUrl === null) return { seat, endpoint: null };
      return byKey.has(keyOf(member.baseUrl))
        ? { seat, endpoint: keyOf(member.baseUrl) }
        : {
            seat: atOwnEndpoint(seat, member.baseUrl, member.model ?? base.model ?? null),
            endpoint: keyOf(member.baseUrl),
          };
    },
    seatAt: (seat, key) =>
      seat.baseUrl !== undefined &&
      keyOf(seat.baseUrl) === key &&
      seat.model !== undefined &&
      !byKey.has(key)
        ? seat
        : atEndpoint(seat, byKey.get(key) ?? null, base),
  };
}

/** Two ways of writing one address are one endpoint. */
function keyOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

function defaultEndpoint(
  reviewer: MotionsReviewer | null,
  concurrency: number,
): EndpointSettings[] {
  if (reviewer === null) return [];
  return [
    {
      key: reviewer.baseUrl === undefined ? reviewer.runner : keyOf(reviewer.baseUrl),
      limit: reviewer.concurrency ?? concurrency,
      weight: 1,
    },
  ];
}

type UnplacedSeat = Omit<Seat, 'home' | 'timeout'>;

function seatOf(base: MotionsReviewer, { id, name, model }: Member): UnplacedSeat {
  const { model: _, timeout: __, concurrency: ___, ...rest } = base;
  return {
    ...rest,
    required: false,
    id: ReviewerId.safeParse(id).success ? id : `member-${sha256(name).slice(0, 10)}`,
    ...(model === null ? {} : { model: base.runner === 'api' ? qualified(model) : model }),
    persona: {
      name: 'member',
      role: 'general',
      focus: 'motions',
      veto: false,
      budget: 6144,
      capability: 'deliberation',
      files: [],
      instructions: '',
    },
  };
}

/** The address comes with the data of a session: it is asked in the protocol that needs no key, and no key is sent. */
function atOwnEndpoint(seat: Seat, baseUrl: string, model: string | null): Seat {
  const { apiKeyEnv: _, command: __, ...rest } = seat;
  const name = model === null ? '' : model.replace(/^openai-compatible\//, '');
  return { ...rest, runner: 'api', baseUrl: keyOf(baseUrl), model: `openai-compatible/${name}` };
}

function atEndpoint(seat: Seat, endpoint: MotionsEndpoint | null, base: MotionsReviewer): Seat {
  const model = seat.model ?? endpoint?.model ?? base.model;
  const apiKeyEnv = endpoint?.apiKeyEnv ?? base.apiKeyEnv;
  return {
    ...seat,
    ...(endpoint === null ? {} : { baseUrl: keyOf(endpoint.baseUrl) }),
    ...(model === undefined ? {} : { model: seat.runner === 'api' ? qualified(model) : model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
  };
}

/** Rosters name models as their servers do. */
function qualified(model: string): string {
  return /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
}
