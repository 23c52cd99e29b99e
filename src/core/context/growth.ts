/**
 * Who reads the change whole, and how the others share it. A window that is known holds what it holds: whoever has one that takes
 * the whole change reads all of it at once. The others are dealt their files, and their budgets grow as far as that takes.
 */
import { by, sumOf } from '../groups.ts';
import type { Price, Seat } from '../words/config.ts';
import { isFree, traitsOf } from '../words/runner.ts';
import { type Cover, type Limits, firstAnswer } from './budget.ts';
import models from './windows.json' with { type: 'json' };

/** One reviewer that cannot be asked about everything in one question. */
export interface Reader {
  readonly id: string;
  /** Tokens, by the formula. */
  readonly budget: number;
  /** Tokens of its model; null when nobody knows: then its budget does not grow. */
  readonly window: number | null;
  /** Tokens of a question without any file. */
  readonly frame: number;
  /** Tokens that a file takes in a question for each of its own: what stands around the change comes on top. At least 1. */
  readonly ratio: number;
  readonly isSecurity: boolean;
  /** Has it read anything of the change in an earlier round? */
  readonly isHeard: boolean;
  /** What it may be asked about, and of these what it is there for. */
  readonly files: ReadonlySet<string>;
  readonly domain: ReadonlySet<string>;
  /** Null when nobody configured one. */
  readonly price: Price | null;
}

/** One that is asked about everything in one question. */
interface CoverRequest {
  /** Null: nobody chose. */
  readonly cover: Cover | null;
  /** Readers that each file is to have; 1 where one is seated. */
  readonly perFile: number;
  /** What matters most first. */
  readonly files: readonly DealtFile[];
  readonly readers: readonly Reader[];
  readonly wholes: readonly { id: string; budget: number; tokens: number; price: Price | null }[];
}

/** Does whoever takes the whole change read it whole, whatever the formula says? */
export function readsByWindow(cover: Cover | null) {
  return cover === null || cover === 'all';
}

export function allotCover({ cover, perFile, files, readers, wholes }: CoverRequest) {
  const wanted = cover === null ? perFile : cover === 'once' ? 1 : Infinity;
  const tokensOf = new Map(files.map(({ path, tokens }) => [path, tokens]));
  const sum = sumOf(files, ({ tokens }) => tokens);
  const dealers = readers.map(reader => {
    const grows = cover !== 'risk' && reader.window !== null;
    return { ...reader, grows, capacity: grows ? sum : capacityOf(reader) };
  });
  const hands = dealFiles(files, dealers, wanted);
  const asked = [
    ...wholes.map(whole => ({
      ...whole,
      grows: true,
      count: 1,
      prompts: whole.tokens + answerTokens,
    })),
    ...dealers.map(reader => {
      const most = (promptRoom(reader.window) - reader.frame) / reader.ratio;
      const load = sumOf(hands.get(reader.id) ?? [], ({ path }) => {
        const tokens = tokensOf.get(path) ?? 0;
        return tokens <= most ? tokens : 0;
      });
      return { ...reader, ...questionsFor(load, reader) };
    }),
  ];
  return {
    cover: cover ?? (readers.length === 0 ? ('all' as const) : ('dealt' as const)),
    hands,
    granted: Object.fromEntries(
      asked.map(({ id, budget, grows, prompts }) => [
        id,
        grows ? Math.max(budget, Math.ceil(prompts / fullShare) + 1) : budget,
      ]),
    ),
    estimate: estimate(asked),
  };
}

/** Share of its tokens up to which a reviewer reports everything, as it is by default: the rest is for its answers. */
const fullShare = 0.8;

/** Just below the share at which a reviewer is stopped: its second question is about grave things only. */
const dealtShare = 0.92;

/** Tokens of files that two questions of a budget hold. */
function capacityOf({ budget, frame, ratio }: Reader) {
  const room = budget * dealtShare - 2 * (frame + firstAnswer(budget));
  return Math.max(0, Math.floor(room / ratio));
}

/** Files do not fill a question to its end. */
const filling = 0.9;

const answerTokens = 500;

interface Questions {
  readonly count: number;
  /** Tokens, with the answers. */
  readonly prompts: number;
}

