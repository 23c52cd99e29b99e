/**
 * Asks many members about many things each: several things a call, in an order of each member's own; what an answer leaves
 * out is asked again alone. Who finishes first changes nothing.
 */
import pLimit from 'p-limit';
import { readStances, type StatedStance } from '../../core/vote/answers.ts';
import { forecast, type Forecast } from '../../core/vote/forecast.ts';
import { Called, SaidNote } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  type Asking,
  askUntil,
  bookEarlier,
  type Heard,
  type Question,
  type ReadAnswer,
  recallHeard,
  type Recalling,
  type Tried,
  tryKey,
} from './ask-member.ts';

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
  /** Tells questions apart whose things have other texts than before: part of the journal keys; null: they never have. */
  readonly mark: ((ids: readonly string[]) => string) | null;
}

export interface Stance {
  readonly member: string;
  readonly id: string;
  /** Null: no response, and `error` says why. */
  readonly stated: StatedStance | null;
  readonly error: string | null;
  /** Who answered; null where nobody did, and where it is not known. */
  readonly model: string | null;
  readonly endpoint: string | null;
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
  bookStances(tasks, settings, asking);
  return collectBooked(tasks, settings, asking);
}

/** Books what was spent on them before, which must come first. */
export function bookStances(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Pick<Asking, 'steps' | 'ceiling' | 'round' | 'hash'>,
): void {
  const batches = tasks.flatMap(task => batchesOf(task, settings));
  bookEarlier(new Set(batches.flatMap(batch => keysOf(batch, asking))), asking);
}

/** The same when that is booked. */
export async function collectBooked(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Asking,
): Promise<Stance[]> {
  const batches = tasks.flatMap(task => batchesOf(task, settings));
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

/** What asking them takes when every answer is whole at once. `asking`: with a journal, what it does not hold already. */
export function forecastOf(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Recalling | null = null,
): Forecast {
  return forecast(
    tasks.flatMap(task =>
      batchesOf(task, settings)
        .flatMap(batch => openIn(batch, asking))
        .map(ids => ({
          characters: task.instructions.length + task.render(ids).length,
          items: ids.length,
          price: task.seat.price ?? null,
        })),
    ),
  );
}

/** The first question that has no answer yet; null when all have. */
export function firstOpen(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Recalling,
): { readonly task: StanceTask; readonly prompt: string } | null {
  for (const task of tasks)
    for (const batch of batchesOf(task, settings))
      for (const ids of openIn(batch, asking)) return { task, prompt: task.render(ids) };
  return null;
}

/** Things of a batch that have no answer yet, as they would be asked about: together, or each alone. */
function openIn(batch: StanceBatch, asking: Recalling | null): readonly (readonly string[])[] {
  if (asking === null) return [batch.ids];
  const heard = recallBatch(batch, asking);
  if (heard.read === null) {
    const { said, rest } = splitBatch(batch, asking);
    return said.length === 0 ? [batch.ids] : rest.ids.length === 0 ? [] : openIn(rest, asking);
  }
  const { missing } = readStances(heard.read.text, batch.ids);
  return [...missing.keys()]
    .filter(id => recallAlone(batch, id, asking, heard).read === null)
    .map(id => [id]);
}

/** Seconds that calls took which were answered before. */
export function secondsSeen(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Recalling,
): number[] {
  return tasks
    .flatMap(task => batchesOf(task, settings))
    .flatMap(batch => recallBatch(batch, asking).last ?? [])
    .filter(({ text }) => text !== null)
    .map(({ durationMs }) => durationMs / 1_000);
}

interface StanceBatch {
  readonly task: StanceTask;
  readonly key: string;
  /** Of the same question about some of its things. */
  readonly keyOf: (ids: readonly string[]) => string;
  /** Where it is noted what was said of one thing, whatever else was asked with it; null: a batch is always the same. */
  readonly notedAt: ((id: string) => string) | null;
  /** Of the question about one thing alone. */
  readonly aloneKey: (id: string) => string;
  readonly ids: readonly string[];
}

function batchesOf(task: StanceTask, { key, batch, orderOf, mark }: StanceSettings): StanceBatch[] {
  const keyed = task.ids.map(id => ({ id, order: orderOf(task.member, id) }));
  const ids = keyed
    .toSorted((one, other) => (one.order < other.order ? -1 : Number(one.order > other.order)))
    .map(({ id }) => id);
  const prefix = [key, task.member, ...(task.part === undefined ? [] : [task.part])].join('/');
  const marked = (name: string, about: readonly string[]): string =>
    mark === null ? name : `${name}@${mark(about)}`;
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) => {
    const own = ids.slice(index * batch, (index + 1) * batch);
    const keyOf = (about: readonly string[]): string =>
      marked(`${prefix}/batch-${index + 1}`, about);
    return {
      task,
      key: keyOf(own),
      keyOf,
      notedAt: mark === null ? null : id => `${prefix}/said/${id}`,
      aloneKey: id => marked(`${prefix}/one/${id}`, [id]),
      ids: own,
    };
  });
}

