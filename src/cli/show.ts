/** `jury show`: drills down from the short answer to one claim, one finding or one review. */
import { z } from 'zod';
import { readRun, UserError } from '../index.ts';
import { renderShown } from '../render/finding.ts';
import { renderers } from '../render/formats.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';

export const show = defineCommand({
  summary: 'Show one claim, finding or review of a run',
  flags: z.strictObject({
    run: z.string().describe('Run id, a unique beginning of one, or latest').meta({ positional: true, value: 'RUN' }),
    id: z.string().optional().describe('Claim (c-…), finding (reviewer/id) or reviewer; default: the whole report').meta({ positional: true, value: 'ID' }),
    full: z.boolean().default(false).describe('Everything that is known, with the raw text'),
  }),
  epilogue: `Examples:
  jury show latest
  jury show latest c-0123456789
  jury show latest secrets/#1 --full`,
  async run({ run: wanted, id, full }, terminal) {
    const run = await readRun(wanted, notedCallOf(terminal));
    const options = { color: terminal.color, width: terminal.width };
    const text = id === undefined ? renderers.terminal(run, options) : renderShown(run, id, { ...options, full });
    if (text === null) throw new UserError(`Run ${run.record.run} has no claim, finding or reviewer "${id ?? ''}".`, { kind: 'input', hint: `See "jury show ${run.record.run}".` });
    terminal.write(text);
    return 0;
  },
});
