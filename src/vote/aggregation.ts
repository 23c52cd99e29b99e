/** Counts the stances on each motion: shares, consensus and contest follow from the figures. */
import type { StanceThresholds } from '../core/words/motions-settings.ts';
import type { Packet, RiskTier, Session, TriagedMotion } from './triage.ts';
import type { ReviewResponse } from './records.ts';

/** A row of `aggregations.json` without what the writer of artifacts stamps on every row (`rule_set`, `simulated`). */
export interface Aggregation {
  mega_motion_id: string;
  mega_motion_title: string;
  /** Contributors without conflict on this motion: no one asked them. */
  implicit_endorsements: number;
  explicit_endorsements: number;
  total_endorsements: number;
  oppositions: number;
  amendments_proposed: number;
  abstentions: number;
  /** Asked and not answered. */
  no_response: number;
  /** Implicit endorsements and answers. */
  engaged_count: number;
  endorsement_ratio: number;
  opposition_ratio: number;
  consensus_reached: boolean;
  contested: boolean;
  needs_amendment_synthesis: boolean;
  status: 'contested' | 'ratification_ready' | 'under_review' | 'incomplete';
  amendment_texts: string[];
  opposition_reasons: string[];
  /** Implicit ones, then explicit ones in roster order. */
  endorsing_archons: string[];
  opposing_archons: string[];
  /** ISO 8601, UTC. */
  aggregated_at: string;
  not_assigned: number;
  /** Of those not assigned, who would have been asked had others not been drawn; absent where all are asked. */
  not_drawn?: number | undefined;
  risk_tier: RiskTier;
  /** As the session declares it; null: the title decides. */
  constitutional: boolean | null;
}

interface Counting {
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
  session: { roster },
  triaged,
  packets,
  responses,
  thresholds,
  at,
}: Counting) {
  const rows = new Map(
    triaged.map(subject => [subject.motion.id, openRow(subject, roster.length, at)]),
  );
  for (const { assigned, notDrawn = [] } of packets) {
    for (const { motionId } of assigned) {
      const row = rows.get(motionId);
      if (row === undefined) continue;
      row.no_response += 1;
      row.not_assigned -= 1;
    }
    for (const id of notDrawn) {
      const row = rows.get(id);
      if (row !== undefined) row.not_drawn = (row.not_drawn ?? 0) + 1;
    }
  }
  for (const response of responses) {
    const row = rows.get(response.mega_motion_id);
    if (row !== undefined && response.status === 'ok') addAnswer(row, response);
  }
  return Array.from(rows.values(), row => closeRow(row, thresholds));
}

/** Before any packet or answer is looked at. */
function openRow(
  { motion, conflicts, riskTier }: TriagedMotion,
  rosterSize: number,
  at: string,
): Aggregation {
  const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
  const implicit = motion.supporters.filter(name => !conflicted.has(name));
  return {
    mega_motion_id: motion.id,
    mega_motion_title: motion.title,
    implicit_endorsements: implicit.length,
    explicit_endorsements: 0,
    total_endorsements: implicit.length,
    oppositions: 0,
    amendments_proposed: 0,
    abstentions: 0,
    no_response: 0,
    engaged_count: implicit.length,
    endorsement_ratio: 0,
    opposition_ratio: 0,
    consensus_reached: false,
    contested: false,
    needs_amendment_synthesis: false,
    status: 'under_review',
    amendment_texts: [],
    opposition_reasons: [],
    endorsing_archons: implicit,
    opposing_archons: [],
    aggregated_at: at,
    not_assigned: rosterSize - implicit.length,
    not_drawn: undefined,
    risk_tier: riskTier,
    constitutional: motion.constitutional,
  };
}

function addAnswer(row: Aggregation, response: ReviewResponse) {
  const { stance, archon_name, amendment_text, opposition_reason } = response;
  row.engaged_count += 1;
  row.no_response -= 1;
  if (stance === 'ENDORSE') {
    row.explicit_endorsements += 1;
    row.total_endorsements += 1;
    row.endorsing_archons.push(archon_name);
  } else if (stance === 'OPPOSE') {
    row.oppositions += 1;
    row.opposing_archons.push(archon_name);
    if (opposition_reason) row.opposition_reasons.push(opposition_reason);
  } else if (stance === 'AMEND') {
    row.amendments_proposed += 1;
    if (amendment_text) row.amendment_texts.push(amendment_text);
  } else if (stance === 'ABSTAIN') row.abstentions += 1;
}

function closeRow(row: Aggregation, thresholds: StanceThresholds): Aggregation {
  const { engaged_count: engaged, total_endorsements: endorsing, oppositions: opposing } = row;
  const weighed = weigh({ engaged, endorsing, opposing }, thresholds);
  const { consensus, contested } = weighed;
  return {
    ...row,
    endorsement_ratio: weighed.endorsed,
    opposition_ratio: weighed.opposed,
    consensus_reached: consensus,
    contested,
    needs_amendment_synthesis: row.amendments_proposed >= synthesisFrom,
    status: contested ? 'contested' : consensus ? 'ratification_ready' : 'under_review',
  };
}

/** The stored order, whatever finished first: by roster, then by motion. Of two answers to one question the first stands. */
export function inOrder({ roster, motions }: Session, responses: Iterable<ReviewResponse>) {
  const members = new Map(roster.map(({ name }, rank) => [name, rank * motions.length]));
  const subjects = new Map(motions.map(({ id }, rank) => [id, rank]));
  const rows = Array.from<ReviewResponse | undefined>({ length: roster.length * motions.length });
  for (const response of responses) {
    const { archon_name, mega_motion_id } = response;
    const place = (members.get(archon_name) ?? NaN) + (subjects.get(mega_motion_id) ?? NaN);
    if (Number.isNaN(place))
      throw new Error(`An answer of ${archon_name} on ${mega_motion_id}, which nobody asked for.`);
    rows[place] ??= response;
  }
  return rows.filter(row => row !== undefined);
}

/** What the stances on a motion, or on a claim, come to. Who stands for it without being asked takes part and endorses. */
export function weigh(
  counted: Readonly<Record<'engaged' | 'endorsing' | 'opposing', number>>,
  { consensus, contested }: StanceThresholds,
) {
  const share = (count: number) => (counted.engaged === 0 ? 0 : count / counted.engaged);
  const [endorsed, opposed] = [share(counted.endorsing), share(counted.opposing)];
  return {
    endorsed,
    opposed,
    consensus: endorsed >= consensus,
    contested: opposed >= contested,
  };
}
