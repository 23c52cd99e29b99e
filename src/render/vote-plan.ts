/** The dry run of a vote as a person wants to read it. */
import type { VotePlan } from '../core/printed/votes.ts';
import { describePanels, describeSecondPass } from '../core/spending/forecast.ts';
import { describeMonth } from '../core/spending/month.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { toOneLine } from '../core/text.ts';
import { count } from './figures.ts';

export function renderVotePlan(plan: VotePlan): string {
  const { session, motions, members, rules, run, month, secondPass, example } = plan;
  return [
    'DRY RUN: nobody was asked.',
    `Session: ${toOneLine(session)}, ${count(motions, 'motion')}, ${count(members, 'member')}, rules ${toOneLine(rules)}`,
    run !== null &&
      (plan.isComplete
        ? `Run ${run} has ended; nothing is missing: nobody would be asked (--fresh asks anew).`
        : `It would go on with run ${run}: what was answered is not asked again.`),
    plan.sentence,
    month !== null &&
      (month.limit !== null || month.calls > 0) &&
      `This month: ${describeMonth(month, month.limit)}.`,
    describePanels(plan.panels),
    secondPass !== null && describeSecondPass(secondPass),
    'Members are asked at:',
    ...plan.places.map(
      ({ runner, endpoint, model }) =>
        `  ${makeVisible([runner, model, endpoint].filter(part => part !== null).join(' '))}`,
    ),
    example !== null &&
      `\nPrompt of ${toOneLine(example.member)}:\n\n${makeVisible(example.prompt)}`,
  ]
    .filter(line => line !== false)
    .join('\n');
}
