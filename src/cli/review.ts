/** `jury review`: a change before the panel. */
import { z } from 'zod';
import { createJury, ReviewRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const review = defineCommand({
  summary: 'Put a change before the panel and report what it agrees on',
  flags: ReviewRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury review                          the last commit
  jury review main..HEAD --fail-on majority:high
  jury review --staged --reviewers secrets,claude
  git diff | jury review --patch -`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'review', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'review', ...request }), { format, json, out }, terminal);
  },
});
