/** The real reviews of a formal vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import type { Seat } from '../../core/words/config.ts';
import { describeForecast, type CeilingLimits } from '../../core/vote/forecast.ts';
import type { Member, Motion } from '../../core/vote/motion.ts';
import type { Packet } from '../../core/vote/packet.ts';
import type { ReviewResponse } from '../../core/vote/review-response.ts';
import {
  cutText,
  longestMotion,
  renderIdentity,
  renderStancePrompt,
  type AskedMotion,
} from '../../core/vote/prompts.ts';
import type { Asking } from './ask-member.ts';
import {
  collectStances,
  forecastOf,
  type Stance,
  type StanceSettings,
  type StanceTask,
} from './collect-stances.ts';
import type { ReviewsWanted } from './run-motions.ts';

export interface Reviewing {
  readonly asking: Asking;
  /** Who answers for a member, and the one endpoint it is asked at; null: any that shares the work. */
  readonly seatFor: (member: Member) => { readonly seat: Seat; readonly endpoint: string | null };
  /** Motions in one call. */
  readonly batch: number;
  readonly concurrency: number;
  readonly panelConcurrency: number;
  readonly limits: CeilingLimits;
  /** 32 random hex digits, the same for the whole run. */
  readonly fence: string;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
}

export async function collectReviews(
  { session, packets, note }: ReviewsWanted,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const asked = packets.filter(({ assigned }) => assigned.length > 0);
  const members = new Map(asked.map(({ member }) => [member.id, member]));
  const tasks = asked.map(packet => taskOf(packet, motions, reviewing));
  const settings: StanceSettings = {
    key: 'review',
    batch: reviewing.batch,
    concurrency: reviewing.concurrency,
    orderOf: (member, id) => reviewing.hash(`${session.id}|${member}|${id}`),
  };
  note(describeForecast(forecastOf(tasks, settings), reviewing.limits));
  const stances = await collectStances(tasks, settings, reviewing.asking);
  return stances.flatMap(stance => {
    const [member, motion] = [members.get(stance.member), motions.get(stance.id)];
    return member === undefined || motion === undefined ? [] : [toResponse(stance, member, motion)];
  });
}

function taskOf(
  { member, assigned }: Packet,
  motions: ReadonlyMap<string, Motion>,
  { seatFor, fence }: Reviewing,
): StanceTask {
  const asked = new Map<string, AskedMotion>(
    assigned.flatMap(({ motionId, conflict }) => {
      const motion = motions.get(motionId);
      return motion === undefined ? [] : [[motionId, { motion, conflict }] as const];
    }),
  );
  return {
    ...seatFor(member),
    member: member.id,
    instructions: renderIdentity(member),
    ids: [...asked.keys()],
    render: ids =>
      renderStancePrompt(
        ids.flatMap(id => asked.get(id) ?? []),
        fence,
      ),
  };
}

function toResponse(
  { stated, error, attempts, at, durationMs }: Stance,
  member: Member,
  motion: Motion,
): ReviewResponse {
  const concerns = stated?.opposition_concerns ?? [];
  return {
    archon_id: member.id,
    archon_name: member.name,
    mega_motion_id: motion.id,
    status: stated === null ? 'no_response' : 'ok',
    error,
    stance: stated?.stance ?? null,
    amendment_type: stated?.amendment_type ?? null,
    amendment_text: stated?.amendment_text ?? null,
    amendment_rationale: stated?.amendment_rationale ?? null,
    opposition_reason: concerns.length === 0 ? null : concerns.join('; '),
    reasoning: stated?.reasoning ?? '',
    confidence: stated?.confidence ?? null,
    validation: [...(stated?.validation ?? [])],
    text_truncated: cutText(motion.text, longestMotion).isCut,
    attempts,
    review_duration_ms: durationMs,
    reviewed_at: at,
  };
}
