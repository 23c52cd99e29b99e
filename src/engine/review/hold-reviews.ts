/**
 * Asks the panel: stage after stage, all seats of a stage at once, within the limit of the run and of each endpoint. Every
 * finished review is on disk before the next thing happens.
 */
import pLimit from 'p-limit';
import { isKeptFromAll, isWithheld } from '../../core/context/egress.ts';
import { judgeNextStage, type StageRecord } from '../../core/panel.ts';
import { continueReview, joinAnswers, mergeReviews, standBy } from '../../answers/index.ts';
import { answerSchema } from '../../core/prompt/answer-form.ts';
import { withoutReadAgain } from '../../core/pushes/same-patch.ts';
import { processOf } from '../../core/process.ts';
import type { Change, ChangedFile, Question, Subject } from '../../core/words/change.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Plan } from '../../core/words/plan.ts';
import {
  addUsage,
  type Cause,
  emptyReview,
  failureFrom,
  isShortOfTokens,
  Review,
} from '../../core/words/review.ts';
import type { Packs } from '../pack-change.ts';
import type { World } from '../world.ts';
import { writeReview, conductReview } from './conduct-review.ts';
import { endpointOf } from '../asking/ask-judge.ts';
import { openTokens, type RunTokens, waysWithout } from './open-tokens.ts';
import {
  type AskingSession,
  type Conducted,
  type ReviewTask,
  type RunUnderWay,
  isBegun,
  readIn,
  recallEarlier,
  recallReview,
  recallUsable,
  reviewKey,
  viewFor,
} from './review-task.ts';
import { isReader } from '../../core/words/runner.ts';
import {
  type AnchorFile,
  createDocumentLocator,
  resolveLocation,
} from '../../core/change/anchor.ts';
import { remember } from '../../core/groups.ts';
import type { Repository, TreeFile } from '../../core/ports/repository.ts';
import type { Clock } from '../../core/ports/runner.ts';
import type { Location, StatedFinding } from '../../core/words/finding.ts';

export type HeldReviews = Awaited<ReturnType<typeof holdReviews>>;

/** One object from the panel down to the call; the further down, the less of it is seen. */
interface PanelSession extends RunUnderWay, AskingSession {
  /** Null where nobody has a budget. */
  tokens: RunTokens | null;
  /** Null when the subject is no change. */
  change: Change | null;
}

export async function holdReviews(request: RunUnderWay) {
  const { plan, subject, packs, world, note, onEvent } = request;
  const { steps, clock, takeWritten, measure } = world;
  const tokens = openTokens({ plan, packs, measure, onEvent });
  const change = subject.kind === 'change' ? subject : null;
  const session: PanelSession = {
    ...request,
    steps,
    clock,
    takeWritten,
    outputFolder: `${world.store.folder}/reviews`,
    tokens,
    change,
    locate: createLocatorFor(subject, world.repository),
  };
  // A reviewer that writes without end is stopped by its ledger, which must be open for that.
  const stopOpening = workBeside(clock, async () => tokens?.open());
  const limit = createLimits(session);
  const reviews = [];
  const stages: StageRecord[] = [];
  for (const seats of stagesOf(plan)) {
    const { warranted, why } =
      stages.length === 0
        ? firstStage
        : (await Promise.all(seats.map(seat => hasSpoken(seat, session)))).includes(true)
          ? laterStage
          : judgeNextStage(reviews, { quorum: plan.policy.quorum, all: plan.allStages });
    stages.push({ reviewers: seats.map(({ id }) => id), asked: warranted, why });
    if (stages.length > 1)
      note(`Stage ${stages.length} is ${warranted ? 'asked' : 'not asked'}: ${why}.`);
    if (!warranted) break;
    const held = await Promise.all(
      seats.map(async seat => ({
        seat,
        review: await limit(seat, () => {
          tokens?.begin(seat);
          return holdReview(seat, session).finally(() => tokens?.end(seat));
        }),
      })),
    );
    reviews.push(...(await holdLostShares(held, limit, session)));
  }
  stopOpening();
  const order = new Map(plan.seats.map(({ id }, index) => [id, index]));
  return {
    /** In the order of the panel; reviewers of a stage that was not asked are not among them. */
    reviews: reviews.toSorted(
      (one, other) => (order.get(one.reviewer) ?? 0) - (order.get(other.reviewer) ?? 0),
    ),
    stages,
    observed: tokens?.observed() ?? null,
    /** What everybody could spend; null when nobody has a budget, and where the run was interrupted. */
    budget: (request.signal.aborted ? null : await tokens?.budget()) ?? null,
  };
}

