/** `jury dismiss`: a claim that shall not come back. */
import { z } from 'zod';
import { createJury, decisionScopes, Day, type DecisionRequest } from '../index.ts';
import { defineCommand } from './command.ts';
import { describeDecision } from './decision.ts';
import { notedCallOf } from './run-and-report.ts';

const verdicts = { false: 'rejected', tolerated: 'tolerated' } as const satisfies Record<
  string,
  DecisionRequest['verdict']
>;

export const dismiss = defineCommand({
  summary: 'Dismiss a claim, so that it does not come back while its code stays as it is',
  flags: z.strictObject({
    claim: z
      .string({ error: 'Say which claim, by its id or the beginning of one' })
      .min(1)
      .describe('Claim (c-…) of the latest run, or any that is remembered')
      .meta({ positional: true, value: 'CLAIM' }),
    reason: z
      .string({ error: 'Say why, for whoever reads it later' })
      .trim()
      .min(1, 'Say why, for whoever reads it later')
      .describe('Why, for whoever reads it later')
      .meta({ value: 'TEXT' }),
    as: z
      .enum(['false', 'tolerated'])
      .default('false')
      .describe(
        'false: it is not so, which counts against those who said it; tolerated: it is, and stays',
      )
      .meta({ value: 'WORD' }),
    until: Day.optional()
      .describe('Last day on which the dismissal holds; default: for good')
      .meta({ value: 'DATE' }),
    scope: z
      .enum(decisionScopes)
      .default('claim')
      .describe(
        'What is dismissed: this claim, or everything at most as severe about its file or of its category',
      )
      .meta({ value: 'SCOPE' }),
    baseline: z
      .boolean()
      .default(false)
      .describe('Write it to jury.baseline.json too, to be committed'),
    json: z.boolean().default(false).describe('Print the record as JSON'),
  }),
  epilogue: `Examples:
  jury dismiss c-0123456789 --reason "the list is never empty here"
  jury dismiss c-01 --reason "until the rewrite" --as tolerated --until 2027-03-31
  jury dismiss c-01 --reason "generated code" --scope file --baseline`,
  async run({ claim, reason, as, until, scope, baseline, json }, terminal) {
    const decided = await createJury(notedCallOf(terminal)).decide({
      claim,
      reason,
      scope,
      baseline,
      verdict: verdicts[as],
      until: until ?? null,
    });
    terminal.write(describeDecision(decided, json));
    return 0;
  },
});
