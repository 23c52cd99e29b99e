/** `jury brainstorm`: approaches to a topic, by one researcher. */
import { z } from 'zod';
import { createJury, BrainstormRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { OutputFlags, runAndReport } from './run-and-report.ts';

export const brainstorm = defineCommand({
  summary: 'Ask one researcher for approaches to a topic',
  flags: BrainstormRequest.extend({
    ...OutputFlags.shape,
    dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
  }),
  epilogue: `Examples:
  jury brainstorm "Offline mode for the client" --context-file design.md`,
  async run({ dryRun, format, json, out, ...request }, terminal) {
    if (dryRun) {
      const preview = await createJury(terminal).preview({ process: 'brainstorm', ...request });
      terminal.write(json ? JSON.stringify(preview, null, 2) : renderPreview(preview));
      return 0;
    }
    return runAndReport(call => createJury(call).run({ process: 'brainstorm', ...request }), { format, json, out }, terminal);
  },
});
