/** Reads one member of `findings`: which keys mean what, what is corrected, detached or refused, and which keys are kept as they came. */
import {
  type StatedFinding,
  severityOf,
  severityOfScore,
  unstatedSeverity,
} from '../core/words/finding.ts';
import { present } from '../core/groups.ts';
import { cut, fieldLimit, toLine, toParagraph } from '../core/text.ts';
import { labelsIn, lightHead, readHead } from './heads.ts';
import { visible } from './layout.ts';
import { undeclaredNote, undeclaredSeverityOf } from './labels.ts';
import { reject, type Draft, type Question, type Unread } from './reading.ts';
import { isList, isObject, textAt, type Json, type JsonList, type JsonObject } from './scanner.ts';
import { namesFindings } from './sieve.ts';
import { placeIn } from './place-in-text.ts';
import { placeFrom, placeOf, stateFinding, unstatedLabel } from '../core/words/stated.ts';

interface ItemContext {
  /** Takes what the members are. */
  draft: Draft;
  units: ReadonlySet<string>;
  options: Question;
}

function words(text: string) {
  return text.split(' ');
}

/** One name for `file_path`, `filePath` and `File-Path`: all keys below are told so. */
function nameOf(key: string) {
  return key.replace(/[_\s-]/g, '').toLowerCase();
}

/** What other tools call the list of what they found. */
const listKeys = words(
  'findings issues comments problems violations vulnerabilities diagnostics results reviewcomments items',
);
const textKeys = words(
  'issue title summary description message body comment text finding problem details failurescenario msg desc commenttext',
);
const severityKeys = words('severity level priority urgency severitylevel sev');
const scoreKeys = words('cvss cvssscore');
const adviceKeys = words('recommendation suggestion suggestedfix fix remediation');
const pathKeys = words('file path filepath filename absolutefilepath uri');
const lineKeys = words('line startline linestart linenumber start begin lines');
const endKeys = words('endline lineend end');
const placeKeys = words('location loc codelocation');
/** Objects that hold nothing but a part of what is told of the place, or of all. */
const parts = new Set(
  words('physicallocation artifactlocation region linerange range lines start extra'),
);

/** Its members by their names, those of its parts behind its own: of two of one name the first that says something counts. */
function flat(object: JsonObject, depth = 0): JsonObject {
  const members = [...object].map(([key, value]) => [nameOf(key), value] as const);
  const isPart = ([name, value]: readonly [string, Json]) =>
    depth < 4 && parts.has(name) && isObject(value);
  const below = members
    .filter(isPart)
    .flatMap(([, value]) => [...(isObject(value) ? flat(value, depth + 1) : [])]);
  const told = [...members.filter(member => !isPart(member)), ...below];
  return new Map(told.filter(([, value]) => value !== null).toReversed());
}

/**
 * The list of findings of an object, whatever it is called, those of each section and each file of a report; of all runs of a SARIF log.
 * Null when it has none.
 */
export function listOf(object: JsonObject, depth = 0): JsonList | null {
  const runs = object.get('runs');
  if (isList(runs)) return runs.filter(isObject).flatMap(run => listOf(run) ?? []);
  const named = flat(object);
  const list = listKeys.map(key => named.get(key)).find(isList);
  const open = [...object].filter(([key, value]) => value !== list && !settled.test(key));
  const labelled = open.flatMap(([key, value]) => (isList(value) ? labelledIn(key, value) : []));
  const below = open
    .flatMap(([, value]) => (depth > 2 ? [] : [value].flat()))
    .filter(isObject)
    .filter(each => !isFindingShaped(each))
    .map(each => ofFile(each, listOf(each, depth + 1)));
  const lists = [list, labelled.length > 0 ? labelled : null, ...below].filter(isList);
  return lists.length === 0 ? null : lists.flat();
}

/** Members of an object that names a file are about that file. */
function ofFile(object: JsonObject, list: JsonList | null) {
  const path = firstOf(flat(object), pathKeys);
  const isOwn = (item: JsonObject) =>
    firstOf(flat(item), [...pathKeys, ...placeKeys]) !== undefined;
  return typeof path !== 'string' || list === null
    ? list
    : list.map(each =>
        isObject(each) && !isOwn(each) ? new Map<string, Json>([...each, ['file', path]]) : each,
      );
}

/** What is in a list of that name needs no severity and no place. */
const trouble = /^(?:problems|vulnerabilities|violations|bugs|defects|blockers)$/;

/** What an object calls that is no trouble any more. */
const settled = /^(?:resolved|fixed|closed|previous|earlier|dismissed|ignored|non)/i;

/**
 * Members of a list that is called by a severity, alone or in front of one of those names, or by a file: `must_fix`, `high_issues`,
 * `src/a.ts`.
 */
