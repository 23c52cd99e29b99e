// The clock of a build made for comparison, in place of `src/adapters/system/clock.ts`. It begins at the time that
// JURY_COMPARISON_CLOCK gives and moves only by the waits that the program asks it for, in whole seconds: what takes its own time, as
// a process or an answer does, takes none, and waits below a second beside it do not show. So who ends first changes no time.
import { systemClock as machine } from '../../src/adapters/system/clock.ts';

export { steadyClock } from '../../src/adapters/system/clock.ts';

const beginMs = Date.parse(process.env.JURY_COMPARISON_CLOCK ?? '');
if (Number.isNaN(beginMs))
  throw new Error('Set JURY_COMPARISON_CLOCK to a time such as 2030-01-01T00:00:00Z.');

let waitedMs = 0;
const monotonicMs = () => Math.floor(waitedMs / 1_000) * 1_000;

/** @type {import('../../src/core/ports/runner.ts').Clock} */
export const systemClock = {
  now: () => new Date(beginMs + monotonicMs()),
  monotonicMs,
  async sleep(ms, signal) {
    // Waits beside each other are one, whichever of them ends first.
    const endMs = waitedMs + ms;
    await machine.sleep(ms, signal);
    waitedMs = Math.max(waitedMs, endMs);
  },
};