/** Names in the journal of everything that may be asked about a batch, or was when other things stood in it. */
function keysOf(batch: StanceBatch, asking: Recalling): string[] {
  const { said, rest } = splitBatch(batch, asking);
  return [
    batch.key,
    rest.key,
    ...batch.ids.map(batch.aloneKey),
    ...said.map(({ note }) => note.key),
  ];
}

interface SplitBatch {
  readonly said: readonly { readonly note: SaidNote; readonly stance: Stance }[];
  /** Of the same question, what nothing is noted of. */
  readonly rest: StanceBatch;
}

/** A text that has changed makes its batch another question; of the other things in it nothing is asked that was answered. */
function splitBatch(batch: StanceBatch, asking: Recalling): SplitBatch {
  const said = batch.ids.flatMap(id => recallNoted(batch, id, asking) ?? []);
  const known = new Set(said.map(({ stance }) => stance.id));
  const ids = batch.ids.filter(id => !known.has(id));
  return { said, rest: { ...batch, ids, key: batch.keyOf(ids) } };
}

/** By the words in which one would be asked about it alone. */
function notePlace({ task, notedAt }: StanceBatch, id: string, { hash }: Recalling): string | null {
  if (notedAt === null) return null;
  const words = hash(JSON.stringify([task.instructions, task.render([id])]));
  return `${notedAt(id)}@${words.slice(0, 16)}`;
}

function recallNoted(
  batch: StanceBatch,
  id: string,
  asking: Recalling,
): SplitBatch['said'][number] | null {
  const place = notePlace(batch, id, asking);
  const note = place === null ? null : SaidNote.safeParse(asking.steps.recall(place)).data;
  if (note === null || note === undefined) return null;
  const called = Called.safeParse(asking.steps.recall(tryKey(note.key, note.number))).data;
  const stated = readStances(called?.text ?? '', note.ids).stated.get(id);
  if (called === undefined || stated === undefined) return null;
  const { attempts, problem } = note;
  const told = problem === null ? stated : askedAlone(stated, problem);
  return { note, stance: { ...statedBy(batch, id, told, called), attempts } };
}

async function noteSaid(
  batch: StanceBatch,
  ids: readonly string[],
  note: SaidNote,
  { steps, hash, round }: Asking,
): Promise<void> {
  await Promise.all(
    ids.map(async id => {
      const place = notePlace(batch, id, { steps, hash, round });
      if (place !== null) await steps.step(place, () => Promise.resolve(note), SaidNote);
    }),
  );
}

function questionOf(
  { task: { seat, endpoint, instructions, render } }: StanceBatch,
  key: string,
  ids: readonly string[],
): Question {
  let prompt: string | null = null;
  return {
    key,
    seat,
    endpoint,
    instructions,
    // Written when it is looked at: that nobody was asked yet is known without it.
    get prompt() {
      return (prompt ??= render(ids));
    },
    items: ids.length,
  };
}

const wholeText = (text: string): { readonly text: string } => ({ text });

function recallBatch(batch: StanceBatch, asking: Recalling): Heard<{ readonly text: string }> {
  return recallHeard(questionOf(batch, batch.key, batch.ids), wholeText, asking);
}

