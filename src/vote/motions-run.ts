/** A vote from its session to its final rows: what artifacts, reports and summaries are made of. */
import { by, groupsBy, present, sumOf } from '../core/groups.ts';
import type { MotionAccount } from '../core/printed/motion-account.ts';
import type { VotePlan } from '../core/printed/votes.ts';
import { defaultSampleRisk } from '../core/words/motions-settings.ts';
import type { Aggregation } from './aggregation.ts';
import type { SkippedPanel } from './panels.ts';
import type { CountedRun, RatificationRow } from './ratify.ts';
import type { AuditEvent, RecordedInputs } from './recorded-inputs.ts';
import type { Answer, ReviewResponse } from './records.ts';
import type { Packet, TriagedMotion } from './triage.ts';

export interface MotionsRun extends CountedRun {
  /** `packets`: triage and packets only; nobody answered, not even in simulation. */
  readonly mode: 'triage' | 'packets' | 'simulated' | 'real';
  /** `name@version` of the rule set. */
  readonly rules: string;
  readonly spent: VoteSpending;
  /** ISO 8601, UTC; like all times. */
  readonly startedAt: string;
  readonly triagedAt: string;
  readonly completedAt: string;
  readonly triaged: readonly TriagedMotion[];
  /** In roster order; what was put to each member, once somebody was asked. */
  readonly packets: readonly Packet[];
  /** In roster and motion order. Can be gone through more than once; those of a simulation are made anew each time. */
  readonly responses: Iterable<Answer>;
  /** Of the second pass; nothing but its own figures is counted from them. */
  readonly secondResponses: readonly ReviewResponse[];
  readonly aggregations: readonly Aggregation[];
  /** Contested motions about which no panel was held. */
  readonly skippedPanels: readonly SkippedPanel[];
  /** Every pass, first passes first. */
  readonly history: readonly RatificationRow[];
  /** One row for each motion, in the order of the session. */
  readonly results: readonly RatificationRow[];
  /** Why each motion came to what it came to, in the same order. */
  readonly accounts: readonly MotionAccount[];
  readonly audit: { readonly events: readonly AuditEvent[]; readonly head: string };
}

/** Were its motions decided, by members or by invention? */
export function isDecided({ mode }: MotionsRun) {
  return mode === 'simulated' || mode === 'real';
}

/** Over all rounds of the run. */
export interface VoteSpending extends Readonly<Record<'calls' | 'tokens', number>> {
  /** US dollars of the calls whose price is known; null when none is. */
  readonly cost: number | null;
}

export function summariseTriage({
  triaged,
  inputs: { conflicts_named: searched },
}: MotionsRun): VotePlan['triage'] {
  const tiers = { low: 0, medium: 0, high: 0 };
  for (const { riskTier } of triaged) tiers[riskTier] += 1;
  const support = sumOf(triaged, subject => subject.support);
  return {
    total_motions: triaged.length,
    novel_proposals: triaged.filter(({ motion }) => motion.isNovel).length,
    low_risk: tiers.low,
    medium_risk: tiers.medium,
    high_risk: tiers.high,
    average_implicit_support: triaged.length === 0 ? 0 : support / triaged.length,
    total_conflicts: sumOf(triaged, ({ conflicts }) => conflicts.length),
    conflict_search:
      searched === null ? 'not_run' : searched.is_finished ? 'finished' : 'not_finished',
    conflicts_dropped: searched?.dropped ?? 0,
  };
}

/** What people read behind the number of conflicts; null when there is nothing to say. */
export function describeSearch(searched: RecordedInputs['conflicts_named']) {
  if (searched === null) return 'of those that were stated: texts were not compared';
  const { is_finished: isFinished, dropped } = searched;
  return (
    present(
      !isFinished && 'at least: the search was not finished',
      dropped !== 0 && `${dropped} without literal quotes dropped`,
    ).join(', ') || null
  );
}

export function countOutcomes(rows: readonly Pick<RatificationRow, 'outcome'>[]) {
  const counts = { ratified: 0, rejected: 0, deferred: 0, incomplete: 0 };
  for (const { outcome } of rows) if (outcome !== 'accepted_with_amendments') counts[outcome] += 1;
  return counts;
}

/** What the printed result and its file both hold. */
export function summariseVote(run: MotionsRun) {
  const { input, results, history, packets, secondResponses } = run;
  const { sample, sample_risk: risk = defaultSampleRisk } = run.inputs.settings;
  const { assigned, answered, missing } = countResponses(run);
  const accepted = history.filter(({ outcome }) => outcome === 'accepted_with_amendments');
  const sampled = results.filter(({ decided_by }) => decided_by === 'sample');
  // One vote holds them all in one way.
  const held = results.flatMap(({ second_pass }) => second_pass ?? []);
  const [how] = held;
  const { ratified, ...others } = countOutcomes(results);
  return {
    input: {
      mega_motions: input.megaMotions,
      novel_proposals: input.novelProposals,
      deferred_skipped: input.deferredSkipped,
    },
    triage: summariseTriage(run),
    /** Null: everybody was asked who could be. */
    sampling:
      sample === null
        ? null
        : {
            sample,
            risk,
            motions: sampled.length,
            decided: sampled.filter(({ outcome }) => outcome !== 'incomplete').length,
            not_drawn: sumOf(sampled, row => row.not_drawn ?? 0),
          },
    assignments: { total: assigned, average_per_archon: assigned / packets.length },
    reviews: {
      response_count: answered,
      response_rate: assigned === 0 ? 0 : answered / assigned,
      no_response_count: missing,
    },
    ratification: {
      ratified,
      accepted_with_amendments: accepted.length,
      ...others,
      /** Null: there was none. */
      second_pass:
        how === undefined
          ? null
          : {
              motions: held.length,
              how: secondPassWords[how],
              questions: secondResponses.length,
              answered: secondResponses.filter(({ status }) => status === 'ok').length,
            },
    },
  };
}

/** Of the first pass; before it nothing is answered and nothing missing. */
export function countResponses({ packets, aggregations }: MotionsRun) {
  return {
    assigned: sumOf(packets, packet => packet.assigned.length),
    answered: sumOf(aggregations, row => row.engaged_count - row.implicit_endorsements),
    missing: sumOf(aggregations, row => row.no_response),
  };
}

/** Why most of those who were asked gave no answer, in one sentence; null where all did. Of equally many the first counts. */
export function commonestFailure({ responses }: Pick<MotionsRun, 'responses'>) {
  const errors = [...responses].flatMap(({ error }) => error ?? []);
  const [most] = groupsBy(errors, error => error).toSorted(by(({ length }) => -length));
  return most?.[0] ?? null;
}

/** A vote as it is told. */
export interface MotionsReport {
  readonly run: MotionsRun;
  /** The session folder, as it was named or found. */
  readonly source: string;
  readonly isDetected: boolean;
  /** Where the results are; null when nothing was written. */
  readonly folder: string | null;
}

/** The vote as Markdown. */
export type VotePainter = (vote: MotionsReport) => string;

/** How every place names a second pass. */
export const secondPassWords = {
  asked: 'asked',
  assumed: 'assumed, not asked',
};
