/** `jury runs`: the runs kept on this machine. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { renderRuns, renderVotes } from '../render/runs.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';
import { printJson } from '../render/json.ts';

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
