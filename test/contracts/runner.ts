/** What every runner promises, whatever it talks to: the words on `Runner` in `src/core/ports/runner.ts`. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Seat } from '../../src/core/words/config.ts';
import type { Runner, Turn } from '../../src/core/ports/runner.ts';
import { causes, Failure, Usage } from '../../src/core/words/review.ts';
import { processesWith, turnOf } from '../adapters/runners/turns.ts';

/** A runner with seats that behave in known ways. */
export interface RunnerSpecimen {
  readonly runner: Runner;
  /** Answers with some text. */
  readonly good: Partial<Seat>;
  /** Gives no output and never ends by itself. */
  readonly hanging: Partial<Seat>;
  /** Says `LOW|half` and more never, without ending; absent where an answer comes whole or not at all. */
  readonly writing?: Partial<Seat>;
  /** Cannot answer, each for a reason of its own. */
  readonly broken: readonly Partial<Seat>[];
  close?(): Promise<void>;
}

/** Processes that still carry the id of the reviewer. */
function survivors(name: string) {
  return processesWith(`JURY_REVIEWER=contract-${name}\0`);
}

/** `open` is called once; its seats need no id. */
export function describeRunner(name: string, open: () => Promise<RunnerSpecimen>): void {
  describe(`${name} keeps the contract of a runner`, () => {
    let specimen: RunnerSpecimen;
    beforeAll(async () => {
      specimen = await open();
    });
    afterAll(() => specimen.close?.());

    const ask = (
      seat: Partial<Seat>,
      {
        deadlines,
        signal = new AbortController().signal,
      }: { readonly deadlines?: Turn['deadlines']; readonly signal?: AbortSignal } = {},
    ) =>
      specimen.runner.ask(
        turnOf({ ...seat, id: `contract-${name}` }, deadlines === undefined ? {} : { deadlines }),
        signal,
      );

    it('answers, in plain data', async () => {
      const answer = await ask(specimen.good);
      expect(answer.status).toBe('answered');
      expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      expect(Usage.safeParse(answer.usage).success).toBe(true);
      expect(answer.status === 'answered' && answer.text.trim()).not.toBe('');
      expect(answer.transcript).not.toBe('');
      expect(await survivors(name)).toEqual([]);
    });

    it('answers several questions at once', async () => {
      const answers = await Promise.all(Array.from({ length: 4 }, () => ask(specimen.good)));
      expect(answers.map(({ status }) => status)).toEqual([
        'answered',
        'answered',
        'answered',
        'answered',
      ]);
    });

    it('ends at the deadline and leaves no process', async () => {
      const answer = await ask(specimen.hanging, {
        deadlines: { firstOutputMs: 60_000, idleMs: 60_000, totalMs: 1_000 },
      });
      expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'deadline' } });
      expect(await survivors(name)).toEqual([]);
    });

    it('settles when it is cancelled and leaves no process', async () => {
      const controller = new AbortController();
      const asked = ask(specimen.hanging, { signal: controller.signal });
      await new Promise(resolve => setTimeout(resolve, 500));
      controller.abort();
      expect(await asked).toMatchObject({ status: 'failed', failure: { cause: 'cancelled' } });
      expect(await survivors(name)).toEqual([]);
    });

    it('hands back what was written when the engine has heard enough', async () => {
      const { writing } = specimen;
      if (writing === undefined) return;
      const enough = new AbortController();
      const asked = specimen.runner.ask(
        turnOf({ ...writing, id: `contract-${name}` }, { enough: enough.signal }),
        new AbortController().signal,
        () => enough.abort(),
      );
      expect(await asked).toMatchObject({
        status: 'answered',
        stop: 'cut',
        text: expect.stringContaining('LOW|half') as string,
      });
      expect(await survivors(name)).toEqual([]);
    });

    it('does nothing for a run that was cancelled before', async () =>
      expect(await ask(specimen.hanging, { signal: AbortSignal.abort() })).toMatchObject({
        status: 'failed',
        failure: { cause: 'cancelled' },
      }));

    it('never rejects: what goes wrong is an answer with a cause', async () => {
      for (const seat of specimen.broken) {
        const answer = await ask(seat);
        if (answer.status === 'answered') throw new Error(`${JSON.stringify(seat)} was answered`);
        expect(Failure.safeParse(answer.failure).success).toBe(true);
        expect(Object.keys(causes)).toContain(answer.failure.cause);
        expect(JSON.parse(JSON.stringify(answer))).toEqual(answer);
      }
    });

    it('its fingerprint stays the same for the same seat', async () => {
      const seat = turnOf({ ...specimen.good, id: `contract-${name}` }).seat;
      expect(await specimen.runner.fingerprint(seat)).toBe(await specimen.runner.fingerprint(seat));
    });
  });
}
