/** What every implementation of `Steps` keeps to. `open` opens the same store again; nothing else may be shared. */
import { z } from 'zod';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Steps, StepsOfRuns } from '../../src/core/ports/steps.ts';

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
      await steps.close();
      await fixture.remove();
    });
    const reopen = async () => {
      await steps.close();
      steps = await fixture.open();
    };

    it('runs a step once and remembers its result when opened again', async () => {
      let calls = 0;
      const work = async () => ({
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
      await steps.step('ask alpha', async () => ({ answer: 1, more: 2 }));
      await steps.step('ask beta', async () => ({ answer: 'b', more: 2 }));
      await reopen();
      let calls = 0;
      const work = async () => ({ answer: `again ${(calls += 1)}` });
      expect(await steps.step('ask alpha', work, schema)).toEqual({ answer: 'again 1' });
      expect(await steps.step('ask beta', work, schema)).toEqual({ answer: 'b', more: 2 });
      await reopen();
      expect(await steps.step('ask alpha', work, schema)).toEqual({ answer: 'again 1' });
      expect(await steps.recall('ask alpha')).toEqual({ answer: 'again 1' });
      expect(calls).toBe(1);
    });

    it('shares one call between those who ask for a key at the same time', async () => {
      let calls = 0;
      const work = async () => {
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
      expect(await Promise.all(keys.map(key => steps.recall(key)))).toEqual(keys);
    });

    it('recalls nothing that is not of the schema', async () => {
      await steps.step('a', async () => ({ answer: 1 }));
      expect(await steps.recall('a', z.object({ answer: z.number() }))).toEqual({ answer: 1 });
      expect(await steps.recall('a', z.object({ answer: z.string() }))).toBeUndefined();
      expect(await steps.recall('b', z.undefined())).toBeUndefined();
    });

    it('recalls nothing for a step that never ended', async () => {
      expect(await steps.recall('a')).toBeUndefined();
      await steps.step('a', () => Promise.reject(new Error('no'))).catch(() => undefined);
      expect(await steps.recall('a')).toBeUndefined();
    });

    it('returns at once what a replay will return', async () => {
      const first = await steps.step('a', async () => ({
        at: new Date(0),
        gone: undefined,
      }));
      await reopen();
      expect(await steps.recall('a')).toStrictEqual(first);
    });

    it('remembers that a step without a result has run', async () => {
      let calls = 0;
      const work = async () => void (calls += 1);
      await steps.step('a', work);
      await reopen();
      expect(await steps.step('a', work)).toBeUndefined();
      expect(calls).toBe(1);
    });

    it('works on many steps at the same time', async () => {
      const numbers = Array.from({ length: 100 }, (_, index) => index);
      await Promise.all(numbers.map(number => steps.step(`step ${number}`, async () => number)));
      await reopen();
      expect(await Promise.all(numbers.map(number => steps.recall(`step ${number}`)))).toEqual(
        numbers,
      );
    });
  });
}

export interface StepsOfRunsFixture {
  /** As another process would open them. */
  readonly open: () => StepsOfRuns;
  /** A run that is there. */
  readonly run: string;
  readonly remove: () => Promise<void>;
}

/** What every implementation of `StepsOfRuns` keeps to. */
export function describeStepsOfRuns(name: string, create: () => Promise<StepsOfRunsFixture>): void {
  describe(`the steps of runs of ${name}`, () => {
    let fixture: StepsOfRunsFixture;
    beforeEach(async () => void (fixture = await create()));
    afterEach(() => fixture.remove());

    it('are held by one at a time, and read by anybody', async () => {
      const { open, run } = fixture;
      expect(await open().isHeld(run)).toBe(false);
      const steps = await open().open(run);
      await steps.step('a', async () => 1);
      expect(await open().isHeld(run)).toBe(true);
      await expect(open().open(run)).rejects.toMatchObject({ name: 'UserError', kind: 'usage' });
      expect(await (await open().read(run)).recall('a')).toBe(1);
      await steps.close();
      expect(await open().isHeld(run)).toBe(false);
      const again = await open().open(run);
      expect(await again.recall('a')).toBe(1);
      await again.close();
    });

    it('remember nothing of a run that nobody has worked on', async () => {
      expect(await (await fixture.open().read(fixture.run)).recall('a')).toBeUndefined();
      expect(await fixture.open().isHeld(fixture.run)).toBe(false);
    });
  });
}
