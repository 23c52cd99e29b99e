/** Members that follow a script, in this process: what they are asked, when, and how many at a time is recorded. */
import {
  type Endpoints,
  type Lease,
  type Steps,
  createPassingSteps,
} from '../../../src/core/ports/steps.ts';
import type { Motion, Session } from '../../../src/vote/triage.ts';
import type { Clock, Runner, Turn } from '../../../src/core/ports/runner.ts';
import { noUsage, type Cause } from '../../../src/core/words/review.ts';
import { defaultLimits } from '../../../src/core/words/motions-settings.ts';
import {
  type EndpointSettings,
  createCeiling,
  createEndpoints,
} from '../../../src/engine/asking/limits.ts';
import type { Asking } from '../../../src/engine/asking/ask-member.ts';
import type { OpenVoting } from '../../../src/vote/asking/hold-panels.ts';
import type { DrawnVote } from '../../../src/vote/asking/run-motions.ts';
import { systemClock } from '../../../src/adapters/system/clock.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import type { Limits } from '../../../src/core/context/budget.ts';
import { memberOf, motionOf as plainMotion } from '../sample-session.ts';
import { failureOf, samplePersona } from '../../core/sample.ts';

export { memberOf };

export type Said = string | { readonly fails: Cause; readonly retryAfterMs?: number };

export interface ScriptedMembers {
  readonly runner: Runner;
  /** Every call so far: who was asked what. */
  readonly asked: { readonly member: string; readonly endpoint: string; readonly prompt: string }[];
  mostAtOnce(): number;
}

/** `say` sees the turn and how many calls there were before it. */
export function scriptMembers(
  say: (turn: Turn, number: number) => Said,
  delayMs = 0,
): ScriptedMembers {
  const asked: ScriptedMembers['asked'] = [];
  let [active, most] = [0, 0];
  const runner: Runner = {
    name: 'scripted',
    fingerprint: () => Promise.resolve('scripted'),
    async ask(turn, signal) {
      const said = say(turn, asked.length);
      asked.push({ member: turn.seat.id, endpoint: turn.seat.baseUrl ?? '', prompt: turn.prompt });
      most = Math.max(most, (active += 1));
      await systemClock.sleep(delayMs, signal).catch(() => {});
      active -= 1;
      if (typeof said === 'string')
        return {
          status: 'answered',
          text: said,
          stop: 'end',
          usage: { ...noUsage, calls: 1, inputTokens: 100, outputTokens: 10 },
          model: 'scripted-1',
          coverage: null,
          transcript: said,
        };
      return {
        status: 'failed',
        failure: failureOf(said.fails, `It fails: ${said.fails}.`),
        retryAfterMs: said.retryAfterMs ?? null,
        usage: { ...noUsage, calls: 1 },
        model: null,
        transcript: '',
      };
    },
  };
  return { runner, asked, mostAtOnce: () => most };
}

/** Ids of the motions a prompt asks about, in its order. */
export function idsIn(prompt: string): string[] {
  return [...prompt.matchAll(/^motion_id: (".*")$/gm)].map(
    ([, id]) => JSON.parse(id ?? '""') as string,
  );
}

export function answerTo(
  prompt: string,
  stanceOf: (id: string) => string = () => 'endorse',
): string {
  return JSON.stringify(
    idsIn(prompt).map(id => ({ motion_id: id, stance: stanceOf(id), reasoning: `On ${id}.` })),
  );
}

/** The same time for everybody, and pauses that end at once; what was slept is recorded. */
export function hastyClock(slept: number[] = []): Clock {
  let at = 0;
  return {
    now: () => new Date(at),
    monotonicMs: () => at,
    async sleep(ms, signal) {
      // The limit of a panel is not a pause: it never comes.
      if (ms >= 45 * 60_000)
        return new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('aborted')), { once: true }),
        );
      slept.push(ms);
      at += ms;
      await new Promise(resolve => setImmediate(resolve));
    },
  };
}

export const noLimits: Limits = { maxCalls: null, maxTokens: null, maxCost: null };

export interface AskingSetting {
  readonly runner: Runner;
  readonly steps?: Steps;
  readonly round?: number;
  readonly clock?: Clock;
  readonly limits?: Limits;
  readonly endpoints?: readonly EndpointSettings[];
  readonly mostCalls?: number;
  readonly signal?: AbortSignal;
}

export function askingOf({
  runner,
  steps = createPassingSteps(),
  round = 1,
  clock = hastyClock(),
  limits = noLimits,
  endpoints = [{ key: 'scripted', limit: 16, weight: 1 }],
  mostCalls = 16,
  signal = new AbortController().signal,
}: AskingSetting): Asking {
  return {
    steps,
    round,
    clock,
    signal,
    ceiling: createCeiling(limits, { calls: 0, tokens: 0, cost: 0 }),
    runnerFor: () => Promise.resolve(runner),
    endpoints: createEndpoints(endpoints, 16, {
      mostCalls,
      clock,
      note: () => {},
    }),
    seatAt: (seat, endpoint) => ({ ...seat, baseUrl: endpoint }),
  };
}

/** Leases that can be had at once of one endpoint, given back without a word about it. */
export async function roomAt(endpoints: Endpoints, key: string): Promise<number> {
  const given: Lease[] = [];
  const enough = new AbortController();
  const wanted = Array.from({ length: 9 }, () =>
    endpoints.acquire({ only: key, avoid: null }, enough.signal).then(
      one => typeof one !== 'string' && given.push(one),
      () => {},
    ),
  );
  await new Promise(resolve => setImmediate(resolve));
  enough.abort();
  await Promise.all(wanted);
  for (const one of given) await endpoints.release(one, { kind: 'answered' });
  return given.length;
}

/** All members are asked by the scripted runner, at any endpoint. */
export function votingOf(asking: Asking, more: Partial<OpenVoting> = {}): OpenVoting {
  return {
    asking,
    session: { id: 's-1', name: 'A session', motions: [], roster: [] },
    note: () => {},
    seatFor: member => ({ seat: seatOf(member?.id ?? 'facilitator'), endpoint: null }),
    settings: { batch: 5, concurrency: 4, panel_concurrency: 2 },
    ceilings: noLimits,
    lanes: 4,
    textLimits: defaultLimits,
    fence: '0123456789abcdef0123456789abcdef',
    ...more,
  };
}

export function seatOf(id: string): Seat {
  return {
    id,
    runner: 'command',
    required: false,
    environment: [],
    timeout: 5,
    home: '/',
    persona: samplePersona({
      name: 'member',
      role: 'general',
      budget: 1,
      capability: 'deliberation',
    }),
  };
}

export function motionOf(id: string, more: Partial<Motion> = {}): Motion {
  return plainMotion({
    id,
    title: `Title of ${id}`,
    theme: 'Theme',
    text: `The members shall keep ${id}.`,
    ...more,
  });
}

/** Everybody is asked about everything. */
export function sessionOf(
  names: readonly string[],
  ids: readonly string[],
): { readonly session: Session; readonly drawn: DrawnVote } {
  const [roster, motions] = [names.map(memberOf), ids.map(id => motionOf(id))];
  const packets = roster.map(member => ({
    member,
    assigned: ids.map(motionId => ({
      motionId,
      support: 0,
      conflict: null,
    })),
    notDrawn: [],
    alreadyEndorsed: [],
  }));
  const triaged = motions.map(motion => ({
    motion,
    gap: [...names],
    support: 0,
    conflicts: [],
    riskTier: 'high' as const,
  }));
  return {
    session: { id: 's-1', name: 'A session', motions, roster },
    drawn: { triaged, packets },
  };
}
