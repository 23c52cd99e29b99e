/**
 * Asks many members about many things each: several things a call; what an answer leaves out is asked again alone. Who finishes
 * first changes nothing.
 */
import pLimit from 'p-limit';
import { HeardStance, readStances, type StatedStance } from '../../core/vote/answers.ts';
import { byCodePoint } from '../../core/vote/motion.ts';
import type { Called } from '../../core/words/answer.ts';
import {
  type Asking,
  askUntil,
  bookEarlier,
  type PlacedSeat,
  type ReadAnswer,
  wasAsked,
} from './ask-member.ts';

/** One member and the things it is asked about. */
export interface StanceTask extends PlacedSeat {
  /** Part of the journal keys. */
  readonly member: string;
  /** Tells the tasks of one member apart, in the journal too; absent where it has one. */
  readonly part?: string;
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
  /** Decides the order in which a member is shown things; those for whom it decides alike are shown the same. */
  readonly orderOf: (member: string, id: string) => string;
  /** Tells questions apart whose things have other texts than before: part of the journal keys; null: they never have. */
  readonly mark: ((ids: readonly string[]) => string) | null;
}

export type Stance = HeardStance;

/**
 * Exactly one stance for each member and thing, in the order of the tasks. Books what was spent on them before, first of all.
 * Rejects only when the signal aborts.
 */
export async function collectStances(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Asking,
): Promise<Stance[]> {
  const batches = tasks.flatMap(task => batchesOf(task, settings));
  bookEarlier(new Set(batches.flatMap(({ keys }) => keys)), asking);
  // Twice as many are at work as may call: while one answer is read and written down, or waited for, the next call is made.
  const collected = await pLimit(2 * settings.concurrency).map(
    interleave(batches, settings.concurrency),
    batch => collectBatch(batch, asking),
  );
  const found = new Map(collected.flat().map(one => [nameOf(one), one]));
  return tasks.flatMap(({ member, ids }) =>
    ids.flatMap(id => found.get(nameOf({ member, id })) ?? []),
  );
}

function nameOf({ member, id }: Pick<Stance, 'member' | 'id'>): string {
  return JSON.stringify([member, id]);
}

interface StanceBatch {
  readonly task: StanceTask;
  readonly ids: readonly string[];
  /** Of batches that begin with the same thing in the same order. */
  readonly beginning: string;
  /** Of the question about some of its things together. */
  readonly keyOf: (ids: readonly string[]) => string;
  /** Of the question about one thing alone. */
  readonly aloneKey: (id: string) => string;
  /** Where its stance on a thing is noted, whatever else was asked with it; null: a batch is always the same. */
  readonly notedAt: ((id: string) => string) | null;
  /** Of all these questions. */
  readonly keys: readonly string[];
}

function batchesOf(task: StanceTask, { key, batch, orderOf, mark }: StanceSettings): StanceBatch[] {
  const order = new Map(task.ids.map(id => [id, orderOf(task.member, id)]));
  const rankOf = (id: string): string => order.get(id) ?? '';
  const ids = task.ids.toSorted((one, other) => byCodePoint(rankOf(one), rankOf(other)));
  const prefix = [key, task.member, ...(task.part === undefined ? [] : [task.part])].join('/');
  const marked = (name: string, about: readonly string[]): string =>
    mark === null ? name : `${name}@${mark(about)}`;
  const aloneKey = (id: string): string => marked(`${prefix}/one/${id}`, [id]);
  return Array.from({ length: Math.ceil(ids.length / batch) }, (_, index) => {
    const own = ids.slice(index * batch, (index + 1) * batch);
    const keyOf = (some: readonly string[]): string => marked(`${prefix}/batch-${index + 1}`, some);
    return {
      task,
      ids: own,
      beginning: rankOf(own[0] ?? ''),
      keyOf,
      aloneKey,
      notedAt: mark === null ? null : id => marked(`${prefix}/said/${id}`, [id]),
      keys: [keyOf(own), ...own.map(aloneKey)],
    };
  });
}

/**
 * Those that begin alike come after one another, and not at once: what one of them has brought into the cache of a provider is
 * there for the next.
 */
