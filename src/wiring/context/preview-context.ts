/** What would stand around the change in the prompts, with nothing written to the project. */
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../../adapters/system/clock.ts';
import type { RunStore } from '../../core/ports.ts';
import type { ReviewContext } from '../../engine/context/pack-review-context.ts';
import { openReviewContext } from '../../engine/context/review-context.ts';
import { openContext } from './open-context.ts';
import type { Prepared } from '../prepare.ts';

export async function previewContext({ plan, subject, repository, root }: Prepared): Promise<ReviewContext> {
  const passing = await lstat(join(root, '.jury', 'index.sqlite')).then(() => null, () => mkdtemp(join(tmpdir(), 'jury-index-')));
  try {
    return await openReviewContext({ plan, subject }, {
      store: nowhere(plan.run), clock: systemClock,
      openContext: async () => (subject.kind === 'change' && repository !== null ? openContext(subject, repository, passing ?? root, { cwd: root, environment: {} }) : null),
    }, () => {}).beforeAsking;
  } finally {
    if (passing !== null) await rm(passing, { recursive: true, force: true });
  }
}

/** Takes everything and keeps nothing. */
function nowhere(runId: string): RunStore {
  return { runId, folder: '', write: () => Promise.resolve(), append: () => Promise.resolve(), read: () => Promise.resolve(null), list: () => Promise.resolve([]) };
}
