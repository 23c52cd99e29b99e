/** The real reviews of a vote: every member is asked about what its packet assigns, and every assignment leaves one row. */
import pLimit from 'p-limit';
import { readStances, type StatedStance } from '../../core/vote/answers.ts';
import {
  type CeilingLimits,
  describeForecast,
  forecast,
  type Forecast,
} from '../../core/vote/forecast.ts';
import type { Member, Motion } from '../../core/vote/motion.ts';
import type { Packet, RiskTier } from '../../core/vote/triage.ts';
import { cutText, type Showing } from '../../core/vote/prompts/foreign-text.ts';
import {
  type AskedMotion,
  renderIdentity,
  renderStancePrompt,
} from '../../core/vote/prompts/motions.ts';
import type { ReviewResponse } from '../../core/vote/records.ts';
import type { Called } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import { type Asking, askUntil, bookEarlier, type Question, tryKey } from './ask-member.ts';
import type { ReviewsWanted } from './run-motions.ts';

export interface Reviewing extends Showing {
  readonly asking: Asking;
  /** Who answers for a member about what is of this risk, and the one endpoint it is asked at; null: any that shares the work. */
  readonly seatFor: (
    member: Member,
    riskTier: RiskTier | null,
  ) => { readonly seat: Seat; readonly endpoint: string | null };
  /** Motions in one call. */
  readonly batch: number;
  readonly concurrency: number;
  readonly panelConcurrency: number;
  readonly limits: CeilingLimits;
}

export async function collectReviews(
  { session, motions: triaged, packets, note }: ReviewsWanted,
  reviewing: Reviewing,
): Promise<ReviewResponse[]> {
  const motions = new Map(session.motions.map(motion => [motion.id, motion]));
  const asked = packets.filter(({ assigned }) => assigned.length > 0);
  const members = new Map(asked.map(({ member }) => [member.id, member]));
  const tiers = new Map(triaged.map(({ motion, riskTier }) => [motion.id, riskTier]));
  const tasks = asked.flatMap(packet => tasksOf(packet, { motions, tiers }, reviewing));
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
    return member === undefined || motion === undefined
      ? []
      : [toResponse(stance, member, motion, reviewing)];
  });
}

interface AskedSession {
  readonly motions: ReadonlyMap<string, Motion>;
  /** By motion id. */
  readonly tiers: ReadonlyMap<string, RiskTier>;
}

/** One for all that a member is asked about; where its model depends on the risk, one for each risk. */
function tasksOf(
  { member, assigned }: Packet,
  { motions, tiers }: AskedSession,
  reviewing: Reviewing,
): StanceTask[] {
  const asked = assigned.flatMap(({ motionId, conflict }): AskedMotion[] => {
    const motion = motions.get(motionId);
    return motion === undefined
      ? []
      : [{ motion, riskTier: tiers.get(motionId) ?? null, conflict }];
  });
  const risks = [...new Set(asked.map(({ riskTier }) => riskTier))];
  const models = new Set(risks.map(risk => reviewing.seatFor(member, risk).seat.model));
  if (models.size <= 1) return [taskOf(member, asked, reviewing)];
  return risks.map(risk => ({
    ...taskOf(
      member,
      asked.filter(({ riskTier }) => riskTier === risk),
      reviewing,
    ),
    part: risk ?? 'unsorted',
  }));
}

/** Of motions that one model is asked about. */
function taskOf(member: Member, motions: readonly AskedMotion[], reviewing: Reviewing): StanceTask {
  const asked = new Map(motions.map(one => [one.motion.id, one]));
  return {
    ...reviewing.seatFor(member, motions[0]?.riskTier ?? null),
    member: member.id,
    instructions: renderIdentity(member),
    ids: [...asked.keys()],
    render: ids =>
      renderStancePrompt(
        ids.flatMap(id => asked.get(id) ?? []),
        reviewing,
      ),
  };
}

function toResponse(
  { stated, error, attempts, at, durationMs }: Stance,
  member: Member,
  motion: Motion,
  { textLimits }: Pick<Reviewing, 'textLimits'>,
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
    text_truncated: cutText(motion.text, textLimits.motion_text).isCut,
    attempts,
    review_duration_ms: durationMs,
    reviewed_at: at,
  };
}

// Asks many members about many things each: several things a call, in an order of each member's own; what an answer leaves
// out is asked again alone. Who finishes first changes nothing.

/** One member and the things it is asked about. */
export interface StanceTask {
  /** Part of the journal keys. */
  readonly member: string;
  /** Tells the tasks of one member apart, in the journal too; absent where it has one. */
  readonly part?: string;
  readonly seat: Seat;
  /** The one endpoint it can be asked at; null: any that shares the work. */
  readonly endpoint: string | null;
  readonly instructions: string;
  /** Distinct ids of what it is asked about. */
  readonly ids: readonly string[];
  /** The prompt about some of them, in this order. */
  readonly render: (ids: readonly string[]) => string;
}

export interface StanceSettings {
  /** Prefix of the journal keys. */
  readonly key: string;
  /** Things in one call. */
  readonly batch: number;
  /** Calls at once; the endpoints hold to it. */
  readonly concurrency: number;
  /** Decides the order in which a member is asked about things. */
  readonly orderOf: (member: string, id: string) => string;
}

export interface Stance {
  readonly member: string;
  readonly id: string;
  /** Null: no response, and `error` says why. */
  readonly stated: StatedStance | null;
  readonly error: string | null;
  readonly attempts: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly durationMs: number;
}

