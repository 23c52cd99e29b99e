/** `jury runs`: the runs kept on this machine. */
import { z } from 'zod';
import { listRunRecords } from '../index.ts';
import { renderRuns } from '../render/runs.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';

export const runs = defineCommand({
  summary: 'List the runs on this machine',
  flags: z.strictObject({ json: z.boolean().default(false).describe('Print the records as JSON') }),
  async run({ json }, terminal) {
    const records = await listRunRecords(callOf(terminal));
    terminal.write(json ? JSON.stringify(records, null, 2) : renderRuns(records, { color: terminal.color, width: terminal.width }));
    return 0;
  },
});
