/** `jury plan`: what a review would take, before anybody is asked. */
import { flag } from '../core/flags.ts';
import { printJson } from '../render/json.ts';
import { createJury, ReviewRequest } from '../index.ts';
import { renderPlan } from '../render/review-plan.ts';
import { defineCommand, TrustFlags } from './command.ts';
import { callOf } from './terminal.ts';

export const plan = defineCommand({
  summary:
    'Tell what a review would take: who is asked and why, tokens, budgets, calls, money, ceiling',
  flags: ReviewRequest.extend({
    ...TrustFlags.shape,
    json: flag('Print the plan as JSON'),
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
