/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
import { sha256 } from '../../adapters/system/ids.ts';
import { groupBy } from '../../core/groups.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { riskTiers } from '../triage.ts';
import { ReviewerId } from '../../core/settings.ts';
import { defaultTimeout, type MotionsReviewer, type Seat } from '../../core/words/config.ts';
import { requireAtLeast } from '../../core/words/isolation.ts';
import type { PlacedSeat } from '../../engine/asking/ask-member.ts';
import type { Voting } from '../asking/collect-reviews.ts';
import type { DrawnVote } from '../asking/run-motions.ts';
import type { EndpointSettings } from '../../engine/asking/limits.ts';
import type { PreparedVote } from './prepare-vote.ts';

export interface MemberSeats extends Pick<Voting, 'seatFor' | 'lanes'> {
  readonly shared: readonly EndpointSettings[];
  /** A seat for each place and model where anybody may be asked. */
  readonly places: readonly Seat[];
  /** The seat as it calls an endpoint. */
  seatAt(seat: Seat, endpoint: string): Seat;
  /** At each endpoint where it may be asked. */
  seatsAt(placed: PlacedSeat): readonly Seat[];
}

/** One that shares the work, with what is said of it and else of the reviewer. */
type SharedEndpoint = MotionsReviewer & Readonly<Record<'concurrency' | 'weight', number>>;

/** Without a configured reviewer members are asked through runner `api`, and there is no default endpoint. */
export function seatMembers({ config, home, settings, input }: PreparedVote): MemberSeats {
  const { concurrency } = settings;
  const { roster } = input.session;
  const { reviewer, endpoints = [], models = {}, limits } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const { model: usual, concurrency: _, ...rest } = base;
  const alone = reviewer === undefined ? [] : [{ ...base, weight: 1 }];
  const shared = new Map(
    (endpoints.length > 0 ? endpoints : alone).map(one => [
      keyOf(one.baseUrl ?? base.runner),
      { ...base, ...one, concurrency: one.concurrency ?? concurrency },
    ]),
  );
  const price = expectedPrice([...shared.values()]);
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
  const host = shared.size > 0 ? undefined : roster.find(({ baseUrl }) => baseUrl !== null);
  const facilitator = {
    model: null,
    baseUrl: null,
    ...host,
    name: 'Facilitator',
    id: 'facilitator',
  };
  const seatFor: MemberSeats['seatFor'] = (asked, riskTier) => {
    const { id, name, model, baseUrl } = asked ?? facilitator;
    const named = model ?? (riskTier === null ? undefined : models[riskTier]);
    return {
      seat: {
        ...alike,
        id: ReviewerId.safeParse(id).success ? id : `member-${sha256(name).slice(0, 10)}`,
        ...(named !== undefined && { model: named }),
      },
      endpoint: baseUrl === null ? null : keyOf(baseUrl),
    };
  };
  const seatAt: MemberSeats['seatAt'] = (seat, key) => {
    const endpoint = shared.get(key);
    return endpoint === undefined ? atOwn(seat, key, usual) : atShared(seat, endpoint);
  };
  const seatsAt: MemberSeats['seatsAt'] = ({ seat, endpoint }) =>
    (endpoint === null ? [...shared.keys()] : [endpoint]).map(key => seatAt(seat, key));
  const placed = groupBy(roster, one => JSON.stringify([one.baseUrl, one.model]));
  const seats = [...placed.values()].flatMap(alikes =>
    riskTiers.map(risk => seatFor(alikes.at(-1) ?? null, risk)),
  );
  const places = groupBy(seats.flatMap(seatsAt), ({ runner, baseUrl, model }) =>
    JSON.stringify([runner, baseUrl, model]),
  );
  // Where a member has an endpoint of its own, that alone has as much room as the vote makes calls.
  const isOwn = seats.some(({ endpoint }) => endpoint !== null && !shared.has(endpoint));
  const limited = Array.from(shared, ([key, { concurrency: limit, weight }]) => ({
    key,
    limit,
    weight,
  }));
  const room = limited.reduce((sum, { limit }) => sum + limit, isOwn ? concurrency : 0);
  return {
    shared: limited,
    places: [...places.values()].flatMap(alikes => alikes.slice(-1)),
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
function keyOf(baseUrl: string) {
  return baseUrl.replace(/\/+$/, '');
}

/** The address comes with the data of a session: it is asked in the protocol that needs no key, and no key is sent. */
function atOwn(seat: Seat, baseUrl: string, usual = '') {
  const { apiKeyEnv: _, command: __, model = usual, ...rest } = seat;
  const name = model.replace(/^openai-compatible\//, '');
  return { ...rest, runner: 'api', baseUrl, model: `openai-compatible/${name}` };
}

function atShared(seat: Seat, { baseUrl, apiKeyEnv, price, ...endpoint }: SharedEndpoint) {
  const model = seat.model ?? endpoint.model;
  return {
    ...seat,
    ...(baseUrl !== undefined && { baseUrl: keyOf(baseUrl) }),
    ...(model !== undefined && { model: qualified(seat.runner, model) }),
    ...(apiKeyEnv !== undefined && { apiKeyEnv }),
    ...(price && { price }),
  };
}

/** Rosters name models as their servers do. */
function qualified(runner: Seat['runner'], model: string) {
  return runner !== 'api' || /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
}

/** Before it is known which of the endpoints answers: each gets its share of the calls. Undefined where one of them has no price. */
function expectedPrice(endpoints: readonly SharedEndpoint[]) {
  const all = endpoints.reduce((sum, { weight }) => sum + weight, 0);
  const expected = { input: 0, output: 0 };
  for (const { weight, price } of endpoints) {
    if (price === undefined) return undefined;
    expected.input += (weight / all) * price.input;
    expected.output += (weight / all) * price.output;
  }
  return endpoints.length === 0 ? undefined : expected;
}

/** Which models will say what, told before the first call; null when there is none. */
export function describeModels({ packets, triaged }: DrawnVote, { seatFor, seatsAt }: MemberSeats) {
  const tiers = new Map(triaged.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const reviews = packets.flatMap(({ member: asked, assigned }) =>
    assigned.map(({ motionId }) => {
      const risk = tiers.get(motionId) ?? null;
      const models = seatsAt(seatFor(asked, risk)).map(({ model, runner }) =>
        makeVisible(model ?? `the model of ${runner}`),
      );
      return `of ${risk} risk by ${[...new Set(models)].join(' or ')}`;
    }),
  );
  const counts = [...groupBy(reviews, what => what)].map(
    ([what, { length }]) => `${length} ${length === 1 ? 'review' : 'reviews'} ${what}`,
  );
  return counts.length === 0 ? null : `Models: ${counts.join('; ')}.`;
}
