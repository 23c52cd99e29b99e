/** What would stand around the change in the prompts, with nothing written to the project. */
import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunStore } from '../../core/ports.ts';
import { openReviewContext, type ReviewContext } from '../../engine/context/pack-review-context.ts';
import { clockOf, temporaryFolderOf, type Call } from '../call.ts';
import { openContext } from './open-context.ts';
import type { Prepared } from '../prepare.ts';

export async function previewContext(
  { plan, subject, repository, root }: Prepared,
  call: Call,
): Promise<ReviewContext> {
  const passing = await lstat(join(root, '.jury', 'index.sqlite')).then(
    () => null,
    () => mkdtemp(join(temporaryFolderOf(call), 'jury-index-')),
  );
  try {
    return await openReviewContext(
      { plan, subject },
      {
        store: nowhere(plan.run),
        clock: clockOf(call),
        openContext: async () =>
          subject.kind === 'change' && repository !== null
            ? openContext(subject, repository, passing ?? root, call)
            : null,
      },
      () => {},
    ).beforeAsking;
  } finally {
    if (passing !== null) await rm(passing, { recursive: true, force: true });
  }
}

/** Takes everything and keeps nothing. */
function nowhere(runId: string): RunStore {
  return {
    runId,
    folder: '',
    write: () => Promise.resolve(),
    append: () => Promise.resolve(),
    read: () => Promise.resolve(null),
    list: () => Promise.resolve([]),
  };
}
