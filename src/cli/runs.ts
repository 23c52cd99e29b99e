/**
 * The runs kept on this machine: `jury runs` lists them, `jury import` adds some to look at, `jury stats` counts them by reviewer,
 * `jury clean` removes them after naming them.
 */
import { flag } from '../core/flags.ts';
import { z } from 'zod';
import { makeVisible } from '../core/safety/visible-text.ts';
import { programExits } from '../core/verdict/outcome.ts';
import { CleanRequest, createJury, type Importable, ImportRequest } from '../index.ts';
import { printJson } from '../render/json.ts';
import { renderRuns } from '../render/runs.ts';
import { renderStatistics } from '../render/statistics.ts';
import { defineCommand } from './command.ts';
import { answer, callOf, confirm, isAnswerable, notedCallOf } from './terminal.ts';

export const runs = defineCommand({
  summary: 'List the runs on this machine',
  flags: z.strictObject({ json: flag('Print the records as JSON') }),
  async run({ json }, terminal) {
    const { ended, unfinished, votes, imported } = await createJury(notedCallOf(terminal)).list();
    const records = [...ended, ...imported];
    return answer(terminal, json, [...records, ...unfinished, ...votes], () =>
      renderRuns(records, terminal, unfinished, votes),
    );
  },
});

/** `jury import`: takes runs that were made elsewhere, to be shown and for nothing else. */
const importing = defineCommand({
  summary: 'Take runs that were made elsewhere, to look at',
  flags: ImportRequest.extend({
    yes: flag('Import without asking; needed where there is no terminal').meta({ short: 'y' }),
    json: flag('The result as JSON'),
  }),
  epilogue: `An imported run is listed and shown. It is never gone on with, never the answer to a review or the latest run, and counts
in no statistics. Decisions about claims are not imported.

Examples:
  jury import                    the .jury that version 0.1 kept in this project
  jury import artifacts/jury     what a CI run has left`,
  async run({ yes, json, dir }, terminal) {
    const result = await createJury(notedCallOf(terminal)).importRuns({ dir }, async found => {
      for (const line of describeImportable(found)) terminal.note(line);
      await confirm(
        `Import ${countOf(found.found.length)} to look at?`,
        {
          isGiven: yes,
          refused: 'Nothing was imported',
          reader: 'Whoever wants the above adds --yes.',
        },
        terminal,
      );
      return true;
    });
    if (result.found.length === 0)
      for (const line of describeImportable(result)) terminal.note(line);
    if (json) terminal.write(printJson(result));
    else for (const id of result.imported) terminal.write(`${id}  imported: jury show ${id}\n`);
    terminal.note(
      `jury: ${countOf(result.imported.length)} imported, ${result.skipped.length} skipped.`,
    );
    const isUnusable = result.found.length === 0 && result.skipped.some(({ isHere }) => !isHere);
    return isUnusable ? programExits.unusableInput : 0;
  },
});

export { importing as import };

function describeImportable({ folder, found, skipped, left }: Importable) {
  return [
    `From ${folder}:`,
    ...found.map(
      ({ run, command, said, title, startedAt }) =>
        `  ${run}  ${startedAt.slice(0, 10)}  ${command}: ${said ?? 'ANSWERED'} there  ${title.slice(0, 80)}`,
    ),
    ...skipped.map(({ name, why }) => `  ${name.slice(0, 80)}  skipped: ${why}`),
    ...left,
  ].map(line => makeVisible(line).replaceAll('\n', '⏎'));
}

function countOf(runs: number) {
  return `${runs} ${runs === 1 ? 'run' : 'runs'}`;
}

/** `jury stats`: what each reviewer cost and brought. */
export const stats = defineCommand({
  summary: 'What each reviewer cost and brought, and what the panel would lose without it',
  flags: z.strictObject({ json: flag('Print the figures as JSON') }),
  epilogue:
    'Precision is counted from the claims that people accepted or dismissed, with its 95 % interval after Wilson (1927).',
  async run({ json }, terminal) {
    const statistics = await createJury(notedCallOf(terminal)).statistics();
    return answer(terminal, json, statistics, () => renderStatistics(statistics, terminal));
  },
});

/** `jury clean`: removes the runs on this machine, after naming them. */
export const clean = defineCommand({
  summary: 'Remove the runs of this project',
  flags: CleanRequest.extend({
    yes: flag('Remove them without asking').meta({ short: 'y' }),
    json: flag('The result as JSON'),
  }),
  epilogue: `What is remembered about claims stays; a run that a process works on stays too. At a terminal you are asked first: what
reviewers answered there has been paid for.

Examples:
  jury clean --dry-run
  jury clean --older-than 3`,
  async run({ json, yes, ...request }, terminal) {
    const jury = createJury(callOf(terminal));
    if (!yes && !json && !request.dryRun && isAnswerable(terminal)) {
      const { removed } = await jury.clean({ ...request, dryRun: true });
      if (removed.length > 0)
        await confirm(
          `Remove ${countOf(removed.length)} of this project, with what was answered there?`,
          { isGiven: false, refused: 'Nothing was removed', reader: '' },
          terminal,
        );
    }
    const cleaned = await jury.clean(request, ids => {
      if (!json) for (const id of ids) terminal.write(`${id}\n`);
    });
    if (json) terminal.write(printJson(cleaned));
    else
      terminal.note(
        `jury: ${countOf(cleaned.removed.length)} ${cleaned.dryRun ? 'would be removed' : 'removed'}, ${cleaned.kept.length} kept.`,
      );
    return 0;
  },
});
