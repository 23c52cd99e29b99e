#!/usr/bin/env node
/**
 * The entry point of the terminal. Loads nothing before it is needed, so that `--version` starts as fast as Node does. The one
 * place that turns errors into exit codes.
 */
import { readFileSync } from 'node:fs';
import { programExits } from '../core/verdict/outcome.ts';
import {
  createTerminal,
  interruptSignal,
  isInterruption,
  outliveReaders,
  tell,
} from './terminal.ts';

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first !== undefined && ['--version', '-V', '-v'].includes(first))
    return print(`${versionOf()}\n`);
  const { commands } = await import('./commands.ts');
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    const help = await commands.help?.load();
    return (await help?.execute('help', rest, createTerminal(interruptSignal()))) ?? 0;
  }
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

const asPage = 'A run as a page for the browser: jury report latest --format html --out run.html';

/** What other tools call what jury has under another name. */
const elsewhere: Readonly<Record<string, string>> = {
  view: asPage,
  ui: asPage,
  open: asPage,
  export: 'A run in another form: jury report latest --format FORMAT --out FILE',
  list: 'The runs on this machine: jury runs',
  log: 'The runs on this machine: jury runs',
  serve: 'For agents: jury mcp',
  setup: 'To seat the reviewers this machine has: jury init',
  config: 'To write a configuration: jury init',
  version: 'The version: jury --version',
};

async function refuse(word: string, known: readonly string[]): Promise<number> {
  const { nearest } = await import('../core/schema-problem.ts');
  const { didYouMean, UserError } = await import('../core/errors.ts');
  throw new UserError(
    word.startsWith('-') ? `Unknown option "${word}".` : `There is no command "${word}".`,
    {
      kind: 'usage',
      hint:
        (Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined) ??
        didYouMean(nearest(word, known)) ??
        'See "jury --help --all".',
    },
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
