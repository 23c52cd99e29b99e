/** `jury search`: passages of the project that match a query. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { renderHits } from '../render/code-index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { noteEvent, unlessInterrupted } from './index-call.ts';
import { printJson } from '../render/json.ts';

export const search = defineCommand({
  summary:
    'Search the code of the project; words are found in any of the ways identifiers are written',
  flags: z.strictObject({
    query: z
      .string({ error: 'it is missing.' })
      .describe('Words or identifiers')
      .meta({ positional: true, value: 'QUERY' }),
    limit: z.int().min(1).max(1_000).default(10).describe('Passages at most').meta({ value: 'N' }),
    revision: z
      .string()
      .optional()
      .describe('Commit to search; default: the working tree')
      .meta({ value: 'COMMIT' }),
    json: z.boolean().default(false).describe('Print the passages as JSON'),
  }),
  epilogue:
    'jury search "parse patch"     finds parsePatch and parse_patch too\njury search openRepository    shows its definition first',
  async run({ query, limit, revision = null, json }, terminal) {
    return unlessInterrupted(terminal, async () => {
      const hits = await createJury({ ...callOf(terminal), onEvent: noteEvent(terminal) }).search({
        query,
        limit,
        revision,
      });
      terminal.write(
        json
          ? printJson(hits)
          : renderHits(hits, query, { color: terminal.color, width: terminal.width }),
      );
      return 0;
    });
  },
});
