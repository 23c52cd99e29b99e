/** Who of a panel may be asked about what it said, where, and under which ceiling. */
import type { Subject } from '../../core/words/change.ts';
import type { Claim } from '../../core/words/claim.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import { isReader } from '../../core/words/reader.ts';
import { addUsage, noUsage, type Review } from '../../core/words/review.ts';
import type { Ceiling, Endpoints } from '../../core/ports/limits.ts';
import type { World } from '../world.ts';
import type { Asking } from './ask-member.ts';
import { createEndpoints } from './endpoint-limits.ts';

export interface ClaimsAsked {
  readonly plan: Pick<
    Plan,
    'run' | 'seats' | 'concurrency' | 'limits' | 'egress' | 'fence' | 'subjectHash'
  >;
  readonly subject: Subject;
  readonly reviews: readonly Review[];
  readonly claims: readonly Claim[];
}

export interface HearingWorld extends Pick<
  World,
  'steps' | 'clock' | 'runnerFor' | 'hash' | 'secrets'
> {
  readonly ceiling: Ceiling;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Analysers hold no opinion on what others say; who could not review the change will not judge it either. */
export function judgesOf({ plan, reviews }: ClaimsAsked): Seat[] {
  const heard = new Set(
    reviews.filter(({ status }) => status !== 'failed').map(({ reviewer }) => reviewer),
  );
  return plan.seats.filter(seat => isReader(seat) && heard.has(seat.id));
}

/** Counts what is spent beside the reviews, with what earlier times spent. */
export function countingCeiling(inner: Ceiling, before = noUsage) {
  let usage = before;
  const ceiling: Ceiling = {
    ...inner,
    async take(call) {
      const taken = await inner.take(call);
      if ('why' in taken) return taken;
      return {
        give(used, isCutOff) {
          usage = addUsage(usage, { ...used, calls: Math.max(used.calls, 1) });
          return taken.give(used, isCutOff);
        },
      };
    },
    book(calls, used) {
      usage = addUsage(usage, { ...used, calls });
      return inner.book(calls, used);
    },
  };
  return { ceiling, spent: () => usage };
}

export function askingOf(plan: SeatedPlan, world: HearingWorld, round = 1): Asking {
  return { ...world, round, endpoints: endpointsOf(plan, world), seatAt: seat => seat };
}

type SeatedPlan = Pick<ClaimsAsked['plan'], 'seats' | 'concurrency'>;

/** Every seat is its own endpoint, or shares that of its address, with its limit. */
export function endpointsOf(
  { seats, concurrency }: SeatedPlan,
  world: Pick<HearingWorld, 'clock' | 'note'>,
): Endpoints {
  const shared = seats.map(seat => ({
    key: endpointOf(seat),
    limit: seat.concurrency ?? concurrency,
    weight: 1,
  }));
  return createEndpoints(shared, concurrency, { ...world, mostCalls: concurrency });
}

export function placed(seat: Seat) {
  return { seat, endpoint: endpointOf(seat) };
}

function endpointOf({ baseUrl, runner, id }: Seat) {
  return baseUrl ?? `${runner}/${id}`;
}
