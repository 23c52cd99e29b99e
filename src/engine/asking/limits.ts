/**
 * The `Endpoints` port over the calls of this process. An endpoint that answers with a rate
 * limit is asked half as much for the rest of the run; one that keeps silent is left alone for longer and longer, and in
 * the end for good, as is one that keeps failing in the same way.
 */
import type { Limits } from '../../core/context/budget.ts';
import { UserError, sentenceOf } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import type { Clock } from '../../core/ports/runner.ts';
import type {
  CallEnd,
  Ceiling,
  Endpoints,
  ExpectedCall,
  Lease,
  Refusal,
  SpendingLedger,
} from '../../core/ports/steps.ts';
import { monthOf, refuseInMonth } from '../../core/spending/month.ts';
import { nothingSpent, type Spent, type Usage } from '../../core/words/review.ts';

export interface EndpointSettings {
  /** Name: calls with the same one share its limit. */
  readonly key: string;
  /** Calls at a time, at least 1. */
  readonly limit: number;
  /** Share of the calls that may go anywhere, against the other weights. */
  readonly weight: number;
}

interface EndpointsWorld {
  clock: Clock;
  /** Calls at a time to all endpoints together. */
  mostCalls: number;
  note: (message: string) => void;
}

const longestPauseMs = 60_000;
/** The first of a row; each after it is twice as long. */
const firstPauseMs = { 'rate-limited': 1_000, silent: 2_000 };
/**
 * Silent calls in a row, or ones that fail in the same way, after which an endpoint is asked no more: at least so many, twice its
 * limit.
 */
const lostCalls = 6;

interface Endpoint extends EndpointSettings {
  /** Calls at a time now allowed. */
  allowed: number;
  active: number;
  started: number;
  /** Serial of the newest lease when the limit was last halved: what was under way then must not halve it again. */
  halvedAt: number;
  /** How the calls before ended, and so many in a row. */
  row: { readonly end: string; readonly calls: number };
  pauses: number;
  closed: string | null;
}

/** `shared` endpoints divide the work among them; any other gets `defaultLimit` calls at a time when it is first named. */
export function createEndpoints(
  shared: readonly EndpointSettings[],
  defaultLimit: number,
  { clock, mostCalls, note }: EndpointsWorld,
): Endpoints {
  const all = new Map(shared.map(settings => [settings.key, open(settings)]));
  const spread = [...all.values()];
  const waiting: (() => void)[] = [];
  const heeded = new WeakSet<AbortSignal>();
  const timers = new Set<AbortController>();
  let [serial, active] = [0, 0];

  const endpointAt = remember((key: string) => open({ key, limit: defaultLimit, weight: 1 }), all);
  /** First come, first served, as far as the endpoints that each can go to are free. */
  const wake = () => {
    for (const look of waiting.splice(0)) look();
  };
  const find = ({ only, avoid }: Parameters<Endpoints['acquire']>[0]): Lease | string | null => {
    const wanted = only === null ? spread : [endpointAt(only)];
    const left = wanted.filter(({ closed }) => closed === null);
    if (left.length === 0) return wanted[0]?.closed ?? 'No endpoint is configured.';
    if (active >= mostCalls) return null;
    const others = left.filter(({ key }) => key !== avoid);
    const chosen = (others.length === 0 ? left : others)
      .filter(one => one.active < one.allowed && one.pauses === 0)
      .toSorted((one, other) => shareOf(one) - shareOf(other))[0];
    if (!chosen) return null;
    active += 1;
    chosen.active += 1;
    chosen.started += 1;
    return { key: chosen.key, serial: (serial += 1) };
  };
  const pause = (endpoint: Endpoint, ms: number) => {
    const timer = new AbortController();
    const end = () => {
      timers.delete(timer);
      endpoint.pauses -= 1;
      wake();
    };
    timers.add(timer);
    endpoint.pauses += 1;
    clock.sleep(Math.min(ms, longestPauseMs), timer.signal).then(end, end);
  };
  return {
    async acquire(wish, signal) {
      if (!heeded.has(signal)) signal.addEventListener('abort', wake, { once: true });
      heeded.add(signal);
      for (;;) {
        signal.throwIfAborted();
        const found = find(wish);
        if (found !== null) return found;
        await new Promise<void>(look => waiting.push(look));
      }
    },
    async release(lease, end) {
      const endpoint = endpointAt(lease.key);
      endpoint.active -= 1;
      active -= 1;
      const pauseMs = judge(endpoint, end, {
        mayHalve: lease.serial > endpoint.halvedAt,
        serial,
        note,
      });
      if (pauseMs !== null) pause(endpoint, pauseMs);
      wake();
    },
    rest() {
      for (const timer of timers) timer.abort();
    },
  };
}

