/** What Ctrl-C means to every door: the first one saves and ends the run in order, the second ends the process. */
import { setMaxListeners } from 'node:events';
import { programExits } from '../core/verdict/outcome.ts';

const interruption = 'Interruption';

/** The reason of that signal, as whoever waited for something throws it: no fault, and no run was under way. */
export function isInterruption(error: unknown): error is Error {
  return error instanceof Error && error.name === interruption;
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP. To be called once. */
export function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  // Every call under way listens: Node would take more than ten for a leak.
  setMaxListeners(0, controller.signal);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(programExits.interrupted);
      controller.abort(Object.assign(new Error(`Interrupted by ${name}.`), { name: interruption }));
    });
  }
  return controller.signal;
}
