#!/usr/bin/env node
/**
 * The entry point of the terminal. Loads nothing before it is needed, so that `--version` starts as fast as Node does. The one
 * place that turns errors into exit codes.
 */
import { readFileSync } from 'node:fs';
import { programExits } from '../core/verdict/outcome.ts';
import type { Entry } from './commands.ts';
import {
  createTerminal,
  interruptSignal,
  isInterruption,
  outliveReaders,
  tell,
} from './terminal.ts';

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--version' || first === '-V') return print(`${versionOf()}\n`);
  const { commands, groups } = await import('./commands.ts');
  if (first === undefined || first === '--help' || first === '-h' || first === 'help')
    return rest[0] && first === 'help' ? main([rest[0], '--help']) : print(await helpText(groups));
  if (process.env.JURY_REVIEWER) return refuseReviewer();
  const name = Object.keys(commands).find(
    candidate => candidate === first || commands[candidate]?.aliases?.includes(first),
  );
  const entry = name === undefined ? undefined : commands[name];
  if (name === undefined || entry === undefined) return refuse(first, Object.keys(commands));
  const command = await entry.load();
  return command.execute(name, rest, createTerminal(interruptSignal()));
}

/** A panel inside a panel would spend without end, and a reviewer could decide about its own claims. */
function refuseReviewer(): number {
  tell(
    process.stderr,
    'jury: A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).\n',
  );
  return programExits.usage;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function versionOf(): string {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  return version;
}

async function helpText(
  groups: Readonly<Record<string, Readonly<Record<string, Entry>>>>,
): Promise<string> {
  const { hang, wrapLines } = await import('../render/terminal-text.ts');
  const columns = process.stdout.columns ?? 80;
  const width = Math.max(
    ...Object.values(groups)
      .flatMap(entries => Object.keys(entries))
      .map(name => name.length),
  );
  const lines = Object.entries(groups).flatMap(([title, entries]) => [
    `${title}:`,
    ...Object.entries(entries).flatMap(([name, { summary }]) =>
      hang(`  ${name.padEnd(width)}  `, summary, columns),
    ),
    '',
  ]);
  return wrapLines(
    `Usage: jury COMMAND [OPTIONS]

Puts a change, a document or a question before independent reviewers and computes what they agree on.

${lines.join('\n')}
jury review               reviews the last commit
jury review main..HEAD    reviews a branch
jury review --staged      reviews what you are about to commit
jury COMMAND --help       tells the options of a command

Exit codes: 0 pass or done, 1 the gate failed, 2 incomplete or unusable input, 3 usage or configuration, 4 fault in Jury, 130 interrupted.
`,
    columns,
  );
}

async function refuse(word: string, known: readonly string[]): Promise<number> {
  const { nearest } = await import('../core/schema-problem.ts');
  const { didYouMean, UserError } = await import('../core/errors.ts');
  throw new UserError(
    word.startsWith('-') ? `Unknown option "${word}".` : `There is no command "${word}".`,
    { kind: 'usage', hint: didYouMean(nearest(word, known)) ?? 'See "jury --help".' },
  );
}

/** Nothing that is thrown may leave Node to exit with 1: that would read as FAIL. */
function report(error: unknown): number {
  if (isInterruption(error)) {
    tell(process.stderr, `jury: ${error.message}\n`);
    return programExits.interrupted;
  }
  if (error instanceof Error && error.name === 'UserError') {
    const { message, hint, kind } = error as Error & {
      hint: string | null;
      kind: 'usage' | 'input' | 'machine';
    };
    tell(
      process.stderr,
      `${message.startsWith('Error: ') ? '' : 'jury: '}${message}${hint === null ? '' : ` ${hint}`}\n`,
    );
    return exitsOfErrors[kind];
  }
  const detail =
    error instanceof Error
      ? process.env.JURY_DEBUG
        ? (error.stack ?? error.message)
        : error.message
      : String(error);
  tell(
    process.stderr,
    `jury: fault in Jury: ${detail}\n${process.env.JURY_DEBUG ? '' : 'Set JURY_DEBUG=1 to see where.\n'}`,
  );
  return programExits.fault;
}

const exitsOfErrors = {
  usage: programExits.usage,
  input: programExits.unusableInput,
  machine: programExits.fault,
} as const;

outliveReaders();
process.on('uncaughtException', error => process.exit(report(error)));
process.on('unhandledRejection', error => process.exit(report(error)));
// Should everything come to rest with the work undone, that is no pass.
process.exitCode = programExits.fault;
void main(process.argv.slice(2))
  .catch(report)
  .then(code => (process.exitCode = code));
