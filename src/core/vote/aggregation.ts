/** Counts the stances on each motion: shares, consensus and contest follow from the figures. */
import { z } from 'zod';
import type { Session } from './motion.ts';
import type { Packet, TriagedMotion } from './triage.ts';
import type { ReviewResponse, Stance } from './records.ts';

const Count = z.int().nonnegative();

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
  amendment_texts: z.array(z.string()),
  opposition_reasons: z.array(z.string()),
  /** Implicit ones, then explicit ones in roster order. */
  endorsing_archons: z.array(z.string()),
  opposing_archons: z.array(z.string()),
  /** ISO 8601, UTC. */
  aggregated_at: z.string(),
  not_assigned: Count,
  /** Of those not assigned, who would have been asked had a sample not decided before; absent where everybody is asked. */
  never_put: Count.optional(),
  risk_tier: z.enum(['low', 'medium', 'high']),
  /** As the session declares it; null: the title decides. */
  constitutional: z.boolean().nullable(),
});
export type Aggregation = z.infer<typeof Aggregation>;

export interface Counting {
  readonly session: Session;
  readonly triaged: readonly TriagedMotion[];
  readonly packets: readonly Packet[];
  /** In roster and motion order, as `inOrder` gives them. */
  readonly responses: readonly ReviewResponse[];
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
  const tallies = new Map(
    session.motions.map(({ id }) => [
      id,
      { assigned: 0, neverPut: 0, responses: [] as ReviewResponse[] },
    ]),
  );
  for (const { assigned, neverPut = [] } of packets) {
    for (const { motionId } of assigned) {
      const tally = tallies.get(motionId);
      if (tally) tally.assigned += 1;
    }
    for (const motionId of neverPut) {
      const tally = tallies.get(motionId);
      if (tally) tally.neverPut += 1;
    }
  }
  for (const response of responses) tallies.get(response.mega_motion_id)?.responses.push(response);
  return triaged.map(subject => {
    const own = tallies.get(subject.motion.id) ?? { assigned: 0, neverPut: 0, responses: [] };
    return rowOf(subject, {
      ...own,
      rosterSize: session.roster.length,
      thresholds,
      at,
    });
  });
}

/** The stored order, whatever finished first: by roster, then by motion. Of two answers to one question the first stands. */
export function inOrder(
  { roster, motions }: Session,
  responses: readonly ReviewResponse[],
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

interface OneMotion extends Pick<Counting, 'responses' | 'thresholds' | 'at'> {
  readonly assigned: number;
  readonly neverPut: number;
  readonly rosterSize: number;
}

function rowOf(
  { motion, contributing, conflicts, riskTier }: TriagedMotion,
  { assigned, neverPut, responses, rosterSize, thresholds, at }: OneMotion,
): Aggregation {
  const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
  const implicit = contributing.filter(name => !conflicted.has(name));
  const answered = responses.filter(({ status }) => status === 'ok');
  const having = (stance: Stance): ReviewResponse[] =>
    answered.filter(response => response.stance === stance);
  const [endorsing, opposing, amending] = [having('ENDORSE'), having('OPPOSE'), having('AMEND')];
  const engaged = implicit.length + answered.length;
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
    amendments_proposed: amending.length,
    abstentions: having('ABSTAIN').length,
    no_response: assigned - answered.length,
    engaged_count: engaged,
    endorsement_ratio: endorsed,
    opposition_ratio: opposed,
    consensus_reached: consensus,
    contested,
    needs_amendment_synthesis: amending.length >= synthesisFrom,
    status: contested ? 'contested' : consensus ? 'ratification_ready' : 'under_review',
    amendment_texts: amending.flatMap(({ amendment_text }) => amendment_text || []),
    opposition_reasons: opposing.flatMap(({ opposition_reason }) => opposition_reason || []),
    endorsing_archons: [...implicit, ...endorsing.map(({ archon_name }) => archon_name)],
    opposing_archons: opposing.map(({ archon_name }) => archon_name),
    aggregated_at: at,
    not_assigned: rosterSize - implicit.length - assigned,
    ...(neverPut > 0 ? { never_put: neverPut } : {}),
    risk_tier: riskTier,
    constitutional: motion.constitutional,
  };
}
