/**
 * What the two programs of the terminal are: a function from arguments and surroundings to an exit code, and one way to end by
 * an error.
 */
import { Console } from 'node:console';
import { setMaxListeners } from 'node:events';
import { closeSync } from 'node:fs';
import { isatty } from 'node:tty';
import { UserError, interruption, sentenceOf, usageError } from '../core/errors.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { type Environment, type Streams, type Terminal, createTerminal, tell } from './terminal.ts';

/** `main` touches nothing of the process: no global handler, no `process.exitCode`, no work on import. */
export interface EntryPoint {
  main(
    argv: readonly string[],
    streams: Streams,
    environment: Environment,
    cwd: string,
  ): Promise<number>;
  /** Says on standard error what went wrong and gives the exit code: also for what is thrown where no caller waits. */
  report(error: unknown, streams: Streams, environment: Environment): number;
}

interface EntryPointSettings {
  /** Stands before every message: `jury: `. */
  readonly prefix: string;
  readonly exits: Readonly<Record<'usage' | 'input' | 'machine', number>>;
  readonly run: (argv: readonly string[], terminal: Terminal) => Promise<number>;
}

export function createEntryPoint({ prefix, exits, run }: EntryPointSettings): EntryPoint {
  /** Nothing that is thrown may leave Node to exit with 1: that would read as FAIL. */
  const report: EntryPoint['report'] = (error, { stderr }, environment) => {
    const say = (text: string) =>
      tell(stderr, `${text.startsWith('Error: ') ? '' : prefix}${text}\n`, environment);
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    if (name === interruption) {
      say(message);
      return programExits.interrupted;
    }
    if (error instanceof UserError) {
      say(sentenceOf(error));
      return exits[error.kind];
    }
    const isDebugged = Boolean(environment.JURY_DEBUG);
    say(
      `fault in Jury: ${isDebugged ? (stack ?? message) : `${message}\nSet JURY_DEBUG=1 to see where.`}`,
    );
    return programExits.fault;
  };
  return {
    report,
    async main(argv, streams, environment, cwd) {
      try {
        return await run(argv, createTerminal(streams, environment, cwd));
      } catch (error) {
        return report(error, streams, environment);
      }
    },
  };
}

/** A panel inside a panel would spend without end, and a reviewer could decide about its own claims. */
export function refuseReviewers({ environment }: Terminal) {
  if (environment.JURY_REVIEWER)
    throw usageError(
      'A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).',
    );
}

// What the process of a program is for: its streams, its signals, its exit code. Nothing else touches them.

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
  const end = (error: unknown) => process.exit(report(error, streams, env));
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
