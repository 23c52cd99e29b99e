/**
 * Looks for contradictions by asking a model: each motion is compared with everything that members said or support, some texts
 * a call. What is not asked or not answered leaves the search unfinished; it is never taken for "no conflicts".
 */
import type { Limits } from '../../core/context/budget.ts';
import pLimit from 'p-limit';
import {
  type Contradiction,
  type Position,
  type Statement,
  statementsOf,
} from '../../core/vote/conflicts.ts';
import {
  contradictionInstructions,
  type NamedContradiction,
  quoteIn,
  readContradictions,
  renderComparison,
} from '../../core/vote/prompts/conflicts.ts';
import type { Fencing } from '../../core/vote/prompts/foreign-text.ts';
import { describeForecast, forecast } from '../../core/vote/forecast.ts';
import type { Session } from '../../core/vote/motion.ts';
import type { Seat } from '../../core/words/config.ts';
import { type Asking, askUntil, bookEarlier, type Question } from './ask-member.ts';

export interface ConflictsWanted {
  readonly session: Session;
  readonly positions: readonly Position[];
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface ConflictsFound {
  /** In the order of the statements, whoever answered first. */
  readonly contradictions: readonly Contradiction[];
  /** False when a question was not answered, or a text was too long to be shown whole. */
  readonly isFinished: boolean;
  /** Contradictions whose quotes do not stand in both texts. */
  readonly dropped: number;
}

export interface ConflictAsking extends Omit<Fencing, 'question'> {
  readonly asking: Asking;
  /** Who is asked; no member. */
  readonly seat: Seat;
  readonly endpoint: string | null;
  /** Texts that one is compared with in one call. */
  readonly batch: number;
  /** Calls at once. */
  readonly concurrency: number;
  readonly limits: Limits;
}

/** Characters of a text that are shown, and of all texts in a call. */
const longestText = 20_000;
const longestCall = 60_000;

/** More calls than anybody pays for: what is beyond them is not asked, and the search not finished. */
const mostCalls = 20_000;

/** Rejects only when the signal aborts. */
export async function searchConflicts(
  { session, positions, note }: ConflictsWanted,
  search: ConflictAsking,
): Promise<ConflictsFound> {
  const statements = statementsOf(session, positions);
  const { comparisons, isAll } = planComparisons(statements, search.batch);
  announce(comparisons, search, note);
  bookEarlier(
    comparisons.map(({ key }) => key),
    search.asking,
  );
  const limit = pLimit(search.concurrency);
  const answers = await Promise.all(
    comparisons.map(comparison => limit(() => compare(comparison, search))),
  );
  const isWhole = isAll && statements.every(({ text }) => text.length <= longestText);
  return {
    contradictions: answers.flatMap(({ contradictions }) => contradictions),
    isFinished: isWhole && answers.every(({ isAnswered }) => isAnswered),
    dropped: answers.reduce((sum, { dropped }) => sum + dropped, 0),
  };
}

interface Comparison {
  readonly key: string;
  readonly first: Statement;
  /** With their numbers, from 1. */
  readonly others: readonly Statement[];
}

interface ComparisonPlan {
  readonly comparisons: readonly Comparison[];
  readonly isAll: boolean;
}

/** Each two texts once. Two that nobody stands behind, or that are no motion, put nobody in conflict. */
function planComparisons(statements: readonly Statement[], batch: number): ComparisonPlan {
  const comparisons: Comparison[] = [];
  for (const [at, first] of statements.entries()) {
    const others = statements.slice(at + 1).filter(other => matters(first, other));
    for (const [index, some] of batchesOf(first, others, batch).entries()) {
      if (comparisons.length === mostCalls) return { comparisons, isAll: false };
      comparisons.push({
        key: `conflicts/${at + 1}/batch-${index + 1}`,
        first,
        others: some,
      });
    }
  }
  return { comparisons, isAll: true };
}

function matters(one: Statement, other: Statement): boolean {
  if (one.motionId === null && other.motionId === null) return false;
  return one.members.length + other.members.length > 0;
}

function batchesOf(first: Statement, others: readonly Statement[], batch: number): Statement[][] {
  const batches: Statement[][] = [];
  let [room, open] = [0, null as Statement[] | null];
  for (const other of others) {
    const length = shown(other).length;
    if (open === null || open.length === batch || length > room) {
      open = [];
      batches.push(open);
      room = longestCall - shown(first).length;
    }
    open.push(other);
    room -= length;
  }
  return batches;
}

function shown({ text }: Statement): string {
  return text.slice(0, longestText);
}

function announce(
  comparisons: readonly Comparison[],
  { seat, limits }: ConflictAsking,
  note: ConflictsWanted['note'],
): void {
  const plan = forecast(
    comparisons.map(({ first, others }) => ({
      characters: [first, ...others].reduce((sum, text) => sum + shown(text).length, askedAround),
      items: others.length,
      price: seat.price ?? null,
    })),
  );
  note(
    `Search for conflicts by a model. ${describeForecast(plan, limits, { items: 'comparisons' })}`,
  );
}

/** Characters of a call besides its texts, about. */
const askedAround = 1_500;

function promptOf({ key, first, others }: Comparison, { fence, hash }: ConflictAsking): string {
  const numbered = others.map((other, index) => ({ text: shown(other), number: index + 1 }));
  return renderComparison(shown(first), numbered, { fence, hash, question: key });
}

interface Compared extends Pick<ConflictsFound, 'contradictions' | 'dropped'> {
  readonly isAnswered: boolean;
}

async function compare(comparison: Comparison, search: ConflictAsking): Promise<Compared> {
  const question: Question = {
    key: comparison.key,
    seat: search.seat,
    endpoint: search.endpoint,
    instructions: contradictionInstructions,
    prompt: promptOf(comparison, search),
  };
  const { read } = await askUntil(question, text => readContradictions(text), search.asking);
  if (read === null) return { contradictions: [], dropped: 0, isAnswered: false };
  const held = read.map(named => holdTo(named, comparison));
  return {
    contradictions: held.flatMap(found => found ?? []),
    dropped: held.filter(found => found === null).length,
    isAnswered: true,
  };
}

/** Null: the words it quotes do not stand in both texts. */
function holdTo(
  { number, quoteOfFirst, quote }: NamedContradiction,
  { first, others }: Comparison,
): Contradiction[] | null {
  const other = number === null ? undefined : others[number - 1];
  if (other === undefined) return null;
  const [words, otherWords] = [quoteIn(first.text, quoteOfFirst), quoteIn(other.text, quote)];
  if (words === null || otherWords === null) return null;
  return [
    ...contradictionOf(first, words, other, otherWords),
    ...contradictionOf(other, otherWords, first, words),
  ];
}

function contradictionOf(
  said: Statement,
  own: string,
  { motionId }: Statement,
  against: string,
): Contradiction[] {
  return motionId === null ? [] : [{ said, motionId, own, against }];
}
