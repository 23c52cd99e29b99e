/** Reads one member of `findings`: which keys mean what, what is corrected, detached or refused, and which keys are kept as they came. */
import type { StatedFinding } from '../core/words/finding.ts';
import { severityOf, unstatedSeverity, type Severity } from '../core/words/severity.ts';
import { cut, fieldLimit, toLine, toParagraph } from '../core/text.ts';
import { readHead } from './heads.ts';
import { visible } from './layout.ts';
import { undeclaredNote, undeclaredSeverityOf } from './labels.ts';
import { reject, type Draft, type ReadingOptions, type Rejection } from './reading.ts';
import { isList, isObject, textAt, type Json, type JsonList, type JsonObject } from './scanner.ts';
import { isChoice, type Sieve } from './sieve.ts';
import { placeIn } from './place-in-text.ts';
import {
  placeFrom,
  placeOf,
  stateFinding,
  unstatedLabel,
  type Place,
} from '../core/words/stated.ts';

interface ItemContext {
  /** Takes what the members are. */
  readonly draft: Draft;
  readonly sieve: Sieve;
  readonly units: ReadonlySet<string>;
  readonly options: ReadingOptions;
}

function words(text: string): readonly string[] {
  return text.split(' ');
}

/** What other tools call the list of what they found. */
const listKeys = words(
  'findings issues comments problems violations vulnerabilities diagnostics results',
);
const textKeys = words(
  'issue title summary description message body comment text finding problem details failure_scenario',
);
const severityKeys = words('severity level priority');
const adviceKeys = words('recommendation suggestion suggested_fix fix remediation');
const pathKeys = words('file path file_path filePath filename absolute_file_path uri');
const lineKeys = words('line start_line startLine line_start line_number start begin lines');
const endKeys = words('end_line endLine line_end end');

/** The list of findings of an object, whatever it is called; that of all runs of a SARIF log. Null when it has none. */
export function listOf(object: JsonObject, depth = 0): JsonList | null {
  const runs = object.get('runs');
  if (isList(runs)) return runs.flatMap(run => (isObject(run) ? (listOf(run) ?? []) : []));
  const lists = new Map([...object].map(([key, value]) => [key.toLowerCase(), value]));
  const list = listKeys.map(key => lists.get(key)).find(isList);
  return (
    list ??
    (depth < 2
      ? [...object.values()]
          .filter(isObject)
          .map(each => listOf(each, depth + 1))
          .find(isList)
      : null) ??
    null
  );
}

/** Has it a text, and a severity or a place? */
export function isFindingShaped(value: Json): boolean {
  if (!isObject(value)) return false;
  const has = (...keys: readonly string[]): boolean => keys.some(key => value.has(key));
  return (
    has(...textKeys) && has(...severityKeys, ...pathKeys, 'location', 'locations', 'code_location')
  );
}

function firstOf(object: JsonObject, keys: readonly string[]): Json | undefined {
  return keys.map(key => object.get(key)).find(value => value !== undefined && value !== null);
}

