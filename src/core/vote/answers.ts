/** Reads what members and panels answer: JSON objects wherever they stand, matched by `motion_id` and never by position. */
import { z } from 'zod';
import {
  unwrapEnvelope,
  isList,
  isObject,
  type Json,
  type JsonObject,
  scanJson,
  textAt,
} from '../../answers/index.ts';
import { visibleJson } from '../safety/visible-text.ts';
import {
  type AmendmentType,
  amendmentTypes,
  type PanelRecord,
  readStance,
  type Recommendation,
  recommendations,
  ReviewResponse,
  Stance,
  type Synthesis,
} from './records.ts';
import { Count, NullableText, Share, Texts } from '../words/fields.ts';
import type { Argument } from './panels.ts';
import { asGiven } from './prompts/answer-form.ts';
import { statedText, statedTexts } from './session-input.ts';

/** One item of an answer, as far as it could be read. */
export const StatedStance = ReviewResponse.pick({
  reasoning: true,
  amendment_type: true,
  amendment_text: true,
  amendment_rationale: true,
  validation: true,
}).extend({ stance: Stance, confidence: Share, opposition_concerns: Texts });
export type StatedStance = Readonly<z.infer<typeof StatedStance>>;

/** What came of asking a member about one thing, as a journal notes it. */
export const HeardStance = z.object({
  member: z.string(),
  id: z.string(),
  /** Null: no response, and `error` says why. */
  stated: StatedStance.nullable(),
  error: NullableText,
  /** Who answered; null where nobody did, and where it is not known. */
  model: NullableText,
  endpoint: NullableText,
  attempts: Count,
  /** ISO 8601, UTC. */
  at: z.string(),
  durationMs: z.number(),
});
export type HeardStance = Readonly<z.infer<typeof HeardStance>>;

interface StanceReading {
  /** By motion id. */
  readonly stated: ReadonlyMap<string, StatedStance>;
  /** Why there is no stance, by the id of each asked motion that has none. */
  readonly missing: ReadonlyMap<string, string>;
}

/**
 * `asked` holds distinct ids. An answer about several motions that also speaks about one it was not asked about may have taken
 * the text of one for another: it counts for none of them. Asked about one, a member that names it is clear; the rest is passed
 * over and noted.
 */
export function readStances(text: string, asked: readonly string[]): StanceReading {
  const { items, foreign } = itemsOf(text, asked);
  const stated = new Map<string, StatedStance>();
  const missing = new Map<string, string>();
  for (const id of asked) {
    const own = items.get(id) ?? [];
    const read =
      foreign.length > 0 && (asked.length > 1 || own.length === 0)
        ? `The answer speaks about ${named(foreign)}, which it was not asked about.`
        : readItems(own);
    if (typeof read === 'string') missing.set(id, read);
    else stated.set(id, foreign.length === 0 ? read : withForeign(read, foreign));
  }
  return { stated, missing };
}

function withForeign(stance: StatedStance, foreign: readonly string[]): StatedStance {
  const passedOver = `passed over what it says about ${named(foreign)}, which it was not asked about`;
  return { ...stance, validation: [passedOver, ...stance.validation] };
}

const mostNamed = 3;
const longestId = 80;

function named(ids: readonly string[]): string {
  const shown = ids.slice(0, mostNamed).map(id => visibleJson(id.slice(0, longestId)));
  return [...shown, ...(ids.length > mostNamed ? [`${ids.length - mostNamed} more`] : [])].join(
    ', ',
  );
}

interface FoundItems {
  /** By the id of each asked motion. */
  readonly items: ReadonlyMap<string, readonly JsonObject[]>;
  /** Distinct ids that were not asked about. */
  readonly foreign: readonly string[];
}

