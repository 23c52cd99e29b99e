/**
 * What of an earlier run still stands for a later state of its change: nobody is asked again about a file that has not changed since
 * they read it.
 */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import {
  findFingerprint,
  fingerprintFile,
  fingerprintPlace,
} from '../core/change/code-fingerprint.ts';
import type { Repository } from '../core/ports/repository.ts';
import { type CarriedReview, type Carrying, carryReview } from '../core/pushes/carry-review.ts';
import { CarriedFrom, describeCarried } from '../core/pushes/describe-carried.ts';
import { leaningFiles } from '../core/pushes/leaning-files.ts';
import { Since } from '../core/pushes/since.ts';
import type { Change } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import { Review } from '../core/words/review.ts';
import type { Carried } from '../core/words/run.ts';
import { carriedKey, reviewKey, sinceKey } from '../engine/review/rounds.ts';
import type { World } from '../engine/world.ts';
import { type EarlierPush, type Pushing, readingsFor } from './earlier-push.ts';
import type { OwnState } from './own-state.ts';

/** By seat that keeps anything. */
type KeptReviews = ReadonlyMap<string, CarriedReview>;

type Keeping = Pushing & Pick<World, 'openContext'>;

/** Nothing is written. */
export async function keepReviews(
  push: EarlierPush,
  { plan, subject, repository, openContext }: Keeping,
): Promise<KeptReviews> {
  const kept = new Map<string, CarriedReview>();
  if (subject.kind !== 'change') return kept;
  const leaning = await findLeaning(push, subject, openContext);
  if (leaning === null) return kept;
  const lineNow = createLineFinder(push.before, subject, repository);
  for (const seat of plan.seats) {
    const review = push.reviews.get(seat.id);
    if (review === undefined) continue;
    const carried = await carryReview({
      run: push.run,
      review,
      startedAt: plan.startedAt,
      before: push.before,
      now: subject,
      same: push.same,
      readings: readingsFor({ plan, subject }, seat),
      leaning,
      lineNow,
    });
    if (carried !== null) kept.set(seat.id, carried);
  }
  return kept;
}

/** What a run that begins with it would say of it. */
export function foretellCarried({ run, whole }: EarlierPush, kept: KeptReviews): Carried | null {
  return describeCarried(
    { run, whole },
    [...kept.values()].map(({ review }) => review),
    new Map([...kept].map(([seat, { since }]) => [seat, since])),
  );
}

interface Beginning extends Pick<Pushing, 'plan'>, Pick<World, 'steps' | 'store'> {
  readonly state: OwnState;
}

/**
 * Begins a run with it, as its round 0: before anybody is asked, and so that a run that is killed and goes on has the same. A seat that
 * has begun already is let be. False when nobody is spared anything.
 */
export async function beginWith(
  { run, whole }: EarlierPush,
  kept: KeptReviews,
  { plan, state, steps, store }: Beginning,
): Promise<boolean> {
  const seats: Seat[] = [];
  for (const seat of plan.seats)
    if (kept.has(seat.id) && (await steps.recall(reviewKey(seat, 0))) === undefined)
      seats.push(seat);
  if (seats.length === 0) return false;
  const earlier = await openRunFolder(state, run);
  await steps.step(carriedKey, () => Promise.resolve({ run, whole }), CarriedFrom);
  for (const seat of seats) {
    const carried = kept.get(seat.id);
    if (carried === undefined) continue;
    await steps.step(sinceKey(seat), () => Promise.resolve(carried.since), Since);
    await steps.step(reviewKey(seat, 0), () => Promise.resolve(carried.review), Review);
    const said = await earlier.read(`raw/${seat.id}.txt`);
    if (said !== null) await store.write(`raw/${seat.id}.txt`, said);
  }
  return true;
}

/**
 * A file is the same only while what it uses of the change is: whoever read them side by side judged them together. Null where nobody
 * can tell, since there is no index.
 */
async function findLeaning(
  { before, same }: EarlierPush,
  now: Change,
  openContext: World['openContext'],
): Promise<ReadonlyMap<string, string> | null> {
  const isSameThroughout =
    before.files.length === now.files.length && same.size === now.files.length;
  if (isSameThroughout) return new Map();
  // What goes wrong with the index is told where the packs are made.
  const context = (await openContext?.().catch(() => null)) ?? null;
  if (context === null) return null;
  try {
    return leaningFiles(before, now, same, context.index);
  } finally {
    context.close();
  }
}

/** By what stands at the line: the texts of both states, where git still has the earlier one. */
function createLineFinder(
  then: Change,
  now: Change,
  repository: Pick<Repository, 'read'> | null,
): Carrying['lineNow'] {
  const prints = new Map<string, Promise<ReturnType<typeof fingerprintFile> | null>>();
  const printOf = (change: Change, path: string, side: 'old' | 'new') => {
    const key = JSON.stringify([change === then, path, side]);
    const file = change.files.find(each => each.path === path);
    const known =
      prints.get(key) ??
      Promise.resolve(file === undefined ? null : (repository?.read(file, side) ?? null)).then(
        text => (text === null ? null : fingerprintFile(text, sha256)),
      );
    prints.set(key, known);
    return known;
  };
  return async (path, { line, side }) => {
    const [before, after] = await Promise.all([
      printOf(then, path, side).catch(() => null),
      printOf(now, path, side).catch(() => null),
    ]);
    const code = before && fingerprintPlace(before, line, null);
    return code && after ? (findFingerprint(after, code, line)?.line ?? null) : null;
  };
}