function interleave(batches: readonly StanceBatch[], atOnce: number): StanceBatch[] {
  const seen = new Map<string, number>();
  const rows = batches.map(batch => {
    const row = seen.get(batch.beginning) ?? 0;
    seen.set(batch.beginning, row + 1);
    return { batch, row };
  });
  const side = new Map([...seen.keys()].map((name, index) => [name, Math.floor(index / atOnce)]));
  const sideOf = ({ batch: { beginning } }: (typeof rows)[number]): number =>
    side.get(beginning) ?? 0;
  return rows
    .toSorted((one, other) => sideOf(one) - sideOf(other) || one.row - other.row)
    .map(({ batch }) => batch);
}

/** A text that has changed makes its batch another question; of the other things in it nothing is asked that was answered. */
async function collectBatch(batch: StanceBatch, asking: Asking): Promise<Stance[]> {
  const noted = wasAsked(batch.keyOf(batch.ids), asking)
    ? []
    : batch.ids.flatMap(id => recallNoted(batch, id, asking) ?? []);
  const known = new Set(noted.map(({ id }) => id));
  const ids = batch.ids.filter(id => !known.has(id));
  if (ids.length === 0) return noted;
  const whole = await askUntil(questionOf(batch, batch.keyOf(ids), ids), wholeText, asking);
  const { stated, missing } = readStances(whole.read?.text ?? '', ids);
  const collected = [...noted];
  // One after the other: a member is asked about one thing at a time, and the limits are for many members.
  for (const id of ids) {
    const problem = whole.read === null ? whole.error : (missing.get(id) ?? null);
    let stance = stanceOf(batch, id, stated.get(id) ?? problem ?? '', whole);
    if (whole.read !== null && problem !== null) {
      // The try that was answered without it counts as one of its own.
      const question = questionOf(batch, batch.aloneKey(id), [id]);
      const alone = await askUntil(question, readAlone(id), asking, whole);
      const said = alone.read === null ? whyNot(problem, alone) : askedAlone(alone.read, problem);
      stance = stanceOf(batch, id, said, { ...alone, last: alone.last ?? whole.last });
    }
    collected.push(stance);
    const place = batch.notedAt?.(id);
    if (place !== undefined && stance.stated !== null)
      await asking.steps.step(place, () => Promise.resolve(stance), HeardStance);
  }
  return collected;
}

function recallNoted({ notedAt }: StanceBatch, id: string, { steps }: Asking): Stance | undefined {
  return notedAt === null ? undefined : HeardStance.safeParse(steps.recall(notedAt(id))).data;
}

const wholeText = (text: string): { readonly text: string } => ({ text });

function questionOf({ task }: StanceBatch, key: string, ids: readonly string[]) {
  const { seat, endpoint, instructions, render } = task;
  return {
    key,
    seat,
    endpoint,
    instructions,
    // Written when it is its turn: of a large vote not all prompts are in memory at once.
    get prompt() {
      return render(ids);
    },
    items: ids.length,
  };
}

function readAlone(id: string): ReadAnswer<StatedStance> {
  return text => {
    const { stated, missing } = readStances(text, [id]);
    return stated.get(id) ?? missing.get(id) ?? 'The answer says nothing about it.';
  };
}

/** `said`: the stance, or why there is none. */
function stanceOf(
  { task: { member } }: StanceBatch,
  id: string,
  said: StatedStance | string,
  { last, attempts }: { readonly last: Called | null; readonly attempts: number },
): Stance {
  const { at = '', durationMs = 0, model = null, endpoint = null } = last ?? {};
  const made = { member, id, attempts, at, durationMs };
  return typeof said === 'string'
    ? { ...made, stated: null, error: said, model: null, endpoint: null }
    : { ...made, stated: said, error: null, model, endpoint };
}

/** Why it was asked again stays beside what came of it. */
function askedAlone(stated: StatedStance, problem: string): StatedStance {
  return { ...stated, validation: [`asked again alone: ${problem}`, ...stated.validation] };
}

function whyNot(
  problem: string,
  { error, last }: { readonly error: string; readonly last: Called | null },
): string {
  return last === null || error === problem ? problem : `${problem} Asked again alone: ${error}`;
}
