/** Reads what a member says about several motions at once: items of a JSON array, matched by `motion_id` and never by position. */
import { isObject, textAt, type JsonObject } from '../parse/scanner.ts';
import { findObjects } from './found-objects.ts';
import { amendmentTypes, type AmendmentType, type Stance } from './review-response.ts';
import { statedText, statedTexts } from './stated-text.ts';
import { readStance } from './stance-words.ts';

/** One item of an answer, as far as it could be read. */
export interface StatedStance {
  readonly stance: Stance;
  readonly reasoning: string;
  /** 0 to 1; 0.5 when the member gives none. */
  readonly confidence: number;
  readonly opposition_concerns: readonly string[];
  /** Of an amendment only: unknown types are `minor_wording`. */
  readonly amendment_type: AmendmentType | null;
  readonly amendment_text: string | null;
  readonly amendment_rationale: string | null;
  /** What is thin about it, in one sentence each; the stance stands all the same. */
  readonly validation: readonly string[];
}

export interface StanceReading {
  /** By motion id. */
  readonly stated: ReadonlyMap<string, StatedStance>;
  /** Why there is no stance, by the id of each asked motion that has none. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Motions nobody asked about are passed over. `asked` holds distinct ids. */
export function readStances(text: string, asked: readonly string[]): StanceReading {
  const items = itemsOf(text, asked);
  const stated = new Map<string, StatedStance>();
  const missing = new Map<string, string>();
  for (const id of asked) {
    const read = readItems(items.get(id) ?? []);
    if (typeof read === 'string') missing.set(id, read);
    else stated.set(id, read);
  }
  return { stated, missing };
}

/** Who was asked one question and gives one answer need not repeat its number. */
function itemsOf(text: string, asked: readonly string[]): ReadonlyMap<string, readonly JsonObject[]> {
  const items = new Map<string, JsonObject[]>(asked.map(id => [id, []]));
  for (const object of findObjects(text, 'motion_id')) items.get(idOf(object))?.push(object);
  const [only] = asked;
  if (only === undefined || asked.length > 1 || [...items.values()].some(list => list.length > 0)) return items;
  const nameless = findObjects(text, 'stance').filter(object => !object.has('motion_id'));
  return nameless.length === 1 ? new Map([[only, nameless]]) : items;
}

function idOf(item: JsonObject): string {
  const id = item.get('motion_id');
  return typeof id === 'string' ? id.trim() : typeof id === 'number' ? String(id) : '';
}

function readItems(items: readonly JsonObject[]): StatedStance | string {
  const [first] = items;
  if (first === undefined) return 'The answer says nothing about it.';
  const read = items.map(item => readItem(item));
  const problem = read.find(one => typeof one === 'string');
  if (problem !== undefined) return problem;
  const said = read.filter(one => typeof one !== 'string');
  const [chosen] = said;
  if (chosen === undefined || new Set(said.map(({ stance }) => stance)).size > 1) return 'The answer takes two stances on it.';
  return chosen;
}

function readItem(item: JsonObject): StatedStance | string {
  const words = item.get('stance');
  if (words === undefined || words === null) return 'The answer states no stance.';
  if (typeof words !== 'string') return 'The stance is no text.';
  const stance = readStance(words);
  if (stance === null) return `The stance ${JSON.stringify(words.slice(0, 80))} is none of the known ones.`;
  const concerns = concernsOf(item);
  const amendment = stance === 'AMEND' ? amendmentOf(item) : noAmendment;
  return {
    stance, reasoning: statedText(item.get('reasoning')) ?? '', confidence: confidenceOf(item), opposition_concerns: concerns, ...amendment,
    validation: [...(stance === 'OPPOSE' ? thinOpposition(concerns) : []), ...(stance === 'AMEND' ? thinAmendment(item) : [])],
  };
}

function confidenceOf(item: JsonObject): number {
  const stated = item.get('confidence');
  const confidence = typeof stated === 'string' && stated.trim() !== '' ? shareIn(stated.trim()) : stated;
  return typeof confidence === 'number' && confidence >= 0 && confidence <= 1 ? confidence : 0.5;
}

/** `0.9`, `90%`. */
function shareIn(text: string): number {
  return text.endsWith('%') ? Number(text.slice(0, -1)) / 100 : Number(text);
}

/** Each thing that is listed, or stands under a name of its own, is a concern. */
function concernsOf(item: JsonObject): string[] {
  const stated = item.get('opposition_concerns');
  const concerns = isObject(stated) ? [...stated].map(entry => new Map([entry])) : stated;
  return statedTexts(concerns).map(concern => concern.trim());
}

const noAmendment = { amendment_type: null, amendment_text: null, amendment_rationale: null } as const;

function amendmentOf(item: JsonObject): Pick<StatedStance, 'amendment_type' | 'amendment_text' | 'amendment_rationale'> {
  return { amendment_type: knownType(item) ?? 'minor_wording', amendment_text: filled(item, 'amendment_text'), amendment_rationale: filled(item, 'amendment_rationale') };
}

function knownType(item: JsonObject): AmendmentType | null {
  const stated = (textAt(item, 'amendment_type') ?? '').trim().toLowerCase().replace(/[ -]/g, '_');
  return amendmentTypes.find(type => type === stated) ?? null;
}

function filled(item: JsonObject, key: string): string | null {
  return statedText(item.get(key))?.trim() ?? null;
}

const leastReason = 50;

function thinOpposition(concerns: readonly string[]): string[] {
  return Array.from(concerns.join('; ')).length < leastReason ? [`opposition reason is shorter than ${leastReason} characters`] : [];
}

function thinAmendment(item: JsonObject): string[] {
  return [
    ...(filled(item, 'amendment_text') === null ? ['amendment without text'] : []),
    ...(filled(item, 'amendment_type') === null ? ['amendment without type'] : []),
    ...(filled(item, 'amendment_rationale') === null ? ['amendment without rationale'] : []),
  ];
}
