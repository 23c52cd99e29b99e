/**
 * The entry point of the terminal. Loads nothing before it is needed, so that `--version` starts as fast as Node does. The one
 * place that turns errors into exit codes.
 */
import { readFileSync } from 'node:fs';
import { didYouMean, usageError } from '../core/errors.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { createEntryPoint, refuseReviewers } from './entry-point.ts';
import type { Terminal } from './terminal.ts';

export const { main, report } = createEntryPoint({
  prefix: 'jury: ',
  exits: {
    usage: programExits.usage,
    input: programExits.unusableInput,
    machine: programExits.fault,
  },
  run,
});

async function run([first, ...rest]: readonly string[], terminal: Terminal): Promise<number> {
  if (first !== undefined && ['--version', '-V', '-v'].includes(first)) {
    terminal.write(versionOf());
    return 0;
  }
  const { commandNamed, commands } = await import('./commands.ts');
  if (first === undefined || ['--help', '-h', 'help'].includes(first)) {
    const help = await commands.help?.();
    return (await help?.execute('help', rest, terminal)) ?? 0;
  }
  refuseReviewers(terminal);
  const found = commandNamed(first);
  if (!found) return refuse(first, Object.keys(commands));
  return (await found.load()).execute(found.name, rest, terminal);
}

function versionOf() {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  return version;
}

const asPage = 'A run as a page for the browser: jury report latest --format html --out run.html';

/** What other tools call what jury has under another name. */
const elsewhere: Record<string, string> = {
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

async function refuse(word: string, known: readonly string[]): Promise<never> {
  const { nearest } = await import('../core/schema-problem.ts');
  throw usageError(
    word.startsWith('-') ? `Unknown option "${word}".` : `There is no command "${word}".`,
    (Object.hasOwn(elsewhere, word) ? elsewhere[word] : undefined) ??
      didYouMean(nearest(word, known)) ??
      'See "jury --help --all".',
  );
}
