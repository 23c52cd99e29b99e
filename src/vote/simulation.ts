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
          const supported = (support.get(motionId) ?? 0) > 0.5;
          const stance = reason === 'conflict_review' ? 'AMEND' : supported ? 'ENDORSE' : 'ABSTAIN';
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

interface SimulatedRows {
  /** Of the row of this member and this motion. */
  readonly idOf: (member: string, motionId: string) => string;
  /** Stands on every row, behind the answer. */
  readonly stamp: object;
  readonly compact: boolean;
}

/**
 * The file of all these answers. Of one member, those of one stance differ by motion and id alone: each kind is printed once, and
 * every row is put around its two words.
 */
export function* printReviews(
  responses: Iterable<ReviewResponse>,
  { idOf, stamp, compact }: SimulatedRows,
): Generator<string> {
  const kinds = new Map<string, readonly string[]>();
  let open = '[';
  for (const response of responses) {
    const { archon_id: member, mega_motion_id: motion, stance } = response;
    let kind = kinds.get(`${stance} ${member}`);
    if (kind === undefined) {
      const row = { response_id: null, ...response, mega_motion_id: null, ...stamp };
      const text = JSON.stringify([row], null, compact ? 0 : 2).slice(1, compact ? -1 : -2);
      kind = text.split(/(?<="(?:response_id|mega_motion_id)": ?)null/);
      kinds.set(`${stance} ${member}`, kind);
    }
    yield `${open}${kind[0]}"${idOf(member, motion)}"${kind[1]}${JSON.stringify(motion)}${kind[2]}`;
    open = ',';
  }
  yield open === '[' ? '[]\n' : `${compact ? '' : '\n'}]\n`;
}

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
