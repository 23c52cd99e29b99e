/** What a review is made of on its way: what is asked of one reviewer, what all questions share, and what came back. */
import type { Reading, ReadingOptions } from '../../answers/index.ts';
import { type ProgressiveMode, defaultThresholds } from '../../core/context/budget.ts';
import { openEgress, withoutFiles } from '../../core/context/egress.ts';
import type { Pack } from '../../core/context/pack.ts';
import type { Repository } from '../../core/ports/repository.ts';
import type { Answer, Runner, Turn } from '../../core/ports/runner.ts';
import type { Ceiling, Recall } from '../../core/ports/steps.ts';
import type { Contract } from '../../core/process.ts';
import { Since } from '../../core/pushes/same-patch.ts';
import type { Approval, Coverage } from '../../core/verdict/record.ts';
import type { Change, Subject } from '../../core/words/change.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Location, StatedFinding } from '../../core/words/finding.ts';
import type { Plan } from '../../core/words/plan.ts';
import { type FileReading, type OnEvent, Review, type Spent } from '../../core/words/review.ts';
import type { Packs } from '../pack-change.ts';
import {
  type MeteredTools,
  createReviewerTools,
  createToolSources,
} from '../tools/reviewer-tools.ts';
import type { World } from '../world.ts';
import type { StepSource } from './allot-tokens.ts';
import { type ReviewerLedger, openToolLedger } from './token-ledgers.ts';
import type { TokenBook } from './open-tokens.ts';

export interface RunRequest {
  readonly plan: Plan;
  readonly subject: Subject;
  readonly excluded: Coverage['excluded'];
  /** Which time this run is worked on: 1, and one more for each resume after it had ended INCOMPLETE. */
  readonly round: number;
  /** What a person let pass of this very change. */
  readonly approvals: readonly Approval[];
}

/** One thing from the first question to the record. */
export interface RunUnderWay extends RunRequest {
  readonly world: World;
  readonly packs: Packs;
  readonly ceiling: Ceiling;
  /** What the rounds before this one have spent. */
  readonly before: Spent;
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** Tells in one sentence what the caller should know. */
  readonly note: (message: string) => void;
}

export interface ReviewTask {
  readonly seat: Seat;
  readonly runner: Runner;
  /** The only question; `mode` is what the ledger leaves of it. With `source`, what it would be if it fitted. */
  readonly pack: Pack | ((mode: ProgressiveMode) => Pack);
  /** The questions, when one does not hold everything. */
  readonly source?: StepSource;
  /** What would be read of every unit, were all of it shown; default: as the pack says. */
  readonly readings?: readonly FileReading[];
  /** Absent: tokens are not counted. */
  readonly tokens?: TokenBook;
  /** Absent: the reviewer has no tools. `ledger` null: only the tools themselves count tokens. */
  readonly openTools?: (ledger: ReviewerLedger | null) => MeteredTools;
  /** How its answers are read. */
  readonly reading: Omit<ReadingOptions, 'sent' | 'stop' | 'units'>;
  /** What a runner that takes a schema is given; absent: nothing. */
  readonly schema?: Turn['schema'];
  /** What the reviewer was asked to write. */
  readonly contract?: Contract;
  readonly change: Turn['change'];
  readonly read: Turn['read'];
  /** Prefix of the journal keys of this reviewer's calls. */
  readonly key: string;
  /** Keeps what the reviewer is shown, before it is asked. */
  readonly keep?: (pack: Pack, number: number) => Promise<void>;
}

/** What all questions of a run have in common. */
export interface AskingSession
  extends
    Pick<World, 'steps' | 'clock'>,
    Partial<Pick<World, 'takeWritten'>>,
    Pick<RunUnderWay, 'ceiling' | 'signal' | 'onEvent'> {
  /** Looks every stated place up in the real tree, in order. */
  readonly locate: (findings: readonly StatedFinding[]) => Promise<readonly (Location | null)[]>;
  /** Absolute folder of the files that reviewers write themselves. */
  readonly outputFolder?: string;
}

export interface Conducted {
  readonly review: Review;
  /** Everything the reviewer literally wrote, attempt after attempt. Null: on disk already, the review is from the journal. */
  readonly transcripts: readonly string[] | null;
}

export interface Question {
  readonly pack: Pack;
  readonly mode: ProgressiveMode;
  /** Null: the reviewer has none. */
  readonly tools: MeteredTools | null;
  /** Prefix of the journal keys of its calls. */
  readonly key: string;
  /** Tokens that were set aside for it. */
  readonly reserved: number;
}

export interface Attempt {
  readonly answer: Answer;
  readonly reading: Reading | null;
  /** Lines that name a severity, of calls that broke down. */
  readonly told: readonly string[];
}

/** One question with everything that came back. */
export interface HeldStep extends Pick<Question, 'pack' | 'mode'> {
  readonly attempts: readonly Attempt[];
}

export interface Held {
  readonly steps: readonly HeldStep[];
  /** What was never asked about, and why; empty when everything was. */
  readonly unasked: readonly FileReading[];
  /**
   * Why the files of its domain were not all read for want of tokens; null when they were. `budget`: its tokens were used up. `room`:
   * some are left, and none of the files that are left fits them.
   */
  readonly shortage: 'budget' | 'room' | null;
}

interface Shown {
  plan: Plan;
  world: World;
  /** Null when the subject is no change. */
  change: Change | null;
}

