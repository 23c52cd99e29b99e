/** What the project says itself in the prompts of a run: its guidelines, and what was decided before. */
import { openGuidelines } from '../core/context/guidelines.ts';
import { noKnowledge, type ProjectKnowledge } from '../core/prompt/prompt.ts';
import type { Seat } from '../core/words/config.ts';
import { kindOf } from '../core/words/runner.ts';
import type { Guideline } from '../core/words/guideline.ts';
import type { Plan } from '../core/words/plan.ts';
import type { Mask } from './mask-texts.ts';

interface Knowledge {
  /** What a reviewer is told with these files; with none, all it can be told. */
  tellFor(seat: Seat, paths: readonly string[]): ProjectKnowledge;
  /** All it can be told as bare text, without the fence, by which no budget may differ. */
  textFor(seat: Seat): string;
}

/** `readableOf`: paths that a reviewer may be shown. Secrets in what is told are masked like those of the change. */
export async function readKnowledge(
  plan: Plan,
  mask: Mask,
  readableOf: (seat: Seat) => readonly string[],
): Promise<Knowledge> {
  const learnt: string[] = [];
  const guidelines: Guideline[] = [];
  // One after the other, so that placeholders are numbered alike whenever it is done.
  if (plan.mode === 'code-review')
    for (const line of plan.learnt ?? []) learnt.push(await mask.apply(line, 'decisions'));
  for (const guideline of plan.guidelines ?? [])
    guidelines.push({ ...guideline, text: await mask.apply(guideline.text, guideline.name) });
  const guidelinesFor = openGuidelines({ ...plan, guidelines });
  const all = new Map(
    plan.seats.map(seat => [
      seat.id,
      { learnt, guidelines: guidelinesFor(seat, readableOf(seat)) },
    ]),
  );
  const tellFor: Knowledge['tellFor'] = (seat, paths) => {
    const own = kindOf(seat.runner) === 'check' ? noKnowledge : (all.get(seat.id) ?? noKnowledge);
    return paths.length === 0 || own.guidelines.length === 0
      ? own
      : { learnt, guidelines: guidelinesFor(seat, paths) };
  };
  return {
    tellFor,
    textFor(seat) {
      const told = tellFor(seat, []);
      return [...told.learnt, ...told.guidelines.map(({ text }) => text)].join('\n');
    },
  };
}
