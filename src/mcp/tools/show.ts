/** Drills down from the brief result to one claim, one finding or one review. */
import { z } from 'zod';
import { hintFor, meantBy } from '../../core/run-files/finding-names.ts';
import { renderShown } from '../../render/show.ts';
import { renderers } from '../../render/formats.ts';
import { createJury, UserError, type Run } from '../../index.ts';
import { Part, RootName, RunName } from '../inputs.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';

export const show = defineTool({
  name: 'show',
  description: 'One claim, finding or review of an ended run, in pieces of at most 1,000 tokens.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    id: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe('c-…, REVIEWER/ID or REVIEWER; default: the whole report'),
    full: z.boolean().default(false).describe('With the raw words'),
    part: Part,
    root: RootName,
  }),
  async answer(
    { run: wanted, id: given, full, part, root: rootName },
    { queue, roots, environment },
  ) {
    const root = rootNamed(roots, rootName);
    // The latest is the one that answered last, whatever is under way.
    if (wanted !== 'latest' && queue.find(root.name, wanted)?.end === null)
      throw new UserError('This run is still running.', {
        kind: 'input',
        hint: 'Call wait with it.',
      });
    const { run, id } = await createJury({ cwd: root.folder, environment }).show(
      wanted,
      given ?? null,
    );
    const options = { color: false, width: 100 };
    const text =
      id === null ? renderers.terminal(run, options) : renderShown(run, id, { ...options, full });
    if (text === null) throw unclear(run, id ?? '');
    const what = `run ${run.record.run}${id === null ? '' : `, ${nameOf(id)}`}${full ? ', full' : ''}`;
    return {
      facts: { run: run.record.run, part },
      text,
      part,
      more: next => `Cut here. The rest: show with ${what}, part ${next}.`,
    };
  },
});

function unclear(run: Run, id: string): UserError {
  const meant = meantBy(id, run);
  const candidates = meant.kind === 'unclear' ? meant.candidates : [];
  const what =
    candidates.length === 0
      ? 'has no claim, finding or reviewer of this id'
      : `has ${candidates.length} things that could be meant`;
  return new UserError(`Run ${run.record.run} ${what}.`, {
    kind: 'input',
    hint: hintFor(candidates.filter(isPlain)) ?? 'Call show without an id for the report.',
  });
}

/** Reviewers choose the ids of their findings: only a plain one may stand among the facts. */
function nameOf(id: string): string {
  return isPlain(id) ? `id ${id}` : 'the same id';
}

function isPlain(id: string): boolean {
  return /^[A-Za-z0-9._/#-]{1,80}$/.test(id);
}
