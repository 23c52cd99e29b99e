/**
 * What the two programs of the terminal are: a function from arguments and surroundings to an exit code, and one way to end by
 * an error.
 */

import { UserError, interruption, sentenceOf, unprinted, usageError } from '../core/errors.ts';
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
  prefix: string;
  exits: Record<'usage' | 'input' | 'machine', number>;
  run: (argv: readonly string[], terminal: Terminal) => Promise<number>;
}

export function createEntryPoint({ prefix, exits, run }: EntryPointSettings): EntryPoint {
  /** Nothing that is thrown may leave Node to exit with 1: that would read as FAIL. */
  const report: EntryPoint['report'] = (error, { stderr }, environment) => {
    const say = (text: string) =>
      tell(stderr, `${text.startsWith('Error: ') ? '' : prefix}${text}\n`, environment);
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    if (name === interruption || name === unprinted) {
      say(message);
      return name === interruption ? programExits.interrupted : programExits.fault;
    }
    if (error instanceof UserError) {
      say(sentenceOf(error));
      return exits[error.kind];
    }
    if (/^E(?:ACCES|PERM|NOENT): .* scandir /.test(message)) {
      say(message);
      return exits.input;
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