/** Who was asked one question and gives one answer need not repeat its number. */
function itemsOf(text: string, asked: readonly string[]): FoundItems {
  const items = new Map<string, JsonObject[]>(asked.map(id => [id, []]));
  const foreign = new Set<string>();
  for (const object of findObjects(text, 'motion_id')) {
    const id = idOf(object);
    const own = items.get(id) ?? items.get(id.trim());
    if (own !== undefined) own.push(object);
    // Who repeats the example says nothing about any motion.
    else if (id.trim() !== '' && id.trim() !== asGiven) foreign.add(id.trim());
  }
  const [only] = asked;
  const isNamed = foreign.size > 0 || [...items.values()].some(list => list.length > 0);
  if (only === undefined || asked.length > 1 || isNamed) return { items, foreign: [...foreign] };
  const nameless = findObjects(text, 'stance').filter(object => !object.has('motion_id'));
  return { items: nameless.length === 1 ? new Map([[only, nameless]]) : items, foreign: [] };
}

function idOf(item: JsonObject): string {
  const id = item.get('motion_id');
  return typeof id === 'string' ? id : typeof id === 'number' ? String(id) : '';
}

function readItems(items: readonly JsonObject[]): StatedStance | string {
  const [first] = items;
  if (first === undefined) return 'The answer says nothing about it.';
  const read = items.map(item => readItem(item));
  const problem = read.find(one => typeof one === 'string');
  if (problem !== undefined) return problem;
  const said = read.filter(one => typeof one !== 'string');
  const [chosen] = said;
  if (chosen === undefined || new Set(said.map(({ stance }) => stance)).size > 1)
    return 'The answer takes two stances on it.';
  return chosen;
}

function readItem(item: JsonObject): StatedStance | string {
  const words = item.get('stance');
  if (words === undefined || words === null) return 'The answer states no stance.';
  if (typeof words !== 'string') return 'The stance is no text.';
  const stance = readStance(words);
  if (stance === null)
    return `The stance ${JSON.stringify(words.slice(0, 80))} is none of the known ones.`;
  const concerns = concernsOf(item);
  const [type, text, rationale] = (['type', 'text', 'rationale'] as const).map(part =>
    stance === 'AMEND' ? (statedText(item.get(`amendment_${part}`))?.trim() ?? null) : null,
  );
  const lacks = Object.entries({ text, type, rationale }).filter(([, words]) => words === null);
  const isThin = Array.from(concerns.join('; ')).length < leastReason;
  return {
    stance,
    reasoning: statedText(item.get('reasoning')) ?? '',
    confidence: confidenceOf(item.get('confidence')),
    opposition_concerns: concerns,
    amendment_type: stance === 'AMEND' ? amendmentTypeOf(item) : null,
    amendment_text: text ?? null,
    amendment_rationale: rationale ?? null,
    validation: [
      ...(stance === 'OPPOSE' && isThin
        ? [`opposition reason is shorter than ${leastReason} characters`]
        : []),
      ...(stance === 'AMEND' ? lacks.map(([part]) => `amendment without ${part}`) : []),
    ],
  };
}

const leastReason = 50;

/** `0.9`, `90%`; 0.5 where it is none. */
function confidenceOf(stated: Json | undefined): number {
  const text = typeof stated === 'string' ? stated.trim() : '';
  const share = text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
  const confidence = text === '' ? stated : share;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : 0.5;
}

/** Each thing that is listed, or stands under a name of its own, is a concern. */
function concernsOf(item: JsonObject): string[] {
  const stated = item.get('opposition_concerns');
  const concerns = isObject(stated) ? [...stated].map(entry => new Map([entry])) : stated;
  return statedTexts(concerns).map(concern => concern.trim());
}

function amendmentTypeOf(item: JsonObject): AmendmentType {
  const stated = (textAt(item, 'amendment_type') ?? '').trim().toLowerCase().replace(/[ -]/g, '_');
  return amendmentTypes.find(type => type === stated) ?? 'minor_wording';
}

// Reads what a panel says: each member's argument and vote, and the report of the facilitator, checked by code.

/** The last line that states a vote is the vote; all such lines are taken out of the argument. Null text: nothing else was said. */
export function readArgument(answer: string): Pick<Argument, 'text' | 'vote'> {
  const lines = answer.split(/\r?\n/);
  const votes = lines.map(line => voteIn(line));
  const text = lines
    .filter((_, index) => votes[index] === null)
    .join('\n')
    .trim();
  return { text: text === '' ? null : text, vote: votes.findLast(vote => vote !== null) ?? null };
}

