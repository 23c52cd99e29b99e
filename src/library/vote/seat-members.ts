/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
import { sha256 } from '../../adapters/system/ids.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import type { Member } from '../../core/vote/motion.ts';
import { riskTiers } from '../../core/vote/triage.ts';
import {
  type Config,
  defaultTimeout,
  type MotionsEndpoint,
  type MotionsReviewer,
  ReviewerId,
  type Seat,
} from '../../core/words/config.ts';
import { requireAtLeast } from '../../core/words/isolation.ts';
import type { PlacedSeat } from '../../engine/vote/ask-member.ts';
import type { Voting } from '../../engine/vote/collect-reviews.ts';
import type { ReviewsWanted } from '../../engine/vote/deliberators.ts';
import type { EndpointSettings } from '../../engine/vote/endpoint-limits.ts';

export interface MemberSeats extends Pick<Voting, 'seatFor' | 'lanes'> {
  readonly shared: readonly EndpointSettings[];
  /** Is there a price for whatever is answered, at each endpoint that shares the work? */
  readonly isPriced: boolean;
  /** A seat for each place and model where anybody may be asked. */
  readonly places: readonly Seat[];
  seatAt(seat: Seat, endpoint: string): Seat;
  /** The seat at each endpoint where it may be asked. */
  seatsAt(placed: PlacedSeat): readonly Seat[];
}

interface SeatingRequest {
  readonly config: Config;
  /** Folder that relative paths of the configuration refer to. */
  readonly home: string;
  /** Calls at a time where nobody says otherwise. */
  readonly concurrency: number;
  readonly roster: readonly Member[];
}

/** Without a configured reviewer members are asked through runner `api`, and there is no default endpoint. */
export function seatMembers({ config, home, concurrency, roster }: SeatingRequest): MemberSeats {
  const { reviewer, endpoints = [], models = {}, limits } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const byKey = new Map(endpoints.map(endpoint => [keyOf(endpoint.baseUrl), endpoint]));
  const shared = [...byKey].map(([key, { concurrency: limit = concurrency, weight }]) => ({
    key,
    limit,
    weight,
  }));
  if (byKey.size === 0 && reviewer !== undefined)
    shared.push({
      key: reviewer.baseUrl === undefined ? reviewer.runner : keyOf(reviewer.baseUrl),
      limit: reviewer.concurrency ?? concurrency,
      weight: 1,
    });
  const price = expectedPrice([...byKey.values()], base);
  const { answer_tokens: answerTokens } = limits ?? {};
  const all = {
    home,
    timeout: base.timeout ?? config.timeout ?? defaultTimeout,
    ...(answerTokens && { answerTokens }),
    ...(price && { price }),
  };
  // Where nothing is shared, the facilitator is asked where the first member is that has an endpoint.
  const host = shared.length > 0 ? undefined : roster.find(({ baseUrl }) => baseUrl !== null);
  const facilitator = {
    name: 'Facilitator',
    id: 'facilitator',
    model: host?.model ?? null,
    baseUrl: host?.baseUrl ?? null,
  };
  const seats: Omit<MemberSeats, 'places' | 'lanes'> = {
    isPriced: price !== undefined,
    shared,
    seatFor(member, riskTier) {
      const asked = member ?? facilitator;
      const model = asked.model ?? (riskTier === null ? undefined : models[riskTier]);
      const seat = { ...seatOf(base, asked, model), ...all };
      if (asked.baseUrl === null) return { seat, endpoint: null };
      const endpoint = keyOf(asked.baseUrl);
      return byKey.has(endpoint)
        ? { seat, endpoint }
        : { seat: atOwnEndpoint(seat, endpoint, model ?? base.model ?? ''), endpoint };
    },
    seatAt: (seat, key) =>
      seat.baseUrl === key && seat.model !== undefined && !byKey.has(key)
        ? seat
        : atEndpoint(seat, byKey.get(key) ?? null, base),
    seatsAt: ({ seat, endpoint }) =>
      (endpoint === null ? shared.map(({ key }) => key) : [endpoint]).map(key =>
        seats.seatAt(seat, key),
      ),
  };
  return { ...seats, ...placesOf(seats, roster, concurrency) };
}

