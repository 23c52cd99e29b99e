/** Finds passages of the project, so that a caller need not read files to find a place. */
import { z } from 'zod';
import { createJury } from '../../index.ts';
import { renderHits } from '../../render/code-index.ts';
import { Part, RootName } from '../inputs.ts';
import { rootNamed } from '../roots.ts';
import { defineTool } from '../tool.ts';

export const search = defineTool({
  name: 'search',
  description: 'Passages of the project that match words or identifiers, best first.',
  // The index it brings up to date is kept in `.jury`.
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
    }).search({ query, limit, revision: null });
    const text = renderHits(hits, query, { color: false, width: 100 });
    return {
      facts: { hits: hits.length },
      text,
      part,
      more: next => `Cut here. The rest: search with the same query, part ${next}.`,
    };
  },
});