function voteIn(line: string): Recommendation | null {
  const word =
    /^[\s>*_#`-]{0,10}vote[\s*_`]{0,5}:[\s*_`]{0,5}(pass|fail|amend|defer)[\s*_`.!]{0,10}$/i.exec(
      line.slice(0, 80),
    )?.[1];
  return word === undefined ? null : recommendationOf(word);
}

export interface Facilitation {
  readonly synthesis: Synthesis;
  /** As the facilitator reports them, by the name it uses. */
  readonly votes: readonly (readonly [name: string, vote: Recommendation])[];
  /** Word for word. */
  readonly dissent: PanelRecord['dissenting_opinions'];
}

/** Null: the answer holds no report. Of several the last counts. */
export function readFacilitation(answer: string): Facilitation | null {
  const report = findObjects(answer, 'recommendation').at(-1);
  if (report === undefined) return null;
  return {
    synthesis: {
      recommendation: recommendationOf(textAt(report, 'recommendation') ?? '') ?? 'defer',
      rationale: statedText(report.get('recommendation_rationale')),
      revised_motion_text: statedText(report.get('revised_motion_text')),
      revision_summary: statedText(report.get('revision_summary')),
      key_points_discussed: statedTexts(report.get('key_points_discussed')),
      consensus_areas: statedTexts(report.get('consensus_areas')),
      unresolved_concerns: statedTexts(report.get('unresolved_concerns')),
    },
    votes: votesOf(report),
    dissent: dissentOf(report),
  };
}

function recommendationOf(word: string): Recommendation | null {
  const stated = word.trim().toLowerCase();
  return recommendations.find(known => known === stated) ?? null;
}

function votesOf(report: JsonObject): Facilitation['votes'] {
  const votes = report.get('votes');
  if (!isObject(votes)) return [];
  return [...votes].flatMap(([name, vote]) => {
    const known = typeof vote === 'string' ? recommendationOf(vote) : null;
    return known === null ? [] : [[name, known] as const];
  });
}

function dissentOf(report: JsonObject): Facilitation['dissent'] {
  const stated = report.get('dissenting_opinions');
  if (!isList(stated)) return [];
  return stated.filter(isObject).flatMap(item => {
    const [name, opinion] = [
      textAt(item, 'archon_name') ?? textAt(item, 'archon_id') ?? textAt(item, 'name'),
      statedText(item.get('opinion')),
    ];
    return name === null || opinion === null ? [] : [{ archon_name: name, opinion }];
  });
}

// Finds the JSON objects of an answer wherever they stand: bare, between prose, in fences, in lists, in what a client wraps
// around them.

/**
 * The outermost objects that hold `key`, in order. Nothing is completed or corrected: of a text that breaks off, the
 * objects before the break are found. Each character is looked at a bounded number of times.
 */
export function findObjects(text: string, key: string): JsonObject[] {
  const values = scanAll(text);
  const found = values.flatMap(value => gather(value, key));
  return found.length > 0
    ? found
    : wrappedTexts(values)
        .flatMap(scanAll)
        .flatMap(value => gather(value, key));
}

function scanAll(text: string): Json[] {
  const values: Json[] = [];
  for (let at = nextOpener(text, 0); at !== -1;) {
    const scanned = scanJson(text, at);
    if (scanned.ok) values.push(scanned.value);
    // What fails from here may still hold whole objects further in, unless it is nested as no answer is.
    at = nextOpener(
      text,
      scanned.ok ? scanned.end : scanned.cause === 'depth' ? scanned.at : at + 1,
    );
  }
  return values;
}

function nextOpener(text: string, from: number): number {
  const opener = /[{[]/g;
  opener.lastIndex = from;
  return opener.exec(text)?.index ?? -1;
}

function gather(value: Json, key: string): JsonObject[] {
  if (isList(value)) return value.flatMap(item => gather(item, key));
  if (!isObject(value)) return [];
  return value.has(key) ? [value] : [...value.values()].flatMap(item => gather(item, key));
}

function wrappedTexts(values: readonly Json[]): readonly string[] {
  return values.filter(isObject).flatMap(object => {
    const unwrapped = unwrapEnvelope(object);
    return unwrapped?.kind === 'wrapping' ? unwrapped.texts : [];
  });
}