function labelledIn(key: string, list: JsonList) {
  const [label = '', ...rest] = severityOf(key) ? [key] : key.split(/[_ -]|(?=[A-Z])/);
  const last = nameOf(rest.at(-1) ?? label);
  const isOfFindings = listKeys.includes(last) || namesFindings(last);
  const isNamed = rest.length === 0 || isOfFindings;
  const isFile = /^[^\s:]{1,400}\.\w{1,8}$/.test(key);
  const isThing = !isFile && isOfFindings && !severityOf(label);
  if (!isFile && !isThing && (!isNamed || !severityOf(label))) return [];
  const told = isFile
    ? (['file', key] as const)
    : ([isThing ? 'topic' : 'severity', label] as const);
  return list.flatMap(member => {
    const item = itemOf(member);
    const isTold =
      isObject(item) &&
      ((isFile || isThing) && !trouble.test(last)
        ? isFindingShaped(item)
        : textsOf(flat(item)).length > 0);
    return isTold ? [new Map<string, Json>([told, ...item])] : [];
  });
}

/** A text by itself is what a finding says. */
function itemOf(member: Json): Json {
  return typeof member === 'string' ? new Map([['issue', member]]) : member;
}

/** Has it a text, and a severity or a place? */
export function isFindingShaped(value: Json) {
  const item = isObject(value) ? flat(value) : null;
  const has = (keys: readonly string[]) => keys.some(key => item?.has(key));
  return has(textKeys) && has([...severityKeys, ...pathKeys, ...placeKeys, 'locations']);
}

function textsOf(item: JsonObject) {
  return textKeys
    .map(key => item.get(key))
    .map(value => (isObject(value) ? value.get('text') : value))
    .filter(value => typeof value === 'string');
}

function firstOf(object: JsonObject, keys: readonly string[]): Json | undefined {
  return keys.map(key => object.get(key)).find(value => value !== undefined && value !== null);
}

/** `raw` is the member as it stands in the answer. Null unless the whole answer is to be rejected. */
export function takeFinding(
  stated: Json,
  raw: string,
  { draft, units, options }: ItemContext,
): Unread | null {
  const refuse = (detail: string) => reject('schema', detail, { unparsed: [raw] });
  const member = itemOf(stated);
  if (!isObject(member)) return reject('schema', 'A member of `findings` is no object.');
  const item = flat(member);
  const texts = textsOf(item);
  if (texts.length === 0) return refuse('A finding has no `issue`, `title` or `description`.');
  // Title and description both given, one becomes the text.
  const [said = '', ...others] = texts.filter(value => value.trim() !== '');
  const { scale, sent, undeclaredLabel, voting } = options;
  const head = readHead({ kind: 'bold', level: 7, content: said }, scale);
  const flag = [...item].find(([key, value]) => value === true && severityOf(key))?.[0];
  const score = severityOfScore(firstOf(item, scoreKeys));
  const given =
    firstOf(item, severityKeys) ?? head?.label ?? flag ?? score?.toUpperCase() ?? unstatedLabel;
  const word = typeof given === 'number' && item.get('priority') === given ? `P${given}` : given;
  if (typeof word !== 'string') return refuse('A severity is no word.');
  const label = visible(word, scale).trim().replace(dress, '$1');
  // A severity may be stated of nothing, as in a form that is left empty; what states neither was not heard.
  if (said === '' && label === unstatedLabel) return reject('schema', 'A finding says nothing.');
  const seen = new Set(labelsIn(label, scale).map(({ severity }) => severity));
  const [only = lightHead(label)?.severity ?? null] = seen;
  const declared =
    label === unstatedLabel
      ? unstatedSeverity
      : (severityOf(label, scale) ??
        (voting && label.toUpperCase() === 'FAIL' ? 'critical' : seen.size < 2 ? only : null));
  const severity = declared ?? undeclaredSeverityOf(label.replace(/\s+/g, '-'), scale);
  const text = head && head.severity === severity ? head.title : said;
  const isExample = raw.length >= 20 && sent.instructions.includes(raw);
  const chaff =
    isExample || unfilled.test(label) ? 'template' : severity === null ? null : options.sieve(text);
  if (chaff !== null) {
    draft.dropped[chaff] += 1;
    draft.notes.push(`A finding without content was dropped (${chaff}).`);
  } else if (severity !== null) {
    const notes = declared === null ? [undeclaredNote(label, severity)] : [];
    const { place, section } = placeOfItem(item, units);
    const id = item.get('id');
    draft.findings.push(
      stateFinding(
        {
          label,
          severity,
          text,
          raw,
          originalId: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
          section: lineOf(item.get('section')) ?? section,
          quote: textAt(item, 'quote'),
          category: lineOf(item.get('category')),
          evidence: paragraphOf(item.get('evidence')) ?? paragraphOf(others.join('\n')),
          recommendation: paragraphOf(firstOf(item, adviceKeys)),
          notes: [...notes, ...notesOf(member)],
          ...extraOf(member, findingKeys),
        },
        place ?? placeIn(cut(toLine(text), 4_000)),
      ),
    );
  } else if (undeclaredLabel === 'keep') draft.unparsed.push(raw);
  else return refuse(`Nobody declared the severity ${JSON.stringify(cut(label, 60))}.`);
  return null;
}

