/** `jury plan`: what a review would take, before anybody is asked. */
import { printJson } from '../render/json.ts';
import { z } from 'zod';
import { createJury, ReviewRequest } from '../index.ts';
import { renderPlan } from '../render/review-plan.ts';
import { TrustFlags, defineCommand } from './command.ts';
import { callOf } from './terminal.ts';

export const plan = defineCommand({
  summary:
    'Tell what a review would take: who is asked and why, tokens, budgets, calls, money, ceiling',
  flags: ReviewRequest.extend({
    ...TrustFlags.shape,
    json: z.boolean().default(false).describe('Print the plan as JSON'),
  }),
  epilogue: `Examples:
  jury plan                            what is not committed, else the branch, else the last commit
  jury plan main..HEAD --complexity SIMPLE
  jury plan --staged --json`,
  async run({ json, trustConfig, ...request }, terminal) {
    const drawn = await createJury({ ...callOf(terminal), trustConfig }).plan({
      process: 'review',
      ...request,
    });
    terminal.write(
      json ? printJson(drawn) : renderPlan(drawn, { color: terminal.color, width: terminal.width }),
    );
    return 0;
  },
});
