/** `jury resume`: finishes a run that was killed, interrupted or could not be decided. */
import { z } from 'zod';
import { createJury, UserError } from '../index.ts';
import { defineCommand } from './command.ts';
import { resumeVote } from './motions.ts';
import { callOf, OutputFlags, runAndReport, TrustFlags } from './run-and-report.ts';

export const resume = defineCommand({
  summary: 'Finish a run that was interrupted or incomplete',
  flags: z.strictObject({
    run: z
      .string()
      .default('latest')
      .describe('Run id, a unique beginning of one, or latest')
      .meta({ positional: true, value: 'RUN' }),
    ...TrustFlags.shape,
    ...OutputFlags.shape,
  }),
  async run({ run: wanted, trustConfig, format, json, out }, terminal) {
    const vote = await createJury(callOf(terminal)).findVote(wanted);
    if (vote === null)
      return runAndReport(
        call => createJury({ ...call, trustConfig }).resume(wanted),
        { format, json, out },
        terminal,
      );
    const chosen = json ? 'json' : format;
    if (chosen === 'html')
      throw new UserError('A vote on motions has no HTML report.', {
        kind: 'usage',
        hint: 'Use --format markdown.',
      });
    return resumeVote(
      vote,
      { format: chosen === undefined || chosen === 'brief' ? 'terminal' : chosen, trustConfig },
      terminal,
    );
  },
});
