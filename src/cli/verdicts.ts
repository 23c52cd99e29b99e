/** `jury verdicts`: tabulates the verdict files of a folder or of a run, for scripts. */
import { z } from 'zod';
import { createJury, UserError } from '../index.ts';
import { renderVerdicts, verdictViews } from '../render/verdict-table.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';

export const verdicts = defineCommand({
  summary: 'Tabulate verdict files',
  flags: z.strictObject({
    dir: z
      .string()
      .min(1)
      .optional()
      .describe('Folder with verdict files, of any tool')
      .meta({ value: 'DIR' }),
    run: z
      .string()
      .min(1)
      .optional()
      .describe('Run id, a unique beginning of one, or latest (default)')
      .meta({ value: 'RUN' }),
    table: z.boolean().default(false).describe('Status, agent and summary, a line each (default)'),
    counts: z.boolean().default(false).describe('How many there are of each status'),
    attention: z
      .boolean()
      .default(false)
      .describe('Agent, number of findings and detail file of those that need a look'),
    tokens: z.boolean().default(false).describe('Sum of the tokens spent'),
    json: z.boolean().default(false).describe('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury verdicts --run latest
  jury verdicts --dir .jury/runs/20261121T101500Z-0a1b2c/verdicts --counts`,
  async run({ dir, run, ...flags }, terminal) {
    const [view = 'table', ...others] = verdictViews.filter(name => flags[name]);
    if (others.length > 0)
      throw new UserError(
        `Only one of ${verdictViews.map(name => `--${name}`).join(', ')} can be printed at a time.`,
        { kind: 'usage' },
      );
    const folder = await createJury(notedCallOf(terminal)).verdicts(oneOf(dir, run));
    if (folder.isMissing) terminal.note(`jury: The folder ${folder.dir} does not exist.`);
    const { text, warnings } = renderVerdicts[view](folder);
    for (const warning of warnings) terminal.note(`jury: ${warning}`);
    if (text !== '') terminal.write(text);
    return 0;
  },
});

function oneOf(
  dir: string | undefined,
  run: string | undefined,
): { readonly dir: string } | { readonly run: string } {
  if (dir !== undefined && run !== undefined)
    throw new UserError('--dir and --run exclude each other.', {
      kind: 'usage',
      hint: 'Give one of them.',
    });
  return dir === undefined ? { run: run ?? 'latest' } : { dir };
}
