/** `jury document`: a design, a plan or a specification before the panel. */
import { z } from 'zod';
import { createJury, DocumentRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const document = defineCommand({
  summary: 'Put a design, a plan or a specification before the panel',
  flags: DocumentRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury document docs/design.md
  jury document specification/ --reviewers claude,codex --fail-on high`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'document', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'document', ...request }), { format, json, out }, terminal);
  },
});