/** Exactly one stance for each member and thing, in the order of the tasks. Rejects only when the signal aborts. */
export async function collectStances(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Asking,
): Promise<Stance[]> {
  const batches = tasks.flatMap(task => batchesOf(task, settings));
  bookEarlier(
    batches
      .filter(({ key }) => asking.steps.recall(tryKey(key, 1)) !== undefined)
      .flatMap(batch => [batch.key, ...batch.ids.map(id => aloneKey(batch, id))]),
    asking,
  );
  // Twice as many are at work as may call: while one answer is read and written down, or waited for, the next call is made.
  const limit = pLimit(2 * settings.concurrency);
  const collected = await Promise.all(
    batches.map(batch => limit(() => collectBatch(batch, asking))),
  );
  const found = new Map(
    collected.flat().map(stance => [JSON.stringify([stance.member, stance.id]), stance]),
  );
  return tasks.flatMap(({ member, ids }) =>
    ids.flatMap(id => found.get(JSON.stringify([member, id])) ?? []),
  );
}

/** What asking them takes when every answer is whole at once. */
export function forecastOf(tasks: readonly StanceTask[], settings: StanceSettings): Forecast {
  return forecast(
    tasks.flatMap(task =>
      batchesOf(task, settings).map(({ ids }) => ({
        characters: task.instructions.length + task.render(ids).length,
        items: ids.length,
        price: task.seat.price ?? null,
      })),
    ),
  );
}

interface StanceBatch {
  readonly task: StanceTask;
  readonly key: string;
  /** Prefix of the keys of those asked alone. */
  readonly prefix: string;
  readonly ids: readonly string[];
}

function batchesOf(task: StanceTask, { key, batch, orderOf }: StanceSettings): StanceBatch[] {
  const keyed = task.ids.map(id => ({ id, order: orderOf(task.member, id) }));
  const ids = keyed
    .toSorted((one, other) => (one.order < other.order ? -1 : Number(one.order > other.order)))
    .map(({ id }) => id);
  const prefix = [key, task.member, ...(task.part === undefined ? [] : [task.part])].join('/');
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) => ({
    task,
    prefix,
    key: `${prefix}/batch-${index + 1}`,
    ids: ids.slice(index * batch, (index + 1) * batch),
  }));
}

function aloneKey({ prefix }: StanceBatch, id: string): string {
  return `${prefix}/one/${id}`;
}

function questionOf(
  { task: { seat, endpoint, instructions, render } }: StanceBatch,
  key: string,
  ids: readonly string[],
): Question {
  return { key, seat, endpoint, instructions, prompt: render(ids) };
}

/** Without any answer the whole batch is asked again; with one, what it lacks is asked about alone. */
async function collectBatch(batch: StanceBatch, asking: Asking): Promise<Stance[]> {
  const question = questionOf(batch, batch.key, batch.ids);
  const heard = await askUntil(question, text => ({ text }), asking);
  const { attempts: number, last } = heard;
  if (heard.read !== null)
    return readBatch(batch, { answered: heard.last, text: heard.read.text, number }, asking);
  return batch.ids.map(id => ({
    member: batch.task.member,
    id,
    stated: null,
    error: heard.error,
    attempts: number,
    at: last?.at ?? '',
    durationMs: last?.durationMs ?? 0,
  }));
}

interface AnsweredBatch {
  readonly answered: Called;
  readonly text: string;
  readonly number: number;
}

/** One after the other: a member is asked about one thing at a time, and the limits are for many members. */
async function readBatch(
  batch: StanceBatch,
  { answered, text, number }: AnsweredBatch,
  asking: Asking,
): Promise<Stance[]> {
  const { stated, missing } = readStances(text, batch.ids);
  const { at, durationMs } = answered;
  const collected: Stance[] = [...stated].map(([id, stance]) => ({
    member: batch.task.member,
    id,
    stated: stance,
    error: null,
    attempts: number,
    at,
    durationMs,
  }));
  for (const [id, problem] of missing)
    collected.push(await askAlone(batch, { id, problem, answered, number }, asking));
  return collected;
}

interface Missing {
  readonly id: string;
  readonly problem: string;
  readonly answered: Called;
  readonly number: number;
}

async function askAlone(
  batch: StanceBatch,
  { id, problem, answered, number }: Missing,
  asking: Asking,
): Promise<Stance> {
  const heard = await askUntil(
    questionOf(batch, aloneKey(batch, id), [id]),
    text => {
      const { stated, missing } = readStances(text, [id]);
      return stated.get(id) ?? missing.get(id) ?? problem;
    },
    asking,
    number + 1,
  );
  const { at, durationMs } = heard.last ?? answered;
  const base = {
    member: batch.task.member,
    id,
    attempts: heard.last === null ? number : heard.attempts,
    at,
    durationMs,
  };
  return heard.read === null
    ? { ...base, stated: null, error: joined(problem, heard.last === null ? null : heard.error) }
    : { ...base, stated: askedAlone(heard.read, problem), error: null };
}

/** Why it was asked again stays beside what came of it. */
function askedAlone(stated: StatedStance, problem: string): StatedStance {
  return { ...stated, validation: [`asked again alone: ${problem}`, ...stated.validation] };
}

function joined(problem: string, later: string | null): string {
  return later === null || later === problem ? problem : `${problem} Asked again alone: ${later}`;
}
