/** Checks on every run that what was merged is what reviewers wrote, in the files they wrote it. */
import { readFindingsIndex } from '../core/parse/findings-index.ts';
import type { RunStore } from '../core/ports.ts';
import type { Review } from '../core/words/review.ts';
import { groundFindings, type Grounding } from '../core/run-files/grounding.ts';

/** Writes `grounding.json`. */
export async function groundMerged(
  findings: readonly unknown[],
  reviews: readonly Pick<Review, 'reviewer'>[],
  store: RunStore,
): Promise<Grounding> {
  const agents = [];
  for (const { reviewer } of reviews)
    agents.push({
      agent: reviewer,
      index: readFindingsIndex((await store.read(`reviews/${reviewer}.md`)) ?? '', reviewer),
    });
  const grounding = groundFindings({ findings, agents, foreignSkipped: 0, strict: false });
  await store.write('grounding.json', `${JSON.stringify(grounding, null, 2)}\n`);
  return grounding;
}
