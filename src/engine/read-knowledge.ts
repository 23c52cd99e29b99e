/** What the project says itself in the prompts of a run: its guidelines, and what was decided before. */
import { openGuidelines } from '../core/context/guidelines.ts';
import { noKnowledge, type ProjectKnowledge } from '../core/prompt/project-knowledge.ts';
import type { Seat } from '../core/words/config.ts';
import type { Guideline } from '../core/words/guideline.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Mask } from './mask-texts.ts';

export interface Knowledge {
  /** What a reviewer is told with these files. */
  tellFor(seat: Seat, paths: readonly string[]): ProjectKnowledge;
  /** The same as bare text, without the fence, by which no budget may differ. */
  textFor(seat: Seat, paths: readonly string[]): string;
}

/** Secrets in it are masked like those of the change. */
export async function readKnowledge(plan: Plan, mask: Mask): Promise<Knowledge> {
  const learnt: string[] = [];
  const guidelines: Guideline[] = [];
  // One after the other, so that placeholders are numbered alike whenever it is done.
  if (plan.mode === 'code-review')
    for (const line of plan.learnt ?? []) learnt.push(await mask.apply(line, 'decisions'));
  for (const guideline of plan.guidelines ?? [])
    guidelines.push({ ...guideline, text: await mask.apply(guideline.text, guideline.name) });
  const guidelinesFor = openGuidelines({ ...plan, guidelines });
  const tellFor: Knowledge['tellFor'] = (seat, paths) =>
    seat.runner === 'builtin' ? noKnowledge : { learnt, guidelines: guidelinesFor(seat, paths) };
  return {
    tellFor,
    textFor(seat, paths) {
      const told = tellFor(seat, paths);
      return [...told.learnt, ...told.guidelines.map(({ text }) => text)].join('\n');
    },
  };
}
