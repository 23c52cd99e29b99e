/** The command of a process, made of its row: flags, help and examples are those of the row, printing is the same for all. */
import { z } from 'zod';
import { createJury, Request, type Process } from '../index.ts';
import { defineCommand, type RunnableCommand } from './command.ts';
import { renderPreview } from './preview.ts';
import { callOf, OutputFlags, runAndReport, TrustFlags } from './run-and-report.ts';

const CommandFlags = OutputFlags.extend({
  ...TrustFlags.shape,
  dryRun: z.boolean().default(false).describe('Print what would be sent to whom, and ask nobody'),
});

export function commandOf({ name, request: fields, entry }: Process): RunnableCommand {
  return defineCommand({
    summary: entry?.summary ?? name,
    epilogue: entry?.epilogue ?? '',
    flags: z.strictObject({ ...fields.shape, ...CommandFlags.shape }),
    async run(input, terminal) {
      const { dryRun, trustConfig, format, json, out } = CommandFlags.strip().parse(input);
      const request = Request.parse({ process: name, ...withoutFlags(input) });
      if (!dryRun)
        return runAndReport(
          call => createJury({ ...call, trustConfig }).run(request),
          { format, json, out },
          terminal,
        );
      const shown = await createJury({ ...callOf(terminal), trustConfig }).preview(request);
      terminal.write(json ? JSON.stringify(shown, null, 2) : renderPreview(shown));
      return 0;
    },
  });
}

function withoutFlags(input: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(input).filter(([key]) => !(key in CommandFlags.shape)));
}
