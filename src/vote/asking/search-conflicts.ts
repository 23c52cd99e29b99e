/**
 * Looks for contradictions by asking a model: each motion is compared with everything that members said or support, some texts
 * a call. What is not asked or not answered leaves the search unfinished; it is never taken for "no conflicts".
 */
import type { ConflictsNamed } from '../records.ts';
import { type Position, type Statement, statementsOf } from '../triage.ts';
import { describeForecast } from '../../core/spending/forecast.ts';
import {
  contradictionInstructions,
  type NamedContradiction,
  quoteIn,
  readContradictions,
  renderComparison,
} from '../prompts/conflicts.ts';
import { type Asking, askAll, rehearse } from '../../engine/asking/ask-member.ts';
import type { OpenVoting } from './collect-reviews.ts';

/** Characters of a text that are shown, and of all texts in a call. */
const longestText = 20_000;
const longestCall = 60_000;

/** More calls than anybody pays for: what is beyond them is not asked, and the search not finished. */
const mostCalls = 20_000;

/** Rejects only when the signal aborts. */
export async function searchConflicts(
  positions: readonly Position[],
  voting: OpenVoting,
): Promise<ConflictsNamed> {
  const { asking, session, ceilings, settings, note } = voting;
  const statements = statementsOf(session, positions);
  const all = planComparisons(statements, settings.batch);
  const comparisons = all.slice(0, mostCalls);
  const questions = comparisons.map(comparison => questionOf(comparison, voting));
  const ask = (by: Asking) => askAll(questions, by, settings.concurrency);
  const { expected } = await rehearse(ask, asking);
  note(
    `Search for conflicts by a model. ${describeForecast(expected, ceilings, { items: 'comparisons' })}`,
  );
  const answers = await ask(asking);
  const held = answers.flatMap(({ read, of }) =>
    (read?.named ?? []).map(named => holdTo(named, of)),
  );
  return {
    contradictions: held.flatMap(found => found ?? []),
    is_finished:
      comparisons.length === all.length &&
      statements.every(({ text }) => text.length <= longestText) &&
      answers.every(({ read }) => read !== null),
    dropped: held.filter(found => found === null).length,
  };
}

interface Comparison {
  readonly key: string;
  readonly first: Statement;
  /** With their numbers, from 1. */
  readonly others: readonly Statement[];
}

/** Each two texts once. Two that nobody stands behind, or that are no motion, put nobody in conflict. */
function planComparisons(statements: readonly Statement[], batch: number): Comparison[] {
  const comparisons: Comparison[] = [];
  for (const [at, first] of statements.entries()) {
    const others = statements.slice(at + 1).filter(other => matters(first, other));
    for (const [index, some] of batchesOf(first, others, batch).entries())
      comparisons.push({ key: `conflicts/${at + 1}/batch-${index + 1}`, first, others: some });
    if (comparisons.length > mostCalls) break;
  }
  return comparisons;
}

function matters(one: Statement, other: Statement): boolean {
  if (one.motionId === null && other.motionId === null) return false;
  return one.members.length + other.members.length > 0;
}

function batchesOf(first: Statement, others: readonly Statement[], batch: number): Statement[][] {
  const batches: Statement[][] = [];
  let [room, open] = [0, null as Statement[] | null];
  for (const other of others) {
    const { length } = shown(other);
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

function questionOf(comparison: Comparison, voting: OpenVoting) {
  const { key, first, others } = comparison;
  return {
    ...voting.seatFor(null, null),
    ...comparison,
    instructions: contradictionInstructions,
    get prompt() {
      return renderComparison(shown(first), others.map(shown), { ...voting, question: key });
    },
    items: others.length,
    read: readContradictions,
  };
}

/** Null: the words it quotes do not stand in both texts. */
function holdTo(
  { number, quoteOfFirst, quote }: NamedContradiction,
  { first, others }: Comparison,
): ConflictsNamed['contradictions'] | null {
  const other = others[(number ?? 0) - 1];
  if (other === undefined) return null;
  const [words, otherWords] = [quoteIn(first.text, quoteOfFirst), quoteIn(other.text, quote)];
  if (words === null || otherWords === null) return null;
  return [
    ...contradictionOf(first, words, other, otherWords),
    ...contradictionOf(other, otherWords, first, words),
  ];
}

function contradictionOf(
  { source, members }: Statement,
  own: string,
  { motionId }: Statement,
  against: string,
): ConflictsNamed['contradictions'] {
  return motionId === null
    ? []
    : [{ mega_motion_id: motionId, archon_names: [...members], source, own, against }];
}
