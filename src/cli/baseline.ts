/** `jury baseline`: all decisions about claims, in a file for the whole team. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';
import { escapeHidden } from '../render/json.ts';

export const baseline = defineCommand({
  summary: 'Write all decisions about claims to a file to commit',
  flags: z.strictObject({
    json: z.boolean().default(false).describe('Print path and number of decisions as JSON'),
  }),
  epilogue:
    'The file is jury.baseline.json at the top of the repository. To take a decision back, accept the claim or remove its entry.',
  async run({ json }, terminal) {
    const written = await createJury(notedCallOf(terminal)).writeBaseline();
    const words =
      written === null
        ? 'Nobody has dismissed or accepted a claim here; nothing was written.'
        : `${written.dispositions} ${written.dispositions === 1 ? 'decision' : 'decisions'} written to ${written.file}.`;
    terminal.write(json ? escapeHidden(JSON.stringify(written)) : words);
    return 0;
  },
});
