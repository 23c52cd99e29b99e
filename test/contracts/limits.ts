/** What every implementation of `Ceiling` and of `Endpoints` keeps to. */
import { describe, expect, it, test } from 'vitest';
import type { CallEnd, Ceiling, Endpoints, ExpectedCall } from '../../src/core/ports/steps.ts';
import { noUsage, nothingSpent } from '../../src/core/words/review.ts';
import type {
  EndpointSettings,
  createCeiling,
  createEndpoints,
} from '../../src/engine/asking/limits.ts';
import { hastyClock, roomAt } from '../vote/asking/scripted-members.ts';

const none = { maxCalls: null, maxTokens: null, maxCost: null };
const dollar = { ...none, maxCost: 1 };
const paid = (cost: number) => ({ ...noUsage, calls: 1, cost });

export async function roomFor(ceiling: Ceiling, call: ExpectedCall) {
  const room = await ceiling.take(call);
  if ('why' in room) throw new Error(room.why);
  return room;
}

/** Has it come to anything by now? */
export async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let isDone = false;
  void work.then(() => (isDone = true));
  await new Promise(resolve => setImmediate(resolve));
  return isDone;
}

export function describeCeiling(name: string, create: typeof createCeiling): void {
  describe(`the ceiling of ${name}`, () => {
    it('lets calls side by side not pass what each alone would not, and waits before it refuses', async () => {
      const ceiling = create({ ...none, maxTokens: 1_000 }, nothingSpent);
      const call = { characters: 600 * 3.2, cost: 0 };
      const first = await roomFor(ceiling, call);
      const waiting = [ceiling.take(call), ceiling.take(call)];
      expect(await isSettled(Promise.race(waiting))).toBe(false);
      await first.give({ ...noUsage, inputTokens: 300 });
      const second = await Promise.race(waiting);
      if ('why' in second) throw new Error(second.why);
      await second.give({ ...noUsage, inputTokens: 300 });
      expect(await waiting[1]).toEqual({
        why: 'The call would go over the ceiling of 1000 tokens.',
        isOfMonth: false,
      });
      expect(await ceiling.refusals()).toEqual({
        last: 'The call would go over the ceiling of 1000 tokens.',
        ofMonth: null,
      });
    });

    it('holds in money, also where the first calls cost more than was expected of them', async () => {
      const ceiling = create(dollar, nothingSpent);
      // Nobody knows what calls cost yet: the first may be made, and others as if each cost four times as much.
      const first = await roomFor(ceiling, { characters: 1, cost: 0.2 });
      const second = await roomFor(ceiling, { characters: 1, cost: 0.05 });
      const third = ceiling.take({ characters: 1, cost: 0.26 });
      expect(await isSettled(third)).toBe(false);
      await first.give(paid(0.4));
      // One cost twice its forecast, so all others may: 0.4 + 2 * (0.05 + 0.25) is the ceiling.
      expect(await isSettled(third)).toBe(false);
      const fourth = await roomFor(ceiling, { characters: 1, cost: 0.25 });
      await second.give(paid(0.1));
      await fourth.give(paid(0.5));
      expect(await third).toMatchObject({ why: 'The call could go over the ceiling of $1.' });
      expect(await ceiling.spent()).toEqual({ calls: 3, tokens: 0, cost: 1 });
    });

    it('refuses at once what can never fit, and what no call that ends gives back', async () => {
      const ceiling = create({ ...dollar, maxCalls: 1 }, nothingSpent);
      expect(await ceiling.take({ characters: 1, cost: 2 })).toMatchObject({
        why: 'The call could go over the ceiling of $1.',
      });
      await roomFor(ceiling, { characters: 1, cost: 0 });
      expect(await ceiling.take({ characters: 1, cost: 0 })).toMatchObject({
        why: 'The ceiling of 1 calls is reached.',
      });
    });

    it('counts what was spent before', async () => {
      const ceiling = create({ ...none, maxCalls: 4 }, { calls: 1, tokens: 5, cost: 0.5 });
      await ceiling.book(2, { ...paid(0.25), inputTokens: 10 });
      expect(await ceiling.spent()).toEqual({ calls: 3, tokens: 15, cost: 0.75 });
      await roomFor(ceiling, { characters: 1, cost: 0 });
      expect(await ceiling.take({ characters: 1, cost: 0 })).toHaveProperty('why');
    });
  });
}

const anywhere = { only: null, avoid: null };
const running = new AbortController().signal;

async function lease(endpoints: Endpoints, wish: Parameters<Endpoints['acquire']>[0] = anywhere) {
  const given = await endpoints.acquire(wish, running);
  if (typeof given === 'string') throw new Error(given);
  return given;
}

function opener(create: typeof createEndpoints) {
  return (shared: readonly EndpointSettings[], slept: number[] = []) =>
    create(shared, 4, {
      mostCalls: Number.POSITIVE_INFINITY,
      clock: hastyClock(slept),
      note: () => {},
    });
}

export function describeEndpoints(name: string, create: typeof createEndpoints): void {
  describe(`the endpoints of ${name}`, () => {
    const open = opener(create);
    test('a call waits until its endpoint has a place', async () => {
      const endpoints = open([{ key: 'a', limit: 1, weight: 1 }]);
      const first = await lease(endpoints);
      let isGiven = false;
      const second = lease(endpoints).then(given => ((isGiven = true), given));
      await new Promise(resolve => setImmediate(resolve));
      expect(isGiven).toBe(false);
      await endpoints.release(first, { kind: 'answered' });
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
        await endpoints.release(given, { kind: 'rate-limited', retryAfterMs: 10 });
      await new Promise(resolve => setImmediate(resolve));
      expect(await roomAt(endpoints, 'a')).toBe(2);
      for (const expected of [1, 1]) {
        await endpoints.release(await lease(endpoints), {
          kind: 'rate-limited',
          retryAfterMs: null,
        });
        await new Promise(resolve => setImmediate(resolve));
        expect(await roomAt(endpoints, 'a')).toBe(expected);
      }
    });

    test('an endpoint that keeps silent is paused for longer and longer, then given up, and who needs it is told', async () => {
      const slept: number[] = [];
      const endpoints = open([{ key: 'a', limit: 1, weight: 1 }], slept);
      for (let call = 0; call < 6; call++)
        await endpoints.release(await lease(endpoints), { kind: 'silent' });
      expect(slept).toEqual([2_000, 4_000, 8_000, 16_000, 32_000]);
      expect(await endpoints.acquire(anywhere, running)).toBe('a did not answer 6 times in a row.');
    });

    test('an endpoint that fails in one way every time is given up, and one that answers between is not', async () => {
      const endpoints = open([{ key: 'a', limit: 1, weight: 1 }]);
      const ends = async (...kinds: readonly CallEnd[]) => {
        for (const end of kinds) await endpoints.release(await lease(endpoints), end);
      };
      const failed = { kind: 'failed', reason: 'Cut off.' } as const;
      const five = Array.from({ length: 5 }, () => failed);
      await ends(...five, { kind: 'answered' }, ...five, { ...failed, reason: 'Empty.' }, ...five);
      await ends(failed);
      expect(await endpoints.acquire(anywhere, running)).toBe(
        'a failed 6 times in a row: Cut off.',
      );
    });

    test('a closed endpoint leaves the work to the others', async () => {
      const endpoints = open([
        { key: 'a', limit: 1, weight: 9 },
        { key: 'b', limit: 5, weight: 1 },
      ]);
      const first = await lease(endpoints);
      await endpoints.release(first, { kind: 'closed', reason: 'No key.' });
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
}
