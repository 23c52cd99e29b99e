/** Counts the stances on each motion: shares, consensus and contest follow from the figures. */
import { z } from 'zod';
import type { Session } from './motion.ts';
import type { Packet, TriagedMotion } from './triage.ts';
import type { ReviewResponse } from './records.ts';
import { Count, Texts } from '../words/fields.ts';

/** A row of `aggregations.json` without what the writer of artifacts stamps on every row (`rule_set`, `simulated`). */
export const Aggregation = z.object({
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  /** Contributors without conflict on this motion: nobody asked them. */
  implicit_endorsements: Count,
  explicit_endorsements: Count,
  total_endorsements: Count,
  oppositions: Count,
  amendments_proposed: Count,
  abstentions: Count,
  /** Asked and not answered. */
  no_response: Count,
  /** Implicit endorsements and answers. */
  engaged_count: Count,
  endorsement_ratio: z.number(),
  opposition_ratio: z.number(),
  consensus_reached: z.boolean(),
  contested: z.boolean(),
  needs_amendment_synthesis: z.boolean(),
  status: z.enum(['contested', 'ratification_ready', 'under_review', 'incomplete']),
  amendment_texts: Texts,
  opposition_reasons: Texts,
  /** Implicit ones, then explicit ones in roster order. */
  endorsing_archons: Texts,
  opposing_archons: Texts,
  /** ISO 8601, UTC. */
  aggregated_at: z.string(),
  not_assigned: Count,
  /** Of those not assigned, who would have been asked had others not been drawn; absent where everybody is asked. */
  not_drawn: Count.optional(),
  risk_tier: z.enum(['low', 'medium', 'high']),
  /** As the session declares it; null: the title decides. */
  constitutional: z.boolean().nullable(),
});
export type Aggregation = z.infer<typeof Aggregation>;