/** `raw` is the member as it stands in the answer. Null unless the whole answer is to be rejected. */
export function takeFinding(
  item: Json,
  raw: string,
  { draft, sieve, units, options }: ItemContext,
): Rejection | null {
  if (!isObject(item)) return reject('schema', 'A member of `findings` is no object.');
  const texts = textKeys
    .map(key => item.get(key))
    .map(value => (isObject(value) ? value.get('text') : value))
    .filter(value => typeof value === 'string');
  if (texts.length === 0)
    return reject('schema', 'A finding has no `issue`, `title` or `description`.');
  const [said = '', ...others] = texts.filter(value => value.trim() !== '');
  const head = readHead({ kind: 'bold', level: 7, content: said }, options.scale);
  const given = firstOf(item, severityKeys) ?? head?.label ?? unstatedLabel;
  const word = typeof given === 'number' && item.get('priority') === given ? `P${given}` : given;
  if (typeof word !== 'string') return reject('schema', 'A severity is no word.');
  const label = visible(word, options.scale);
  const isTemplate =
    isChoice(label) || /^<?severity>?$/i.test(label.trim()) || isQuotation(raw, options);
  const declared = label === unstatedLabel ? unstatedSeverity : severityNamed(label, options);
  const severity =
    declared ?? undeclaredSeverityOf(label.trim().replace(/\s+/g, '-'), options.scale);
  const text = head !== null && head.severity === severity ? head.title : said;
  const chaff = isTemplate ? 'template' : severity === null ? null : sieve(text);
  if (chaff !== null) {
    draft.dropped[chaff] += 1;
    draft.notes.push(`A finding without content was dropped (${chaff}).`);
  } else if (severity !== null) {
    const notes = declared === null ? [undeclaredNote(label.trim(), severity)] : [];
    const stated = { label, severity, text, raw, notes };
    draft.findings.push(stateItem(item, stated, others.join('\n'), units));
  } else if (options.undeclaredLabel === 'keep') draft.unparsed.push(raw);
  else return reject('schema', `Nobody declared the severity ${JSON.stringify(cut(label, 60))}.`);
  return null;
}

/** An example of the instructions, said back. */
function isQuotation(raw: string, options: ReadingOptions): boolean {
  return (
    raw.length >= 20 &&
    raw.length <= options.sent.instructions.length &&
    options.sent.instructions.includes(raw)
  );
}

function severityNamed(label: string, options: ReadingOptions): Severity | null {
  const word = label.trim();
  return (
    severityOf(word, options.scale) ??
    (options.voting && word.toUpperCase() === 'FAIL' ? 'critical' : null)
  );
}

/** `rest`: title and description both given, the one that did not become the text. */
function stateItem(
  item: JsonObject,
  stated: Pick<StatedFinding, 'label' | 'severity' | 'text' | 'raw' | 'notes'>,
  rest: string,
  units: ReadonlySet<string>,
): StatedFinding {
  const id = item.get('id');
  const located = placeOfItem(item, units);
  return stateFinding(
    {
      ...stated,
      originalId: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
      section: lineOf(item.get('section')) ?? located.section,
      quote: textAt(item, 'quote'),
      category: lineOf(item.get('category')),
      evidence: paragraphOf(item.get('evidence')) ?? paragraphOf(rest),
      recommendation: paragraphOf(firstOf(item, adviceKeys)),
      ...extraOf(item, findingKeys),
      notes: [...stated.notes, ...notesOf(item)],
    },
    located.place ?? placeIn(cut(toLine(stated.text), 4_000)),
  );
}

/** `location` first, then `file` with `line`. A location that is no place names a section. */
function placeOfItem(
  item: JsonObject,
  units: ReadonlySet<string>,
): { readonly place: Place | null; readonly section: string | null } {
  const location = item.get('location') ?? item.get('code_location') ?? null;
  const [first] = [item.get('locations')].filter(isList).flat();
  const nested = [location, first].find(isObject);
  if (nested !== undefined) return { place: placeOfFile(nested), section: null };
  const place = typeof location === 'string' ? placeOf(location, units) : null;
  return {
    place: place ?? placeOfFile(item),
    section: place === null ? lineOf(location ?? undefined) : null,
  };
}

/** A file and its lines, on this level or in what describes the place. */
function placeOfFile(object: JsonObject): Place | null {
  const flat: JsonObject = new Map(placePairs(object, 0).toReversed());
  const path = firstOf(flat, pathKeys);
  return typeof path !== 'string' || path.trim() === ''
    ? null
    : placeFrom(path, firstOf(flat, lineKeys), firstOf(flat, endKeys));
}

const placeParts = new Set(
  words('physicalLocation artifactLocation region line_range range lines start'),
);

function placePairs(object: JsonObject, depth: number): [string, Json][] {
  const pairs = [...object];
  const parts = pairs.filter(([key]) => depth < 3 && placeParts.has(key));
  return [
    ...pairs.filter(([, value]) => !isObject(value)),
    ...parts.flatMap(([, value]) => (isObject(value) ? placePairs(value, depth + 1) : [])),
  ];
}

