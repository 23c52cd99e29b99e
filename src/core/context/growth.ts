/**
 * Who reads the change whole, and how the others share it. A window that is known holds what it holds: whoever has one that takes
 * the whole change reads all of it at once. The others are dealt their files, and their budgets grow as far as that takes.
 */
import type { Price } from '../words/config.ts';
import { type Cover, firstAnswer, type GrantedBudget, type Limits } from './budget.ts';
import { dealFiles, type DealtFile, type Hand } from './deal.ts';
import { promptRoom } from './windows.ts';

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
export interface WholeReader {
  readonly id: string;
  readonly budget: number;
  /** Of its question. */
  readonly tokens: number;
  readonly price: Price | null;
}

export interface CoverRequest {
  /** Null: nobody chose. */
  readonly cover: Cover | null;
  /** Readers that each file is to have; 1 where one is seated. */
  readonly perFile: number;
  /** What matters most first. */
  readonly files: readonly DealtFile[];
  readonly readers: readonly Reader[];
  readonly wholes: readonly WholeReader[];
}

/** What a cover comes to; the answers are expected, not known. */
interface CoverEstimate {
  readonly calls: number;
  readonly tokens: number;
  /** US dollars; null when the price of one is not known. */
  readonly cost: number | null;
}

export interface Allotment extends Pick<GrantedBudget, 'cover' | 'granted'> {
  readonly hands: ReadonlyMap<string, Hand>;
  readonly estimate: CoverEstimate;
}

/** Does whoever takes the whole change read it whole, whatever the formula says? */
export function readsByWindow(cover: Cover | null): boolean {
  return cover === null || cover === 'all';
}

export function allotCover({ cover, perFile, files, readers, wholes }: CoverRequest): Allotment {
  const wanted = cover === null ? perFile : cover === 'once' ? 1 : Number.POSITIVE_INFINITY;
  const tokensOf = new Map(files.map(({ path, tokens }) => [path, tokens]));
  const sum = files.reduce((total, { tokens }) => total + tokens, 0);
  const isGrowing = ({ window }: Reader): boolean => cover !== 'risk' && window !== null;
  const hands = dealFiles(
    files,
    readers.map(reader => ({
      ...reader,
      capacity: isGrowing(reader) ? sum : capacityOf(reader),
      grows: isGrowing(reader),
    })),
    wanted,
  );
  const loads = readers.map(reader => {
    const most = (promptRoom(reader.window) - reader.frame) / reader.ratio;
    const dealt = (hands.get(reader.id)?.files ?? []).map(({ path }) => tokensOf.get(path) ?? 0);
    const held = dealt.filter(tokens => tokens <= most);
    return questionsFor(
      held.reduce((total, tokens) => total + tokens, 0),
      reader,
    );
  });
  const granted = [
    ...wholes.map(
      ({ id, budget, tokens }) => [id, grantFor(budget, tokens + answerTokens)] as const,
    ),
    ...readers.map((reader, index) => {
      const { prompts = 0 } = loads[index] ?? {};
      const { id, budget } = reader;
      return [id, isGrowing(reader) ? grantFor(budget, prompts) : budget] as const;
    }),
  ];
  return {
    cover: cover ?? (readers.length === 0 ? 'all' : 'dealt'),
    hands,
    granted: Object.fromEntries(granted),
    estimate: estimate([
      ...wholes.map(({ tokens, price }) => ({ count: 1, prompts: tokens + answerTokens, price })),
      ...readers.map(({ price }, index) => ({ count: 1, prompts: 0, ...loads[index], price })),
    ]),
  };
}

/** Share of its tokens up to which a reviewer reports everything, as it is by default: the rest is for its answers. */
const fullShare = 0.8;

/** The budget that holds these tokens of questions and answers, all of them asked in full; never less than the formula. */
function grantFor(budget: number, prompts: number): number {
  return Math.max(budget, Math.ceil(prompts / fullShare) + 1);
}

/** Just below the share at which a reviewer is stopped: its second question is about grave things only. */
const dealtShare = 0.92;

/** Tokens of files that two questions of a budget hold. */
function capacityOf({ budget, frame, ratio }: Reader): number {
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

function estimate(asked: readonly (Questions & { readonly price: Price | null })[]): CoverEstimate {
  const sumOf = (of: (each: Questions) => number): number =>
    asked.reduce((total, each) => total + of(each), 0);
  const costs = asked.map(({ count, prompts, price }) =>
    price === null
      ? null
      : ((prompts - count * answerTokens) * price.input + count * answerTokens * price.output) /
        1e6,
  );
  return {
    calls: sumOf(({ count }) => count),
    tokens: sumOf(({ prompts }) => prompts),
    cost: costs.reduce((total, cost) => (total === null || cost === null ? null : total + cost), 0),
  };
}

/** A cost that nobody knows is within no ceiling of it. */
export function isWithin(
  { calls, tokens, cost }: CoverEstimate,
  { maxCalls, maxTokens, maxCost }: Limits,
): boolean {
  return (
    (maxCalls === null || calls <= maxCalls) &&
    (maxTokens === null || tokens <= maxTokens) &&
    (maxCost === null || (cost !== null && cost <= maxCost))
  );
}
