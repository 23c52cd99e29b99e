/** Opens whoever answers for the members: nobody, a simulation, or real reviewers with the run that keeps what they say. */
import { sha256 } from '../../adapters/system/ids.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { byCodePoint } from '../motion.ts';
import { exemplifyPrompts } from '../prompts/examples.ts';
import { type AskedBy, shownEndpoint } from '../recorded-inputs.ts';
import { createCeiling } from '../../engine/ceiling.ts';
import type { MonthCeiling } from '../../engine/month-ceiling.ts';
import type { Asking } from '../../engine/asking/ask-member.ts';
import { collectReviews, type OpenVoting } from '../asking/collect-reviews.ts';
import type { Deliberators, ReviewsWanted } from '../asking/deliberators.ts';
import { createEndpoints } from '../../engine/asking/endpoint-limits.ts';
import { holdPanels, panelKey } from '../asking/hold-panels.ts';
import { searchConflicts } from '../asking/search-conflicts.ts';
import { holdSecondPass } from '../asking/second-pass.ts';
import { simulatedMembers } from '../asking/simulated-members.ts';
import { type Call, clockOf } from '../../library/call.ts';
import { openMonth, refuseUnaffordable } from '../../library/open-month.ts';
import { openState } from '../../library/own-state.ts';
import {
  findBegun,
  isAnswered,
  type MotionsEnd,
  type OpenMotionsRun,
  openMotionsRun,
} from './motions-run.ts';
import type { PreparedVote } from './prepare-vote.ts';
import {
  limitsOf,
  monthOf,
  openReviewers,
  type RealReviewers,
  votingOf,
} from './real-reviewers.ts';
import { describeModels, type MemberSeats } from './seat-members.ts';