/** What the end of a call says of its endpoint. Milliseconds for which it is left alone; null: not at all. */
function judge(
  endpoint: Endpoint,
  { kind, reason, retryAfterMs }: CallEnd,
  { mayHalve, serial, note }: Pick<EndpointsWorld, 'note'> & { mayHalve: boolean; serial: number },
) {
  const { key, row } = endpoint;
  const end = kind === 'failed' ? `failed: ${reason}` : kind;
  const calls = row.end === end ? row.calls + 1 : 1;
  endpoint.row = { end, calls };
  if (kind === 'closed') endpoint.closed ??= reason ?? '';
  if (kind === 'rate-limited' && mayHalve && endpoint.allowed > 1) {
    endpoint.allowed = Math.floor(endpoint.allowed / 2);
    endpoint.halvedAt = serial;
    note(`${key} is rate limited: ${endpoint.allowed} at a time from now on.`);
  }
  const isLost = calls >= Math.max(lostCalls, 2 * endpoint.allowed);
  if ((kind === 'silent' || kind === 'failed') && isLost && endpoint.closed === null) {
    const how = kind === 'silent' ? 'did not answer' : 'failed';
    endpoint.closed = `${key} ${how} ${calls} times in a row${kind === 'silent' ? '.' : `: ${reason}`}`;
    note(`${endpoint.closed.replace(/\.?$/, '.')} It is not asked any more.`);
  } else if (kind === 'silent' || kind === 'rate-limited')
    return retryAfterMs ?? firstPauseMs[kind] * 2 ** (calls - 1);
  return null;
}

function open(settings: EndpointSettings): Endpoint {
  return {
    ...settings,
    allowed: settings.limit,
    active: 0,
    started: 0,
    halvedAt: 0,
    row: { end: 'answered', calls: 0 },
    pauses: 0,
    closed: null,
  };
}

/** Of the work that may go anywhere, as it would be with one call more. */
function shareOf({ started, weight }: Endpoint) {
  return (started + 1) / weight;
}

// The `Ceiling` port over the books of this process, and the month that it shares with others.

/** Characters of a token when nobody has counted: a little less than prose has, so that the estimate is high. */
const charactersPerToken = 3.2;

/** How many times its forecast a call may cost while none has ended that would tell: reasoning is written and paid for, too. */
const dearestUnseen = 4;

