/** Starts a run, or answers from an earlier one when nothing that decides the answers has changed. */
import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { readApprovals } from '../adapters/memory/allowed-records.ts';
import { removeOldRuns } from '../adapters/store/runs.ts';
import type { Plan } from '../core/words/plan.ts';
import { type Approval, withoutApproved } from '../core/verdict/record.ts';
import { ifUserError } from '../core/errors.ts';
import { wasInterrupted } from '../core/verdict/review-status.ts';
import { describeSubject } from '../core/run-files/run-record.ts';
import { type Run, type RunRecord, Adopted } from '../core/words/run.ts';
import {
  type RunRequest,
  nextRound,
  adoptedKey,
  carriedKey,
  isShown,
  readIn,
  recallUsable,
  reviewKey,
  sinceKey,
} from '../engine/review/review-task.ts';
import { runPanel } from '../engine/run-panel.ts';
import type { World } from '../engine/world.ts';
import { type Call, noteTo, temporaryFolderOf } from './call.ts';
import { earlierPlans, findEarlierRun, isAlike, loadRun } from './own-state.ts';
import { paidBy, refuseUnaffordable } from './open-memory.ts';
import { withWorld } from './open-world.ts';
import type { Prepared } from './prepare.ts';
import { journalsOf } from '../adapters/store/journal.ts';
import type { RunStore } from '../core/ports/steps.ts';
import { openRunFolder } from '../adapters/store/run-folder.ts';
import { findFingerprint, fingerprintFile, fingerprintPlace } from '../core/change/snapshot.ts';
import type { Repository } from '../core/ports/repository.ts';
import {
  type CarriedReview,
  type Carrying,
  carryReview,
  dependantsOf,
  keptPaths,
  whyWhole,
} from '../core/pushes/carry-review.ts';
import { CarriedFrom, Since, describeCarried, samePaths } from '../core/pushes/same-patch.ts';
import type { Change } from '../core/words/change.ts';
import { type FileReading, idsOf, Review } from '../core/words/review.ts';
import { makeTemporaryFolder } from '../adapters/system/temporary-folder.ts';
import { openContext } from './context/open-context.ts';
import { openEgress } from '../core/context/egress.ts';
import { selectFiles } from '../core/context/pack.ts';
import { processOf } from '../core/process.ts';
import type { Seat } from '../core/words/config.ts';
import { kindOf } from '../core/words/runner.ts';

/**
 * `fresh` asks everybody again. Otherwise the complete reviews of a run of the same plan are kept, and what the others had read;
 * where all of them are complete and nothing else has changed, that run is the answer.
 */
export async function startRun(prepared: Prepared, call: Call) {
  const { plan, state, fresh } = prepared;
  const note = noteTo(call);
  for (const message of prepared.notes) note(message);
  const earlier = fresh ? null : await findEarlierRun(state, plan);
  const isSame = earlier?.plan.configurationHash === plan.configurationHash;
  const run = isSame && earlier?.run;
  const push = run ? null : await findEarlierPush(prepared);
  if (run && (await isAnswer(run, earlier.plan, prepared))) {
    // The change may be the same under another name: what was not committed then is the last commit now.
    const subject = describeSubject(prepared.subject);
    return { ...run, record: { ...run.record, subject, reused: true } };
  }
  const asked = push ? seatsToAsk(push, plan) : plan.seats;
  return goThrough(prepared, asked, call, async world => {
    const adopted = earlier && (await adoptReviews(earlier.plan, { plan, state, ...world }));
    if (adopted) {
      const { run, reviewers } = adopted;
      const [answers, are] = reviewers.length === 1 ? ['answer', 'is'] : ['answers', 'are'];
      note(
        `Nothing has changed since run ${run}: the ${answers} of ${reviewers.join(', ')} ${are} used again.`,
      );
    }
    if (!push) return;
    const kept = await keepReviews(push, { ...world, ...prepared });
    if (await beginWith(push, kept, { plan, state, ...world }))
      note(
        `An earlier state of this change was reviewed by run ${push.run}: ` +
          'what has not changed since is not asked about again (--fresh asks about all of it).',
      );
  });
}

