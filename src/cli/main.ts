#!/usr/bin/env node
/**
 * The terminal door. Knows the names of the commands and nothing else until one is asked for, so that `--version` and
 * `--help` start as fast as Node does. The one place that turns errors into exit codes.
 */
import { readFileSync } from 'node:fs';
import type { RunnableCommand } from './command.ts';
import { interruptSignal } from './interrupt.ts';

interface Entry {
  readonly summary: string;
  readonly aliases?: readonly string[];
  readonly load: () => Promise<RunnableCommand>;
}

const commands: Readonly<Record<string, Entry>> = {
  review: { summary: 'Put a change before the panel and report what it agrees on', aliases: ['consensus-review'], load: async () => (await import('./review.ts')).review },
  gates: { summary: 'Review what is about to be committed, and close the gate unless it proves good', aliases: ['quality-gates'], load: async () => (await import('./gates.ts')).gates },
  document: { summary: 'Put a design, a plan or a specification before the panel', aliases: ['doc-review'], load: async () => (await import('./document.ts')).document },
  research: { summary: 'Ask researchers a question: sources, findings, confidence, gaps', load: async () => (await import('./research.ts')).research },
  brainstorm: { summary: 'Ask one researcher for approaches to a topic', load: async () => (await import('./brainstorm.ts')).brainstorm },
  plan: { summary: 'Tell what a review would take: panel, budgets, calls, money', load: async () => (await import('./plan.ts')).plan },
  ask: { summary: 'Put a question before the panel', load: async () => (await import('./ask.ts')).ask },
  consensus: { summary: 'Form claims of findings that other tools produced', load: async () => (await import('./consensus.ts')).consensus },
  show: { summary: 'Show one claim, finding or review of a run', load: async () => (await import('./show.ts')).show },
  report: { summary: 'Print the report of a run again, in any format', load: async () => (await import('./report.ts')).report },
  runs: { summary: 'List the runs on this machine', load: async () => (await import('./runs.ts')).runs },
  resume: { summary: 'Finish a run that was interrupted or incomplete', load: async () => (await import('./resume.ts')).resume },
  dismiss: { summary: 'Dismiss a claim, so that it does not come back while its code stays as it is', load: async () => (await import('./dismiss.ts')).dismiss },
  accept: { summary: 'Confirm a claim as real', load: async () => (await import('./accept.ts')).accept },
  baseline: { summary: 'Write all decisions about claims to a file to commit', load: async () => (await import('./baseline.ts')).baseline },
  explain: { summary: 'Tell why findings are one claim and its neighbours are not', load: async () => (await import('./explain.ts')).explain },
  stats: { summary: 'What each reviewer cost and brought', load: async () => (await import('./stats.ts')).stats },
  index: { summary: 'Bring the code index up to date: definitions, references, imports, tokens', load: async () => (await import('./index-command.ts')).index },
  context: { summary: 'Show the context pack a role gets, or check one that was written', load: async () => (await import('./context.ts')).context },
  search: { summary: 'Search the code of the project', load: async () => (await import('./search.ts')).search },
  verify: { summary: 'Check what needs no opinion: coverage of changed lines, switched-off tests, undone work', load: async () => (await import('./verify.ts')).verify },
  ground: { summary: 'Check that every merged finding traces to what a reviewer wrote', load: async () => (await import('./ground.ts')).ground },
  clean: { summary: 'Remove the runs on this machine', load: async () => (await import('./clean.ts')).clean },
  motions: { summary: 'Vote on the motions of a session: triage, reviews, panels, ratification', load: async () => (await import('./motions.ts')).motions },
  init: { summary: 'Write a configuration that seats the reviewers this machine has', load: async () => (await import('./init.ts')).init },
  doctor: { summary: 'Tell what this machine has for a panel, and what stands in the way', load: async () => (await import('./doctor.ts')).doctor },
  verdicts: { summary: 'Tabulate verdict files', load: async () => (await import('./verdicts.ts')).verdicts },
  mcp: { summary: 'Serve agents over MCP on standard input and output', load: async () => (await import('./mcp.ts')).mcp },
};

const usageExit = 3;
const inputExit = 2;
const faultExit = 4;

async function main(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args;
  if (first === '--version' || first === '-V') return print(`${versionOf()}\n`);
  if (first === undefined || first === '--help' || first === '-h' || first === 'help') return rest[0] && first === 'help' ? main([rest[0], '--help']) : print(helpText());
  if (process.env.JURY_REVIEWER) return refuseReviewer();
  const name = Object.keys(commands).find(candidate => candidate === first || commands[candidate]?.aliases?.includes(first));
  const entry = name === undefined ? undefined : commands[name];
  if (name === undefined || entry === undefined) return refuse(first);
  const [command, { createTerminal }] = await Promise.all([entry.load(), import('./terminal.ts')]);
  return command.execute(name, rest, createTerminal(interruptSignal()));
}

/** A panel inside a panel would spend without end, and a reviewer could decide about its own claims. */
function refuseReviewer(): number {
  process.stderr.write('jury: A reviewer cannot call Jury: this process belongs to a reviewer of a run (JURY_REVIEWER is set).\n');
  return usageExit;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

function versionOf(): string {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  return version;
}

function helpText(): string {
  const width = Math.max(...Object.keys(commands).map(name => name.length));
  const lines = Object.entries(commands).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  return `Usage: jury COMMAND [OPTIONS]

Puts a change, a document or a question before independent reviewers and computes what they agree on.

Commands:
${lines.join('\n')}

jury review               reviews the last commit
jury review main..HEAD    reviews a branch
jury review --staged      reviews what you are about to commit
jury COMMAND --help       tells the options of a command

Exit codes: 0 pass or done, 1 the gate failed, 2 incomplete or unusable input, 3 usage or configuration, 4 fault in Jury, 130 interrupted.
`;
}

async function refuse(word: string): Promise<number> {
  const { nearest } = await import('../core/schema-problem.ts');
  const { didYouMean, UserError } = await import('../core/errors.ts');
  throw new UserError(word.startsWith('-') ? `Unknown option "${word}".` : `There is no command "${word}".`, { kind: 'usage', hint: didYouMean(nearest(word, Object.keys(commands))) ?? 'See "jury --help".' });
}

/** Nothing that is thrown may leave Node to exit with 1: that would read as FAIL. */
function report(error: unknown): number {
  if (error instanceof Error && error.name === 'UserError') {
    const { message, hint, kind } = error as Error & { hint: string | null; kind: 'usage' | 'input' };
    process.stderr.write(`${message.startsWith('Error: ') ? '' : 'jury: '}${message}${hint === null ? '' : ` ${hint}`}\n`);
    return kind === 'usage' ? usageExit : inputExit;
  }
  const detail = error instanceof Error ? (process.env.JURY_DEBUG ? (error.stack ?? error.message) : error.message) : String(error);
  process.stderr.write(`jury: fault in Jury: ${detail}\n${process.env.JURY_DEBUG ? '' : 'Set JURY_DEBUG=1 to see where.\n'}`);
  return faultExit;
}

process.on('uncaughtException', error => process.exit(report(error)));
process.on('unhandledRejection', error => process.exit(report(error)));
process.exitCode = await main(process.argv.slice(2)).catch(report);