/** `month`: counts with whatever else spends in it; null: nobody does. */
export function createCeiling(
  limits: Limits,
  before: Spent,
  month: MonthCeiling | null = null,
): Ceiling {
  const books: Books = {
    limits,
    spent: { ...before },
    underWay: { ...nothingSpent },
    dearest: null,
  };
  const refusals: { last: string | null; ofMonth: string | null } = { last: null, ofMonth: null };
  const waiting: (() => void)[] = [];
  const attempt = (call: Expected, cost: number | null): Refusal | null => {
    const own = refusalOf(books, call);
    if (own !== null) return { why: own, isOfMonth: false };
    const why = cost === null ? null : (month?.begin(cost) ?? null);
    if (why !== null) return { why, isOfMonth: true };
    books.spent.calls += 1;
    books.underWay.calls += 1;
    books.underWay.tokens += call.tokens;
    books.underWay.cost += call.cost;
    return null;
  };
  return {
    async take({ characters, cost }: ExpectedCall) {
      const call = { tokens: characters / charactersPerToken, cost: cost ?? 0 };
      for (;;) {
        const refusal = attempt(call, cost);
        if (!refusal) break;
        // Were what is under way for nothing, would there be room?
        const mayCome =
          books.underWay.calls > 0 &&
          (refusal.isOfMonth ||
            refusalOf({ ...books, underWay: { ...nothingSpent } }, call) === null);
        if (!mayCome) {
          refusals.last = refusal.why;
          if (refusal.isOfMonth) refusals.ofMonth = refusal.why;
          return refusal;
        }
        await new Promise<void>(resolve => waiting.push(resolve));
      }
      return {
        async give(usage, isCutOff = false) {
          if (cost !== null) month?.end(cost, usage, isCutOff);
          end(books, call, usage);
          for (const resume of waiting.splice(0)) resume();
        },
      };
    },
    async book(made, usage) {
      books.spent.calls += made;
      book(books.spent, usage);
    },
    spent: async () => ({ ...books.spent }),
    refusals: async () => ({ ...refusals }),
  };
}

interface Books {
  readonly limits: Limits;
  /** A call counts from its reservation on. */
  readonly spent: Spent;
  /** What is expected of calls under way: side by side they must not pass what each alone would not. */
  underWay: Spent;
  /** Most that a call cost, as a multiple of its forecast and at least 1: so much is expected of all others. Null: none has ended. */
  dearest: number | null;
}

type Expected = Pick<Spent, 'tokens' | 'cost'>;

function refusalOf({ limits, spent, underWay, dearest }: Books, call: Expected) {
  const { maxCalls, maxTokens, maxCost } = limits;
  if (maxCalls !== null && spent.calls + 1 > maxCalls)
    return `The ceiling of ${maxCalls} calls is reached.`;
  if (maxTokens !== null && spent.tokens + underWay.tokens + call.tokens > maxTokens)
    return `The call would go over the ceiling of ${maxTokens} tokens.`;
  if (maxCost === null) return null;
  if (spent.cost >= maxCost) return `The ceiling of $${maxCost} is reached.`;
  // The first call alone shows what calls cost.
  const factor = dearest ?? (underWay.calls > 0 ? dearestUnseen : 1);
  return spent.cost + factor * (underWay.cost + call.cost) > maxCost
    ? `The call could go over the ceiling of $${maxCost}.`
    : null;
}

function end(books: Books, { tokens, cost }: Expected, usage: Usage) {
  const { underWay, spent } = books;
  underWay.calls -= 1;
  underWay.tokens -= tokens;
  underWay.cost -= cost;
  // Sums of fractions do not come back to nothing by themselves.
  if (underWay.calls <= 0) books.underWay = { ...nothingSpent };
  book(spent, usage);
  if (cost > 0 && usage.cost !== null)
    books.dearest = Math.max(books.dearest ?? 1, usage.cost / cost);
}

function book(spent: Spent, { inputTokens, outputTokens, cost }: Usage) {
  spent.tokens += inputTokens + outputTokens;
  spent.cost += cost ?? 0;
}

// What a run may spend of its month, counted with all else that spends in it: other runs, other processes, those that were killed.

export interface MonthCeiling {
  /** Makes room for one call that is expected to cost so many US dollars; says in one sentence why there is none, else null. */
  begin(expected: number): string | null;
  /** Books a call that has ended. `isCutOff`: nobody waited for it, so that it counts as what was expected of it. */
  end(expected: number, usage: Usage, isCutOff?: boolean): void;
}

