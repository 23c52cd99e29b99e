/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
import { sha256 } from '../../adapters/system/ids.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import type { Member } from '../../core/vote/motion.ts';
import type { RiskTier } from '../../core/vote/triage.ts';
import {
  type Config,
  defaultTimeout,
  type MotionsEndpoint,
  type MotionsReviewer,
  type Price,
  ReviewerId,
  type Seat,
} from '../../core/words/config.ts';
import { requireAtLeast } from '../../core/words/isolation.ts';
import type { EndpointSettings } from '../../engine/vote/endpoint-limits.ts';
import type { ReviewsWanted } from '../../engine/vote/deliberators.ts';

export interface MemberSeats {
  readonly shared: readonly EndpointSettings[];
  /** Is there a price for whatever is answered, at each endpoint that shares the work? */
  readonly isPriced: boolean;
  /** `riskTier`: of the motion it is asked about, where there is one. */
  seatFor(member: Member, riskTier: RiskTier | null): PlacedSeat;
  seatAt(seat: Seat, endpoint: string): Seat;
}

export interface PlacedSeat {
  readonly seat: Seat;
  /** The one endpoint it is asked at; null: any that shares the work. */
  readonly endpoint: string | null;
}

interface SeatingRequest {
  readonly config: Config;
  /** Folder that relative paths of the configuration refer to. */
  readonly home: string;
  /** Calls at a time where nobody says otherwise. */
  readonly concurrency: number;
}

/** Without a configured reviewer members are asked through runner `api`, and there is no default endpoint. */
export function seatMembers({ config, home, concurrency }: SeatingRequest): MemberSeats {
  const { reviewer = null, endpoints = [], models = {}, limits } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const timeout = base.timeout ?? config.timeout ?? defaultTimeout;
  const answerTokens = limits?.answer_tokens ?? undefined;
  const byKey = new Map(endpoints.map(endpoint => [keyOf(endpoint.baseUrl), endpoint]));
  const price = expectedPrice([...byKey.values()], base);
  return {
    isPriced: price !== undefined,
    shared:
      endpoints.length > 0
        ? [...byKey].map(([key, endpoint]) => ({
            key,
            limit: endpoint.concurrency ?? concurrency,
            weight: endpoint.weight,
          }))
        : defaultEndpoint(reviewer, concurrency),
    seatFor(member, riskTier) {
      const model = member.model ?? (riskTier === null ? null : (models[riskTier] ?? null));
      const seat = {
        ...seatOf(base, member, model),
        home,
        timeout,
        ...(answerTokens && { answerTokens }),
        ...(price && { price }),
      };
      if (member.baseUrl === null) return { seat, endpoint: null };
      return byKey.has(keyOf(member.baseUrl))
        ? { seat, endpoint: keyOf(member.baseUrl) }
        : {
            seat: atOwnEndpoint(seat, member.baseUrl, model ?? base.model ?? null),
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

/** Which models will say what, told before anybody is asked; null when nobody is. */
export function describeModels(
  { packets, motions }: Pick<ReviewsWanted, 'packets' | 'motions'>,
  seats: MemberSeats,
): string | null {
  const tiers = new Map(motions.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const reviews = new Map<string, number>();
  for (const { member, assigned } of packets)
    for (const [tier, count] of countBy(
      assigned.map(({ motionId }) => tiers.get(motionId) ?? null),
    )) {
      const what = `of ${tier ?? 'unknown'} risk by ${modelsOf(seats.seatFor(member, tier), seats)}`;
      reviews.set(what, (reviews.get(what) ?? 0) + count);
    }
  if (reviews.size === 0) return null;
  return `Models: ${[...reviews].map(([what, count]) => `${count} ${count === 1 ? 'review' : 'reviews'} ${what}`).join('; ')}.`;
}

function modelsOf({ seat, endpoint }: PlacedSeat, seats: MemberSeats): string {
  const places = endpoint === null ? seats.shared.map(({ key }) => key) : [endpoint];
  const models = places.map(
    place => seats.seatAt(seat, place).model ?? `the model of ${seat.runner}`,
  );
  return [...new Set(models)].map(model => makeVisible(model)).join(' or ');
}

function countBy<Thing>(things: readonly Thing[]): ReadonlyMap<Thing, number> {
  const counts = new Map<Thing, number>();
  for (const thing of things) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  return counts;
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

function seatOf(base: MotionsReviewer, { id, name }: Member, model: string | null): UnplacedSeat {
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
  const price = endpoint?.price ?? base.price;
  return {
    ...seat,
    ...(endpoint === null ? {} : { baseUrl: keyOf(endpoint.baseUrl) }),
    ...(model === undefined ? {} : { model: seat.runner === 'api' ? qualified(model) : model }),
    ...(apiKeyEnv === undefined ? {} : { apiKeyEnv }),
    ...(price === undefined ? {} : { price }),
  };
}

/** Before it is known which of the endpoints answers: each gets its share of the calls. Undefined where one of them has no price. */
function expectedPrice(
  endpoints: readonly MotionsEndpoint[],
  base: MotionsReviewer,
): MotionsReviewer['price'] {
  const priced = endpoints.flatMap(({ weight, price = base.price }) =>
    price === undefined ? [] : [{ weight, price }],
  );
  if (endpoints.length === 0) return base.price;
  if (priced.length < endpoints.length) return undefined;
  const all = priced.reduce((sum, { weight }) => sum + weight, 0);
  const share = (of: (price: Price) => number): number =>
    priced.reduce((sum, { weight, price }) => sum + (weight / all) * of(price), 0);
  return { input: share(({ input }) => input), output: share(({ output }) => output) };
}

/** Rosters name models as their servers do. */
function qualified(model: string): string {
  return /^(?:anthropic|openai|google|openai-compatible)\//.test(model)
    ? model
    : `openai-compatible/${model}`;
}
