/** `jury runs`: the runs kept on this machine. */
import { z } from 'zod';
import { listRunRecords, listVotes } from '../index.ts';
import { renderRuns, renderVotes } from '../render/runs.ts';
import { defineCommand } from './command.ts';
import { callOf, notedCallOf } from './run-and-report.ts';

export const runs = defineCommand({
  summary: 'List the runs on this machine',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print the records as JSON') }),
  async run({ json }, terminal) {
    const [records, votes] = await Promise.all([listRunRecords(notedCallOf(terminal)), listVotes(callOf(terminal))]);
    const options = { color: terminal.color, width: terminal.width };
    if (json) terminal.write(JSON.stringify([...records, ...votes], null, 2));
    else terminal.write(`${records.length > 0 || votes.length === 0 ? renderRuns(records, options) : ''}${renderVotes(votes)}`);
    return 0;
  },
});
