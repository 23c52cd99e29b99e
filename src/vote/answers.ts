/** Reads what members and panels answer: JSON objects wherever they stand, matched by `motion_id` and never by position. */
import type { z } from 'zod';
import {
  type Json,
  type JsonObject,
  isList,
  isObject,
  scanJson,
  textAt,
  unwrapEnvelope,
} from '../answers/index.ts';
import { asGiven } from '../core/prompt/answer-form.ts';
import { visibleJson } from '../core/safety/visible-text.ts';
import { Recommendation } from '../core/words/claim.ts';
import { Texts } from '../core/words/fields.ts';
import { type PanelRecord, ReviewResponse, AmendmentType, readStance } from './records.ts';
import { statedText, statedTexts } from './session-input.ts';

/** One item of an answer, as far as it could be read. */
export type StatedStance = Exclude<ReturnType<typeof readItem>, string>;

/** What came of asking a member about one thing, as a journal notes it. */
export const HeardStance = ReviewResponse.omit({
  archon_name: true,
  status: true,
  text_truncated: true,
  opposition_reason: true,
}).extend({ opposition_concerns: Texts });
export type HeardStance = z.infer<typeof HeardStance>;

/**
 * Of each thing asked about its stance, or why there is none. `asked` holds distinct ids. An answer about several motions that also
 * speaks about one it was not asked about may have taken the text of one for another: it counts for none of them. Asked about one, a
 * member that names it is clear; the rest is passed over and noted.
 */
export function readStances(text: string, asked: readonly string[]) {
  const objects = findObjects(text, 'motion_id').map(object => ({
    object,
    id: idIn(object.get('motion_id'), asked),
  }));
  // Who repeats the example says nothing about any motion.
  const foreign = new Set(
    objects.flatMap(({ id }) => (asked.includes(id) || ['', asGiven].includes(id) ? [] : id)),
  );
  // Who was asked one question and gives one answer need not repeat its number.
  const isAlone = asked.length === 1;
  const nameless =
    isAlone && foreign.size === 0
      ? findObjects(text, 'stance').filter(object => !object.has('motion_id'))
      : [];
  const about = `about ${named([...foreign])}, which it was not asked about`;
  const readOn = (id: string): StatedStance | string => {
    const own = objects.flatMap(found => (found.id === id ? found.object : []));
    if (foreign.size > 0 && (!isAlone || own.length === 0)) return `The answer speaks ${about}.`;
    const read = readItems(own.length === 0 && nameless.length === 1 ? nameless : own);
    return typeof read === 'string' || foreign.size === 0
      ? read
      : { ...read, validation: [`passed over what it says ${about}`, ...read.validation] };
  };
  return new Map(asked.map(id => [id, readOn(id)]));
}

/** As the session has it where it is one of those; a session may write blanks around it. */
function idIn(given: Json | undefined, asked: readonly string[]) {
  const id = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
  return asked.includes(id) ? id : id.trim();
}

const mostNamed = 3;
const longestId = 80;

function named(ids: readonly string[]) {
  const shown = ids.slice(0, mostNamed).map(id => visibleJson(id.slice(0, longestId)));
  if (ids.length > mostNamed) shown.push(`${ids.length - mostNamed} more`);
  return shown.join(', ');
}

function readItems(items: readonly JsonObject[]) {
  const read = items.map(readItem);
  const [first = 'The answer says nothing about it.'] = read;
  const problem = read.find(one => typeof one === 'string');
  if (problem !== undefined || typeof first === 'string') return problem ?? first;
  const isOne = read.every(one => typeof one !== 'string' && one.stance === first.stance);
  return isOne ? first : 'The answer takes two stances on it.';
}

