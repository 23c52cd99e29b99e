/**
 * Who may be called now: every endpoint with its own limit, shared by all calls to it. An endpoint that answers with a rate
 * limit is asked half as much for the rest of the run; one that keeps silent is left alone for longer and longer, and in
 * the end for good, as is one that keeps failing in the same way.
 */
import type { Clock } from '../../core/ports/clock.ts';

export interface EndpointSettings {
  /** Name: calls with the same one share its limit. */
  readonly key: string;
  /** Calls at a time, at least 1. */
  readonly limit: number;
  /** Share of the calls that may go anywhere, against the other weights. */
  readonly weight: number;
}

/** The right to make one call. It must be given back whatever happens. */
export interface Lease {
  readonly key: string;
  /** Order in which leases were given. */
  readonly serial: number;
}

/** How a call ended, as far as its endpoint is concerned. */
export type CallEnd =
  | { readonly kind: 'answered' }
  | { readonly kind: 'rate-limited'; readonly retryAfterMs: number | null }
  /** No answer in time, or no connection. */
  | { readonly kind: 'silent' }
  /** It answered, and with nothing that can be used. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It will not answer any more in this run: no key, no credit, no such program. */
  | { readonly kind: 'closed'; readonly reason: string };

interface Wish {
  /** The one endpoint this call can go to; null: any of those that share the work. */
  readonly only: string | null;
  /** The one that has just failed: taken only when there is no other. */
  readonly avoid: string | null;
}

export interface Endpoints {
  /** Waits for a free place. A sentence: no endpoint is left that could be asked. Rejects when `signal` aborts. */
  acquire(wish: Wish, signal: AbortSignal): Promise<Lease | string>;
  release(lease: Lease, end: CallEnd): void;
  /** Calls at a time now allowed, by endpoint. */
  limits(): Readonly<Record<string, number>>;
  /** Ends every pause; called when nobody waits any more, so that no timer outlives the work. What was learnt is kept. */
  rest(): void;
}

interface EndpointsWorld {
  readonly clock: Clock;
  /** Calls at a time to all endpoints together. */
  readonly mostCalls: number;
  /** 0 to 1, for the pause with this name: not random, so that a run can be replayed. */
  readonly jitter: (name: string) => number;
  readonly note: (message: string) => void;
}

const longestPauseMs = 60_000;
const rateLimitPauseMs = 1_000;
const silencePauseMs = 2_000;
/** Silent calls in a row, or ones that fail in the same way, after which an endpoint is asked no more: at least this many, and twice its limit. */
const lostCalls = 6;

interface State {
  readonly settings: EndpointSettings;
  limit: number;
  active: number;
  started: number;
  /** Serial of the newest lease when the limit was last halved: what was under way then must not halve it again. */
  halvedAt: number;
  rateLimited: number;
  silent: number;
  /** How the calls before failed, and so many in a row. */
  failure: { readonly reason: string; readonly calls: number } | null;
  pausedUntil: number;
  closed: string | null;
}

interface Waiter {
  readonly wish: Wish;
  readonly resolve: (lease: Lease | string) => void;
}

interface Hall {
  readonly world: EndpointsWorld;
  readonly defaultLimit: number;
  readonly states: Map<string, State>;
  readonly spread: readonly State[];
  readonly waiters: Set<Waiter>;
  /** Ends every pause. */
  resting: AbortController;
  serial: number;
  /** Calls under way. */
  active: number;
  readonly leaving: WeakMap<AbortSignal, Set<() => void>>;
}

/** `shared` endpoints divide the work among them; any other gets `defaultLimit` calls at a time when it is first named. */
export function createEndpoints(
  shared: readonly EndpointSettings[],
  defaultLimit: number,
  world: EndpointsWorld,
): Endpoints {
  const states = new Map<string, State>(shared.map(settings => [settings.key, newState(settings)]));
  const hall: Hall = {
    world,
    defaultLimit,
    states,
    spread: [...states.values()],
    waiters: new Set(),
    resting: new AbortController(),
    serial: 0,
    active: 0,
    leaving: new WeakMap(),
  };
  return {
    acquire: (wish, signal) => wait(hall, wish, signal),
    release(lease, end) {
      const state = stateOf(hall, lease.key);
      state.active -= 1;
      hall.active -= 1;
      judge(state, { lease, end, hall });
      dispatch(hall);
    },
    limits: () => Object.fromEntries([...states].map(([key, { limit }]) => [key, limit])),
    rest() {
      hall.resting.abort();
      hall.resting = new AbortController();
      for (const state of states.values()) state.pausedUntil = 0;
    },
  };
}

function wait(hall: Hall, wish: Wish, signal: AbortSignal): Promise<Lease | string> {
  const leaving = leavingOn(signal, hall);
  return new Promise((resolve, reject) => {
    const waiter: Waiter = {
      wish,
      resolve(lease) {
        leaving.delete(giveUp);
        resolve(lease);
      },
    };
    const giveUp = (): void => {
      hall.waiters.delete(waiter);
      reject(reasonOf(signal));
    };
    if (signal.aborted) return giveUp();
    leaving.add(giveUp);
    hall.waiters.add(waiter);
    dispatch(hall);
  });
}

/** Who leaves when the signal aborts. One listener for all: Node warns of many. */
function leavingOn(signal: AbortSignal, { leaving }: Hall): Set<() => void> {
  const known = leaving.get(signal);
  if (known !== undefined) return known;
  const all = new Set<() => void>();
  leaving.set(signal, all);
  signal.addEventListener(
    'abort',
    () => {
      for (const giveUp of all) giveUp();
    },
    { once: true },
  );
  return all;
}