function questionsFor(load: number, { window, budget, frame, ratio }: Reader): Questions {
  const most = window === null ? budget * fullShare : promptRoom(window) * filling;
  const count = Math.max(1, Math.ceil((load * ratio) / Math.max(1, most - frame)));
  return { count, prompts: Math.ceil(load * ratio) + count * (frame + answerTokens) };
}

/** What a cover comes to, the answers expected, not known. `cost`: US dollars; null when the price of one is not known. */
function estimate(asked: readonly (Questions & { readonly price: Price | null })[]) {
  const costs = asked.map(({ count, prompts, price }) =>
    price === null
      ? null
      : ((prompts - count * answerTokens) * price.input + count * answerTokens * price.output) /
        1e6,
  );
  return {
    calls: sumOf(asked, ({ count }) => count),
    tokens: sumOf(asked, ({ prompts }) => prompts),
    cost: costs.reduce((total, cost) => (total === null || cost === null ? null : total + cost), 0),
  };
}

/** A cost that nobody knows is within no ceiling of it. */
export function isWithin(
  { calls, tokens, cost }: ReturnType<typeof estimate>,
  { maxCalls, maxTokens, maxCost }: Limits,
) {
  return (
    (maxCalls === null || calls <= maxCalls) &&
    (maxTokens === null || tokens <= maxTokens) &&
    (maxCost === null || (cost !== null && cost <= maxCost))
  );
}

/**
 * Who reads which file where one question does not hold the change: the files are dealt, so that each has as many readers as are
 * wanted, and every file is dealt to a reader before any is dealt twice.
 */
interface DealtFile {
  readonly path: string;
  readonly tokens: number;
  readonly isSensitive: boolean;
  /** Has a security reviewer read it, or does one read it in any case? */
  readonly isSecured: boolean;
  /** Reviewers that have read it in earlier rounds. */
  readonly readings: number;
  /** Readers that it needs, where these are fewer than are wanted of the others. */
  readonly most?: number;
}

/** Of its domain it reads all; other files only where they would be read by nobody else. */
interface Dealer extends Pick<Reader, 'id' | 'isHeard' | 'isSecurity' | 'files' | 'domain'> {
  /** Tokens of files that its budget holds. */
  readonly capacity: number;
  /** May its budget grow where a file would else be read by nobody? */
  readonly grows: boolean;
}

/** In the order in which they are read. `turn`: those of one turn are worth the same to the panel. */
export type Hand = readonly { readonly path: string; readonly turn: number }[];

/**
 * For each reader its files, in the order in which it reads them: sensitive ones that no security reviewer has read, those
 * that nobody else reads, then second readings, and so on up to `wanted`, each in the order of `files`. A file goes to the reader
 * in whose domain it is with most left; of equals to the one that was dealt least. What fits nobody comes last in its turn; with
 * a number wanted it is dealt once. Who has read nothing yet is dealt a file in any case, so that it is heard.
 */
export function dealFiles(
  files: readonly DealtFile[],
  readers: readonly Dealer[],
  wanted: number = Infinity,
): ReadonlyMap<string, Hand> {
  const hands = readers.map(openHand);
  const readings = new Map(files.map(({ path, readings: count }) => [path, count]));
  const give = (file: DealtFile, hand: OpenHand, turn: number) => {
    const isFitted = hand.left >= file.tokens || hand.grown.has(file.path);
    hand.left -= file.tokens;
    hand.held.add(file.path);
    hand.dealt.push({ path: file.path, turn, isFitted });
    readings.set(file.path, (readings.get(file.path) ?? 0) + 1);
  };
  for (const file of files.filter(({ isSensitive, isSecured }) => isSensitive && !isSecured)) {
    const guards = hands.filter(hand => hand.isSecurity && hand.files.has(file.path));
    const hand = richest(guards.filter(({ left }) => left >= file.tokens)) ?? growing(guards, file);
    // Where security has no room for it, somebody else may read it first.
    if (hand !== undefined) give(file, hand, 0);
  }
  const most = Math.min(wanted, Math.max(0, ...readings.values()) + readers.length);
  for (let round = 0; round < most; round++) {
    for (const file of files) {
      if (readings.get(file.path) !== round || round >= (file.most ?? most)) continue;
      const able = hands.filter(
        ({ files: open, domain, held }) =>
          (round === 0 ? open : domain).has(file.path) && !held.has(file.path),
      );
      const roomy =
        wanted !== Infinity && round > 0 ? able.filter(({ left }) => left >= file.tokens) : able;
      const hand = choose(file, roomy, round);
      if (hand !== undefined) give(file, hand, round);
    }
  }
  for (const hand of hands.filter(({ dealt, isHeard }) => dealt.length === 0 && !isHeard)) {
    const own = files.filter(({ path }) => hand.domain.has(path));
    const file = own.find(({ tokens }) => tokens <= hand.left) ?? own[0];
    if (file !== undefined) give(file, hand, most);
  }
  return new Map(
    hands.map(({ id, dealt }) => [
      id,
      // Equals stay in the order of the deal.
      dealt
        .toSorted(
          by(
            ({ turn }) => turn,
            ({ isFitted }) => !isFitted,
          ),
        )
        .map(({ path, turn }) => ({ path, turn })),
    ]),
  );
}

