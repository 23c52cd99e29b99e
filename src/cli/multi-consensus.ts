#!/usr/bin/env node
/** The drop-in door: the command line of the earlier script, in front of the same library. Turns errors into its exit codes. */
import { runMultiConsensus } from './consensus-run.ts';
import { createTerminal } from './terminal.ts';

const inputExit = 1;
const usageExit = 3;
const faultExit = 4;
const interruptedExit = 130;

/** The first Ctrl-C saves and ends the run in order; the second ends the process. */
function interruptSignal(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(interruptedExit);
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return controller.signal;
}

function report(error: unknown): number {
  if (error instanceof Error && error.name === 'UserError') {
    const { message, hint, kind } = error as Error & { hint: string | null; kind: 'usage' | 'input' };
    process.stderr.write(`${message.startsWith('Error: ') ? '' : 'Error: '}${message}${hint === null ? '' : ` ${hint}`}\n`);
    return kind === 'usage' ? usageExit : inputExit;
  }
  process.stderr.write(`Error: fault in Jury: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  return faultExit;
}

process.on('uncaughtException', error => process.exit(report(error)));
process.on('unhandledRejection', error => process.exit(report(error)));
process.exitCode = await runMultiConsensus(process.argv.slice(2), createTerminal(interruptSignal())).catch(report);