/** First come, first served, as far as the endpoints that each can go to are free. */
function dispatch(hall: Hall): void {
  for (const waiter of hall.waiters) {
    const place = findPlace(hall, waiter.wish);
    if (place === null) continue;
    hall.waiters.delete(waiter);
    waiter.resolve(place);
  }
}

function findPlace(hall: Hall, wish: Wish): Lease | string | null {
  const wanted = candidates(hall, wish);
  const open = wanted.filter(({ closed }) => closed === null);
  if (open.length === 0)
    return (wanted[0] ?? hall.spread[0])?.closed ?? 'No endpoint is configured.';
  if (hall.active >= hall.world.mostCalls) return null;
  const now = hall.world.clock.monotonicMs();
  const chosen = leastUsed(
    open.filter(state => state.active < state.limit && state.pausedUntil <= now),
  );
  if (chosen === null) return null;
  hall.active += 1;
  chosen.active += 1;
  chosen.started += 1;
  hall.serial += 1;
  return { key: chosen.settings.key, serial: hall.serial };
}

function candidates(hall: Hall, { only, avoid }: Wish): readonly State[] {
  if (only !== null) return [stateOf(hall, only)];
  const open = hall.spread.filter(({ closed }) => closed === null);
  const others = open.filter(({ settings }) => settings.key !== avoid);
  return others.length > 0 ? others : open;
}

interface Ending {
  readonly lease: Lease;
  readonly end: CallEnd;
  readonly hall: Hall;
}

function judge(state: State, ending: Ending): void {
  const { end } = ending;
  if (end.kind !== 'silent') state.silent = 0;
  if (end.kind === 'answered') Object.assign(state, { rateLimited: 0, failure: null });
  else if (end.kind === 'failed') countFailure(state, end.reason, ending);
  else if (end.kind === 'closed') state.closed ??= end.reason;
  else if (end.kind === 'rate-limited') slowDown(state, end.retryAfterMs, ending);
  else leaveAlone(state, ending);
}

function countFailure(state: State, reason: string, { hall }: Ending): void {
  const calls = 1 + (state.failure?.reason === reason ? state.failure.calls : 0);
  state.failure = { reason, calls };
  if (calls >= leastLost(state))
    close(hall, state, `${state.settings.key} failed ${calls} times in a row: ${reason}`);
}

function leastLost({ limit }: State): number {
  return Math.max(lostCalls, 2 * limit);
}

function close({ world }: Hall, state: State, why: string): void {
  if (state.closed !== null) return;
  state.closed = why;
  world.note(`${why.replace(/\.?$/, '.')} It is not asked any more.`);
}

function slowDown(state: State, retryAfterMs: number | null, { lease, hall }: Ending): void {
  const { key } = state.settings;
  if (lease.serial > state.halvedAt && state.limit > 1) {
    state.limit = Math.max(1, Math.floor(state.limit / 2));
    state.halvedAt = hall.serial;
    hall.world.note(`${key} is rate limited: ${state.limit} at a time from now on.`);
  }
  state.rateLimited += 1;
  const wanted = retryAfterMs ?? rateLimitPauseMs * 2 ** Math.min(state.rateLimited - 1, 10);
  pause(
    hall,
    state,
    Math.min(wanted, longestPauseMs) * (1 + hall.world.jitter(`${key}/${lease.serial}`) / 4),
  );
}

function leaveAlone(state: State, { lease, hall }: Ending): void {
  const { key } = state.settings;
  state.silent += 1;
  if (state.silent >= leastLost(state))
    return close(hall, state, `${key} did not answer ${state.silent} times in a row.`);
  const wanted = silencePauseMs * 2 ** Math.min(state.silent - 1, 10);
  pause(
    hall,
    state,
    Math.min(wanted, longestPauseMs) * (1 + hall.world.jitter(`${key}/${lease.serial}`) / 4),
  );
}

function pause(hall: Hall, state: State, ms: number): void {
  const now = hall.world.clock.monotonicMs();
  const isPaused = state.pausedUntil > now;
  state.pausedUntil = Math.max(state.pausedUntil, now + ms);
  if (!isPaused) void wakeAfter(hall, state).catch(() => {});
}

/** A timer may be early, and the pause may have grown. Rejects when nobody waits any more. */
async function wakeAfter(hall: Hall, state: State): Promise<void> {
  const { clock } = hall.world;
  for (
    let left = state.pausedUntil - clock.monotonicMs();
    left > 0;
    left = state.pausedUntil - clock.monotonicMs()
  )
    await clock.sleep(Math.max(left, 1), hall.resting.signal);
  dispatch(hall);
}

function newState(settings: EndpointSettings): State {
  return {
    settings,
    limit: settings.limit,
    active: 0,
    started: 0,
    halvedAt: 0,
    rateLimited: 0,
    silent: 0,
    failure: null,
    pausedUntil: 0,
    closed: null,
  };
}

function stateOf({ states, defaultLimit }: Hall, key: string): State {
  const state = states.get(key) ?? newState({ key, limit: defaultLimit, weight: 1 });
  states.set(key, state);
  return state;
}

/** The one that has had least of its share. */
function leastUsed(free: readonly State[]): State | null {
  return free.reduce<State | null>(
    (best, state) => (best === null || shareOf(state) < shareOf(best) ? state : best),
    null,
  );
}

function shareOf({ started, settings }: State): number {
  return (started + 1) / settings.weight;
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('The run was interrupted.');
}