/** What one reviewer may see of the change and its trees, and the tools that read them to it. */
export async function viewFor(
  seat: Seat,
  { plan, world, change: whole }: Shown,
): Promise<Pick<ReviewTask, 'change' | 'read' | 'openTools'>> {
  const { id } = seat;
  const { repository: trees } = world;
  const { mayRead } = openEgress(plan.egress);
  const hidden = new Set(
    (whole?.files ?? [])
      .filter(file => !mayRead(id, file))
      .flatMap(({ path, oldPath }) => [path, ...(oldPath === null ? [] : [oldPath])]),
  );
  const isHidden = (path: string) => hidden.has(path) || !mayRead(id, { path });
  const change = whole && withoutFiles(whole, file => !mayRead(id, file));
  const repository: Pick<Repository, 'read' | 'readAt'> | null = trees && {
    read: async (file, side) => (mayRead(id, file) ? trees.read(file, side) : null),
    readAt: async (revision, path) => (isHidden(path) ? null : trees.readAt(revision, path)),
  };
  const view: Pick<ReviewTask, 'change' | 'read'> = {
    change,
    read: async (file, side) => repository?.read(file, side) ?? null,
  };
  const { toolContext, measure, secrets, store } = world;
  // Tools are for the review of a change.
  if (seat.tools !== true || !change || !toolContext || !measure) return view;
  const { counter } = await measure();
  const openTools = (ledger: ReviewerLedger | null) =>
    createReviewerTools({
      caller: id,
      counter,
      branches: toolContext.branches,
      scale: new Map(plan.labels),
      ledger: ledger ?? openToolLedger(id, seat.persona.budget, defaultThresholds),
      sources: createToolSources({
        change,
        repository,
        index: async () => (await toolContext.index())?.hiding(isHidden) ?? null,
        secrets,
      }),
      // For people, should Jury itself be killed in the middle of the call.
      onReport: finding =>
        void store.append(`raw/${id}.reported.jsonl`, JSON.stringify(finding)).catch(() => {}),
    });
  return { ...view, openTools };
}

// The rounds of a run in its journal: what each reviewer said in which, and which came to their end. Round 0 is an earlier run.

type Reviewer = Pick<Seat, 'id'>;

/** The review that need not be asked for again: that of this round as it is, that of an earlier one when it is complete. */
export async function recallReview(
  steps: Recall,
  seat: Reviewer,
  round: number,
): Promise<Review | null> {
  return (
    (await steps.recall(reviewKey(seat, round), Review)) ?? (await recallComplete(steps, seat))
  );
}

/** The complete review of this reviewer in any round of a journal. */
async function recallComplete(steps: Recall, seat: Reviewer) {
  const last = await nextRound(steps);
  for (let round = 0; round <= last; round++) {
    const known = await steps.recall(reviewKey(seat, round), Review);
    if (known?.status === 'complete') return known;
  }
  return null;
}

/**
 * What a journal holds of this reviewer that another run of the same plan need not ask for again, or must not lose.
 */
export async function recallUsable(steps: Recall, seat: Reviewer): Promise<Review | null> {
  const review =
    (await recallComplete(steps, seat)) ??
    (await recallEarlier(steps, seat, await nextRound(steps)));
  return review && (review.status === 'complete' || isBegun(review) || review.findings.length > 0)
    ? review
    : null;
}

/** The review of the last round before this one that came to its end with this reviewer. */
export async function recallEarlier(
  steps: Recall,
  seat: Reviewer,
  round: number,
): Promise<Review | null> {
  for (let earlier = round - 1; earlier >= 0; earlier--) {
    const known = await steps.recall(reviewKey(seat, earlier), Review);
    if (known) return known;
  }
  return null;
}

/**
 * How much of each file is sure to have been read: that which a usable answer was about, whatever ended the review after it. What a
 * question that failed or broke off was about is asked again.
 */
export function readIn(review: Review | null): ReadonlyMap<string, FileReading['extent']> {
  if (!review || review.status === 'failed') return new Map();
  return new Map(review.coverage.filter(isShown).map(({ path, extent }) => [path, extent]));
}

export function isShown({ extent }: FileReading) {
  return extent === 'full' || extent === 'partial';
}

/** Can the review be gone on with, or must its reviewer start anew? */
export function isBegun(review: Review) {
  return [...readIn(review).values()].includes('full');
}

/** The round to work in: one more than those that came to an end. */
export async function nextRound(steps: Recall) {
  let round = 1;
  while ((await steps.recall(endKey(round))) !== undefined) round++;
  return round;
}

export function reviewKey(seat: Reviewer, round: number) {
  return `review/${seat.id}/${round}`;
}

export function endKey(round: number) {
  return `end/${round}`;
}

/** Where a run notes what a reviewer that has read an earlier state of the change is told about that. */
export function sinceKey(seat: Reviewer) {
  return `since/${seat.id}`;
}

/** Where a run notes of which earlier run, of an earlier state of its change, it began with what still stands. */
export const carriedKey = 'carried';

/** Where a run notes whose answers of an earlier run it began with. */
export const adoptedKey = 'adopted';

/**
 * By seat: what it is told of that. Whose review was not kept, should the process have been killed before, is asked anew and told
 * nothing.
 */
export async function sinceIn(seats: readonly Seat[], steps: Recall) {
  const all = new Map<string, Since>();
  for (const seat of seats) {
    const known = await steps.recall(sinceKey(seat), Since);
    if (known && (await recallEarlier(steps, seat, 1))) all.set(seat.id, known);
  }
  return all;
}