type OpenHand = ReturnType<typeof openHand>;

function openHand(reader: Dealer) {
  return {
    ...reader,
    left: reader.capacity,
    held: new Set<string>(),
    grown: new Set<string>(),
    dealt: [] as { path: string; turn: number; isFitted: boolean }[],
  };
}

/** With room and in the domain; with room; growing; without room. */
function choose(file: DealtFile, able: readonly OpenHand[], round: number) {
  const isOwn = ({ domain }: OpenHand) => domain.has(file.path);
  const roomy = able.filter(({ left }) => left >= file.tokens);
  return (
    richest(roomy.filter(isOwn)) ??
    richest(roomy) ??
    (round === 0 ? (growing(able.filter(isOwn), file) ?? growing(able, file)) : undefined) ??
    richest(able.filter(isOwn)) ??
    richest(able)
  );
}

/** The one with least to read grows. */
function growing(hands: readonly OpenHand[], { path }: DealtFile) {
  const [hand] = hands
    .filter(({ grows }) => grows)
    .toSorted(by(({ capacity, left }) => capacity - left));
  hand?.grown.add(path);
  return hand;
}

function richest(hands: readonly OpenHand[]) {
  return hands.toSorted(
    by(
      ({ left }) => -left,
      ({ dealt }) => dealt.length,
    ),
  )[0];
}

// How many tokens a model takes at once, prompt and answer together. A configuration says it with `context` of a reviewer; where it
// does not, the table beside this file does, by the name of the model, whoever asks it; the first that matches counts. It says less
// than vendors promise, since a window that is too small costs one more question, and one that is too large costs the answer. It is
// no more than a default, and may be replaced line by line.

/** Null: nobody knows. What serves a model under a name of its own may have cut its window to any size. */
export function windowOf({
  context,
  model = '',
  runner,
}: Pick<Seat, 'context' | 'model' | 'runner'>) {
  if (context !== undefined) return context;
  const { kind, window = null } = traitsOf(runner);
  if (isFree(runner) || kind === 'program') return null;
  const name = model.toLowerCase();
  if (name.startsWith('openai-compatible/')) return null;
  if (name !== '')
    return Object.entries(models).find(([word]) => new RegExp(word).test(name))?.[1] ?? null;
  return window;
}

/** The rest is for the answer, and for what a client puts around a prompt. */
const promptShare = 0.8;

/** Tokens that one prompt may have; no limit is known where no window is. */
export function promptRoom(window: number | null) {
  return window === null ? Infinity : Math.floor(window * promptShare);
}

/** What a runner takes when the reviewer sets no limit: well below the smallest limit of the clients' standard input. */
const defaultMaxPromptBytes = 900_000;

/** Hardly any text has fewer in a token. */
const bytesOfToken = 3;

/** Bytes that one prompt of a reviewer may have; where nobody counts its tokens they stand for those. */
export function promptBytes(seat: Seat, isCounted = false) {
  const most = seat.maxPromptBytes ?? defaultMaxPromptBytes;
  return isCounted ? most : Math.min(most, promptRoom(windowOf(seat)) * bytesOfToken);
}