/** Long enough for the first reviewers to be started, short against what they take to answer. */
const headStartMs = 300;

/**
 * Work for which nobody waits while reviewers think; what is returned keeps it from being begun. Whoever needs what it makes asks
 * again and gets the error: here nobody does.
 */
export function workBeside(clock: Clock, work: () => Promise<unknown>) {
  const done = new AbortController();
  void clock
    .sleep(headStartMs, done.signal)
    .then(work)
    .catch(() => {});
  return () => done.abort();
}

const firstStage = { warranted: true, why: 'it is the first' };
const laterStage = { warranted: true, why: 'it has spoken in an earlier round' };

/** What was said once stays said, also where the stages before have given no reason to ask since. */
async function hasSpoken(seat: Seat, { world: { steps }, round }: PanelSession) {
  return (
    (await recallReview(steps, seat, round)) !== null || (await recallUsable(steps, seat)) !== null
  );
}

function stagesOf({ seats, stages }: Plan) {
  return (stages ?? [seats.map(({ id }) => id)])
    .map(ids => seats.filter(({ id }) => ids.includes(id)))
    .filter(stage => stage.length > 0);
}

type Limit = <Result>(seat: Seat, work: () => Promise<Result>) => Promise<Result>;

/** A review holds its place from its first question to its last. */
function createLimits({ plan: { seats, concurrency } }: PanelSession): Limit {
  const all = pLimit(concurrency);
  const own = new Map(
    seats.map(seat => [endpointOf(seat), pLimit(seat.concurrency ?? concurrency)]),
  );
  return (seat, work) => {
    const limited = () => all(work);
    return own.get(endpointOf(seat))?.(limited) ?? limited();
  };
}

/** The review of one seat, remembered or asked for, and what is kept of it. */
async function holdReview(seat: Seat, session: PanelSession) {
  const { plan, round, world, onEvent, signal } = session;
  const isAnswer = processOf(plan.command).synthesis === 'answer';
  const known = await recallReview(world.steps, seat, round);
  const conducted = known ? { review: known, transcripts: null } : await askSeat(seat, session);
  // Held before this process began, in a round that did not come to its end.
  if (known && (await world.steps.recall(reviewKey(seat, round))) !== undefined)
    await session.ceiling.book(known.attempts, known.usage);
  if (!known && !signal.aborted)
    await world.steps.step(reviewKey(seat, round), async () => conducted.review, Review);
  await writeReview(world, conducted, isAnswer);
  onEvent({ type: 'review-end', review: conducted.review, remembered: known !== null });
  return conducted.review;
}

/** What reviewers that failed were dealt and did not read is dealt once more, to those that completed. */
async function holdLostShares(
  held: readonly { seat: Seat; review: Review }[],
  limit: Limit,
  session: PanelSession,
): Promise<readonly Review[]> {
  const { plan, packs, tokens, round, world, onEvent, signal } = session;
  const reviews = held.map(({ review }) => review);
  const whole = held.filter(({ review }) => review.status === 'complete');
  if (!tokens || signal.aborted || whole.length === 0) return reviews;
  const lost = new Set<string>();
  for (const { seat, review } of held) {
    if (review.status === 'complete' || isShortOfTokens(review)) continue;
    const read = readIn(review);
    for (const path of await tokens.dealtTo(seat)) if (read.get(path) !== 'full') lost.add(path);
  }
  if (lost.size === 0) return reviews;
  const readBy = new Map(held.map(({ seat, review }) => [seat.id, readIn(review)]));
  const readers = whole.map(({ seat }) => seat).filter(isReader);
  const further = openTokens({
    plan: { ...plan, seats: readers },
    packs: {
      ...packs,
      wholeFor: () => null,
      readBefore: seat => new Set(readBy.get(seat.id)?.keys()),
      materialFor: async seat =>
        (await packs.materialFor(seat)).filter(
          ({ path }) => lost.has(path) && readBy.get(seat.id)?.get(path) !== 'full',
        ),
    },
    measure: world.measure,
    onEvent,
  });
  if (!further) return reviews;
  return Promise.all(
    held.map(async ({ seat, review: first }) => {
      if (!readers.includes(seat) || (await further.dealtTo(seat)).length === 0) return first;
      const conducted = await limit(seat, async () => {
        const task = {
          ...(await taskOf(seat, first.spending?.questions ?? 1, session)),
          ...(await further.waysOf(seat)),
          readings: [],
          key: `${seat.id}/${round}/again`,
        };
        const { review, transcripts } = await conductReview(task, session);
        // Its own share it has read, whatever became of that of another.
        return review.status === 'failed'
          ? { review: { ...first, usage: addUsage(first.usage, review.usage) }, transcripts: null }
          : withEarlier(first, { review, transcripts }, world);
      });
      await writeReview(world, conducted, false);
      return conducted.review;
    }),
  );
}