/** Works on a run until it has come to its end. `begin` comes before anybody is asked; who is sure not to be need not be afforded. */
export async function goThrough(
  prepared: Prepared,
  asked: Plan['seats'],
  call: Call,
  begin: (world: World) => Promise<void>,
) {
  const { plan, state, isNew, config, subject, excluded } = prepared;
  await refuseUnaffordable(paidBy({ ...plan, seats: asked }, state), call);
  return withWorld(prepared, call, async world => {
    await begin(world);
    // What they hold has been taken over.
    if (isNew) await removeOldRuns(state, config.retentionDays, call.clock.now());
    const approvals = await readApprovals(state, plan.changeHash);
    const round = await nextRound(world.steps);
    return runIn(world, { plan, subject, excluded, round, approvals }, call);
  });
}

export function runIn(world: World, request: RunRequest, call: Call) {
  return runPanel(request, world, call.signal, call.onEvent);
}

/** Somebody may have dismissed a claim since: then the reviews are kept and what they come to is worked out anew. */
async function isAnswer({ record, reviews }: Run, plan: Plan, now: Prepared) {
  return (
    record.outcome !== 'INCOMPLETE' &&
    reviews.every(({ status }) => status === 'complete') &&
    !wasInterrupted(record) &&
    plan.decisions === now.plan.decisions &&
    JSON.stringify(plan.deliberation) === JSON.stringify(now.plan.deliberation) &&
    isApprovedAlike(record, await readApprovals(now.state, now.plan.changeHash))
  );
}

/** Would the record be the same today? */
function isApprovedAlike(
  { reasons, approvals: given = [] }: RunRecord,
  approvals: readonly Approval[],
) {
  return (
    withoutApproved(reasons, approvals).given.length === 0 &&
    given.every(({ id }) => approvals.some(approval => approval.id === id))
  );
}

// Looks for the run of an earlier state of a change: the one from which reviewers can keep most of what they read.

interface EarlierPush {
  run: string;
  before: Change;
  now: Change;
  /** What each seat is to read of the change now, by its id. */
  readings: ReadonlyMap<string, readonly FileReading[]>;
  /** Files that were read then as they stand now, by path. */
  same: ReadonlySet<string>;
  /** Was it of the very same change, asked otherwise by somebody or judged by other rules? */
  isSameChange: boolean;
  /** Of the seats that are asked now as they were then. */
  reviews: ReadonlyMap<string, Review>;
  whole: CarriedFrom['whole'];
}

/** Runs that are looked into: of the seats of this plan, the latest ones. */
const mostRuns = 8;

/**
 * Of the latest runs that asked one of the seats in the same way the one from which most can be kept, the later of two; null when
 * nothing can, and where nothing is to be kept. Runs that were imported, and those that never ended, are none of them.
 */
async function findEarlierPush(prepared: Prepared) {
  const { plan, subject, state, fresh } = prepared;
  // What is asked of a working tree or a patch is asked once: a later state of it is another change.
  const isPush = subject.kind === 'change' && subject.source === 'range';
  if (fresh || !isPush || !plan.asking || processOf(plan.command).returned !== 'review')
    return null;
  const { refusalFor } = openEgress(plan.egress);
  const readings = new Map(
    plan.seats.map(({ id, persona }) => [
      id,
      selectFiles(subject, persona, file => refusalFor(id, file)).readings,
    ]),
  );
  let best: { push: EarlierPush; kept: number } | null = null;
  let looked = 0;
  for await (const known of earlierPlans(state)) {
    // Analysers are asked again: that costs nothing.
    const isMeant = ({ id, runner }: Seat) =>
      kindOf(runner) !== 'check' && isAlike('asking', plan, known, id);
    if (!plan.seats.some(isMeant)) continue;
    const run = await loadRun(state, known.run);
    if (!run || run.subject.kind !== 'change' || run.subject.source === 'files') continue;
    const states = { now: subject, before: run.subject, readings };
    const push = await pushOf(prepared, known, { ...run, ...states });
    const kept = plan.seats.reduce((sum, seat) => sum + keptBy(seat, push), 0);
    if (kept > (best?.kept ?? 0)) best = { push, kept };
    if (++looked === mostRuns) break;
  }
  return best?.push ?? null;
}

