/** `jury document`: a design, a plan or a specification before the panel. */
import { z } from 'zod';
import { DocumentRequest, previewDocument, reviewDocument } from '../index.ts';
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
      const preview = await previewDocument(request, terminal);
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => reviewDocument(request, call), { format, json, out }, terminal);
  },
});
