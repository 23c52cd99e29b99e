/**
 * How far budgets grow beyond their formula: until a change is covered, where the windows of the models are known and the
 * caller wants it. What a budget holds of files, and what budget files need, is worked out here, and who reads what by it.
 */
import { dealFiles, type DealtFile, type Hand } from './deal.ts';
import { type Cover, firstAnswer, type Limits } from './budget.ts';
import { promptRoom } from './windows.ts';
import type { Price } from '../words/config.ts';

/** One reviewer that cannot be asked about everything in one question of its budget. */
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
  /** What it may be asked about, and of these what it is there for. */
  readonly files: ReadonlySet<string>;
  readonly domain: ReadonlySet<string>;
  /** Null when nobody configured one. */
  readonly price: Price | null;
}

/** One that is asked about everything in one question. */
export interface WholeReader {
  readonly id: string;
  readonly budget: number;
  /** Of its question. */
  readonly tokens: number;
  readonly price: Price | null;
}

export interface CoverRequest {
  /** Null: `all` where every window is known and a ceiling was stated and allows it, else `once`. */
  readonly cover: Cover | null;
  readonly limits: Limits;
  /** What matters most first. */
  readonly files: readonly DealtFile[];
  readonly readers: readonly Reader[];
  readonly wholes: readonly WholeReader[];
}

/** What a cover comes to; the answers are expected, not known. */
export interface CoverEstimate {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; null when the price of somebody is not known. */
  readonly cost: number | null;
}

/** What a caller may choose between that stated neither a cover nor a ceiling. */
export interface CoverOffer {
  /** Each file by somebody: what is done without a choice. */
  readonly once: CoverEstimate;
  /** Each file by everybody in whose domain it is, by budgets grown further beyond the formula. */
  readonly all: CoverEstimate;
}

export interface Allotment {
  readonly cover: Cover;
  /** Null where somebody chose already, where a ceiling decides, and where there is nothing to choose. */
  readonly offer: CoverOffer | null;
  /** Tokens by reviewer: the formula, or more. */
  readonly granted: Readonly<Record<string, number>>;
  readonly hands: ReadonlyMap<string, Hand>;
  readonly estimate: CoverEstimate;
}

export function allotCover(request: CoverRequest): Allotment {
  const { cover, limits, readers } = request;
  if (cover !== null) return { ...allotFor(cover, request), offer: null };
  const once = allotFor('once', request);
  if (!readers.every(({ window }) => window !== null)) return { ...once, offer: null };
  const all = allotFor('all', request);
  if (Object.values(limits).some(limit => limit !== null))
    return { ...(isWithin(all.estimate, limits) ? all : once), offer: null };
  const tokensOf = sizesOf(request.files);
  const isShort = readers.some(
    reader =>
      readable(reader, reader.domain, tokensOf) > capacityOf(once.granted[reader.id] ?? 0, reader),
  );
  return { ...once, offer: isShort ? { once: once.estimate, all: all.estimate } : null };
}

function allotFor(
  cover: Cover,
  { files, readers, wholes }: CoverRequest,
): Omit<Allotment, 'offer'> {
  const tokensOf = sizesOf(files);
  const floors = readers.map(reader => {
    const isGrowing = cover === 'all' && reader.window !== null;
    return isGrowing
      ? Math.max(reader.budget, budgetFor(readable(reader, reader.domain, tokensOf), reader))
      : reader.budget;
  });
  const hands = dealFiles(
    files,
    readers.map((reader, index) => ({
      ...reader,
      capacity: capacityOf(floors[index] ?? 0, reader),
      grows: cover !== 'risk' && reader.window !== null,
    })),
  );
  const grants = readers.map((reader, index): readonly [string, number] => {
    const floor = floors[index] ?? 0;
    const load = hands.get(reader.id)?.load ?? 0;
    const isCovered =
      cover === 'risk' || reader.window === null || load <= capacityOf(floor, reader);
    return [reader.id, isCovered ? floor : Math.max(floor, budgetFor(load, reader))];
  });
  return {
    cover,
    hands,
    granted: Object.fromEntries([...wholes.map(({ id, budget }) => [id, budget]), ...grants]),
    estimate: estimate(readers, wholes, new Map(grants)),
  };
}

