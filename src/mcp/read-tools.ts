/** The tools that read and ask nobody: `show` one thing of a run, its `verdicts`, `search` the project. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { inputError } from '../core/errors.ts';
import { renderHits } from '../render/code-index.ts';
import { renderAccount } from '../render/motion-account.ts';
import { renderNamed } from '../render/show.ts';
import { renderVerdicts } from '../render/verdict-table.ts';
import { briefOfKept } from './answer.ts';
import { defineTool, Part, RootName, rootNamed, RunName } from './tool.ts';

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
      .describe('c-…, REVIEWER/ID, REVIEWER or a motion; default: the whole report'),
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
      throw inputError('This run is still running.', 'Call wait with it.');
    const jury = createJury({ cwd: root.folder, environment });
    const vote = await jury.readVote(wanted);
    if (vote !== null && given !== undefined) {
      const { account } = await jury.explainMotion({ id: given, from: vote.run });
      return {
        facts: { run: vote.run, motion: account.number, outcome: account.outcome, part },
        text: renderAccount(account, { color: false, width: 100 }),
        part,
        more: next =>
          `Cut here. The rest: show with run ${vote.run}, id ${account.number}, part ${next}.`,
      };
    }
    if (vote !== null)
      return {
        ...briefOfKept(vote),
        part,
        more: next => `Cut here. The rest: show with run ${vote.run}, part ${next}.`,
      };
    const shown = await jury.show(wanted, given ?? null, { full });
    const { run, id } = shown;
    const text = renderNamed(shown, { color: false, width: 100, full });
    const what = `run ${run.record.run}${id === null ? '' : `, ${nameOf(id)}`}${full ? ', full' : ''}`;
    return {
      facts: { run: run.record.run, part },
      text,
      part,
      more: next => `Cut here. The rest: show with ${what}, part ${next}.`,
    };
  },
});

/** Reviewers choose the ids of their findings: only a plain one may stand among the facts. */
function nameOf(id: string): string {
  return isPlain(id) ? `id ${id}` : 'the same id';
}

function isPlain(id: string): boolean {
  return /^[A-Za-z0-9._/#-]{1,80}$/.test(id);
}

/** Finds passages of the project, so that a caller need not read files to find a place. */
export const search = defineTool({
  name: 'search',
  description: 'Passages of the project that match words or identifiers, best first.',
  // The index it brings up to date is kept in the state of the project.
  readOnly: false,
  input: z.strictObject({
    query: z.string().min(1).max(1_000),
    limit: z.int().min(1).max(50).default(5),
    part: Part,
    root: RootName,
  }),
  async answer({ query, limit, part, root: rootName }, { roots, environment, signal }) {
    const hits = await createJury({
      cwd: rootNamed(roots, rootName).folder,
      environment,
      signal,
    }).search({ query, limit, revision: null, forAnybody: true });
    const text = renderHits(hits, query, { color: false, width: 100 });
    return {
      facts: { hits: hits.length },
      text,
      part,
      more: next => `Cut here. The rest: search with the same query, part ${next}.`,
    };
  },
});

/** The verdict table of a run: one line for each reviewer. */
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
