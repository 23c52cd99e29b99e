/** The real reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import { fenceFor } from '../../core/prompt/material.ts';
import {
  type CeilingLimits,
  describeForecast,
  type Forecast,
  forecastTime,
  type ForecastTime,
} from '../../core/vote/forecast.ts';
import type { Member, Motion } from '../../core/vote/motion.ts';
import type { Packet } from '../../core/vote/triage.ts';
import {
  type AskedMotion,
  cutText,
  longestMotion,
  renderIdentity,
  renderStancePrompt,
} from '../../core/vote/prompts.ts';
import type { ReviewResponse } from '../../core/vote/records.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Asking, Recalling } from './ask-member.ts';
import {
  bookStances,
  firstOpen,
  collectBooked,
  forecastOf,
  secondsSeen,
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
  /** Calls that can be under way at once, by all limits. */
  readonly lanes: number;
  readonly panelConcurrency: number;
  readonly limits: CeilingLimits;
  /** 32 random hex digits, the same for the whole run. */
  readonly fence: string;
  /** SHA-256 in hex. */
  readonly hash: (text: string) => string;
}

export async function collectReviews(
  { session, packets, note }: Omit<ReviewsWanted, 'sampling'>,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const { tasks, settings } = prepareReviews({ session, packets }, reviewing);
  const { ceiling } = reviewing.asking;
  bookStances(tasks, settings, reviewing.asking);
  const { expected, answered, time } = planOf(tasks, settings, reviewing);
  note(describeForecast(expected, reviewing.limits, { answered, time, spent: ceiling.spent() }));
  const stances = await collectBooked(tasks, settings, reviewing.asking);
  return toResponses(stances, { session, packets });
}

export function toResponses(
  stances: readonly Stance[],
  { session, packets }: Pick<ReviewsWanted, 'session' | 'packets'>,
): ReviewResponse[] {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const members = new Map(packets.map(({ member }) => [member.id, member]));
  return stances.flatMap(stance => {
    const [member, motion] = [members.get(stance.member), motions.get(stance.id)];
    return member === undefined || motion === undefined
      ? []
      : [toResponse(stance, member, cutText(motion.text, longestMotion).isCut)];
  });
}

/** What collecting the reviews takes from here on. */
export interface ReviewsPlanned {
  readonly expected: Forecast;
  /** Reviews whose answers the journal holds. */
  readonly answered: number;
  readonly time: ForecastTime;
  /** One prompt that will be sent; null when none will. */
  readonly example: { readonly member: string; readonly prompt: string } | null;
}

/** Nobody is asked. */
export function planReviews(
  wanted: Pick<ReviewsWanted, 'session' | 'packets'>,
  reviewing: Planning,
): ReviewsPlanned {
  const { tasks, settings } = prepareReviews(wanted, reviewing);
  return planOf(tasks, settings, reviewing);
}

export type Planning = Omit<Reviewing, 'asking' | 'limits' | 'panelConcurrency'> & {
  readonly asking: Recalling;
};

function planOf(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  { asking, lanes }: Pick<Planning, 'asking' | 'lanes'>,
): ReviewsPlanned {
  const assigned = tasks.reduce((sum, { ids }) => sum + ids.length, 0);
  const expected = forecastOf(tasks, settings, asking);
  const first = firstOpen(tasks, settings, asking);
  return {
    expected,
    example: first === null ? null : { member: first.task.member, prompt: first.prompt },
    answered: assigned - expected.reviews,
    time: forecastTime(expected, lanes, secondsSeen(tasks, settings, asking)),
  };
}

export interface PreparedReviews {
  readonly tasks: readonly StanceTask[];
  readonly settings: StanceSettings;
}

/** `key`: prefix of the journal keys. */
export function prepareReviews(
  { session, packets }: Pick<ReviewsWanted, 'session' | 'packets'>,
  reviewing: Omit<Planning, 'asking' | 'lanes'>,
  key = 'review',
): PreparedReviews {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  return {
    tasks: packets
      .filter(({ assigned }) => assigned.length > 0)
      .map(packet => taskOf(packet, motions, reviewing)),
    settings: {
      key,
      batch: reviewing.batch,
      concurrency: reviewing.concurrency,
      orderOf: (member, id) => reviewing.hash(`${session.id}|${member}|${id}`),
      mark: null,
    },
  };
}

function taskOf(
  { member, assigned }: Packet,
  motions: ReadonlyMap<string, Motion>,
  { seatFor, fence, hash }: Pick<Reviewing, 'seatFor' | 'fence' | 'hash'>,
): StanceTask {
  const asked = new Map<string, AskedMotion>(
    assigned.flatMap(({ motionId, conflict }) => {
      const motion = motions.get(motionId);
      return motion === undefined ? [] : [[motionId, { motion, conflict }] as const];
    }),
  );
  const own = fenceFor(`review/${member.id}`, fence, hash);
  return {
    ...seatFor(member),
    member: member.id,
    instructions: renderIdentity(member),
    ids: [...asked.keys()],
    render: ids =>
      renderStancePrompt(
        ids.flatMap(id => asked.get(id) ?? []),
        own,
      ),
  };
}

/** `isCut`: the member saw only the first part of the text. */
export function toResponse(
  { id, stated, error, model, endpoint, attempts, at, durationMs }: Stance,
  member: Member,
  isCut: boolean,
): ReviewResponse {
  const concerns = stated?.opposition_concerns ?? [];
  return {
    archon_id: member.id,
    archon_name: member.name,
    mega_motion_id: id,
    status: stated === null ? 'no_response' : 'ok',
    error,
    model,
    endpoint,
    stance: stated?.stance ?? null,
    amendment_type: stated?.amendment_type ?? null,
    amendment_text: stated?.amendment_text ?? null,
    amendment_rationale: stated?.amendment_rationale ?? null,
    opposition_reason: concerns.length === 0 ? null : concerns.join('; '),
    reasoning: stated?.reasoning ?? '',
    confidence: stated?.confidence ?? null,
    validation: [...(stated?.validation ?? [])],
    text_truncated: isCut,
    attempts,
    review_duration_ms: durationMs,
    reviewed_at: at,
  };
}
