/** The tools that read and ask nobody: `show` one thing of a run, its `verdicts`, `search` the project. */
import { z } from 'zod';
import { inputError } from '../core/errors.ts';
import { renderHits } from '../render/code-index.ts';
import { renderAccount } from '../render/motion-account.ts';
import { renderNamed } from '../render/show.ts';
import { renderVerdicts } from '../render/verdict-table.ts';
import { briefOfKept, plain } from './answer.ts';
import { defineTool, juryAt, Part, RootName, RunName, jobNamed } from './tool.ts';
import { Flag, Text, Whole, optional, preset } from '../core/words/fields.ts';

export const show = defineTool({
  name: 'show',
  description: 'One claim, finding or review of an ended run, in pieces of at most 1,000 tokens.',
  readOnly: true,
  input: z.strictObject({
    run: RunName,
    id: optional(
      Text.min(1).max(300),
      'c-…, REVIEWER/ID, REVIEWER or a motion; default: the whole report',
    ),
    full: preset(Flag, false, 'With the raw words'),
    part: Part,
    root: RootName,
  }),
  async answer({ run: wanted, id: given, full, part, root }, call) {
    // The latest is the one that answered last, whatever is under way.
    if (wanted !== 'latest' && jobNamed(call, root, wanted)?.end === null)
      throw inputError('This run is still running.', 'Call wait with it.');
    const jury = juryAt(call, root);
    const vote = await jury.readVote(wanted);
    if (vote !== null && given !== undefined) {
      const { account } = await jury.explainMotion({ id: given, from: vote.run });
      return {
        facts: { run: vote.run, motion: account.number, outcome: account.outcome, part },
        text: renderAccount(account, plain),
        part,
        again: `show with run ${vote.run}, id ${account.number}`,
      };
    }
    if (vote !== null) return { ...briefOfKept(vote), part, again: `show with run ${vote.run}` };
    const shown = await jury.show(wanted, given ?? null, { full });
    const { run, id } = shown;
    // Reviewers choose the ids of their findings: only a plain one may stand among the facts.
    const name = /^[A-Za-z0-9._/#-]{1,80}$/.test(id ?? '') ? `id ${id}` : 'the same id';
    return {
      facts: { run: run.record.run, part },
      text: renderNamed(shown, { ...plain, full }),
      part,
      again: `show with run ${run.record.run}${id === null ? '' : `, ${name}`}${full ? ', full' : ''}`,
    };
  },
});

/** Finds passages of the project, so that a caller need not read files to find a place. */
export const search = defineTool({
  name: 'search',
  description: 'Passages of the project that match words or identifiers, best first.',
  // The index it brings up to date is kept in the state of the project.
  readOnly: false,
  input: z.strictObject({
    query: Text.min(1).max(1_000),
    limit: Whole.min(1).max(50).default(5),
    part: Part,
    root: RootName,
  }),
  async answer({ query, limit, part, root }, call) {
    const hits = await juryAt(call, root, call).search({
      query,
      limit,
      revision: null,
      forAnybody: true,
    });
    return {
      facts: { hits: hits.length },
      text: renderHits(hits, query, plain),
      part,
      again: 'search with the same query',
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
  async answer({ run, view, part, root }, call) {
    const listing = await juryAt(call, root).verdicts({ run });
    return {
      facts: { verdicts: listing.rows.length },
      text: renderVerdicts[view](listing).text,
      part,
      again: 'verdicts with the same run',
    };
  },
});
