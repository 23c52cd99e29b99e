/**
 * The names of the commands, grouped by what a person wants; none is loaded before it is asked for. Those of the processes are
 * the rows of their table.
 */
import { processes } from '../core/process.ts';
import type { CommandEntry, CommandGroups } from './command.ts';

export const groups: CommandGroups = {
  Review: {
    ...processEntries(),
    collect: {
      summary: 'Form claims, verdict files and a report of what your own agents wrote',
      load: async () => (await import('./collect.ts')).collect,
    },
    motions: {
      summary: 'Vote on the motions of a session: triage, reviews, panels, ratification',
      load: async () => (await import('./motions.ts')).motions,
    },
  },
  'Before a review': {
    plan: {
      summary: 'Tell what a review would take: panel, budgets, calls, money',
      load: async () => (await import('./plan.ts')).plan,
    },
    context: {
      summary: 'Show the context pack a role gets, or check one that was written',
      load: async () => (await import('./context.ts')).context,
    },
    index: {
      summary: 'Bring the code index up to date: definitions, references, imports, tokens',
      load: async () => (await import('./code-index.ts')).index,
    },
    search: {
      summary: 'Search the code of the project',
      load: async () => (await import('./code-index.ts')).search,
    },
  },
  'After a review': {
    show: {
      summary: 'Show one claim, finding or review of a run',
      load: async () => (await import('./show.ts')).show,
    },
    report: {
      summary: 'Print the report of a run again, in any format',
      load: async () => (await import('./run-commands.ts')).report,
    },
    explain: {
      summary: 'Tell why findings are one claim and its neighbours are not',
      load: async () => (await import('./show.ts')).explain,
    },
    runs: {
      summary: 'List the runs on this machine',
      load: async () => (await import('./runs.ts')).runs,
    },
    import: {
      summary: 'Take runs that were made elsewhere, to look at',
      load: async () => (await import('./runs.ts')).importing,
    },
    resume: {
      summary: 'Finish a run that was interrupted or incomplete',
      load: async () => (await import('./run-commands.ts')).resume,
    },
    clean: {
      summary: 'Remove the runs of this project',
      load: async () => (await import('./runs.ts')).clean,
    },
  },
  Decide: {
    dismiss: {
      summary: 'Dismiss a claim, so that it does not come back while its code stays as it is',
      load: async () => (await import('./decide.ts')).dismiss,
    },
    accept: {
      summary: 'Confirm a claim as real',
      load: async () => (await import('./decide.ts')).accept,
    },
    approve: {
      summary: 'Let pass what a run asks a person about, in this very change',
      load: async () => (await import('./decide.ts')).approve,
    },
    baseline: {
      summary: 'Write all decisions about claims to a file to commit',
      load: async () => (await import('./decide.ts')).baseline,
    },
    stats: {
      summary: 'What each reviewer cost and brought',
      load: async () => (await import('./runs.ts')).stats,
    },
  },
  'Check without asking anybody': {
    consensus: {
      summary: 'Form claims of findings that other tools produced',
      load: async () => (await import('./consensus.ts')).consensus,
    },
    verify: {
      summary:
        'Check what needs no opinion: coverage of changed lines, switched-off tests, undone work',
      load: async () => (await import('./checks.ts')).verify,
    },
    ground: {
      summary: 'Check that every merged finding traces to what a reviewer wrote',
      load: async () => (await import('./checks.ts')).ground,
    },
    verdict: {
      summary: 'Write the verdict file of one agent',
      load: async () => (await import('./collect.ts')).verdict,
    },
    verdicts: {
      summary: 'Tabulate verdict files',
      load: async () => (await import('./show.ts')).verdicts,
    },
  },
  'In a pull request': {
    github: {
      summary: 'Pack, review and publish a pull request in the workflows of GitHub',
      load: async () => (await import('./github.ts')).github,
    },
  },
  'On this machine': {
    demo: {
      summary: 'Show a review of a bad commit, with recorded answers: no key, no network',
      load: async () => (await import('./demo.ts')).demo,
    },
    init: {
      summary: 'Write a configuration that seats the reviewers this machine has',
      load: async () => (await import('./init.ts')).init,
    },
    trust: {
      summary: 'Look at a configuration that was found here, and allow what it wants',
      load: async () => (await import('./trust.ts')).trust,
    },
    doctor: {
      summary: 'Try every seat, and tell what this machine has for a panel',
      load: async () => (await import('./doctor.ts')).doctor,
    },
    hook: {
      summary: 'Let git ask for a review before each commit and each push',
      load: async () => (await import('./hook.ts')).hook,
    },
    completion: {
      summary: 'Print what makes a shell complete the words of jury',
      load: async () => (await import('./completion.ts')).completionOf(groups),
    },
    help: {
      summary: 'Tell about a command, or show a page of the documentation',
      load: async () => (await import('./help.ts')).helpOn(groups),
    },
  },
  'Serve agents': {
    mcp: {
      summary: 'Serve agents over MCP on standard input and output',
      load: async () => (await import('./mcp.ts')).mcp,
    },
  },
};

export const commands: Readonly<Record<string, CommandEntry>> = Object.assign(
  {},
  ...Object.values(groups),
) as Record<string, CommandEntry>;

function processEntries(): Readonly<Record<string, CommandEntry>> {
  const begun = processes.flatMap(process =>
    process.entry === null ? [] : [{ process, entry: process.entry }],
  );
  return Object.fromEntries(
    begun.map(({ process, entry }) => [
      process.name,
      {
        summary: entry.summary,
        aliases: entry.aliases,
        load: async () => (await import('./run-commands.ts')).commandOf(process),
      },
    ]),
  );
}