interface MonthSettings {
  ledger: SpendingLedger;
  /** US dollars; null: what is spent is counted, and nothing refused. */
  limit: number | null;
  clock: Pick<Clock, 'now'>;
  /** Told once, where nothing is refused and nothing can be counted. */
  onNote: (message: string) => void;
}

/**
 * A call counts from its beginning on, in the month of it, as what is expected of it; as what it cost, when it has ended. Where nobody
 * states a price the dearest call of the run without one is what is expected of the next, and at least what calls of the month have
 * cost on average. While nothing tells what they cost, there is one of them at a time.
 */
export function createMonthCeiling({ ledger, limit, clock, onNote }: MonthSettings): MonthCeiling {
  const open: Open[] = [];
  /** Most that a call cost, as a multiple of its forecast and at least 1; null: none has ended. */
  let seen: number | null = null;
  let dearest = 0;
  /** A call has ended of which nobody says what it cost: neither will the others. */
  let isUntold = false;
  let isNoted = false;
  const unlessLimited = (error: unknown) => {
    if (!(error instanceof UserError)) throw error;
    if (limit !== null) return sentenceOf(error);
    if (!isNoted) onNote(`What this run costs is not counted in its month: ${sentenceOf(error)}`);
    isNoted = true;
    return null;
  };
  const expectedOf = (expected: number, factor: number) =>
    expected > 0 ? expected * factor : dearest;
  let usual = 0;
  /** Of one without a price. Calls under way are among those it is divided by: what it was before they began holds. */
  const usualIn = (month: string) => {
    if (limit === null) return 0;
    const { calls, unpriced, cost } = ledger.read(month);
    usual = Math.max(usual, cost / Math.max(1, calls - unpriced));
    return usual;
  };
  const book = (month: string, expected: number, factor: number, mustBeAlone: boolean) => {
    const booked =
      expected > 0 ? expected * factor : Math.max(dearest, isUntold ? 0 : usualIn(month));
    if (limit !== null && booked === 0 && !isUntold && open.some(call => call.booked === 0))
      return 'What a call costs is not known before the first has ended.';
    // Calls under way were booked when less was known of what calls cost.
    const short = open.reduce(
      (sum, call) => sum + Math.max(0, expectedOf(call.expected, factor) - call.booked),
      0,
    );
    const why = ledger.begin(month, booked, all =>
      mustBeAlone && all.underWay > 0
        ? refuseInMonth(all, expectedOf(expected, dearestUnseen), limit)
        : refuseInMonth({ ...all, underWay: all.underWay + short }, booked, limit),
    );
    if (why === null) open.push({ month, expected, booked });
    return why;
  };
  return {
    begin(expected) {
      const month = monthOf(clock.now());
      try {
        const why = book(month, expected, seen ?? dearestUnseen, false);
        // The first call alone shows what calls cost.
        return why !== null && seen === null && expected > 0 ? book(month, expected, 1, true) : why;
      } catch (error) {
        return unlessLimited(error);
      }
    },
    end(expected, usage, isCutOff = false) {
      const index = open.findIndex(call => call.expected === expected);
      const [call] = index === -1 ? [] : open.splice(index, 1);
      if (!call) return;
      const { calls } = usage;
      const forecast = expected > 0 ? expected : call.booked;
      const cost = usage.cost ?? (isCutOff && forecast > 0 ? forecast : null);
      isUntold ||= cost === null && calls > 0;
      if (cost !== null && expected > 0) seen = Math.max(seen ?? 1, cost / expected);
      else if (cost !== null) dearest = Math.max(dearest, cost);
      try {
        ledger.end(call.month, call.booked, { cost, isMade: calls > 0 || cost !== null });
      } catch (error) {
        // It stays booked as what was expected of it.
        unlessLimited(error);
      }
    },
  };
}

interface Open {
  month: string;
  /** As the caller says it, who ends it in the same words. */
  expected: number;
  booked: number;
}
