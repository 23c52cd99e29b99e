/**
 * The runs kept on this machine: `jury runs` lists them, `jury stats` counts them by reviewer, `jury clean` removes them after
 * naming them.
 */
import { z } from 'zod';
import { CleanRequest, createJury } from '../index.ts';
import { printJson } from '../render/json.ts';
import { renderRuns, renderVotes } from '../render/runs.ts';
import { renderStatistics } from '../render/statistics.ts';
import { defineCommand } from './command.ts';
import { callOf, notedCallOf } from './terminal.ts';

export const runs = defineCommand({
  summary: 'List the runs on this machine',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print the records as JSON') }),
  async run({ json }, terminal) {
    const { ended: records, unfinished, votes } = await createJury(notedCallOf(terminal)).list();
    const options = { color: terminal.color, width: terminal.width };
    if (json) terminal.write(printJson([...records, ...unfinished, ...votes]));
    else
      terminal.write(
        `${records.length + unfinished.length > 0 || votes.length === 0 ? renderRuns(records, options, unfinished) : ''}${renderVotes(votes)}`,
      );
    return 0;
  },
});

/** `jury stats`: what each reviewer cost and brought. */
export const stats = defineCommand({
  summary: 'What each reviewer cost and brought, and what the panel would lose without it',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print the figures as JSON') }),
  epilogue:
    'Precision is counted from the claims that people accepted or dismissed, with its 95 % interval after Wilson (1927).',
  async run({ json }, terminal) {
    const statistics = await createJury(notedCallOf(terminal)).statistics();
    terminal.write(
      json
        ? printJson(statistics)
        : renderStatistics(statistics, { color: terminal.color, width: terminal.width }),
    );
    return 0;
  },
});

/** `jury clean`: removes the runs on this machine, after naming them. */
export const clean = defineCommand({
  summary: 'Remove the runs on this machine',
  flags: CleanRequest.extend({ json: z.boolean().default(false).describe('The result as JSON') }),
  epilogue: `What is remembered about claims stays; a run that a process works on stays too.

Examples:
  jury clean --dry-run
  jury clean --older-than 3`,
  async run({ json, ...request }, terminal) {
    const cleaned = await createJury(callOf(terminal)).clean(request, ids => {
      if (!json) for (const id of ids) terminal.write(`${id}\n`);
    });
    if (json) terminal.write(printJson(cleaned));
    else
      terminal.note(
        `jury: ${cleaned.removed.length} ${cleaned.removed.length === 1 ? 'run' : 'runs'} ${cleaned.dryRun ? 'would be removed' : 'removed'}, ${cleaned.kept.length} kept.`,
      );
    return 0;
  },
});
