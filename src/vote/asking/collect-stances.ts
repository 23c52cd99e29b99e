/**
 * Asks many members about many things each: several things a call; what an answer leaves out is asked again alone. Who finishes
 * first changes nothing.
 */
import pLimit from 'p-limit';
import { by, groupBy, sumOf } from '../../core/groups.ts';
import { HeardStance, readStances, type StatedStance } from '../answers.ts';
import {
  type Asking,
  askUntil,
  bookEarlier,
  type Heard,
  type PlacedSeat,
  type Recalling,
  rehearse,
  type Rehearsed,
  wasAsked,
} from '../../engine/asking/ask-member.ts';

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
  /** Everything that members are asked about; absent: each is asked about other things, in an order of its own. */
  readonly all?: readonly string[];
  /** Tells questions apart whose things have other texts than before: part of the journal keys; null: they never have. */
  readonly mark: ((ids: readonly string[]) => string) | null;
}

/**
 * Exactly one stance for each member and thing, in the order of the tasks. `tell` hears first what it takes; what was spent on
 * them before is booked before anybody is asked. Rejects only when the signal aborts.
 */
export async function collectStances(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  asking: Asking,
  tell?: (planned: PlannedStances) => void,
) {
  tell?.(await planStances(tasks, settings, asking));
  const batches = tasks.flatMap(task => batchesOf(task, settings));
  await bookEarlier(
    batches.flatMap(({ ids, keyOf }) => [
      keyOf('batch', ids),
      ...ids.map(id => keyOf('one', [id])),
    ]),
    asking,
  );
  // Twice as many are at work as may call: while one answer is read and written down, or waited for, the next call is made.
  const collected = await pLimit(2 * settings.concurrency).map(
    interleave(batches, settings.concurrency),
    batch => collectBatch(batch, asking),
  );
  const found = new Map(
    collected.flat().map(one => [nameOf(one.archon_id, one.mega_motion_id), one]),
  );
  return tasks.flatMap(({ member, ids }) => ids.flatMap(id => found.get(nameOf(member, id)) ?? []));
}

function nameOf(...question: readonly string[]) {
  return JSON.stringify(question);
}

/** What collecting them takes from here on. No member is asked. */
export async function planStances(
  tasks: readonly StanceTask[],
  settings: StanceSettings,
  recalling: Recalling,
) {
  const planned = await rehearse(asking => collectStances(tasks, settings, asking), recalling);
  const all = sumOf(tasks, ({ ids }) => ids.length);
  return { ...planned, answered: all - planned.expected.reviews };
}

interface PlannedStances extends Rehearsed {
  /** Stances that are known already. */
  answered: number;
}

type StanceBatch = ReturnType<typeof batchesOf>[number];

function batchesOf(task: StanceTask, settings: StanceSettings) {
  const { member, part } = task;
  const { key, mark } = settings;
  const beginning = [key, member, ...(part === undefined ? [] : [part])].join('/');
  return cutBatches(task, settings).map((own, index) => ({
    task,
    ids: own.map(({ id }) => id),
    /** Of batches that begin with the same thing in the same order. */
    beginning: own[0]?.rank ?? '',
    /** Journal key of what is asked about some of its things; `batch`: about so many of them as are not known. */
    keyOf: (what: 'batch' | 'one' | 'said', ids: readonly string[]) =>
      `${beginning}/${what === 'batch' ? `batch-${index + 1}` : `${what}/${ids[0]}`}` +
      (mark === null ? '' : `@${mark(ids)}`),
    /** May a thing have been asked about with others, or with another text? Then its stance is noted by itself. */
    isNoted: mark !== null,
  }));
}

/** Times as many calls as a member needs, for batches that others are shown, too: a call more costs less than one that no cache knows. */
const dearer = 1.1;

/** As they are cut for those who are asked about everything, where that takes few calls more. */
function cutBatches({ member, ids }: StanceTask, { batch, orderOf, all = ids }: StanceSettings) {
  const ranked = all
    .map(id => ({ id, rank: orderOf(member, id) }))
    .toSorted(by(({ rank }) => rank));
  const wanted = new Set(ids);
  const ownIn = (some: typeof ranked) => some.filter(({ id }) => wanted.has(id));
  const cut = (some: typeof ranked) =>
    Array.from({ length: Math.ceil(some.length / batch) }, (_, index) =>
      some.slice(index * batch, (index + 1) * batch),
    );
  const fewest = cut(ownIn(ranked));
  const alike = cut(ranked)
    .map(ownIn)
    .filter(some => some.length > 0);
  return alike.length <= dearer * fewest.length ? alike : fewest;
}

