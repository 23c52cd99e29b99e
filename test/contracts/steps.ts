/** What every implementation of `Steps` keeps to. `open` opens the same store again; nothing else may be shared. */
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Steps } from '../../src/core/ports/steps.ts';

export interface StepsFixture {
  readonly open: () => Promise<Steps>;
  readonly remove: () => Promise<void>;
}

export function describeSteps(name: string, create: () => Promise<StepsFixture>): void {
  describe(`the steps of ${name}`, () => {
    let fixture: StepsFixture;
    let steps: Steps;
    beforeEach(async () => {
      fixture = await create();
      steps = await fixture.open();
    });
    afterEach(async () => {
      steps.close();
      await fixture.remove();
    });
    const reopen = async (): Promise<void> => {
      steps.close();
      steps = await fixture.open();
    };

    it('runs a step once and remembers its result when opened again', async () => {
      let calls = 0;
      const work = async (): Promise<object> => ({
        answer: (calls += 1),
        text: '\u0000 "quoted" 漢字 \u{1F9D1}',
      });
      const first = await steps.step('ask alpha', work);
      await reopen();
      expect(await steps.step('ask alpha', work)).toEqual(first);
      expect(calls).toBe(1);
    });

    it('runs a step again whose record is not of the schema, and replaces it', async () => {
      const schema = z.object({ answer: z.string() });
      await steps.step('ask alpha', async (): Promise<unknown> => ({ answer: 1, more: 2 }));
      await steps.step('ask beta', async (): Promise<unknown> => ({ answer: 'b', more: 2 }));
      await reopen();
      let calls = 0;
      const work = async (): Promise<{ answer: string }> => ({ answer: `again ${(calls += 1)}` });
      expect(await steps.step('ask alpha', work, schema)).toEqual({ answer: 'again 1' });
      expect(await steps.step('ask beta', work, schema)).toEqual({ answer: 'b', more: 2 });
      await reopen();
      expect(await steps.step('ask alpha', work, schema)).toEqual({ answer: 'again 1' });
      expect(steps.recall('ask alpha')).toEqual({ answer: 'again 1' });
      expect(calls).toBe(1);
    });

    it('shares one call between those who ask for a key at the same time', async () => {
      let calls = 0;
      const work = async (): Promise<number> => {
        await new Promise(resolve => setTimeout(resolve, 5));
        return (calls += 1);
      };
      expect(
        await Promise.all([steps.step('a', work), steps.step('a', work), steps.step('a', work)]),
      ).toEqual([1, 1, 1]);
      expect(calls).toBe(1);
    });

    it('runs a step again that failed', async () => {
      await expect(steps.step('a', () => Promise.reject(new Error('no answer')))).rejects.toThrow(
        'no answer',
      );
      expect(await steps.step('a', async () => 'an answer')).toBe('an answer');
    });

    it('keeps keys apart, whatever they hold', async () => {
      const keys = [
        '',
        'a',
        'A',
        'a ',
        "a'; DROP TABLE step; --",
        'ä',
        'a\u0308',
        'x'.repeat(5000),
        '__proto__',
      ];
      for (const key of keys) await steps.step(key, async () => key);
      await reopen();
      expect(keys.map(key => steps.recall(key))).toEqual(keys);
    });

    it('recalls nothing for a step that never ended', async () => {
      expect(steps.recall('a')).toBeUndefined();
      await steps.step('a', () => Promise.reject(new Error('no'))).catch(() => undefined);
      expect(steps.recall('a')).toBeUndefined();
    });

    it('returns at once what a replay will return', async () => {
      const first = await steps.step('a', async (): Promise<unknown> => ({
        at: new Date(0),
        gone: undefined,
      }));
      await reopen();
      expect(steps.recall('a')).toStrictEqual(first);
    });

    it('remembers that a step without a result has run', async () => {
      let calls = 0;
      const work = async (): Promise<void> => void (calls += 1);
      await steps.step('a', work);
      await reopen();
      expect(await steps.step('a', work)).toBeUndefined();
      expect(calls).toBe(1);
    });

    it('works on many steps at the same time', async () => {
      const numbers = Array.from({ length: 100 }, (_, index) => index);
      await Promise.all(numbers.map(number => steps.step(`step ${number}`, async () => number)));
      await reopen();
      expect(numbers.map(number => steps.recall(`step ${number}`))).toEqual(numbers);
    });
  });
}
