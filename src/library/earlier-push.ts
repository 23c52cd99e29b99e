/**
 * The run of an earlier state of a change, and what of it still stands: nobody is asked again about a file that has not changed since
 * they read it.
 */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { listRuns } from '../adapters/store/runs.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { openEgress } from '../core/context/egress.ts';
import { selectFiles } from '../core/context/pack.ts';
import {
  findFingerprint,
  fingerprintFile,
  fingerprintPlace,
} from '../core/memory/code-fingerprint.ts';
import type { Repository } from '../core/ports/repository.ts';
import { processOf } from '../core/process.ts';
import { type Carrying, carryReview, keptPaths, whyWhole } from '../core/pushes/carry-review.ts';
import { CarriedFrom } from '../core/pushes/describe-carried.ts';
import { leaningFiles } from '../core/pushes/leaning-files.ts';
import { Since } from '../core/pushes/since.ts';
import type { Change, Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import { type FileReading, Review } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { carriedKey, reviewKey, sinceKey } from '../engine/review/rounds.ts';
import type { World } from '../engine/world.ts';
import { areShownAround } from '../engine/context/pack-review-context.ts';
import { loadRun, readPlan } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';

export interface EarlierPush {
  readonly run: string;
  readonly then: Change;
  /** Of the seats that are asked now as they were then. */
  readonly reviews: ReadonlyMap<string, Review>;
  readonly whole: CarriedFrom['whole'];
}

interface Pushing {
  readonly plan: Plan;
  readonly subject: Subject;
}

/** Runs that are looked into: of the seats of this plan, the latest ones. */
const mostRuns = 8;

/**
 * Of the latest runs that asked one of the seats in the same way the one from which most can be kept, the later of two; null when
 * nothing can. Runs that were imported, and those that never ended, are none of them.
 */
export async function findEarlierPush(
  state: OwnState,
  { plan, subject }: Pushing,
): Promise<EarlierPush | null> {
  if (!isPush(plan, subject)) return null;
  let best: { readonly push: EarlierPush; readonly kept: number } | null = null;
  let looked = 0;
  for (const id of (await listRuns(state)).toSorted().toReversed()) {
    const store = await openRunFolder(state, id);
    const known = await readPlan(store);
    if (known === null || !plan.seats.some(seat => isAskedLike(plan, known, seat))) continue;
    const run = await loadRun(state, store);
    const push = run && pushOf(plan, known, run);
    if (!push) continue;
    const kept = countKept(push, { plan, subject });
    if (kept > (best?.kept ?? 0)) best = { push, kept };
    looked += 1;
    if (looked === mostRuns || (best !== null && best.kept === countAll({ plan, subject }))) break;
  }
  return best?.push ?? null;
}

/** What is asked of a working tree or a patch is asked once: a later state of it is another change. */
function isPush(plan: Plan, subject: Subject): subject is Change {
  return (
    plan.asking !== undefined &&
    subject.kind === 'change' &&
    subject.source === 'range' &&
    processOf(plan.command).gate === 'run'
  );
}

/** Analysers are asked again: that costs nothing. */
function isAskedLike(one: Plan, other: Plan, { id, runner }: Seat): boolean {
  const asking = one.asking?.[id] ?? null;
  return runner !== 'builtin' && asking !== null && asking === other.asking?.[id];
}

function pushOf(plan: Plan, known: Plan, { record, subject, reviews }: Run): EarlierPush | null {
  if (subject.kind !== 'change' || subject.source === 'files') return null;
  const alike: [string, Review][] = [];
  const whole: CarriedFrom['whole'] = [];
  for (const seat of plan.seats.filter(({ runner }) => runner !== 'builtin')) {
    const review = reviews.find(({ reviewer }) => reviewer === seat.id);
    const why =
      review === undefined
        ? 'it was not asked then'
        : isAskedLike(plan, known, seat)
          ? whyWhole(review)
          : 'it is asked in another way';
    if (why === null && review !== undefined) alike.push([seat.id, review]);
    else whole.push({ reviewer: seat.id, why: why ?? '' });
  }
  return { run: record.run, then: subject, reviews: new Map(alike), whole };
}

/** What each seat is to read of the change. */
function readingsFor({ plan, subject }: Pushing, seat: Seat): readonly FileReading[] {
  if (subject.kind !== 'change') return [];
  const { refusalFor } = openEgress(plan.egress);
  return selectFiles(subject, seat.persona, file => refusalFor(seat.id, file)).readings;
}

function countKept({ reviews, then }: EarlierPush, pushing: Pushing): number {
  const { subject, plan } = pushing;
  if (subject.kind !== 'change') return 0;
  return plan.seats.reduce((sum, seat) => {
    const review = reviews.get(seat.id);
    const readings = readingsFor(pushing, seat);
    return review === undefined
      ? sum
      : sum + keptPaths({ review, then, now: subject, readings }).size;
  }, 0);
}

function countAll(pushing: Pushing): number {
  return pushing.plan.seats
    .filter(({ runner }) => runner !== 'builtin')
    .flatMap(seat => readingsFor(pushing, seat))
    .filter(({ extent }) => extent === 'full' || extent === 'partial').length;
}

interface Beginning extends Pushing, Pick<World, 'steps' | 'store' | 'openContext'> {
  readonly state: OwnState;
  readonly repository: Pick<Repository, 'read'> | null;
}

/**
 * Begins a run with what still stands of an earlier one, as its round 0: before anybody is asked, and so that a run that is killed and
 * goes on has the same. A seat that has begun already is let be. Null when nobody is spared anything.
 */
export async function carryReviews(
  push: EarlierPush,
  { plan, subject, state, repository, steps, store, openContext }: Beginning,
): Promise<CarriedFrom | null> {
  if (subject.kind !== 'change') return null;
  const from = { run: push.run, whole: push.whole };
  const earlier = await openRunFolder(state, push.run);
  const leaning = areShownAround(plan)
    ? await findLeaning(push.then, subject, openContext)
    : new Map<string, string>();
  let isAny = false;
  for (const seat of plan.seats) {
    const review = push.reviews.get(seat.id);
    if (review === undefined || steps.recall(reviewKey(seat, 0)) !== undefined) continue;
    const carried = await carryReview({
      run: push.run,
      review,
      then: push.then,
      now: subject,
      readings: readingsFor({ plan, subject }, seat),
      leaning,
      lineNow: createLineFinder(push.then, subject, repository),
    });
    if (carried === null) continue;
    if (!isAny) await steps.step(carriedKey, () => Promise.resolve(from), CarriedFrom);
    isAny = true;
    await steps.step(sinceKey(seat), () => Promise.resolve(carried.since), Since);
    await steps.step(reviewKey(seat, 0), () => Promise.resolve(carried.review), Review);
    const said = await earlier.read(`raw/${seat.id}.txt`);
    if (said !== null) await store.write(`raw/${seat.id}.txt`, said);
  }
  return isAny ? from : null;
}

/** Where reviewers are shown what stands around a change, a file is the same only while what it uses of the change is. */
async function findLeaning(
  then: Change,
  now: Change,
  openContext: World['openContext'],
): Promise<ReadonlyMap<string, string>> {
  // What goes wrong with the index is told where the packs are made.
  const context = await openContext?.().catch(() => null);
  if (!context) return new Map();
  try {
    return leaningFiles(then, now, context.index);
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
