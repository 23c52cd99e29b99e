/** The real reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import {
  type CeilingLimits,
  describeForecast,
  type Forecast,
  forecastTime,
  type ForecastTime,
} from '../../core/vote/forecast.ts';
import type { Member, Motion } from '../../core/vote/motion.ts';
import type { Packet, RiskTier } from '../../core/vote/triage.ts';
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
import type { ReviewsWanted } from './run-motions.ts';

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
  readonly limits: CeilingLimits;
}

export async function collectReviews(
  { session, motions: triaged, packets, note }: ReviewsWanted,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const { tasks, settings, motions } = prepareReviews(
    { session, motions: triaged, packets },
    reviewing,
  );
  const { ceiling } = reviewing.asking;
  bookStances(tasks, settings, reviewing.asking);
  const { expected, answered, time } = planOf(tasks, settings, reviewing);
  note(describeForecast(expected, reviewing.limits, { answered, time, spent: ceiling.spent() }));
  const members = new Map(packets.map(({ member }) => [member.id, member]));
  const stances = await collectBooked(tasks, settings, reviewing.asking);
  const { motion_text: mostText } = reviewing.textLimits;
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
  readonly time: ForecastTime;
  /** One prompt that will be sent; null when none will. */
  readonly example: { readonly member: string; readonly prompt: string } | null;
}

type ReviewsPut = Pick<ReviewsWanted, 'session' | 'motions' | 'packets'>;

/** Nobody is asked. */
export function planReviews(wanted: ReviewsPut, reviewing: Planning): ReviewsPlanned {
  const { tasks, settings } = prepareReviews(wanted, reviewing);
  return planOf(tasks, settings, reviewing);
}

type Planning = Omit<Reviewing, 'asking' | 'limits' | 'panelConcurrency'> & {
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

function prepareReviews(
  { session, motions: triaged, packets }: ReviewsPut,
  reviewing: Omit<Planning, 'asking' | 'lanes'>,
): {
  readonly tasks: readonly StanceTask[];
  readonly settings: StanceSettings;
  readonly motions: ReadonlyMap<string, Motion>;
} {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const tiers = new Map(triaged.map(({ motion, riskTier }) => [motion.id, riskTier]));
  return {
    motions,
    tasks: packets.flatMap(packet => tasksOf(packet, { motions, tiers }, reviewing)),
    settings: {
      key: 'review',
      batch: reviewing.batch,
      concurrency: reviewing.concurrency,
      orderOf: (member, id) => reviewing.hash(`${session.id}|${member}|${id}`),
      mark: null,
    },
  };
}

interface AskedSession {
  readonly motions: ReadonlyMap<string, Motion>;
  /** By motion id. */
  readonly tiers: ReadonlyMap<string, RiskTier>;
}

function tasksOf(
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
  return splitByModel(member, all, reviewing.seatFor).map(({ asked, ...seat }) => {
    const byId = new Map(asked.map(one => [one.motion.id, one]));
    return {
      ...seat,
      member: member.id,
      instructions: renderIdentity(member),
      ids: [...byId.keys()],
      render: ids =>
        renderStancePrompt(
          ids.flatMap(id => byId.get(id) ?? []),
          showing,
        ),
    };
  });
}

/** What one model is asked about. */
interface ModelPart<Asked> extends Pick<StanceTask, 'seat' | 'endpoint' | 'part'> {
  readonly asked: readonly Asked[];
}

/** One part for all that a member is asked about; where its model depends on the risk, one for each risk. */
export function splitByModel<Asked extends { readonly riskTier: RiskTier | null }>(
  member: Member,
  all: readonly Asked[],
  seatFor: Reviewing['seatFor'],
): ModelPart<Asked>[] {
  const risks = [...new Set(all.map(({ riskTier }) => riskTier))];
  const [first] = risks;
  if (first === undefined) return [];
  const models = new Set(risks.map(risk => seatFor(member, risk).seat.model));
  if (models.size === 1) return [{ ...seatFor(member, first), asked: all }];
  return risks.map(risk => ({
    ...seatFor(member, risk),
    part: risk ?? 'unsorted',
    asked: all.filter(({ riskTier }) => riskTier === risk),
  }));
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
