/** `jury index` brings the code index up to date and tells what is in it; `jury search` asks it. */
import { flag, text } from '../core/flags.ts';
import { printJson } from '../render/json.ts';
import { z } from 'zod';
import { type BuiltIndex, createJury } from '../index.ts';
import { renderHits, renderIndex } from '../render/code-index.ts';
import { defineCommand } from './command.ts';
import { callOf, noteEvent, unlessInterrupted } from './terminal.ts';

export const index = defineCommand({
  summary:
    'Bring the code index up to date: what the files of the project define, use and import, and their tokens',
  flags: z.strictObject({
    stats: flag('Count by language and by reason why files are skipped'),
    revision: text('COMMIT', 'Commit to index; default: the working tree'),
    json: flag('Print everything as JSON, one entry for each file'),
  }),
  epilogue:
    'Only what has changed is read. The index is kept outside of the project and can be deleted at any time.',
  async run({ stats, revision = null, json }, terminal) {
    return unlessInterrupted(terminal, async () => {
      const built = await createJury({ ...callOf(terminal), onEvent: noteEvent(terminal) }).index({
        revision,
      });
      terminal.write(
        json
          ? printJson(toJson(built))
          : renderIndex(built, stats, { color: terminal.color, width: terminal.width }),
      );
      return 0;
    });
  },
});

function toJson({ refreshed, statistics, files, skipped }: BuiltIndex): unknown {
  const { branch, tree, tokens, counter, definitions, references, imports } = statistics;
  return {
    schema: 1,
    branch,
    tree,
    total_tokens: tokens,
    counter,
    definitions,
    references,
    imports,
    ...refreshed,
    files,
    skipped,
  };
}

/** `jury search`: passages of the project that match a query. */
export const search = defineCommand({
  summary:
    'Search the code of the project; words are found in any of the ways identifiers are written',
  flags: z.strictObject({
    query: z
      .string({ error: 'Say what to search for, in words or identifiers' })
      .describe('Words or identifiers')
      .meta({ positional: true, value: 'QUERY' }),
    limit: z.int().min(1).max(1_000).default(10).describe('Passages at most').meta({ value: 'N' }),
    revision: text('COMMIT', 'Commit to search; default: the working tree'),
    json: flag('Print the passages as JSON'),
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