function sizesOf(files: readonly DealtFile[]): ReadonlyMap<string, number> {
  return new Map(files.map(({ path, tokens }) => [path, tokens]));
}

/** Tokens of these files that a question of its can hold at all. */
function readable(
  reader: Reader,
  paths: ReadonlySet<string>,
  tokensOf: ReadonlyMap<string, number>,
): number {
  const most = (promptRoom(reader.window) - reader.frame) / reader.ratio;
  return [...paths]
    .map(path => tokensOf.get(path) ?? 0)
    .filter(tokens => tokens <= most)
    .reduce((sum, tokens) => sum + tokens, 0);
}

/** A question is no larger, however large the window: attention does not grow with it. The largest budget without a multiplier. */
const largeQuestion = 32_768;

/** Two questions of this share of the formula leave a fifth for answers, or for a last question about grave things only. */
const shareOfStep = 0.4;

/** Not worth cutting: as many tokens as the reviewers of a small change share. */
const smallQuestion = 16_384;

/** Tokens of a question that are worth asking at once. */
export function questionTokens(
  { budget, window }: Pick<Reader, 'budget' | 'window'>,
  granted: number,
): number {
  const usual = Math.max(smallQuestion, Math.floor(budget * shareOfStep));
  return Math.min(promptRoom(window), granted > budget ? Math.max(usual, largeQuestion) : usual);
}

/** Share of its tokens at which a reviewer is stopped, and below which it reports everything, as they are by default. */
const [stopShare, fullShare] = [0.95, 0.8];

/** Tokens of files that a budget holds, less the questions around them and their answers. */
function capacityOf(granted: number, reader: Reader): number {
  const questions = Math.ceil((granted * fullShare) / questionTokens(reader, granted)) + 1;
  const around = questions * (reader.frame + firstAnswer(granted));
  return Math.max(0, Math.floor((granted * stopShare - around) / reader.ratio));
}

/** Files do not fill a question to its end. */
const filling = 0.9;

/** The budget that holds these files, all of them asked about in full. */
function budgetFor(load: number, reader: Reader): number {
  const { prompts } = questionsFor(load, reader);
  return Math.ceil(prompts / fullShare) + 1;
}

function questionsFor(
  load: number,
  reader: Reader,
): { readonly count: number; readonly prompts: number } {
  const { frame, ratio } = reader;
  const room = Math.max(1, questionTokens(reader, Number.POSITIVE_INFINITY) - frame) * filling;
  const count = Math.max(1, Math.ceil((load * ratio) / room));
  return { count, prompts: Math.ceil(load * ratio) + count * (frame + answerTokens) };
}

const answerTokens = 500;

function estimate(
  readers: readonly Reader[],
  wholes: readonly WholeReader[],
  grants: ReadonlyMap<string, number>,
): CoverEstimate {
  const asked = [
    ...wholes.map(({ tokens, price }) => ({ calls: 1, tokens, price })),
    ...readers.map(reader => {
      const granted = grants.get(reader.id) ?? 0;
      const tokens = Math.floor(granted * (granted > reader.budget ? fullShare : stopShare));
      const calls = Math.ceil(tokens / Math.max(1, questionTokens(reader, granted)));
      return { calls, tokens: tokens - calls * answerTokens, price: reader.price };
    }),
  ];
  const costs = asked.map(({ calls, tokens, price }) =>
    price === null ? null : (tokens * price.input + calls * answerTokens * price.output) / 1e6,
  );
  return {
    calls: sum(asked.map(({ calls }) => calls)),
    tokens: sum(asked.map(({ calls, tokens }) => Math.max(0, tokens) + calls * answerTokens)),
    cost: costs.includes(null) ? null : sum(costs.map(cost => cost ?? 0)),
  };
}

function isWithin(
  { calls, tokens, cost }: CoverEstimate,
  { maxCalls, maxTokens, maxCost }: Limits,
): boolean {
  return (
    (maxCalls === null || calls <= maxCalls) &&
    (maxTokens === null || tokens <= maxTokens) &&
    (maxCost === null || (cost !== null && cost <= maxCost))
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