/** One part after the other: they share the reviewer's endpoint, and its cache. One that is not asked, or not to the end, has failed. */
async function askSeat(seat: Seat, session: PanelSession) {
  const { packs, round, world, signal } = session;
  const startedAt = world.clock.now().toISOString();
  const readings = packs.readingsFor(seat);
  const cause =
    seat.withheld !== undefined
      ? 'withheld'
      : isKeptFromAll(readings)
        ? 'egress'
        : // Where nobody on the panel has anything to read, all of them are seated, and none is asked.
          readings.every(({ extent }) => extent === 'outside')
          ? 'outside'
          : null;
  if (cause !== null) return unasked(seat, packs, startedAt, cause);
  const earlier = await recallEarlier(world.steps, seat, round);
  try {
    const held = [];
    for (const part of await partsOf(seat, session)) held.push(await conductReview(part, session));
    const [first, ...others] = held.map(({ review }) => review);
    if (!first) throw new Error(`Nothing was packed for ${seat.id}.`);
    return await withEarlier(
      earlier,
      {
        review: mergeReviews([first, ...others]),
        transcripts: held.flatMap(({ transcripts }) => transcripts ?? []),
      },
      world,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    return withEarlier(earlier, unasked(seat, packs, startedAt, 'cancelled'), world);
  }
}

/**
 * What is asked of a seat: one thing, or each part of a subject that was cut. A part that was held is not paid for again when the
 * run is killed in the next one.
 */
async function partsOf(seat: Seat, session: PanelSession): Promise<ReviewTask[]> {
  const { round, packs, tokens, world } = session;
  // What it was shown in earlier rounds stays on disk.
  const shown = (await recallEarlier(world.steps, seat, round))?.spending?.questions ?? 0;
  const common = await taskOf(seat, shown, session);
  const parts = packs.partsFor?.(seat);
  if (!parts)
    return [
      {
        ...common,
        ...(await (tokens?.waysOf(seat) ?? waysWithout(seat, packs))),
        readings: packs.readingsFor(seat),
      },
    ];
  return parts.map((pack, index) => ({
    ...common,
    pack,
    key: parts.length === 1 ? common.key : `${common.key}/part-${index + 1}`,
    ...keepFrom(index, session),
  }));
}

/** What all questions to a seat have in common; so many were shown to it before. */
async function taskOf(
  seat: Seat,
  shown: number,
  session: PanelSession,
): Promise<Omit<ReviewTask, 'pack'>> {
  const { plan, round, world } = session;
  return {
    ...(await viewFor(seat, session)),
    seat,
    runner: await world.runnerFor(seat),
    contract: processOf(plan.command).contract,
    reading: {
      scale: new Map(plan.labels),
      strict: plan.trust === 'untrusted',
      undeclaredLabel: plan.mode === 'code-review' ? 'reject' : 'keep',
      voting: plan.mode === 'verification',
      nonce: plan.nonces[seat.id] ?? '',
    },
    schema: answerSchema(plan),
    key: `${seat.id}/${round}`,
    ...keepFrom(shown, session),
  };
}

/** What a reviewer was shown, for whoever asks later why it said what it said; what nobody was sent is not kept as if it had been. */
function keepFrom(
  first: number,
  { plan, world: { store } }: PanelSession,
): Pick<ReviewTask, 'keep'> {
  if (processOf(plan.command).subject === 'collected') return {};
  return {
    async keep({ reviewer, instructions, prompt }, number) {
      const name = first + number === 1 ? reviewer : `${reviewer}.${first + number}`;
      await store.write(`context/${name}.md`, `${instructions}\n\n${prompt}\n`);
    },
  };
}

/** Its reviews of two rounds as one: what was said stays said, and what was paid is counted, also where it had to start anew. */
async function withEarlier(
  earlier: Review | null,
  { review, transcripts }: Conducted,
  { store }: World,
) {
  if (!earlier) return { review, transcripts };
  const isAnew = !isBegun(earlier);
  if (isAnew && earlier.findings.length === 0) {
    const { unaccounted } = joinAnswers([earlier, review]);
    const usage = addUsage(earlier.usage, review.usage);
    return { review: { ...review, usage, ...(unaccounted && { unaccounted }) }, transcripts };
  }
  const said = await store.read(`raw/${earlier.reviewer}.txt`);
  return {
    review:
      isAnew && isNoAnswer(review)
        ? standBy(earlier, review)
        : continueReview(withoutReadAgain(earlier, review), review),
    transcripts: [...(said === null ? [] : [said]), ...(transcripts ?? [])],
  };
}

function isNoAnswer({ status, failure, findings }: Review) {
  return status === 'failed' || (failure?.cause === 'unread' && findings.length === 0);
}

function unasked(seat: Seat, packs: Packs, startedAt: string, cause: Cause): Conducted {
  const why = cause === 'cancelled' ? 'the run was interrupted' : 'the reviewer was not asked';
  const review = emptyReview({
    reviewer: seat.id,
    persona: seat.persona.name,
    runner: seat.runner,
    ...(seat.role && { role: seat.role }),
    model: seat.model ?? null,
    required: seat.required,
    timeoutSeconds: seat.timeout,
    failure: failureFrom(cause, seat.withheld),
    startedAt,
    coverage: packs.readingsFor(seat).map(({ path, extent, why: known }) => ({
      path,
      extent: extent === 'outside' ? extent : 'skipped',
      why: isWithheld(known) ? known : why,
    })),
  });
  return { review, transcripts: [] };
}

// Looks up the places reviewers name, reading only the files that somebody named.

/** Places in the order of the findings; null where a finding names none. */
type Locate = (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;

/** Of a question the files it is about are listed when the first place is looked up. */
function createLocatorFor(subject: Subject, repository: Repository | null): Locate {
  if (subject.kind === 'change') return createLocator(subject.files, repository);
  if (subject.kind === 'question') {
    let opened: Promise<Locate> | undefined;
    const open = async () => createLocator(await filesAbout(subject, repository), repository);
    return async findings => (await (opened ??= open()))(findings);
  }
  const locate = createDocumentLocator(subject);
  return async findings => findings.map(locate);
}

/** Every file of what a question is about, those that a range changes with both sides. */
async function filesAbout(
  { about }: Question,
  repository: Repository | null,
): Promise<readonly ChangedFile[]> {
  if (!about || !repository?.tree) return [];
  const { base, head } = about;
  const { files } = await repository.tree(head);
  const range = base === null ? null : ({ source: 'range', base, head, title: head } as const);
  const changed = range ? (await repository.change(range)).files : [];
  return [
    ...new Map([...files.map(unchanged), ...changed].map(file => [file.path, file])).values(),
  ];
}

/** What it holds is known when it is read. */
function unchanged({ path, mode, id }: TreeFile): ChangedFile {
  return {
    path,
    oldPath: null,
    status: 'modified',
    oldMode: '000000',
    newMode: mode,
    oldId: '0'.repeat(id.length),
    newId: id,
    content: 'binary',
    additions: 0,
    deletions: 0,
    hunks: [],
  };
}

function createLocator(changed: readonly ChangedFile[], repository: Repository | null): Locate {
  const files = new Map<string, AnchorFile>(changed.map(file => [file.path, unread(file)]));
  const byName = groupByName(changed);
  const load = remember(async (file: ChangedFile) => {
    const [newText = null, oldText = null] = await Promise.all([
      repository?.read(file, 'new'),
      repository?.read(file, 'old'),
    ]);
    files.set(file.path, { ...unread(file), newText, oldText });
  });
  return async findings => {
    const names = new Set(findings.flatMap(({ path }) => (path === null ? [] : [nameOf(path)])));
    for (const name of names) await Promise.all((byName.get(name) ?? []).map(load));
    return findings.map(finding => resolveLocation(finding, { files }));
  };
}

function unread({ path, oldPath, status }: ChangedFile): AnchorFile {
  return { path, oldPath, status, newText: null, oldText: null };
}

/** Files by the last part of their new and old names: whatever a reviewer writes before it, that part must be right. */
function groupByName(files: readonly ChangedFile[]) {
  const groups = new Map<string, ChangedFile[]>();
  for (const file of files) {
    for (const name of new Set([nameOf(file.path), nameOf(file.oldPath ?? file.path)]))
      groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return groups;
}

function nameOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1);
}
