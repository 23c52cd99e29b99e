/** The dry run of a vote as a person wants to read it. */
import type { VotePlan } from '../core/printed/votes.ts';
import { describeMonth } from '../core/spending/month.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { toOneLine } from '../core/text.ts';
import { describePanels, describeSecondPass } from '../core/spending/forecast.ts';
import { count } from './figures.ts';

export function renderVotePlan(plan: VotePlan): string {
  const { session, motions, members, rules, places, example } = plan;
  return [
    'DRY RUN: nobody was asked.',
    `Session: ${toOneLine(session)}, ${count(motions, 'motion')}, ${count(members, 'member')}, rules ${toOneLine(rules)}`,
    ...describeRun(plan),
    plan.sentence,
    ...(plan.month === null || (plan.month.limit === null && plan.month.calls === 0)
      ? []
      : [`This month: ${describeMonth(plan.month, plan.month.limit)}.`]),
    describePanels(plan.panels),
    ...(plan.secondPass === null ? [] : [describeSecondPass(plan.secondPass)]),
    'Members are asked at:',
    ...places.map(
      ({ runner, endpoint, model }) =>
        `  ${makeVisible([runner, model, endpoint].filter(part => part !== null).join(' '))}`,
    ),
    ...(example === null
      ? []
      : ['', `Prompt of ${toOneLine(example.member)}:`, '', makeVisible(example.prompt)]),
  ].join('\n');
}

function describeRun({ run, isComplete }: VotePlan): string[] {
  if (run === null) return [];
  return [
    isComplete
      ? `Run ${run} has ended; nothing is missing: nobody would be asked (--fresh asks anew).`
      : `It would go on with run ${run}: what was answered is not asked again.`,
  ];
}
