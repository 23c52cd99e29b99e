/** `jury index`: brings the code index up to date and tells what is in it. */
import { z } from 'zod';
import { createJury, type BuiltIndex } from '../index.ts';
import { renderIndex } from '../render/code-index.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';
import { noteEvent, unlessInterrupted } from './index-call.ts';
import { printJson } from '../render/json.ts';

export const index = defineCommand({
  summary:
    'Bring the code index up to date: what the files of the project define, use and import, and their tokens',
  flags: z.strictObject({
    stats: z
      .boolean()
      .default(false)
      .describe('Count by language and by reason why files are skipped'),
    revision: z
      .string()
      .optional()
      .describe('Commit to index; default: the working tree')
      .meta({ value: 'COMMIT' }),
    json: z.boolean().default(false).describe('Print everything as JSON, one entry for each file'),
  }),
  epilogue:
    'Only what has changed is read. The index lies in .jury/index.sqlite and can be deleted at any time.',
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
