import { describe, expect, test } from 'vitest';
import {
  type CallEnd,
  createEndpoints,
  type Endpoints,
  type EndpointSettings,
  type Lease,
} from '../../../src/engine/asking/endpoint-limits.ts';
import { hastyClock, roomAt } from '../../vote/asking/scripted-members.ts';

const anywhere = { only: null, avoid: null };
const running = new AbortController().signal;

function open(shared: readonly EndpointSettings[], slept: number[] = []): Endpoints {
  return createEndpoints(shared, 4, {
    mostCalls: Number.POSITIVE_INFINITY,
    clock: hastyClock(slept),
    note: () => {},
  });
}

async function lease(
  endpoints: Endpoints,
  wish: Parameters<Endpoints['acquire']>[0] = anywhere,
): Promise<Lease> {
  const given = await endpoints.acquire(wish, running);
  if (typeof given === 'string') throw new Error(given);
  return given;
}

describe('the limits of endpoints', () => {
  test('a call waits until its endpoint has a place', async () => {
    const endpoints = open([{ key: 'a', limit: 1, weight: 1 }]);
    const first = await lease(endpoints);
    let isGiven = false;
    const second = lease(endpoints).then(given => ((isGiven = true), given));
    await new Promise(resolve => setImmediate(resolve));
    expect(isGiven).toBe(false);
    endpoints.release(first, { kind: 'answered' });
    expect(await second).toMatchObject({ key: 'a' });
  });

  test('calls that can go anywhere are spread by weight', async () => {
    const endpoints = open([
      { key: 'a', limit: 100, weight: 3 },
      { key: 'b', limit: 100, weight: 1 },
    ]);
    const keys: string[] = [];
    for (let call = 0; call < 80; call++) keys.push((await lease(endpoints)).key);
    expect(keys.filter(key => key === 'a')).toHaveLength(60);
  });

  test('a retry goes elsewhere when there is an elsewhere', async () => {
    const endpoints = open([
      { key: 'a', limit: 9, weight: 100 },
      { key: 'b', limit: 9, weight: 1 },
    ]);
    expect((await lease(endpoints, { only: null, avoid: 'a' })).key).toBe('b');
    expect(
      (await lease(open([{ key: 'a', limit: 9, weight: 1 }]), { only: null, avoid: 'a' })).key,
    ).toBe('a');
  });

  test('rate limits of calls under way together halve the limit once, later ones again, never below one', async () => {
    const endpoints = open([{ key: 'a', limit: 4, weight: 1 }]);
    const together = [
      await lease(endpoints),
      await lease(endpoints),
      await lease(endpoints),
      await lease(endpoints),
    ];
    for (const given of together)
      endpoints.release(given, { kind: 'rate-limited', retryAfterMs: 10 });
    await new Promise(resolve => setImmediate(resolve));
    expect(await roomAt(endpoints, 'a')).toBe(2);
    for (const expected of [1, 1]) {
      endpoints.release(await lease(endpoints), { kind: 'rate-limited', retryAfterMs: null });
      await new Promise(resolve => setImmediate(resolve));
      expect(await roomAt(endpoints, 'a')).toBe(expected);
    }
  });

  test('an endpoint that keeps silent is paused for longer and longer, then given up, and who needs it is told', async () => {
    const slept: number[] = [];
    const endpoints = open([{ key: 'a', limit: 1, weight: 1 }], slept);
    for (let call = 0; call < 6; call++)
      endpoints.release(await lease(endpoints), { kind: 'silent' });
    expect(slept).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
    expect(await endpoints.acquire(anywhere, running)).toBe('a did not answer 6 times in a row.');
  });

  test('an endpoint that fails in one way every time is given up, and one that answers between is not', async () => {
    const endpoints = open([{ key: 'a', limit: 1, weight: 1 }]);
    const ends = async (...kinds: readonly CallEnd[]): Promise<void> => {
      for (const end of kinds) endpoints.release(await lease(endpoints), end);
    };
    const failed = { kind: 'failed', reason: 'Cut off.' } as const;
    const five = Array.from({ length: 5 }, () => failed);
    await ends(...five, { kind: 'answered' }, ...five, { ...failed, reason: 'Empty.' }, ...five);
    await ends(failed);
    expect(await endpoints.acquire(anywhere, running)).toBe('a failed 6 times in a row: Cut off.');
  });

  test('a closed endpoint leaves the work to the others', async () => {
    const endpoints = open([
      { key: 'a', limit: 1, weight: 9 },
      { key: 'b', limit: 5, weight: 1 },
    ]);
    const first = await lease(endpoints);
    endpoints.release(first, { kind: 'closed', reason: 'No key.' });
    expect([
      first.key,
      (await lease(endpoints)).key,
      await endpoints.acquire({ only: 'a', avoid: null }, running),
    ]).toEqual(['a', 'b', 'No key.']);
  });

  test('an endpoint of its own has a limit of its own, also when it is named for the first time', async () => {
    const endpoints = open([]);
    expect(await roomAt(endpoints, 'x')).toBe(4);
    expect(await endpoints.acquire(anywhere, running)).toBe('No endpoint is configured.');
  });

  test('who waits is let go when the run is interrupted', async () => {
    const endpoints = open([{ key: 'a', limit: 1, weight: 1 }]);
    await lease(endpoints);
    const interrupted = new AbortController();
    const waiting = endpoints.acquire(anywhere, interrupted.signal);
    interrupted.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
  });
});