function readItem(item: JsonObject) {
  const words = item.get('stance') ?? null;
  if (words === null) return 'The answer states no stance.';
  if (typeof words !== 'string') return 'The stance is no text.';
  const stance = readStance(words);
  if (stance === null)
    return `The stance ${JSON.stringify(words.slice(0, 80))} is none of the known ones.`;
  const concerns = concernsOf(item);
  const amends = stance === 'AMEND';
  const stated = (part: string) =>
    amends ? (statedText(item.get(`amendment_${part}`))?.trim() ?? null) : null;
  const parts = amends ? ['text', 'type', 'rationale'] : [];
  const isThin = stance === 'OPPOSE' && Array.from(concerns.join('; ')).length < leastReason;
  return {
    stance,
    reasoning: statedText(item.get('reasoning')) ?? '',
    confidence: confidenceOf(item.get('confidence')),
    opposition_concerns: concerns,
    amendment_type: amends ? amendmentTypeOf(item) : null,
    amendment_text: stated('text'),
    amendment_rationale: stated('rationale'),
    validation: [
      ...(isThin ? [`opposition reason is shorter than ${leastReason} characters`] : []),
      ...parts.filter(part => stated(part) === null).map(part => `amendment without ${part}`),
    ],
  };
}

const leastReason = 50;

/** `0.9`, `90%`; 0.5 where it is none. */
function confidenceOf(stated: Json | undefined) {
  const text = typeof stated === 'string' ? stated.trim() : '';
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const confidence = text === '' ? stated : share;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : 0.5;
}

/** Each thing that is listed, or stands under a name of its own, is a concern. */
function concernsOf(item: JsonObject) {
  const stated = item.get('opposition_concerns');
  const concerns = isObject(stated) ? [...stated].map(entry => new Map([entry])) : stated;
  return statedTexts(concerns).map(concern => concern.trim());
}

function amendmentTypeOf(item: JsonObject) {
  const stated = (textAt(item, 'amendment_type') ?? '').trim().toLowerCase().replace(/[ -]/g, '_');
  return AmendmentType.options.find(type => type === stated) ?? 'minor_wording';
}

// Reads what a panel says: each member's argument and vote, and the report of the facilitator, checked by code.

/** The last line that states a vote is the vote; all such lines are taken out of the argument. Null: nothing else was said. */
export function readArgument(answer: string) {
  const lines = answer.split(/\r?\n/).map(line => ({ line, vote: voteIn(line) }));
  const words = lines.flatMap(({ line, vote }) => (vote === null ? line : []));
  return {
    argument: words.join('\n').trim() || null,
    vote: lines.findLast(({ vote }) => vote !== null)?.vote ?? null,
  };
}