/** Patches and shells put `a/`, `b/` or `./` before a path. */
export function unitNamed(path: string, units: ReadonlySet<string>): string {
  const bare = path.replace(/^(?:\.|[ab])\//, '');
  return !units.has(path) && units.has(bare) ? bare : path;
}

function notesOf(item: JsonObject): string[] {
  const notes: string[] = [];
  const confidence = item.get('confidence');
  if (
    confidence !== undefined &&
    confidence !== null &&
    !(typeof confidence === 'number' && confidence >= 0 && confidence <= 1)
  )
    notes.push('The stated confidence is no number from 0 to 1 and was dropped.');
  if (item.has('reviewer') || item.has('agent'))
    notes.push('The finding names a reviewer; it stays with the one that was asked.');
  return [...notes, ...unknownKeyNotes(item, findingKeys)];
}

function lineOf(value: Json | undefined): string | null {
  const text = typeof value === 'string' ? cut(toLine(value), 500) : '';
  return text === '' ? null : text;
}

function paragraphOf(value: Json | undefined): string | null {
  const text = typeof value === 'string' ? cut(toParagraph(value), fieldLimit) : '';
  return text === '' ? null : text;
}

/** The keys of the JSON contract: those with a field of their own here, and those that are expected besides and kept as they come. */
interface ContractKeys {
  readonly own: ReadonlySet<string>;
  readonly expected: ReadonlySet<string>;
}

const findingKeys: ContractKeys = {
  own: new Set([
    ...textKeys,
    ...severityKeys,
    ...adviceKeys,
    ...pathKeys,
    ...lineKeys,
    ...endKeys,
    ...words(
      'id category location locations code_location evidence quote section confidence reviewer agent',
    ),
  ]),
  expected: new Set(
    words(
      'rule cwe references related_remediation exploit_path dependency direct cve cvss known_exploit affected_versions patched_version workaround effort user_impact effective_go_ref',
    ),
  ),
};

/** `own`: what the host says itself about a review. */
export const answerKeys: ContractKeys = {
  own: new Set(
    words(
      'schema version agent nonce units partial cutoff_reason mode budget_remaining_percent budget_used_percent skipped files_reviewed files_skipped skipped_files findings count findings_count verdict veto_exercised veto_reasons summary votes prose',
    ),
  ),
  expected: new Set(
    words('notes recommendation dependency_health metrics breaking_changes ux_score'),
  ),
};

export function unknownKeyNotes(object: JsonObject, { own, expected }: ContractKeys): string[] {
  const count = [...object.keys()].filter(key => !own.has(key) && !expected.has(key)).length;
  return count === 0
    ? []
    : [`${count} unknown ${count === 1 ? 'field was' : 'fields were'} kept as they came.`];
}

/** Characters of all kept keys of one object together; what is beyond stays in the raw text only. */
const mostCharacters = 8_000;

type Plain = NonNullable<StatedFinding['extra']>[string];

/** What a reviewer took the trouble to say and no field here holds is not thrown away. Empty when no key is left. */
export function extraOf(
  object: JsonObject,
  { own }: ContractKeys,
): { readonly extra?: Record<string, Plain> } {
  const entries: [string, Plain][] = [];
  let left = mostCharacters;
  for (const [key, value] of object) {
    if (own.has(key) || value === null || key === '__proto__') continue;
    const plain = toPlain(value);
    left -= key.length + JSON.stringify(plain).length;
    if (left < 0) break;
    entries.push([key, plain]);
  }
  return entries.length === 0 ? {} : { extra: Object.fromEntries(entries) };
}

function toPlain(value: Json): Plain {
  if (isList(value)) return value.map(toPlain);
  if (isObject(value))
    return Object.fromEntries(
      [...value]
        .filter(([key]) => key !== '__proto__')
        .map(([key, inner]) => [key, toPlain(inner)]),
    );
  return value;
}
