/** `jury research`: a question before researchers. */
import { z } from 'zod';
import { createJury, ResearchRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const research = defineCommand({
  summary: 'Ask researchers a question: sources, findings, confidence, gaps',
  flags: ResearchRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury research "How do others migrate from X to Y?"
  jury research - --context-file decisions.md < question.txt`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'research', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'research', ...request }), { format, json, out }, terminal);
  },
});