/** A form that was sent back, or that lists the choices instead of making one: `CRITICAL|HIGH|LOW`. */
const unfilled = /^<?(?:severity|\s*[a-z]\w*(?:\s*\|\s*[a-z]\w*)+\s*)>?$/i;

/** Signs and emphasis around a word. */
const dress = /^[^\p{L}\p{N}]{0,9}([\p{L}\p{N}].{0,60}?)[^\p{L}\p{N})]{0,9}$/su;

/** `location` first, then `file` with `line`. A location that is no place names a section. */
function placeOfItem(item: JsonObject, units: ReadonlySet<string>) {
  const location = firstOf(item, placeKeys);
  const [first] = [item.get('locations')].filter(isList).flat();
  const nested = [location, first].find(isObject);
  if (nested) return { place: placeOfFile(flat(nested)), section: null };
  const place =
    typeof location === 'string' ? (placeOf(location, units) ?? placeIn(location)) : null;
  return place ? { place, section: null } : { place: placeOfFile(item), section: lineOf(location) };
}

/** A file and its lines. */
function placeOfFile(item: JsonObject) {
  const path = firstOf(item, pathKeys);
  const line = firstOf(item, lineKeys);
  const [first, last] = isList(line) ? line : [line, firstOf(item, endKeys)];
  return typeof path !== 'string' || path.trim() === '' ? null : placeFrom(path, first, last);
}

/** Patches and shells put `a/`, `b/` or `./` before a path. */
export function unitNamed(path: string, units: ReadonlySet<string>) {
  const bare = path.replace(/^(?:\.|[ab])\//, '');
  return !units.has(path) && units.has(bare) ? bare : path;
}

function notesOf(item: JsonObject) {
  const confidence = item.get('confidence') ?? 0;
  const isChance = typeof confidence === 'number' && confidence >= 0 && confidence <= 1;
  return present(
    !isChance && 'The stated confidence is no number from 0 to 1 and was dropped.',
    (item.has('reviewer') || item.has('agent')) &&
      'The finding names a reviewer; it stays with the one that was asked.',
    ...unknownKeyNotes(item, findingKeys),
  );
}

function lineOf(value: Json | undefined) {
  const text = typeof value === 'string' ? cut(toLine(value), 500) : '';
  return text || null;
}

function paragraphOf(value: Json | undefined) {
  const text = typeof value === 'string' ? cut(toParagraph(value), fieldLimit) : '';
  return text || null;
}

/** The keys of the JSON contract: those with a field of their own here, and those that are expected besides and kept as they come. */
interface ContractKeys {
  own: ReadonlySet<string>;
  expected: ReadonlySet<string>;
}

const findingKeys = {
  own: new Set([
    ...textKeys,
    ...severityKeys,
    ...adviceKeys,
    ...pathKeys,
    ...lineKeys,
    ...endKeys,
    ...words(
      'id category location loc locations codelocation evidence quote section confidence reviewer agent',
    ),
  ]),
  expected: new Set(
    words(
      'rule cwe references relatedremediation exploitpath dependency direct cve cvss ' +
        'knownexploit affectedversions patchedversion workaround effort userimpact effectivegoref',
    ),
  ),
};

/** `own`: what the host says itself about a review. */
export const answerKeys: ContractKeys = {
  own: new Set(
    words(
      'schema version agent nonce units partial cutoffreason mode budgetremainingpercent ' +
        'budgetusedpercent skipped filesreviewed filesskipped skippedfiles findings count ' +
        'findingscount verdict vetoexercised vetoreasons summary votes prose',
    ),
  ),
  expected: new Set(words('notes recommendation dependencyhealth metrics breakingchanges uxscore')),
};

export function unknownKeyNotes(object: JsonObject, { own, expected }: ContractKeys): string[] {
  const count = [...object.keys()].filter(
    key => !own.has(nameOf(key)) && !expected.has(nameOf(key)),
  ).length;
  return count === 0
    ? []
    : [`${count} unknown ${count === 1 ? 'field was' : 'fields were'} kept as they came.`];
}

/** Characters of all kept keys of one object together; what is beyond stays in the raw text only. */
const mostCharacters = 8_000;

/** What a reviewer took the trouble to say and no field here holds is not thrown away. Absent when no key is left. */
export function extraOf(object: JsonObject, { own }: ContractKeys): Pick<StatedFinding, 'extra'> {
  const entries = [];
  let left = mostCharacters;
  for (const [key, value] of object) {
    if (own.has(nameOf(key)) || value === null || key === '__proto__') continue;
    const plain = toPlain(value);
    left -= key.length + JSON.stringify(plain).length;
    if (left < 0) break;
    entries.push([key, plain]);
  }
  return entries.length === 0 ? {} : { extra: Object.fromEntries(entries) };
}

function toPlain(value: Json): NonNullable<StatedFinding['extra']>[string] {
  if (isList(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  const entries = [...value].filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, inner]) => [key, toPlain(inner)]));
}
