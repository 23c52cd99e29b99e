/** `jury stats`: what each reviewer cost and brought. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { renderStatistics } from '../render/statistics.ts';
import { printJson } from '../render/json.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';

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