/** No more calls can be under way than the endpoints take, and than the vote makes. */
function placesOf(
  { shared, seatFor, seatsAt }: Pick<MemberSeats, 'shared' | 'seatFor' | 'seatsAt'>,
  roster: readonly Member[],
  concurrency: number,
): Pick<MemberSeats, 'places' | 'lanes'> {
  const alike = new Map(roster.map(one => [JSON.stringify([one.baseUrl, one.model]), one]));
  const placed = [...alike.values()].flatMap(member =>
    riskTiers.map(riskTier => seatFor(member, riskTier)),
  );
  const places = placed
    .flatMap(seatsAt)
    .map(seat => [JSON.stringify([seat.runner, seat.baseUrl, seat.model]), seat] as const);
  const limits = new Map(shared.map(({ key, limit }) => [key, limit]));
  for (const { endpoint } of placed)
    if (endpoint !== null && !limits.has(endpoint)) limits.set(endpoint, concurrency);
  const room = [...limits.values()].reduce((sum, limit) => sum + limit, 0);
  return {
    places: [...new Map(places).values()],
    lanes: Math.max(1, Math.min(concurrency, room)),
  };
}

/** Which models will say what, told before anybody is asked; null when nobody is. */
export function describeModels(
  { packets, motions }: Pick<ReviewsWanted, 'packets' | 'motions'>,
  { seatFor, seatsAt }: MemberSeats,
): string | null {
  const tiers = new Map(motions.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const reviews = new Map<string, number>();
  for (const { member, assigned } of packets) {
    const asked = assigned.map(({ motionId }) => tiers.get(motionId) ?? null);
    for (const tier of new Set(asked)) {
      const models = seatsAt(seatFor(member, tier)).map(
        ({ model, runner }) => model ?? `the model of ${runner}`,
      );
      const what = `of ${tier ?? 'unknown'} risk by ${[...new Set(models)].map(makeVisible).join(' or ')}`;
      const count = asked.filter(one => one === tier).length;
      reviews.set(what, (reviews.get(what) ?? 0) + count);
    }
  }
  if (reviews.size === 0) return null;
  return `Models: ${[...reviews].map(([what, count]) => `${count} ${count === 1 ? 'review' : 'reviews'} ${what}`).join('; ')}.`;
}

/** Two ways of writing one address are one endpoint. */
function keyOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

function seatOf(
  base: MotionsReviewer,
  { id, name }: Pick<Member, 'id' | 'name'>,
  model: string | undefined,
): Omit<Seat, 'home' | 'timeout'> {
  const { model: _, timeout: __, concurrency: ___, ...rest } = base;
  return {
    ...rest,
    required: false,
    id: ReviewerId.safeParse(id).success ? id : `member-${sha256(name).slice(0, 10)}`,
    ...(model !== undefined && { model: qualified(base.runner, model) }),
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
function atOwnEndpoint(seat: Seat, baseUrl: string, model: string): Seat {
  const { apiKeyEnv: _, command: __, ...rest } = seat;
  const name = model.replace(/^openai-compatible\//, '');
  return { ...rest, runner: 'api', baseUrl, model: `openai-compatible/${name}` };
}

function atEndpoint(seat: Seat, endpoint: MotionsEndpoint | null, base: MotionsReviewer): Seat {
  const model = seat.model ?? endpoint?.model ?? base.model;
  const apiKeyEnv = endpoint?.apiKeyEnv ?? base.apiKeyEnv;
  const price = endpoint?.price ?? base.price;
  return {
    ...seat,
    ...(endpoint && { baseUrl: keyOf(endpoint.baseUrl) }),
    ...(model !== undefined && { model: qualified(seat.runner, model) }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(price && { price }),
  };
}

/** Before it is known which of the endpoints answers: each gets its share of the calls. Undefined where one of them has no price. */
function expectedPrice(
  endpoints: readonly MotionsEndpoint[],
  base: MotionsReviewer,
): MotionsReviewer['price'] {
  if (endpoints.length === 0) return base.price;
  const all = endpoints.reduce((sum, { weight }) => sum + weight, 0);
  const expected = { input: 0, output: 0 };
  for (const { weight, price = base.price } of endpoints) {
    if (price === undefined) return undefined;
    expected.input += (weight / all) * price.input;
    expected.output += (weight / all) * price.output;
  }
  return expected;
}

/** Rosters name models as their servers do. */
function qualified(runner: Seat['runner'], model: string): string {
  return runner !== 'api' || /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
}
