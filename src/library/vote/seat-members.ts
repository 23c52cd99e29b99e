/** Who answers for the members of a roster: the configured reviewer, at the endpoints that share the work or at a member's own. */
import { sha256 } from '../../adapters/system/ids.ts';
import type { Member } from '../../core/vote/motion.ts';
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

export interface MemberSeats {
  readonly shared: readonly EndpointSettings[];
  /** Is there a price for what they answer? */
  readonly isPriced: boolean;
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
export function seatMembers({ config, home, concurrency }: SeatingRequest): MemberSeats {
  const { reviewer = null, endpoints = [] } = config.motions ?? {};
  const base: MotionsReviewer = {
    ...(reviewer ?? { runner: 'api', environment: [] }),
    isolation: requireAtLeast(reviewer?.isolation, config.isolation?.require),
  };
  const timeout = base.timeout ?? config.timeout ?? defaultTimeout;
  const byKey = new Map(endpoints.map(endpoint => [keyOf(endpoint.baseUrl), endpoint]));
  const price = expectedPrice([...byKey.values()], base);
  return {
    isPriced: [base, ...endpoints].some(({ price }) => price !== undefined),
    shared:
      endpoints.length > 0
        ? [...byKey].map(([key, endpoint]) => ({
            key,
            limit: endpoint.concurrency ?? concurrency,
            weight: endpoint.weight,
          }))
        : defaultEndpoint(reviewer, concurrency),
    seatFor(member) {
      const seat = { ...seatOf(base, member), home, timeout, ...(price && { price }) };
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
