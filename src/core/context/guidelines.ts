/** Which of the team's guidelines a reviewer is told: those for it, for a file it is shown, from a file it may see. */
import type { Seat } from '../words/config.ts';
import { kindOf } from '../words/runner.ts';
import type { Guideline } from '../words/guideline.ts';
import type { Plan } from '../words/plan.ts';
import { matcherOf, openEgress } from './egress.ts';

/** In the order of the configuration. Built-in analysers read no prompt, and other questions than reviews have none. */
export function openGuidelines({
  guidelines,
  egress,
  mode,
}: Pick<Plan, 'guidelines' | 'egress' | 'mode'>): (
  seat: Pick<Seat, 'id' | 'runner' | 'persona'>,
  paths: readonly string[],
) => readonly Guideline[] {
  if (guidelines.length === 0 || mode !== 'code-review') return () => [];
  const { mayRead } = openEgress(egress);
  const known = guidelines.map(guideline => ({
    guideline,
    names: guideline.paths === null ? () => true : matcherOf(guideline.paths),
  }));
  return (seat, paths) =>
    kindOf(seat.runner) === 'check'
      ? []
      : known
          .filter(
            ({ guideline, names }) =>
              (guideline.reviewers?.some(one => one === seat.id || one === seat.persona.name) ??
                true) &&
              (guideline.file === null || mayRead(seat.id, { path: guideline.file })) &&
              paths.some(names),
          )
          .map(({ guideline }) => guideline);
}
