/** `jury report`: prints the report of a run again, in any format, and ends as the run did. */
import { z } from 'zod';
import { exitCodeOf } from '../core/verdict/outcome.ts';
import { createJury } from '../index.ts';
import { defineCommand } from './command.ts';
import { notedCallOf, OutputFlags, printRun } from './run-and-report.ts';

export const report = defineCommand({
  summary: 'Print the report of a run again, in any format',
  flags: z.strictObject({
    run: z
      .string()
      .default('latest')
      .describe('Run id, a unique beginning of one, or latest')
      .meta({ positional: true, value: 'RUN' }),
    ...OutputFlags.shape,
  }),
  async run({ run: wanted, format, json, out }, terminal) {
    const run = await createJury(notedCallOf(terminal)).report(wanted);
    await printRun(run, { format, json, out }, terminal);
    return exitCodeOf(run.record.outcome);
  },
});
