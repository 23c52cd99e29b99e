/** `jury motions ratify`: a decision replayed from recorded counts, or several compared. */
import { z } from 'zod';
import { judgeMotions } from '../core/verdict/judges.ts';
import { exitCodeOf, outcomeOf } from '../core/verdict/outcome.ts';
import { createJury, RatifyRequest } from '../index.ts';
import { renderRatification, renderRatificationJson } from '../render/ratification.ts';
import { defineCommand } from './command.ts';
import { callOf } from './run-and-report.ts';

export const ratify = defineCommand({
  summary: 'Apply a rule set to recorded counts alone; nothing is written',
  flags: RatifyRequest.extend({
    json: z.boolean().default(false).describe('Everything as JSON'),
  }),
  epilogue: `Examples:
  jury motions ratify --aggregations aggregations.json --rules quorum --json
  jury motions ratify --aggregations aggregations.json --rules all
  jury motions ratify --aggregations aggregations.json --rules ./our-rules.json`,
  async run({ json, ...request }, terminal) {
    const ratified = await createJury(callOf(terminal)).ratify(request);
    terminal.write(json ? renderRatificationJson(ratified) : renderRatification(ratified));
    return exitCodeOf(
      outcomeOf(ratified.sets.flatMap(({ counts }) => judgeMotions(counts.incomplete, false))),
    );
  },
});
