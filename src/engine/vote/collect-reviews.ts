/** The real reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import type { Limits } from '../../core/context/budget.ts';
import { describeForecast, type Forecast, forecastTime } from '../../core/vote/forecast.ts';
import type { Member, Motion } from '../../core/vote/motion.ts';
import type { Packet, RiskTier, TriagedMotion } from '../../core/vote/triage.ts';
import { cutText, type ShowingAll } from '../../core/vote/prompts/foreign-text.ts';
import {
  type AskedMotion,
  renderIdentity,
  renderStancePrompt,
} from '../../core/vote/prompts/motions.ts';
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
import type { ReviewsWanted } from './deliberators.ts';

export interface Reviewing extends ShowingAll {
  readonly asking: Asking;
  /** Who answers for a member about what is of this risk, and the one endpoint it is asked at; null: any that shares the work. */
  readonly seatFor: (
    member: Member,
    riskTier: RiskTier | null,
  ) => { readonly seat: Seat; readonly endpoint: string | null };
  /** Motions in one call. */
  readonly batch: number;
  readonly concurrency: number;
  /** Calls that can be under way at once, by all limits. */
  readonly lanes: number;
  readonly panelConcurrency: number;
  readonly limits: Limits;
}

export async function collectReviews(
  { session, motions, packets, note }: ReviewsWanted,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const { tasks, settings } = prepareReviews({ session, motions, packets }, reviewing);
  const { ceiling } = reviewing.asking;
  bookStances(tasks, settings, reviewing.asking);
  const { expected, answered, time } = planOf(tasks, settings, reviewing);
  note(describeForecast(expected, reviewing.limits, { answered, time, spent: ceiling.spent() }));
  const stances = await collectBooked(tasks, settings, reviewing.asking);
  return toResponses(stances, { session, packets }, reviewing);
}

export function toResponses(
  stances: readonly Stance[],
  { session, packets }: Pick<ReviewsWanted, 'session' | 'packets'>,
  { textLimits: { motion_text: mostText } }: Pick<Reviewing, 'textLimits'>,
): ReviewResponse[] {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const members = new Map(packets.map(({ member }) => [member.id, member]));
  return stances.flatMap(stance => {
    const [member, motion] = [members.get(stance.member), motions.get(stance.id)];
    return member === undefined || motion === undefined
      ? []
      : [toResponse(stance, member, cutText(motion.text, mostText).isCut)];
  });
}

/** What collecting the reviews takes from here on. */
export interface ReviewsPlanned {
  readonly expected: Forecast;
  /** Reviews whose answers the journal holds. */
  readonly answered: number;
  readonly time: ReturnType<typeof forecastTime>;
  /** One prompt that will be sent; null when none will. */
  readonly example: { readonly member: string; readonly prompt: string } | null;
}

export type ReviewsPut = Pick<ReviewsWanted, 'session' | 'motions' | 'packets'>;

/** Nobody is asked. */
export function planReviews(wanted: ReviewsPut, reviewing: Planning): ReviewsPlanned {
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
  { session, motions: triaged, packets }: ReviewsPut,
  reviewing: Omit<Planning, 'asking' | 'lanes'>,
  key = 'review',
): PreparedReviews {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const tiers = tiersOf(triaged);
  return {
    tasks: packets.flatMap(packet => tasksOfPacket(packet, { motions, tiers }, reviewing)),
    settings: {
      key,
      batch: reviewing.batch,
      concurrency: reviewing.concurrency,
      orderOf: (member, id) => reviewing.hash(`${session.id}|${member}|${id}`),
      mark: null,
    },
  };
}

/** By motion id. */
export function tiersOf(motions: readonly TriagedMotion[]): ReadonlyMap<string, RiskTier> {
  return new Map(motions.map(({ motion, riskTier }) => [motion.id, riskTier]));
}

interface AskedSession {
  readonly motions: ReadonlyMap<string, Motion>;
  /** By motion id. */
  readonly tiers: ReadonlyMap<string, RiskTier>;
}

function tasksOfPacket(
  { member, assigned }: Packet,
  { motions, tiers }: AskedSession,
  reviewing: Omit<Planning, 'asking' | 'lanes'>,
): StanceTask[] {
  const all = assigned.flatMap(({ motionId, conflict }): AskedMotion[] => {
    const motion = motions.get(motionId);
    return motion === undefined
      ? []
      : [{ motion, riskTier: tiers.get(motionId) ?? null, conflict }];
  });
  const showing = { ...reviewing, question: `review/${member.id}` };
  return tasksOf(member, all, reviewing.seatFor, asked => renderStancePrompt(asked, showing));
}

/** What a member is asked about, by model: one task for all; where its model depends on the risk, one for each risk. */
export function tasksOf<
  Asked extends { readonly motion: Motion; readonly riskTier: RiskTier | null },
>(
  member: Member,
  all: readonly Asked[],
  seatFor: Reviewing['seatFor'],
  render: (asked: readonly Asked[]) => string,
): StanceTask[] {
  const risks = [...new Set(all.map(({ riskTier }) => riskTier))];
  const isOne = new Set(risks.map(risk => seatFor(member, risk).seat.model)).size === 1;
  const parts = isOne ? risks.slice(0, 1) : risks;
  return parts.map(risk => {
    const own = isOne ? all : all.filter(({ riskTier }) => riskTier === risk);
    const byId = new Map(own.map(asked => [asked.motion.id, asked]));
    return {
      ...seatFor(member, risk),
      ...(isOne ? {} : { part: risk ?? 'unsorted' }),
      member: member.id,
      instructions: renderIdentity(member),
      ids: [...byId.keys()],
      render: ids => render(ids.flatMap(id => byId.get(id) ?? [])),
    };
  });
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