/**
 * Those that begin alike come after one another, and not at once: what one of them has brought into the cache of a provider is
 * there for the next.
 */
function interleave(batches: readonly StanceBatch[], atOnce: number) {
  return [...groupBy(batches, ({ beginning }) => beginning).values()]
    .flatMap((alike, column) =>
      alike.map((batch, row) => ({ batch, row, block: Math.floor(column / atOnce) })),
    )
    .toSorted((one, other) => one.block - other.block || one.row - other.row)
    .map(({ batch }) => batch);
}

/** A text that has changed makes its batch another question; of the other things in it nothing is asked that was answered. */
async function collectBatch(batch: StanceBatch, asking: Asking) {
  const { keyOf, isNoted } = batch;
  const { steps } = asking;
  const noteKey = (id: string) => keyOf('said', [id]);
  const noted: HeardStance[] = [];
  if (isNoted && !(await wasAsked(keyOf('batch', batch.ids), asking)))
    for (const id of batch.ids) {
      const stance = await steps.recall(noteKey(id), HeardStance);
      if (stance !== undefined) noted.push(stance);
    }
  const ids = batch.ids.filter(id => !noted.some(stance => stance.mega_motion_id === id));
  if (ids.length === 0) return noted;
  const whole = await askUntil(
    questionOf(batch, keyOf('batch', ids), ids),
    text => ({ text }),
    asking,
  );
  const read = readStances(whole.read?.text ?? '', ids);
  const collected: HeardStance[] = [];
  // One after the other: a member is asked about one thing at a time, and the limits are for many members.
  for (const id of ids) {
    const said = whole.read === null ? whole.error : (read.get(id) ?? '');
    const isLeftOut = whole.read !== null && typeof said === 'string';
    const stance = isLeftOut
      ? await askAlone(batch, { id, problem: said, whole }, asking)
      : stanceOf(batch, id, said, whole);
    collected.push(stance);
    if (isNoted && stance.stance !== null)
      await steps.step(noteKey(id), async () => stance, HeardStance);
  }
  return [...noted, ...collected];
}

interface LeftOut {
  id: string;
  problem: string;
  /** The question whose answer leaves it out. */
  whole: Heard<object>;
}

/** The try that was answered without it counts as one of its own, and why it was asked again stays beside what came of it. */
async function askAlone(batch: StanceBatch, { id, problem, whole }: LeftOut, asking: Asking) {
  const heard = await askUntil(
    questionOf(batch, batch.keyOf('one', [id]), [id]),
    text => readStances(text, [id]).get(id) ?? '',
    asking,
    whole,
  );
  const { read, error, last } = heard;
  const again =
    last === null || error === problem ? problem : `${problem} Asked again alone: ${error}`;
  const said = read && {
    ...read,
    validation: [`asked again alone: ${problem}`, ...read.validation],
  };
  return stanceOf(batch, id, said ?? again, { ...heard, last: last ?? whole.last });
}

function questionOf({ task }: StanceBatch, key: string, ids: readonly string[]) {
  return {
    ...task,
    key,
    // Written when it is its turn: of a large vote not all prompts are in memory at once.
    get prompt() {
      return task.render(ids);
    },
    items: ids.length,
  };
}

/** `said`: the stance, or why there is none. */
function stanceOf(
  { task: { member } }: StanceBatch,
  id: string,
  said: StatedStance | string,
  { last, attempts }: Heard<object>,
): HeardStance {
  const { at = '', durationMs = 0, model = null, endpoint = null } = last ?? {};
  const asked = {
    archon_id: member,
    mega_motion_id: id,
    attempts,
    review_duration_ms: durationMs,
    reviewed_at: at,
  };
  return typeof said === 'string'
    ? { ...asked, ...unsaid, error: said }
    : { ...asked, ...said, error: null, model, endpoint };
}

const unsaid = {
  model: null,
  endpoint: null,
  stance: null,
  amendment_type: null,
  amendment_text: null,
  amendment_rationale: null,
  opposition_concerns: [],
  reasoning: '',
  confidence: null,
  validation: [],
};
