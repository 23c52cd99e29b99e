/** `jury ask`: a question before the panel. */
import { z } from 'zod';
import { createJury, AskRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const ask = defineCommand({
  summary: 'Put a question before the panel',
  flags: AskRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury ask "What could go wrong with this approach?" --context-file design.md
  jury ask --mode architecture --context-file design.md "Criticise this design"`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'ask', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'ask', ...request }), { format, json, out }, terminal);
  },
});
