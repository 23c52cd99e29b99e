/** What a run would keep of that of an earlier state of its change, for whoever wants to know before anybody is asked. */
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../adapters/system/temporary-folder.ts';
import type { Carried } from '../core/words/run.ts';
import type { PackOptions } from '../engine/pack-change.ts';
import { readIn } from '../engine/review/rounds.ts';
import type { World } from '../engine/world.ts';
import { type Call, temporaryFolderOf } from './call.ts';
import { foretellCarried, keepReviews } from './carry-push.ts';
import { openContext } from './context/open-context.ts';
import { findEarlierPush } from './earlier-push.ts';
import type { Prepared } from './prepare.ts';

export interface Foreseen {
  readonly packing: Pick<PackOptions, 'readBefore' | 'since'>;
  /** Who has nothing left to read. */
  readonly whole: ReadonlySet<string>;
  readonly carried: Carried | null;
}

/** Nothing is written. */
export async function foresee(prepared: Prepared, call: Call): Promise<Foreseen> {
  const push = prepared.fresh ? null : await findEarlierPush(prepared.state, prepared);
  // Who asks what would be sent of a change that was reviewed already wants to see it.
  if (push === null || push.isSameChange) return { packing: {}, whole: new Set(), carried: null };
  const kept = await withPassingIndex(prepared, call, openContext =>
    keepReviews(push, { ...prepared, openContext }),
  );
  const reviews = [...kept.values()].map(({ review }) => review);
  return {
    packing: {
      readBefore: new Map(reviews.map(review => [review.reviewer, readIn(review)])),
      since: new Map([...kept].map(([seat, { since }]) => [seat, since])),
    },
    whole: new Set(
      reviews.filter(({ status }) => status === 'complete').map(({ reviewer }) => reviewer),
    ),
    carried: foretellCarried(push, kept),
  };
}

/** Where the project has no index yet, one is made that goes with the preview. */
export async function withPassingIndex<Result>(
  { subject, repository, state }: Prepared,
  call: Call,
  use: (openContext: NonNullable<World['openContext']>) => Promise<Result>,
): Promise<Result> {
  const passing = await lstat(join(state.root, 'index.sqlite')).then(
    () => null,
    async () => makeTemporaryFolder(await realpath(temporaryFolderOf(call)), 'index'),
  );
  try {
    return await use(async () =>
      subject.kind === 'change' && repository !== null
        ? openContext(
            subject,
            repository,
            passing === null ? state : { ...state, root: passing.path },
            call,
          )
        : null,
    );
  } finally {
    await passing?.remove();
  }
}
