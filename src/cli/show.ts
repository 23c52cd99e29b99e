/** `jury show`: drills down from the short answer to one claim, one finding or one review. */
import { z } from 'zod';
import { hintFor, meantBy } from '../core/run-files/finding-names.ts';
import { createJury, UserError, type Run } from '../index.ts';
import { renderShown } from '../render/show.ts';
import { renderers } from '../render/formats.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';

export const show = defineCommand({
  summary: 'Show one claim, finding or review of a run',
  flags: z.strictObject({
    run: z
      .string()
      .default('latest')
      .describe('Run id, a unique beginning of one, or latest; or an id of the last answer')
      .meta({ positional: true, value: 'RUN' }),
    id: z
      .string()
      .optional()
      .describe('Claim (c-…), finding (reviewer/id) or reviewer; default: the whole report')
      .meta({ positional: true, value: 'ID' }),
    full: z.boolean().default(false).describe('Everything that is known, with the raw text'),
  }),
  epilogue: `Examples:
  jury show latest
  jury show c-0123456789
  jury show latest secrets/1 --full`,
  async run({ run: wanted, id: given, full }, terminal) {
    const { run, id } = await createJury(notedCallOf(terminal)).show(wanted, given ?? null);
    const options = { color: terminal.color, width: terminal.width };
    const text =
      id === null ? renderers.terminal(run, options) : renderShown(run, id, { ...options, full });
    if (text === null) throw unclear(run, id ?? '');
    terminal.write(text);
    return 0;
  },
});

function unclear(run: Run, id: string): UserError {
  const meant = meantBy(id, run);
  const candidates = meant.kind === 'unclear' ? meant.candidates : [];
  const what =
    candidates.length === 0
      ? `has no claim, finding or reviewer "${id}"`
      : `has ${candidates.length} things that "${id}" could mean`;
  return new UserError(`Run ${run.record.run} ${what}.`, {
    kind: 'input',
    hint: hintFor(candidates) ?? `See "jury show ${run.record.run}".`,
  });
}
