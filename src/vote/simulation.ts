/** Answers that nobody gave: for `--simulate`, and marked in every artifact. */
import type { Member } from '../core/words/roster.ts';
import { announcePanel, type PanelSeating } from './panels.ts';
import type { PanelRecord, ReviewResponse } from './records.ts';
import type { Stance } from '../core/words/vote.ts';
import type { Packet, TriagedMotion } from './triage.ts';

/** In the order of the packets. Each is made when it is come to, every time anew: a large roster has a million, and none is kept. */
export function simulateReviews(
  packets: readonly Packet[],
  triaged: readonly TriagedMotion[],
  at: string,
): Iterable<ReviewResponse> {
  const support = new Map(triaged.map(subject => [subject.motion.id, subject.support]));
  return {
    *[Symbol.iterator]() {
      for (const { member, assigned } of packets)
        for (const { motionId, reason } of assigned) {
          const isFor = (support.get(motionId) ?? 0) > 0.5;
          const stance = reason === 'conflict_review' ? 'AMEND' : isFor ? 'ENDORSE' : 'ABSTAIN';
          yield simulateReview(member, motionId, stance, at);
        }
    },
  };
}

function simulateReview(
  { id, name }: Member,
  motionId: string,
  stance: Stance,
  at: string,
): ReviewResponse {
  const amends = stance === 'AMEND';
  return {
    archon_id: id,
    archon_name: name,
    mega_motion_id: motionId,
    status: 'ok',
    error: null,
    model: null,
    endpoint: null,
    stance,
    amendment_type: amends ? 'minor_wording' : null,
    amendment_text: amends ? 'Proposed amendment to address conflict.' : null,
    amendment_rationale: null,
    opposition_reason: null,
    reasoning: '',
    confidence: 0.7,
    validation: nothingThin,
    text_truncated: false,
    attempts: 0,
    review_duration_ms: 0,
    reviewed_at: at,
  };
}

/** One list for all: a large roster gives a million answers. */
const nothingThin: string[] = [];

/** A table of votes, and nothing else: nobody argued, and nobody reported. */
export function simulatePanels(panels: readonly PanelSeating[], at: string): PanelRecord[] {
  return panels.map(seating => ({
    ...announcePanel(seating),
    scheduled_at: at,
    recommendation: 'pass',
    revised_motion_text: null,
    revision_rationale: null,
    dissenting_opinions: [],
    vote_breakdown: { pass: 4, fail: 2, amend: 1, defer: 0 },
    concluded_at: at,
    deliberation_duration_minutes: 35,
    status: 'concluded',
    error: null,
    votes_agree: true,
    arguments: [],
    reported_votes: {},
    synthesis: null,
  }));
}
