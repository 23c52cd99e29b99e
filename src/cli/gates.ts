/** `jury gates`: the quality gates before a commit. */
import { z } from 'zod';
import { createJury, GatesRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const gates = defineCommand({
  summary: 'Review what is about to be committed, and close the gate unless it proves good',
  flags: GatesRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury gates                    staged and unstaged changes
  jury gates main..HEAD
  jury gates --run latest       judge that run again and ask nobody

Exit codes: 0 pass; 1 findings of P0 or P1, or a reviewer that blocks; 2 closed; 3 usage.`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'gates', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'gates', ...request }), { format, json, out }, terminal);
  },
});
