/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
import { sha256 } from '../../adapters/system/ids.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import type { Member } from '../../core/words/roster.ts';
import { riskTiers } from '../triage.ts';
import {
  type Config,
  defaultTimeout,
  type MotionsEndpoint,
  type MotionsReviewer,
  ReviewerId,
  type Seat,
} from '../../core/words/config.ts';
import { requireAtLeast } from '../../core/words/isolation.ts';
import type { PlacedSeat } from '../../engine/asking/ask-member.ts';
import type { Voting } from '../asking/collect-reviews.ts';
import type { DrawnVote } from '../asking/run-motions.ts';
import type { EndpointSettings } from '../../engine/asking/endpoint-limits.ts';

export interface MemberSeats extends Pick<Voting, 'seatFor' | 'lanes'> {
  readonly shared: readonly EndpointSettings[];
  /** A seat for each place and model where anybody may be asked. */
  readonly places: readonly Seat[];
  /** The seat as it calls an endpoint. */
  seatAt(seat: Seat, endpoint: string): Seat;
  /** At each endpoint where it may be asked. */
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
  const { model: usual, concurrency: most = concurrency, ...rest } = base;
  const byKey = new Map(endpoints.map(endpoint => [keyOf(endpoint.baseUrl), endpoint]));
  const shared = [...byKey].map(([key, { concurrency: limit = concurrency, weight }]) => ({
    key,
    limit,
    weight,
  }));
  if (byKey.size === 0 && reviewer !== undefined)
    shared.push({ key: keyOf(reviewer.baseUrl ?? reviewer.runner), limit: most, weight: 1 });
  const price = expectedPrice([...byKey.values()], base);
  const { answer_tokens: answerTokens } = limits ?? {};
  const alike = {
    ...rest,
    home,
    timeout: base.timeout ?? config.timeout ?? defaultTimeout,
    ...(answerTokens && { answerTokens }),
    ...(price && { price }),
    required: false,
    persona: member,
  };
  // Where nothing is shared, the facilitator is asked where the first member is that has an endpoint.
  const host = shared.length > 0 ? undefined : roster.find(({ baseUrl }) => baseUrl !== null);
  const { model = null, baseUrl = null } = host ?? {};
  const facilitator = { name: 'Facilitator', id: 'facilitator', model, baseUrl };
  const seatFor: MemberSeats['seatFor'] = (asked, riskTier) => {
    const { id, name, ...own } = asked ?? facilitator;
    const named = own.model ?? (riskTier === null ? undefined : models[riskTier]);
    return {
      seat: {
        ...alike,
        id: ReviewerId.safeParse(id).success ? id : `member-${sha256(name).slice(0, 10)}`,
        ...(named !== undefined && { model: named }),
      },
      endpoint: own.baseUrl === null ? null : keyOf(own.baseUrl),
    };
  };
  const seatAt: MemberSeats['seatAt'] = (seat, key) =>
    shared.some(one => one.key === key)
      ? atShared(seat, { ...base, ...byKey.get(key) })
      : atOwn(seat, key, usual);
  const seatsAt: MemberSeats['seatsAt'] = ({ seat, endpoint }) =>
    (endpoint === null ? shared.map(({ key }) => key) : [endpoint]).map(key => seatAt(seat, key));
  const placed = new Map(
    roster.map(one => [JSON.stringify([one.baseUrl, one.model]), one] as const),
  );
  const seats = [...placed.values()].flatMap(one => riskTiers.map(risk => seatFor(one, risk)));
  const places = seats
    .flatMap(seatsAt)
    .map(seat => [JSON.stringify([seat.runner, seat.baseUrl, seat.model]), seat] as const);
  // Where a member has an endpoint of its own, that alone has as much room as the vote makes calls.
  const isShared = (key: string | null): boolean => shared.some(one => one.key === key);
  const isOwn = seats.some(({ endpoint }) => endpoint !== null && !isShared(endpoint));
  const room = shared.reduce((sum, { limit }) => sum + limit, isOwn ? concurrency : 0);
  return {
    shared,
    places: [...new Map(places).values()],
    lanes: Math.max(1, Math.min(concurrency, room)),
    seatFor,
    seatAt,
    seatsAt,
  };
}

const member: Seat['persona'] = {
  name: 'member',
  role: 'general',
  focus: 'motions',
  veto: false,
  budget: 6144,
  capability: 'deliberation',
  files: [],
  instructions: '',
};

/** Two ways of writing one address are one endpoint. */
function keyOf(baseUrl: string): string {
  return baseUrl.replace(/\/+$/, '');
}

/** The address comes with the data of a session: it is asked in the protocol that needs no key, and no key is sent. */
function atOwn(seat: Seat, baseUrl: string, usual = ''): Seat {
  const { apiKeyEnv: _, command: __, model = usual, ...rest } = seat;
  const name = model.replace(/^openai-compatible\//, '');
  return { ...rest, runner: 'api', baseUrl, model: `openai-compatible/${name}` };
}

function atShared(
  seat: Seat,
  {
    baseUrl,
    apiKeyEnv,
    price,
    ...place
  }: Pick<MotionsReviewer, 'baseUrl' | 'apiKeyEnv' | 'price' | 'model'>,
): Seat {
  const model = seat.model ?? place.model;
  return {
    ...seat,
    ...(baseUrl !== undefined && { baseUrl: keyOf(baseUrl) }),
    ...(model !== undefined && { model: qualified(seat.runner, model) }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(price && { price }),
  };
}

/** Rosters name models as their servers do. */
function qualified(runner: Seat['runner'], model: string): string {
  return runner !== 'api' || /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
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

/** Which models will say what, told before the first call; null when there is none. */
export function describeModels(
  { packets, triaged }: DrawnVote,
  { seatFor, seatsAt }: MemberSeats,
): string | null {
  const tiers = new Map(triaged.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const reviews = new Map<string, number>();
  for (const { member: asked, assigned } of packets) {
    const risks = assigned.map(({ motionId }) => tiers.get(motionId) ?? null);
    for (const risk of new Set(risks)) {
      const models = seatsAt(seatFor(asked, risk)).map(
        ({ model, runner }) => model ?? `the model of ${runner}`,
      );
      const what = `of ${risk ?? 'unknown'} risk by ${[...new Set(models)].map(makeVisible).join(' or ')}`;
      const count = risks.filter(one => one === risk).length;
      reviews.set(what, (reviews.get(what) ?? 0) + count);
    }
  }
  if (reviews.size === 0) return null;
  return `Models: ${[...reviews].map(([what, count]) => `${count} ${count === 1 ? 'review' : 'reviews'} ${what}`).join('; ')}.`;
}
