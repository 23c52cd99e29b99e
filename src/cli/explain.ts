/** `jury explain`: why a claim is what it is. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { renderExplanation } from '../render/explanation.ts';
import { printJson } from '../render/json.ts';
import { defineCommand } from './command.ts';
import { notedCallOf } from './run-and-report.ts';

export const explain = defineCommand({
  summary: 'Tell why findings are one claim, why its neighbours are not, and how sure that is',
  flags: z.strictObject({
    claim: z
      .string({ error: 'Say which claim, by its id or the beginning of one' })
      .min(1)
      .describe('Claim (c-…) of the latest run, or any that is remembered')
      .meta({ positional: true, value: 'CLAIM' }),
    run: z
      .string()
      .optional()
      .describe(
        'Run to look at: id, a unique beginning of one, or latest; default: the latest that holds the claim',
      )
      .meta({ value: 'RUN' }),
    json: z.boolean().default(false).describe('Print the explanation as JSON'),
  }),
  async run({ claim, run, json }, terminal) {
    const explanation = await createJury(notedCallOf(terminal)).explain({
      claim,
      run: run ?? null,
    });
    terminal.write(
      json
        ? printJson(explanation)
        : renderExplanation(explanation, { color: terminal.color, width: terminal.width }),
    );
    return 0;
  },
});
