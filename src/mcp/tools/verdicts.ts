/** The verdict table of a run: one line for each reviewer. */
import { z } from 'zod';
import { createJury } from '../../index.ts';
import { renderVerdicts } from '../../render/verdict-table.ts';
import { Part, RootName, RunName } from '../inputs.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';

export const verdicts = defineTool({
  name: 'verdicts',
  description: 'Verdict of each reviewer of a run, a line each.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    view: z.enum(['table', 'counts', 'attention', 'tokens']).default('table'),
    part: Part,
    root: RootName,
  }),
  async answer({ run, view, part, root: rootName }, { roots, environment }) {
    const listing = await createJury({
      cwd: rootNamed(roots, rootName).folder,
      environment,
    }).verdicts({ run });
    return {
      facts: { verdicts: listing.rows.length },
      text: renderVerdicts[view](listing).text,
      part,
      more: next => `Cut here. The rest: verdicts with the same run, part ${next}.`,
    };
  },
});
