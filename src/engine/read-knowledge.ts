/** What the project says itself in the prompts of a run: its guidelines, and what was decided before. */
import { openGuidelines } from '../core/context/guidelines.ts';
import { noKnowledge, type ProjectKnowledge } from '../core/prompt/prompt.ts';
import { remember } from '../core/groups.ts';
import type { Seat } from '../core/words/config.ts';
import { kindOf } from '../core/words/runner.ts';
import type { Guideline } from '../core/words/guideline.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Mask } from './mask-texts.ts';

/** `readableOf`: paths that a reviewer may be shown. Secrets in what is told are masked like those of the change. */
export async function readKnowledge(
  plan: Plan,
  mask: Mask,
  readableOf: (seat: Seat) => readonly string[],
) {
  const learnt: string[] = [];
  const guidelines: Guideline[] = [];
  // One after the other, so that placeholders are numbered alike whenever it is done.
  if (plan.mode === 'code-review')
    for (const line of plan.learnt ?? []) learnt.push(await mask.apply(line, 'decisions'));
  for (const guideline of plan.guidelines ?? [])
    guidelines.push({ ...guideline, text: await mask.apply(guideline.text, guideline.name) });
  const guidelinesFor = openGuidelines({ ...plan, guidelines });
  const allFor = remember((seat: Seat) => guidelinesFor(seat, readableOf(seat)), new WeakMap());
  const tellFor = (seat: Seat, paths: readonly string[]): ProjectKnowledge =>
    kindOf(seat.runner) === 'check'
      ? noKnowledge
      : { learnt, guidelines: paths.length === 0 ? allFor(seat) : guidelinesFor(seat, paths) };
  return {
    /** What a reviewer is told with these files; with none, all it can be told. */
    tellFor,
    /** All it can be told as bare text, without the fence, by which no budget may differ. */
    textFor(seat: Seat) {
      const told = tellFor(seat, []);
      return [...told.learnt, ...told.guidelines.map(({ text }) => text)].join('\n');
    },
  };
}
