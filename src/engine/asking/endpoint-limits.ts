/**
 * The `Endpoints` port over the calls of this process. An endpoint that answers with a rate
 * limit is asked half as much for the rest of the run; one that keeps silent is left alone for longer and longer, and in
 * the end for good, as is one that keeps failing in the same way.
 */
import { remember } from '../../core/groups.ts';
import type { Clock } from '../../core/ports/machine.ts';
import type { CallEnd, Endpoints, Lease } from '../../core/ports/steps.ts';

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
  const wake = (): void => {
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
    release(lease, end) {
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
      return Promise.resolve();
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