/** `before`: where the tries of the question about all of them stand. */
function recallAlone(
  batch: StanceBatch,
  id: string,
  asking: Recalling,
  before: Tried,
): Heard<StatedStance> {
  return recallHeard(questionOf(batch, batch.aloneKey(id), [id]), readAlone(id), asking, before);
}

/** Without any answer the whole batch is asked again; with one, what it lacks is asked about alone. */
async function collectBatch(batch: StanceBatch, asking: Asking): Promise<Stance[]> {
  if (recallBatch(batch, asking).read === null) {
    const { said, rest } = splitBatch(batch, asking);
    const before = said.map(({ stance }) => stance);
    if (rest.ids.length === 0) return before;
    if (said.length > 0) return [...before, ...(await collectBatch(rest, asking))];
  }
  const heard = await askUntil(questionOf(batch, batch.key, batch.ids), wholeText, asking);
  if (heard.read !== null)
    return readBatch(batch, { ...heard, answered: heard.last, text: heard.read.text }, asking);
  return batch.ids.map(id => ({
    ...unansweredBy(batch, id, heard.last),
    error: heard.error,
    attempts: heard.attempts,
  }));
}

function unansweredBy(
  { task }: StanceBatch,
  id: string,
  last: Called | null,
): Omit<Stance, 'error' | 'attempts'> {
  return {
    member: task.member,
    id,
    stated: null,
    model: null,
    endpoint: null,
    at: last?.at ?? '',
    durationMs: last?.durationMs ?? 0,
  };
}

function statedBy(
  { task }: StanceBatch,
  id: string,
  stated: StatedStance,
  { model, endpoint, at, durationMs }: Called,
): Omit<Stance, 'attempts'> {
  return { member: task.member, id, stated, error: null, model, endpoint, at, durationMs };
}

interface AnsweredBatch extends Tried {
  readonly answered: Called;
  readonly text: string;
}

/** One after the other: a member is asked about one thing at a time, and the limits are for many members. */
async function readBatch(
  batch: StanceBatch,
  { text, ...whole }: AnsweredBatch,
  asking: Asking,
): Promise<Stance[]> {
  const { stated, missing } = readStances(text, batch.ids);
  const { number, attempts } = whole;
  const note = { key: batch.key, ids: [...batch.ids], number, attempts, problem: null };
  await noteSaid(batch, [...stated.keys()], note, asking);
  const collected: Stance[] = [...stated].map(([id, stance]) => ({
    ...statedBy(batch, id, stance, whole.answered),
    attempts: whole.attempts,
  }));
  for (const [id, problem] of missing)
    collected.push(await askAlone(batch, { ...whole, id, problem }, asking));
  return collected;
}

interface Missing extends Tried {
  readonly id: string;
  readonly problem: string;
  readonly answered: Called;
}

/** The try that was answered without it counts as one of its own. */
async function askAlone(
  batch: StanceBatch,
  { id, problem, answered, ...before }: Missing,
  asking: Asking,
): Promise<Stance> {
  const heard = await askUntil(
    questionOf(batch, batch.aloneKey(id), [id]),
    readAlone(id),
    asking,
    before,
  );
  const { attempts, number } = heard;
  if (heard.read !== null) {
    const note = { key: batch.aloneKey(id), ids: [id], number, attempts, problem };
    await noteSaid(batch, [id], note, asking);
  }
  return heard.read === null
    ? {
        ...unansweredBy(batch, id, heard.last ?? answered),
        error: joined(problem, heard.last === null ? null : heard.error),
        attempts,
      }
    : { ...statedBy(batch, id, askedAlone(heard.read, problem), heard.last), attempts };
}

/** Why it was asked again stays beside what came of it. */
function askedAlone(stated: StatedStance, problem: string): StatedStance {
  return { ...stated, validation: [`asked again alone: ${problem}`, ...stated.validation] };
}

function joined(problem: string, later: string | null): string {
  return later === null || later === problem ? problem : `${problem} Asked again alone: ${later}`;
}

function readAlone(id: string): ReadAnswer<StatedStance> {
  return text => {
    const { stated, missing } = readStances(text, [id]);
    return stated.get(id) ?? missing.get(id) ?? 'The answer says nothing about it.';
  };
}