async function pushOf(
  { plan, repository }: Prepared,
  known: Plan,
  {
    record,
    before,
    now,
    readings,
    reviews,
  }: Pick<Run, 'record' | 'reviews'> & Pick<EarlierPush, 'before' | 'now' | 'readings'>,
): Promise<EarlierPush> {
  const alike = new Map<string, Review>();
  const whole = [];
  for (const seat of plan.seats) {
    // Analysers are asked anyway, at no cost, and who has nothing to read is not.
    if (
      kindOf(seat.runner) === 'check' ||
      seat.withheld !== undefined ||
      !readings.get(seat.id)?.some(isShown)
    )
      continue;
    const review = reviews.find(({ reviewer }) => reviewer === seat.id);
    const why = !review
      ? 'it was not asked then'
      : isAlike('asking', plan, known, seat.id)
        ? whyWhole(review)
        : 'it is asked in another way';
    if (why !== null) whole.push({ reviewer: seat.id, why });
    else if (review) alike.set(seat.id, review);
  }
  return {
    run: record.run,
    before,
    now,
    readings,
    same: await samePaths(before, now, file => repository.read(file, 'old')),
    isSameChange: known.subjectHash === plan.subjectHash,
    reviews: alike,
    whole,
  };
}

/** Who has anything left to read, as far as is known before the code around the change is looked at. */
function seatsToAsk(push: EarlierPush, { seats }: Plan) {
  return seats.filter(
    seat =>
      !push.reviews.has(seat.id) ||
      keptBy(seat, push) < (push.readings.get(seat.id) ?? []).filter(isShown).length,
  );
}

function keptBy({ id }: Seat, { reviews, same, readings }: EarlierPush) {
  const review = reviews.get(id);
  return review ? keptPaths({ review, same, readings: readings.get(id) ?? [] }).size : 0;
}

/** By seat that keeps anything. */
type KeptReviews = ReadonlyMap<string, CarriedReview>;

/** Nothing is written. */
async function keepReviews(
  push: EarlierPush,
  {
    plan,
    repository,
    openContext,
  }: Pick<Prepared, 'plan' | 'repository'> & Pick<World, 'openContext'>,
): Promise<KeptReviews> {
  const kept = new Map<string, CarriedReview>();
  const dependants = await findDependants(push, openContext);
  if (!dependants) return kept;
  const lineNow = createLineFinder(push, repository);
  for (const seat of plan.seats) {
    const review = push.reviews.get(seat.id);
    if (!review) continue;
    const carried = await carryReview({
      ...push,
      review,
      startedAt: plan.startedAt,
      readings: push.readings.get(seat.id) ?? [],
      dependants,
      lineNow,
    });
    if (carried) kept.set(seat.id, carried);
  }
  return kept;
}

/** A run that has asked nobody yet. */
type Beginning = Pick<Prepared, 'plan' | 'state'> & Pick<World, 'steps' | 'store'>;

/**
 * Begins a run with it, as its round 0: before anybody is asked, and so that a run that is killed and goes on has the same. A seat that
 * has begun already is let be. False when nobody is spared anything.
 */
async function beginWith({ run, whole }: EarlierPush, kept: KeptReviews, beginning: Beginning) {
  const { state, steps } = beginning;
  const seats = [];
  for (const seat of beginning.plan.seats) {
    const carried = kept.get(seat.id);
    if (carried && (await steps.recall(reviewKey(seat, 0))) === undefined)
      seats.push({ seat, ...carried });
  }
  // Another process may have removed it since it was found.
  const earlier = await openRunFolder(state, run).catch(ifUserError(null));
  if (!earlier || seats.length === 0) return false;
  await steps.step(carriedKey, async () => ({ run, whole }), CarriedFrom);
  for (const { seat, since, review } of seats)
    await takeReview({ seat, since, review, earlier }, beginning);
  return true;
}

interface Taken {
  seat: Seat;
  review: Review;
  /** Null: of the very same change. */
  since: Since | null;
  /** Where its words are kept. */
  earlier: RunStore;
}

async function takeReview(
  { seat, review, since, earlier }: Taken,
  { steps, store }: Pick<World, 'steps' | 'store'>,
) {
  if (since) await steps.step(sinceKey(seat), async () => since, Since);
  await steps.step(reviewKey(seat, 0), async () => review, Review);
  const said = await earlier.read(`raw/${seat.id}.txt`);
  if (said !== null) await store.write(`raw/${seat.id}.txt`, said);
}

/**
 * What was paid for is not paid for again: of a run of the same plan that could not be decided all that can be gone on with, of one of
 * another process the complete reviews of the seats it asked the same. Null where nobody is spared a question.
 */
