/** Looks for the run of an earlier state of a change: the one from which reviewers can keep most of what they read. */
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { listRuns } from '../adapters/store/runs.ts';
import { openEgress } from '../core/context/egress.ts';
import { selectFiles } from '../core/context/pack.ts';
import { processOf } from '../core/process.ts';
import { keptPaths, whyWhole } from '../core/pushes/carry-review.ts';
import type { CarriedFrom } from '../core/pushes/describe-carried.ts';
import { samePaths } from '../core/pushes/same-patch.ts';
import type { Repository } from '../core/ports/repository.ts';
import type { Change, Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { Plan } from '../core/words/plan.ts';
import type { FileReading, Review } from '../core/words/review.ts';
import type { Run } from '../core/words/run.ts';
import { loadRun, readPlan } from './earlier-run.ts';
import type { OwnState } from './own-state.ts';
import { isShown } from '../engine/review/rounds.ts';

export interface EarlierPush {
  readonly run: string;
  readonly before: Change;
  /** Files that were read then as they stand now, by path. */
  readonly same: ReadonlySet<string>;
  /** Was it of the very same change, asked otherwise by somebody or judged by other rules? */
  readonly isSameChange: boolean;
  /** Of the seats that are asked now as they were then. */
  readonly reviews: ReadonlyMap<string, Review>;
  readonly whole: CarriedFrom['whole'];
}

export interface Pushing {
  readonly plan: Plan;
  readonly subject: Subject;
  /** Null where there is none to read the earlier state from. */
  readonly repository: Pick<Repository, 'read'> | null;
}

/** Runs that are looked into: of the seats of this plan, the latest ones. */
const mostRuns = 8;

/**
 * Of the latest runs that asked one of the seats in the same way the one from which most can be kept, the later of two; null when
 * nothing can. Runs that were imported, and those that never ended, are none of them.
 */
export async function findEarlierPush(
  state: OwnState,
  pushing: Pushing,
): Promise<EarlierPush | null> {
  const { plan, subject } = pushing;
  if (!isPush(plan, subject)) return null;
  let best: { readonly push: EarlierPush; readonly kept: number } | null = null;
  let looked = 0;
  for (const id of (await listRuns(state)).toSorted().toReversed()) {
    const store = await openRunFolder(state, id);
    const known = await readPlan(store);
    if (known === null || !plan.seats.some(seat => isAskedLike(plan, known, seat))) continue;
    const run = await loadRun(state, store);
    const push = run && (await pushOf(pushing, subject, known, run));
    if (!push) continue;
    const kept = countKept(push, pushing);
    if (kept > (best?.kept ?? 0)) best = { push, kept };
    looked += 1;
    if (looked === mostRuns || (best !== null && best.kept === countAll(pushing))) break;
  }
  return best?.push ?? null;
}

/** What is asked of a working tree or a patch is asked once: a later state of it is another change. */
function isPush(plan: Plan, subject: Subject): subject is Change {
  return (
    plan.asking !== undefined &&
    subject.kind === 'change' &&
    subject.source === 'range' &&
    processOf(plan.command).returned === 'review'
  );
}

/** Analysers are asked again: that costs nothing. */
function isAskedLike(one: Plan, other: Plan, { id, runner }: Seat): boolean {
  const asking = one.asking?.[id] ?? null;
  return runner !== 'builtin' && asking !== null && asking === other.asking?.[id];
}

async function pushOf(
  pushing: Pushing,
  now: Change,
  known: Plan,
  { record, subject, reviews }: Run,
): Promise<EarlierPush | null> {
  if (subject.kind !== 'change' || subject.source === 'files') return null;
  const { plan } = pushing;
  const alike: [string, Review][] = [];
  const whole: CarriedFrom['whole'] = [];
  for (const seat of plan.seats.filter(each => isAsked(each, pushing))) {
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
  return {
    run: record.run,
    before: subject,
    same: await samePaths(
      subject,
      now,
      async file => (await pushing.repository?.read(file, 'old')) ?? null,
    ),
    isSameChange: known.subjectHash === plan.subjectHash,
    reviews: new Map(alike),
    whole,
  };
}

/** Analysers are, at no cost, and who has nothing to read is not. */
function isAsked(seat: Seat, pushing: Pushing): boolean {
  return seat.runner !== 'builtin' && seat.withheld === undefined && ownOf(seat, pushing) > 0;
}

/** What each seat is to read of the change. */
export function readingsFor(
  { plan, subject }: Pick<Pushing, 'plan' | 'subject'>,
  seat: Seat,
): readonly FileReading[] {
  if (subject.kind !== 'change') return [];
  const { refusalFor } = openEgress(plan.egress);
  return selectFiles(subject, seat.persona, file => refusalFor(seat.id, file)).readings;
}

/** Who has anything left to read, as far as is known before the code around the change is looked at. */
export function seatsToAsk(push: EarlierPush, pushing: Pushing): Seat[] {
  return pushing.plan.seats.filter(
    seat => !push.reviews.has(seat.id) || keptBy(seat, push, pushing) < ownOf(seat, pushing),
  );
}

function countKept(push: EarlierPush, pushing: Pushing): number {
  return pushing.plan.seats.reduce((sum, seat) => sum + keptBy(seat, push, pushing), 0);
}

function keptBy(seat: Seat, { reviews, same }: EarlierPush, pushing: Pushing): number {
  const review = reviews.get(seat.id);
  return review === undefined
    ? 0
    : keptPaths({ review, same, readings: readingsFor(pushing, seat) }).size;
}

function countAll(pushing: Pushing): number {
  return pushing.plan.seats
    .filter(seat => isAsked(seat, pushing))
    .reduce((sum, seat) => sum + ownOf(seat, pushing), 0);
}

function ownOf(seat: Seat, pushing: Pushing): number {
  return readingsFor(pushing, seat).filter(isShown).length;
}
