/**
 * Looks for contradictions by asking a model: each motion is compared with everything that members said or support, some texts
 * a call. What is not asked or not answered leaves the search unfinished; it is never taken for "no conflicts".
 */
import { type Session, unnamedSource } from '../triage.ts';
import type { Position } from '../records.ts';
import { describeForecast } from '../../core/spending/forecast.ts';
import { type Asking, askAll, rehearse } from '../../engine/asking/ask-member.ts';
import type { OpenVoting } from './hold-panels.ts';
import { isList, isObject, type JsonObject, scanJson, textAt } from '../../answers/index.ts';
import { type Fencing, fenceOff, quote, renderForm } from '../../core/prompt/answer-form.ts';

/** Characters of a text that are shown, and of all texts in a call. */
const longestText = 20_000;
const longestCall = 60_000;

/** More calls than anybody pays for: what is beyond them is not asked, and the search not finished. */
const mostCalls = 20_000;

/** Rejects only when the signal aborts. */
export async function searchConflicts(positions: readonly Position[], voting: OpenVoting) {
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

/** A text and the members it speaks for. */
interface Statement {
  readonly source: string;
  /** The motion whose text it is: it does not contradict itself. */
  readonly motionId: string | null;
  readonly members: readonly string[];
  readonly text: string;
}

/** Novel proposals, positions, other motions: a member's own words are nearer to it than what it supports. */
function statementsOf({ motions }: Session, positions: readonly Position[]) {
  const textsOf = (isNovel: boolean) =>
    motions
      .filter(motion => motion.isNovel === isNovel)
      .map(({ id, text, supporters }) => ({
        source: `${isNovel ? 'novel proposal' : 'motion'} ${id}`,
        motionId: id,
        members: supporters,
        text,
      }));
  const stated = positions.flatMap(({ archon_name, text, source }) =>
    text === null
      ? []
      : [{ source: source ?? unnamedSource, motionId: null, members: [archon_name], text }],
  );
  return [...textsOf(true), ...stated, ...textsOf(false)];
}

interface Comparison {
  key: string;
  first: Statement;
  /** With their numbers, from 1. */
  others: readonly Statement[];
}

/** Each two texts once. Two that nobody stands behind, or that are no motion, put nobody in conflict. */
function planComparisons(statements: readonly Statement[], batch: number) {
  const comparisons = [];
  for (const [at, first] of statements.entries()) {
    const others = statements.slice(at + 1).filter(other => matters(first, other));
    for (const [index, some] of batchesOf(first, others, batch).entries())
      comparisons.push({ key: `conflicts/${at + 1}/batch-${index + 1}`, first, others: some });
    if (comparisons.length > mostCalls) break;
  }
  return comparisons;
}

function matters(one: Statement, other: Statement) {
  if (one.motionId === null && other.motionId === null) return false;
  return one.members.length + other.members.length > 0;
}

function batchesOf(first: Statement, others: readonly Statement[], batch: number) {
  const batches = [];
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

function shown({ text }: Statement) {
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
  { number, quoteOfFirst, quote }: ReturnType<typeof readItem>,
  { first, others }: Comparison,
) {
  const other = others[number - 1];
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
) {
  return motionId === null
    ? []
    : [{ mega_motion_id: motionId, archon_names: [...members], source, own, against }];
}

export const contradictionInstructions =
  'You compare texts that were written for one assembly and look for contradictions between them. You judge nothing else.';

/** The first text is compared with each of the others, numbered from 1. Each stands in a fence of its own. */
export function renderComparison(first: string, others: readonly string[], fencing: Fencing) {
  return [
    ...[first, ...others].flatMap((text, number) => [
      `# Text ${number}`,
      fenceOff(['text', String(number)], quote(text), fencing),
    ]),
    renderForm(
      'compare',
      [
        `Compare text 0 with each of the other texts (${others.map((_, index) => index + 1).join(', ')}). Two texts ` +
          'contradict each other when nobody can want both: one demands or allows what the other forbids, ends or makes ' +
          'impossible. Different wishes that can both be met are no contradiction, and neither is the same wish in other ' +
          'words.',
        'Answer with one JSON array and nothing else: one item for each text that contradicts text 0, `[]` when none ' +
          'does. Copy both quotes letter for letter, a whole clause each and without the `>` before a line; nothing else ' +
          'counts.',
      ],
      [{ text: 1, quote_of_0: '<clause of text 0>', quote: '<clause of that text>' }],
    ),
  ].join('\n\n');
}

/** The array of the answer; a sentence when there is none. An empty one counts at the end alone: prose has brackets, too. */
function readContradictions(answer: string) {
  if (/(?:^|[\s`])\[\s*\][\s`]*$/.test(answer.slice(-80))) return { named: [] };
  for (let at = answer.indexOf('['); at !== -1;) {
    const scanned = scanJson(answer, at);
    const items = scanned.ok && isList(scanned.value) ? scanned.value : [];
    if (items.length > 0 && items.every(isObject)) return { named: items.map(readItem) };
    at = answer.indexOf('[', scanned.ok || scanned.at <= at ? at + 1 : scanned.at);
  }
  return 'The answer holds no JSON array.';
}

/** What is named, before anybody has looked whether it is there. `number`: of no text where it does not say which it means. */
function readItem(item: JsonObject) {
  return {
    number: Number(item.get('text') ?? NaN),
    quoteOfFirst: textAt(item, 'quote_of_0') ?? '',
    quote: textAt(item, 'quote') ?? '',
  };
}

/** Fewer words than these stand in most texts. */
const leastQuoted = 4;

/** The quote as it stands in the text, white space folded; null when it does not, or is too short to tell anything. */
function quoteIn(text: string, quoted: string) {
  const whole = fold(text);
  // Who copies letter for letter may copy the mark that leads each line, too.
  const found = [fold(quoted), fold(quoted.replace(/^> ?/gm, ''))].find(words =>
    whole.includes(words),
  );
  return found !== undefined && found.split(' ').length >= leastQuoted ? found : null;
}

function fold(text: string) {
  return text.replace(/\s+/g, ' ').trim();
}