async function adoptReviews(known: Plan, beginning: Beginning) {
  const { plan, state, steps } = beginning;
  const { run } = known;
  const journal = await journalsOf(state).read(run);
  const earlier = await openRunFolder(state, run).catch(ifUserError(null));
  if (!earlier) return null;
  const isSame = known.configurationHash === plan.configurationHash;
  const from = await journal.recall(carriedKey, CarriedFrom);
  const complete = [];
  for (const seat of plan.seats) {
    const review = await recallUsable(journal, seat);
    if (!review || !(isSame || isUsableFor(plan, known, review))) continue;
    // What it had kept of an earlier state of the change is kept still.
    const since = from && (await journal.recall(sinceKey(seat), Since));
    if (from && since) await steps.step(carriedKey, async () => from, CarriedFrom);
    await takeReview({ seat, review, since: since ?? null, earlier }, beginning);
    if (review.status === 'complete') complete.push(seat.id);
  }
  if (complete.length === 0) return null;
  const adopted = { run, reviewers: complete };
  return steps.step(adoptedKey, async () => adopted, Adopted);
}

/**
 * A process that takes the change to be larger or smaller allots other budgets: a review that read all of it, and told all of it,
 * met none.
 */
function isUsableFor(plan: Plan, known: Plan, review: Review) {
  const { status, coverage, spending } = review;
  if (status !== 'complete' || !isAlike('questions', plan, known, review.reviewer)) return false;
  if (plan.spending?.complexity === known.spending?.complexity) return true;
  return (
    coverage.every(({ extent }) => extent === 'full' || extent === 'outside') &&
    (!spending || (spending.mode === 'full' && spending.terse.length === 0))
  );
}

/**
 * A file is the same only while what it uses of the change is: whoever read them side by side judged them together. Null where nobody
 * can tell, since there is no index.
 */
async function findDependants(
  { before, now, same }: EarlierPush,
  openContext: World['openContext'],
) {
  const isSameThroughout =
    before.files.length === now.files.length && same.size === now.files.length;
  if (isSameThroughout) return new Map();
  // What goes wrong with the index is told where the packs are made.
  const context = (await openContext?.().catch(() => null)) ?? null;
  if (!context) return null;
  try {
    return dependantsOf(before, now, same, context.index);
  } finally {
    context.close();
  }
}

/** By what stands at the line: the texts of both states, where git still has the earlier one. */
function createLineFinder(
  { before: then, now }: EarlierPush,
  repository: Repository,
): Carrying['lineNow'] {
  return async (path, { line, side }) => {
    const [before = null, after = null] = await Promise.all(
      [then, now].map(async ({ files }) => {
        const file = files.find(each => each.path === path);
        const text = file && (await repository.read(file, side).catch(() => null));
        return typeof text === 'string' ? fingerprintFile(text) : null;
      }),
    );
    const code = before && fingerprintPlace(before, line, null);
    return code && after ? (findFingerprint(after, code, line)?.line ?? null) : null;
  };
}

/** Nothing is written. */
export async function previewPush(prepared: Prepared, call: Call) {
  const push = await findEarlierPush(prepared);
  // Who asks what would be sent of a change that was reviewed already wants to see it.
  if (!push || push.isSameChange) return { packing: {}, whole: new Set<string>(), carried: null };
  const kept = await withPassingIndex(prepared, call, openContext =>
    keepReviews(push, { ...prepared, openContext }),
  );
  const reviews = [...kept.values()].map(({ review }) => review);
  const since = new Map([...kept].map(([seat, each]) => [seat, each.since]));
  return {
    packing: {
      readBefore: new Map(reviews.map(review => [review.reviewer, readIn(review)])),
      since,
    },
    /** Who has nothing left to read. */
    whole: idsOf(reviews.filter(({ status }) => status === 'complete')),
    carried: describeCarried(push, reviews, since),
  };
}

/** Where the project has no index yet, one is made that goes with the preview. */
export async function withPassingIndex<Result>(
  { subject, repository, state }: Prepared,
  call: Call,
  use: (openContext: NonNullable<World['openContext']>) => Promise<Result>,
) {
  const passing = await lstat(join(state.root, 'index.sqlite')).then(
    () => null,
    async () => makeTemporaryFolder(await realpath(temporaryFolderOf(call)), 'index'),
  );
  try {
    return await use(() =>
      openContext(subject, repository, passing ? { ...state, root: passing.path } : state, call),
    );
  } finally {
    await passing?.remove();
  }
}
