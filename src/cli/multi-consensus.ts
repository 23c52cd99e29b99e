#!/usr/bin/env node
/** The drop-in door: the command line of the earlier script, in front of the same library. Turns errors into its exit codes. */
import { consensusExits, programExits } from '../core/verdict/outcome.ts';
import { runMultiConsensus } from './consensus-run.ts';
import {
  createTerminal,
  interruptSignal,
  isInterruption,
  outliveReaders,
  tell,
} from './terminal.ts';

function report(error: unknown): number {
  if (isInterruption(error)) {
    tell(process.stderr, `${error.message}\n`);
    return programExits.interrupted;
  }
  if (error instanceof Error && error.name === 'UserError') {
    const { message, hint, kind } = error as Error & {
      hint: string | null;
      kind: 'usage' | 'input' | 'machine';
    };
    tell(
      process.stderr,
      `${message.startsWith('Error: ') ? '' : 'Error: '}${message}${hint === null ? '' : ` ${hint}`}\n`,
    );
    return kind === 'usage' ? consensusExits.usage : consensusExits.failed;
  }
  tell(
    process.stderr,
    `Error: fault in Jury: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return programExits.fault;
}

outliveReaders();
process.on('uncaughtException', error => process.exit(report(error)));
process.on('unhandledRejection', error => process.exit(report(error)));
if (process.env.JURY_REVIEWER) {
  tell(
    process.stderr,
    'Error: A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).\n',
  );
  process.exit(consensusExits.usage);
}
// Should everything come to rest with the work undone, that is no pass.
process.exitCode = programExits.fault;
void runMultiConsensus(process.argv.slice(2), createTerminal(interruptSignal()))
  .catch(report)
  .then(code => (process.exitCode = code));
