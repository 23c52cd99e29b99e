/** `jury accept`: a claim that is real. */
import { z } from 'zod';
import { createJury } from '../index.ts';
import { defineCommand } from './command.ts';
import { describeDecision } from './decision.ts';
import { notedCallOf } from './run-and-report.ts';

export const accept = defineCommand({
  summary: 'Confirm a claim as real',
  flags: z.strictObject({
    claim: z
      .string({ error: 'Say which claim, by its id or the beginning of one' })
      .min(1)
      .describe('Claim (c-…) of the latest run, or any that is remembered')
      .meta({ positional: true, value: 'CLAIM' }),
    reason: z.string().default('').describe('What confirms it').meta({ value: 'TEXT' }),
    baseline: z
      .boolean()
      .default(false)
      .describe('Write it to jury.baseline.json too, to be committed'),
    json: z.boolean().default(false).describe('Print the record as JSON'),
  }),
  epilogue: 'It counts for the reviewers who said it, and ends an earlier dismissal.',
  async run({ claim, reason, baseline, json }, terminal) {
    const decided = await createJury(notedCallOf(terminal)).decide({
      claim,
      reason,
      baseline,
      verdict: 'accepted',
      scope: 'claim',
      until: null,
    });
    terminal.write(describeDecision(decided, json));
    return 0;
  },
});