export interface Counting {
  readonly session: Session;
  readonly triaged: readonly TriagedMotion[];
  readonly packets: readonly Packet[];
  /** In roster and motion order, as `inOrder` gives them. Gone through once: a large roster has a million. */
  readonly responses: Iterable<ReviewResponse>;
  readonly thresholds: StanceThresholds;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const synthesisFrom = 3;

/** One row for each motion, in the order of the session. */
export function aggregate({
  session,
  triaged,
  packets,
  responses,
  thresholds,
  at,
}: Counting): Aggregation[] {
  const tallies = new Map(session.motions.map(({ id }) => [id, emptyTally()]));
  for (const { assigned, notDrawn = [] } of packets) {
    for (const { motionId } of assigned) {
      const tally = tallies.get(motionId);
      if (tally) tally.assigned += 1;
    }
    for (const motionId of notDrawn) {
      const tally = tallies.get(motionId);
      if (tally) tally.notDrawn += 1;
    }
  }
  for (const response of responses) {
    const tally = tallies.get(response.mega_motion_id);
    if (tally) addAnswer(tally, response);
  }
  return triaged.map(subject =>
    rowOf(subject, {
      ...(tallies.get(subject.motion.id) ?? emptyTally()),
      rosterSize: session.roster.length,
      thresholds,
      at,
    }),
  );
}

/** What is kept of the answers about one motion. */
interface AnswerTally {
  assigned: number;
  notDrawn: number;
  answered: number;
  amending: number;
  abstaining: number;
  readonly endorsing: string[];
  readonly opposing: string[];
  readonly amendmentTexts: string[];
  readonly oppositionReasons: string[];
}

function emptyTally(): AnswerTally {
  return {
    assigned: 0,
    notDrawn: 0,
    answered: 0,
    amending: 0,
    abstaining: 0,
    endorsing: [],
    opposing: [],
    amendmentTexts: [],
    oppositionReasons: [],
  };
}

function addAnswer(tally: AnswerTally, response: ReviewResponse): void {
  const { status, stance, archon_name, amendment_text, opposition_reason } = response;
  if (status !== 'ok') return;
  tally.answered += 1;
  if (stance === 'ENDORSE') tally.endorsing.push(archon_name);
  else if (stance === 'OPPOSE') {
    tally.opposing.push(archon_name);
    if (opposition_reason) tally.oppositionReasons.push(opposition_reason);
  } else if (stance === 'AMEND') {
    tally.amending += 1;
    if (amendment_text) tally.amendmentTexts.push(amendment_text);
  } else if (stance === 'ABSTAIN') tally.abstaining += 1;
}

/** The stored order, whatever finished first: by roster, then by motion. Of two answers to one question the first stands. */
export function inOrder(
  { roster, motions }: Session,
  responses: Iterable<ReviewResponse>,
): ReviewResponse[] {
  const memberIndex = new Map(roster.map(({ name }, index) => [name, index]));
  const motionIndex = new Map(motions.map(({ id }, index) => [id, index]));
  const grid: (ReviewResponse | undefined)[] = Array.from({
    length: roster.length * motions.length,
  });
  for (const response of responses) {
    const [row, column] = [
      memberIndex.get(response.archon_name),
      motionIndex.get(response.mega_motion_id),
    ];
    if (row === undefined || column === undefined)
      throw new Error(
        `An answer of ${response.archon_name} on ${response.mega_motion_id}, which nobody asked for.`,
      );
    grid[row * motions.length + column] ??= response;
  }
  return grid.filter(response => response !== undefined);
}

/** Shares of those who took part. */
export interface StanceThresholds {
  readonly consensus: number;
  readonly contested: number;
}

/** What the stances on a motion, or on a claim, come to. Who stands for it without being asked takes part and endorses. */
export function weigh(
  counted: Readonly<Record<'engaged' | 'endorsing' | 'opposing', number>>,
  thresholds: StanceThresholds,
): {
  readonly endorsed: number;
  readonly opposed: number;
  readonly consensus: boolean;
  readonly contested: boolean;
} {
  const share = (count: number): number => (counted.engaged === 0 ? 0 : count / counted.engaged);
  const [endorsed, opposed] = [share(counted.endorsing), share(counted.opposing)];
  const { consensus, contested } = thresholds;
  return {
    endorsed,
    opposed,
    consensus: endorsed >= consensus,
    contested: opposed >= contested,
  };
}

interface OneMotion extends Readonly<AnswerTally>, Pick<Counting, 'thresholds' | 'at'> {
  readonly rosterSize: number;
}

function rowOf(
  { motion, contributing, conflicts, riskTier }: TriagedMotion,
  { rosterSize, thresholds, at, ...tally }: OneMotion,
): Aggregation {
  const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
  const implicit = contributing.filter(name => !conflicted.has(name));
  const { assigned, notDrawn, answered, endorsing, opposing } = tally;
  const engaged = implicit.length + answered;
  const total = implicit.length + endorsing.length;
  const { endorsed, opposed, consensus, contested } = weigh(
    { engaged, endorsing: total, opposing: opposing.length },
    thresholds,
  );
  return {
    mega_motion_id: motion.id,
    mega_motion_title: motion.title,
    implicit_endorsements: implicit.length,
    explicit_endorsements: endorsing.length,
    total_endorsements: total,
    oppositions: opposing.length,
    amendments_proposed: tally.amending,
    abstentions: tally.abstaining,
    no_response: assigned - answered,
    engaged_count: engaged,
    endorsement_ratio: endorsed,
    opposition_ratio: opposed,
    consensus_reached: consensus,
    contested,
    needs_amendment_synthesis: tally.amending >= synthesisFrom,
    status: contested ? 'contested' : consensus ? 'ratification_ready' : 'under_review',
    amendment_texts: tally.amendmentTexts,
    opposition_reasons: tally.oppositionReasons,
    endorsing_archons: [...implicit, ...endorsing],
    opposing_archons: opposing,
    aggregated_at: at,
    not_assigned: rosterSize - implicit.length - assigned,
    ...(notDrawn > 0 ? { not_drawn: notDrawn } : {}),
    risk_tier: riskTier,
    constitutional: motion.constitutional,
  };
}
