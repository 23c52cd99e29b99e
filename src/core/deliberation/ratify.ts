/** Takes the vote on every motion of a session, and again on those that were accepted with amendments. */
import type { Aggregation } from './aggregation.ts';
import { isConstitutional } from './motion.ts';
import type { PanelRecord } from './panel.ts';
import { decideMotion } from './ratification.ts';
import { toRows, type RatificationRow } from './ratification-row.ts';
import type { ReviewResponse } from './review-response.ts';
import { roundedUp, type RuleSet } from './rule-set.ts';
import { nobodyVoted, simulatedTally, tallyOf, votesCast } from './tally.ts';

export interface Ballot {
  readonly sessionId: string;
  readonly rosterSize: number;
  readonly aggregations: readonly Aggregation[];
  readonly responses: readonly ReviewResponse[];
  readonly panels: readonly PanelRecord[];
  /** True: votes come from a table, nobody cast them. */
  readonly simulated: boolean;
  readonly uuid: (name: string) => string;
}

export interface Ratified {
  /** All first passes, then all second ones. */
  readonly history: readonly RatificationRow[];
  /** The last row of each motion, in the order of the session. */
  readonly results: readonly RatificationRow[];
}

/** `at`: ISO 8601, UTC. */
export function ratify(ballot: Ballot, rules: RuleSet, at: string): Ratified {
  const recommendations = new Map(ballot.panels.map(panel => [panel.mega_motion_id, panel.recommendation]));
  const responses = byMotion(ballot.responses);
  const rows = ballot.aggregations.map(aggregation => {
    const { mega_motion_id: motionId, mega_motion_title: title } = aggregation;
    const recommendation = recommendations.get(motionId) ?? null;
    const tally = ballot.simulated ? simulatedTally(aggregation.consensus_reached, recommendation, ballot.rosterSize, rules) : tallyOf(aggregation, rules);
    const missing = ballot.simulated ? 0 : aggregation.no_response;
    const decisions = decideMotion({ title, riskTier: aggregation.risk_tier, amendmentTexts: aggregation.amendment_texts, tally, missing }, ballot.rosterSize, rules);
    return toRows(decisions, {
      motionId, title, rosterSize: ballot.rosterSize, recommendation, missing, at,
      cast: ballot.simulated ? nobodyVoted : votesCast(aggregation, responses.get(motionId) ?? [], rules),
      voteId: pass => ballot.uuid(`${ballot.sessionId}|vote|${motionId}|${pass}`),
    });
  });
  return { history: [...rows.flatMap(([first]) => first ?? []), ...rows.flatMap(([, second]) => second ?? [])], results: rows.flatMap(passes => passes.at(-1) ?? []) };
}

/** The counts as they are kept: where the vote is open, so is their status, whatever the answers that came say. */
export function markOpen(aggregations: readonly Aggregation[], results: Ratified['results']): Aggregation[] {
  const open = new Set(results.flatMap(({ outcome, mega_motion_id }) => (outcome === 'incomplete' ? mega_motion_id : [])));
  return aggregations.map(row => (open.has(row.mega_motion_id) ? { ...row, status: 'incomplete' } : row));
}

/** Motions that cannot reach the quorum even if everybody who is asked answers and votes. */
export function findBeyondQuorum(reach: readonly Reach[], rosterSize: number, { parameters: { quorum, yeas } }: RuleSet): Reach[] {
  if (quorum === null) return [];
  return reach.filter(({ title, implicit, assigned }) => {
    const required = roundedUp(rosterSize, isConstitutional(title) ? quorum.constitutional : quorum.simple);
    return (yeas === 'explicit' ? 0 : implicit) + assigned < required;
  });
}

export interface Reach {
  readonly title: string;
  /** Contributors without conflict. */
  readonly implicit: number;
  readonly assigned: number;
}

function byMotion(responses: readonly ReviewResponse[]): Map<string, ReviewResponse[]> {
  const grouped = new Map<string, ReviewResponse[]>();
  for (const response of responses) {
    const own = grouped.get(response.mega_motion_id);
    if (own) own.push(response);
    else grouped.set(response.mega_motion_id, [response]);
  }
  return grouped;
}