export interface OpenedDeliberators extends Deliberators {
  /** Questions besides those for reviews of either pass that have ended without an answer. */
  unanswered(): number;
  /** Notes how the audit trail ends, before the results are where they can be read. */
  noteHead(head: string): Promise<void>;
  /** Notes that the results are written: the vote has come to its end. */
  end(result: Omit<MotionsEnd, 'spent'>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Null: nobody answers. `resumes`: id of the run that is gone on with; null for one that fits, else a new one. Throws `UserError`
 * (kind `usage`) when real reviewers cannot start: nothing is simulated in their place.
 */
export async function openDeliberators(
  prepared: PreparedVote,
  resumes: string | null,
  call: Call,
): Promise<OpenedDeliberators | null> {
  const { simulate, realAgent, triageOnly } = prepared.request;
  if (triageOnly) return null;
  if (simulate === true) return simulateDeliberators();
  return realAgent ? openRealDeliberators(prepared, resumes, call) : null;
}

function simulateDeliberators(): OpenedDeliberators {
  return {
    ...simulatedMembers,
    unanswered: () => 0,
    noteHead: () => Promise.resolve(),
    end: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}

/** What they answer is in the journal of a run: what is there already is not asked again. */
async function openRealDeliberators(
  prepared: PreparedVote,
  resumes: string | null,
  call: Call,
): Promise<OpenedDeliberators> {
  const reviewers = await openReviewers(prepared, call);
  const state = await openState(reviewers.checkout, call);
  const paid = monthOf(prepared, reviewers.seats, state);
  // Where every answer is there, nobody is asked and nothing spent.
  const begun = await findBegun(prepared, state, resumes);
  if (!isAnswered(begun)) await refuseUnaffordable(paid, call);
  const run = await openMotionsRun(prepared, { state, begun }, call);
  const month = await openMonth(paid, call).catch(async (error: unknown) => {
    await run.close();
    throw error;
  });
  const deliberators = askReviewers(prepared, reviewers, { ...run, month }, clockOf(call));
  const { unanswered, spent } = deliberators;
  return {
    ...deliberators,
    run: run.plan.run,
    noteHead: head => run.noteHead(head),
    end({ counts, ...result }) {
      const missing = (counts.missing ?? 0) + unanswered();
      return run.end({ ...result, spent: spent(), counts: { ...counts, missing } });
    },
    async close() {
      month?.close();
      await run.close();
    },
  };
}

interface AskedRun extends Pick<OpenMotionsRun, 'plan' | 'steps' | 'round' | 'before'> {
  /** Null: no call costs anything. */
  readonly month: MonthCeiling | null;
}

type RealDeliberators = Omit<OpenedDeliberators, 'run' | 'noteHead' | 'end' | 'close'> &
  Required<Pick<Deliberators, 'spent'>>;

/** When the signal aborts all answer with nothing: what was finished is in the journal. */
function askReviewers(
  prepared: PreparedVote,
  { seats, runnerFor }: RealReviewers,
  { plan, steps, round, before, month }: AskedRun,
  clock: Clock,
): RealDeliberators {
  const ceiling = createCeiling(limitsOf(prepared), before, month);
  const { concurrency: mostCalls } = prepared.settings;
  const told: { note?: ReviewsWanted['note'] } = {};
  const note = (message: string): void => told.note?.(message);
  const endpoints = createEndpoints(seats.shared, mostCalls, { mostCalls, clock, note });
  const unanswered = new Set<string>();
  const asking: Omit<Asking, 'signal'> = {
    ceiling,
    steps,
    round,
    endpoints,
    runnerFor,
    clock,
    hash: sha256,
    seatAt: seats.seatAt,
    // Of both passes the rows tell: what was left out of a batch may have been answered alone.
    onHeard({ key }, { read }) {
      if (read === null && !/^(?:review|second\/(?!text\/))/.test(key)) unanswered.add(key);
    },
  };
  const voting = votingOf(prepared, seats, plan.fence);
  /** `nothing`: what there is when the signal aborts. */
  const ask = async <Wanted extends Pick<ReviewsWanted, 'signal' | 'note'>, Result>(
    work: (wanted: Wanted, voting: OpenVoting) => Promise<Result>,
    wanted: Wanted,
    nothing: Result,
  ): Promise<Result> => {
    const { signal } = wanted;
    told.note = wanted.note;
    try {
      return await work(wanted, { ...voting, asking: { ...asking, signal } });
    } catch (error) {
      if (!signal.aborted) throw error;
      return nothing;
    } finally {
      endpoints.rest();
    }
  };
  return {
    simulated: false,
    asked: askedBy(seats),
    unanswered: () => unanswered.size,
    spent() {
      const { cost, ...spent } = ceiling.spent();
      // Without a price it is not known what was paid.
      const isPriced = seats.places.every(({ price }) => price !== undefined);
      return { ...spent, cost: cost > 0 || isPriced ? cost : null };
    },
    findContradictions: wanted =>
      ask(searchConflicts, wanted, { contradictions: [], isFinished: false, dropped: 0 }),
    collectReviews(wanted) {
      const models = describeModels(wanted, seats);
      if (models !== null) wanted.note(models);
      return ask(collectReviews, wanted, []);
    },
    async holdPanels(wanted) {
      const held = await ask(holdPanels, wanted, []);
      // One that ran out of time has questions that were not put.
      for (const { panel_id, mega_motion_id: id, status } of held)
        if (status === 'failed' && ![...unanswered].some(key => key.startsWith(`${panelKey(id)}/`)))
          unanswered.add(panel_id);
      return held;
    },
    holdSecondPass: asksAgain(prepared)
      ? wanted => ask(holdSecondPass, wanted, { texts: new Map(), responses: [] })
      : null,
  };
}

/** As the record of the vote holds it. */
function askedBy({ places }: MemberSeats): AskedBy {
  return {
    prompts: exemplifyPrompts(),
    models: eachOnce(places.flatMap(({ model }) => model ?? [])),
    endpoints: eachOnce(places.map(({ baseUrl, runner }) => shownEndpoint(baseUrl ?? runner))),
  };
}

function eachOnce(names: readonly string[]): string[] {
  return [...new Set(names)].sort(byCodePoint);
}

/** Are real reviewers asked about amended texts? */
export function asksAgain({ request }: Pick<PreparedVote, 'request'>): boolean {
  return request.secondPass !== 'assume';
}