function voteIn(line: string) {
  const stated =
    /^[\s>*_#`-]{0,10}vote[\s*_`]{0,5}:[\s*_`]{0,5}(pass|fail|amend|defer)[\s*_`.!]{0,10}$/i;
  return recommendationOf(stated.exec(line.slice(0, 80))?.[1]);
}

export type Facilitation = NonNullable<ReturnType<typeof readFacilitation>>;

/** Null: the answer holds no report. Of several the last counts. */
export function readFacilitation(answer: string) {
  const report = findObjects(answer, 'recommendation').at(-1);
  if (report === undefined) return null;
  const textOf = (key: string) => statedText(report.get(key));
  const listOf = (key: string) => statedTexts(report.get(key));
  const [votes, dissent] = [report.get('votes'), report.get('dissenting_opinions')];
  return {
    synthesis: {
      recommendation: recommendationOf(report.get('recommendation')) ?? 'defer',
      rationale: textOf('recommendation_rationale'),
      revised_motion_text: textOf('revised_motion_text'),
      revision_summary: textOf('revision_summary'),
      key_points_discussed: listOf('key_points_discussed'),
      consensus_areas: listOf('consensus_areas'),
      unresolved_concerns: listOf('unresolved_concerns'),
      dissenting_opinions: (isList(dissent) ? dissent.filter(isObject) : []).flatMap(item => {
        const names = ['archon_name', 'archon_id', 'name'].map(key => textAt(item, key));
        const [name, opinion] = [names.find(Boolean), statedText(item.get('opinion'))];
        return name && opinion ? { archon_name: name, opinion } : [];
      }),
    },
    /** As the facilitator reports them, by the name it uses. */
    votes: (isObject(votes) ? [...votes] : []).flatMap(([name, stated]) => {
      const vote = recommendationOf(stated);
      return vote === null ? [] : [[name, vote] as const];
    }),
  };
}

function recommendationOf(word: unknown) {
  const stated = typeof word === 'string' ? word.trim().toLowerCase() : '';
  return Recommendation.options.find(known => known === stated) ?? null;
}

/**
 * The outermost objects that hold `key`, and what takes a stance within them, in order, wherever they stand: bare, between prose, in
 * fences, in lists, in what a client wraps around them. Nothing is completed or corrected: of a text that breaks off, the objects before the break are found. Each
 * character is looked at a bounded number of times.
 */
function findObjects(text: string, key: string) {
  const values = scanAll(text);
  // What is around it says that it is no answer, or not all of one.
  if (values.some(value => isObject(value) && value.get('error'))) return [];
  const found = gather(values, key);
  if (found.length > 0) return found;
  const wrapped = values.filter(isObject).flatMap(object => {
    const unwrapped = unwrapEnvelope(object);
    return unwrapped !== null && 'texts' in unwrapped && unwrapped.doubt === null
      ? unwrapped.texts
      : [];
  });
  return gather(wrapped.flatMap(scanAll), key);
}

function scanAll(text: string) {
  const values: Json[] = [];
  const opener = /[{[]/g;
  for (let found = opener.exec(text); found !== null; found = opener.exec(text)) {
    const scanned = scanJson(text, found.index);
    if (scanned.ok) values.push(scanned.value);
    // What fails from here may still hold whole objects further in, unless it is nested as no answer is.
    if (scanned.ok) opener.lastIndex = scanned.end;
    else if (scanned.cause === 'depth') opener.lastIndex = scanned.at;
  }
  return values;
}

function gather(value: Json, key: string): JsonObject[] {
  const inner = isList(value) ? value : isObject(value) ? [...value.values()] : [];
  const below = inner.flatMap(item => gather(item, key));
  return isObject(value) && value.has(key)
    ? [value, ...below.filter(each => each.has('stance'))]
    : below;
}

// The text of a motion as amended: by its panel, by a facilitator that merges what members suggested, or by setting the suggestions
// below the motion.

export interface AmendedText {
  /** The whole motion, not the changes alone. */
  readonly text: string;
  readonly by: 'panel' | 'facilitator' | 'merge';
}

export interface Amendable {
  readonly title: string;
  /** Empty where only counts are known. */
  readonly text: string;
  /** What members suggested, in their words. */
  readonly amendments: readonly string[];
}

/** What is known before a facilitator is asked: the text of the panel, else the suggestions set below the motion. */
export function amendedTextOf({
  text,
  amendments,
  panel,
}: Omit<Amendable, 'title'> & { readonly panel: PanelRecord | null }): AmendedText {
  const revised = panel?.revised_motion_text ?? null;
  if (revised !== null && revised.trim() !== '') return { text: revised, by: 'panel' };
  const parts = [text.trim(), synthesisOf(amendments)].filter(part => part !== '');
  return { text: parts.join('\n\n'), by: 'merge' };
}

/** One suggestion below the other: nothing is added and nothing is lost. */
function synthesisOf(amendments: readonly string[]) {
  const lines = suggestionsIn(amendments);
  if (lines.length === 0)
    return 'Amendment synthesis: no specific amendment texts provided; apply minor wording/structure improvements only.';
  return [
    'Amendment synthesis (deterministic merge of reviewer suggestions):',
    ...lines.map(line => `- ${line}`),
  ].join('\n');
}

export function suggestionsIn(amendments: readonly string[]) {
  return amendments.map(foldSpace).filter(text => text !== '');
}

/** The merged text, or why the answer gives none. Of several the last counts. `text`: of the motion as it was. */
export function readMerge(answer: string, text: string): { readonly text: string } | string {
  const stated = statedText(
    findObjects(answer, 'revised_motion_text').at(-1)?.get('revised_motion_text'),
  );
  if (stated === null) return 'The answer holds no revised_motion_text.';
  return foldSpace(stated) === foldSpace(text)
    ? 'The answer repeats the motion and amends nothing.'
    : { text: stated };
}

function foldSpace(text: string) {
  return text.trim().replace(/\s+/g, ' ');
}

/** Characters of an amended text that a member sees: more than of a motion, because what was changed often stands at its end. */
export const longestAmended = 8000;
