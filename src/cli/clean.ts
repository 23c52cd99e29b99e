/** `jury clean`: removes the runs on this machine, after naming them. */
import { z } from 'zod';
import { createJury, CleanRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { printJson } from '../render/json.ts';

export const clean = defineCommand({
  summary: 'Remove the runs on this machine',
  flags: CleanRequest.extend({ json: z.boolean().default(false).describe('The result as JSON') }),
  epilogue: `What is remembered about claims stays; a run that a process works on stays too.

Examples:
  jury clean --dry-run
  jury clean --older-than 3`,
  async run({ json, ...request }, terminal) {
    const cleaned = await createJury(callOf(terminal)).clean(request, ids => {
      if (!json) for (const id of ids) terminal.write(`${id}\n`);
    });
    if (json) terminal.write(printJson(cleaned));
    else
      terminal.note(
        `jury: ${cleaned.removed.length} ${cleaned.removed.length === 1 ? 'run' : 'runs'} ${cleaned.dryRun ? 'would be removed' : 'removed'}, ${cleaned.kept.length} kept.`,
      );
    return 0;
  },
});
