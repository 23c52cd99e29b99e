/** What the process of a program is for: its streams, its signals, its exit code. Nothing else touches them. */
import { Console } from 'node:console';
import { setMaxListeners } from 'node:events';
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { interruption } from '../core/errors.ts';
import { programExits } from '../core/verdict/outcome.ts';
import type { EntryPoint } from './entry-point.ts';

/** Runs a program as this process. To be called once, before anything is printed. */
export function runAsProcess({ main, report }: EntryPoint) {
  const { stdout, stderr, env } = process;
  outliveReaders();
  // Standard output carries reports, or the protocol of agents, and nothing that a library finds worth printing.
  globalThis.console = new Console(stderr, stderr);
  const streams = {
    // Node opens it when it is first looked at.
    get stdin() {
      return process.stdin;
    },
    stdout,
    stderr,
    interruption: interruptSignal(),
  };
  const end = (error: unknown): never => process.exit(report(error, streams, env));
  process.on('uncaughtException', end);
  process.on('unhandledRejection', end);
  // Should everything come to rest with the work undone, that is no pass.
  process.exitCode = programExits.fault;
  void main(process.argv.slice(2), streams, env, process.cwd()).then(
    code => (process.exitCode = code),
  );
}

/** Aborts at the first SIGINT, SIGTERM or SIGHUP, so that a run is saved and ends in order; the second one ends the process. */
function interruptSignal() {
  const controller = new AbortController();
  // Every call under way listens: Node would take more than ten for a leak.
  setMaxListeners(0, controller.signal);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(programExits.interrupted);
      controller.abort(Object.assign(new Error(`Interrupted by ${name}.`), { name: interruption }));
    });
  }
  return controller.signal;
}

/**
 * A reader that goes away (`jury … | head`, a terminal that is closed) ends neither a run nor a command: the work goes on to its
 * end and the exit code is its own. Whatever else happens to the streams, a full disk above all, is a fault.
 */
function outliveReaders() {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // A terminal that hung up answers with EIO; of a file that is an error of the disk.
      if (error.code !== 'EPIPE' && !(error.code === 'EIO' && stream.isTTY)) throw error;
    });
  }
  leaveLostTerminals();
}

/** At its end Node sets the terminal back as it found it, and aborts where there is none any more: unless the descriptor is closed. */
function leaveLostTerminals() {
  const terminals = [0, 1, 2].filter(isatty);
  if (terminals.length === 0) return;
  process.on('exit', () => {
    for (const descriptor of terminals) if (!isatty(descriptor)) closeSync(descriptor);
  });
}
