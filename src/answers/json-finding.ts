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
import { isChoice } from './sieve.ts';
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

/** What other tools call the list of what they found. */
const listKeys = words(
  'findings issues comments problems violations vulnerabilities diagnostics results',
);
const textKeys = words(
  'issue title summary description message body comment text finding problem details failure_scenario',
);
const severityKeys = words('severity level priority urgency');
const scoreKeys = words('cvss cvss_score cvssScore');
const adviceKeys = words('recommendation suggestion suggested_fix fix remediation');
const pathKeys = words('file path file_path filePath filename fileName absolute_file_path uri');
const lineKeys = words(
  'line start_line startLine line_start line_number lineNumber start begin lines',
);
const endKeys = words('end_line endLine line_end end');

/** The list of findings of an object, whatever it is called; that of all runs of a SARIF log. Null when it has none. */
export function listOf(object: JsonObject, depth = 0): JsonList | null {
  const runs = object.get('runs');
  if (isList(runs)) return runs.filter(isObject).flatMap(run => listOf(run) ?? []);
  const lists = new Map([...object].map(([key, value]) => [key.toLowerCase(), value]));
  const list = listKeys.map(key => lists.get(key)).find(isList);
  const labelled = [...object].flatMap(([key, value]) =>
    isList(value) ? labelledIn(key, value) : [],
  );
  if (labelled.length > 0) return [...(list ?? []), ...labelled];
  if (list || depth > 1) return list ?? null;
  const below = [...object.values()].filter(isObject).map(each => listOf(each, depth + 1));
  return below.find(isList) ?? null;
}

/** Members of a list that is called by a severity, alone or in front of one of those names: `must_fix`, `high_issues`. */
function labelledIn(key: string, list: JsonList) {
  const [label = '', ...rest] = severityOf(key) ? [key] : key.split(/[_ -]|(?=[A-Z])/);
  const isNamed = rest.length === 0 || listKeys.includes(rest.at(-1)?.toLowerCase() ?? '');
  if (!isNamed || !severityOf(label)) return [];
  return list.flatMap(member => {
    const told = typeof member === 'string' ? new Map([['issue', member]]) : member;
    return isObject(told) && textKeys.some(each => told.has(each))
      ? [new Map<string, Json>([['severity', label], ...told])]
      : [];
  });
}

/** Has it a text, and a severity or a place? */
export function isFindingShaped(value: Json): boolean {
  const has = (keys: readonly string[]) => isObject(value) && keys.some(key => value.has(key));
  return (
    has(textKeys) && has([...severityKeys, ...pathKeys, 'location', 'locations', 'code_location'])
  );
}

function firstOf(object: JsonObject, keys: readonly string[]): Json | undefined {
  return keys.map(key => object.get(key)).find(value => value !== undefined && value !== null);
}

/** `raw` is the member as it stands in the answer. Null unless the whole answer is to be rejected. */
export function takeFinding(
  item: Json,
  raw: string,
  { draft, units, options }: ItemContext,
): Unread | null {
  if (!isObject(item)) return reject('schema', 'A member of `findings` is no object.');
  const texts = textKeys
    .map(key => item.get(key))
    .map(value => (isObject(value) ? value.get('text') : value))
    .filter(value => typeof value === 'string');
  if (texts.length === 0)
    return reject('schema', 'A finding has no `issue`, `title` or `description`.');
  // Title and description both given, one becomes the text.
  const [said = '', ...others] = texts.filter(value => value.trim() !== '');
  const { scale, sent, undeclaredLabel, voting } = options;
  const head = readHead({ kind: 'bold', level: 7, content: said }, scale);
  const flag = [...item].find(([key, value]) => value === true && severityOf(key))?.[0];
  const score = severityOfScore(firstOf(item, scoreKeys));
  const given =
    firstOf(item, severityKeys) ?? head?.label ?? flag ?? score?.toUpperCase() ?? unstatedLabel;
  const word = typeof given === 'number' && item.get('priority') === given ? `P${given}` : given;
  if (typeof word !== 'string') return reject('schema', 'A severity is no word.');
  const label = visible(word, scale).trim().replace(dress, '$1');
  const isVote = voting && label.toUpperCase() === 'FAIL';
  const seen = new Set(labelsIn(label, scale).map(({ severity }) => severity));
  const [only = lightHead(label)?.severity ?? null] = seen;
  const declared =
    label === unstatedLabel
      ? unstatedSeverity
      : (severityOf(label, scale) ?? (isVote ? 'critical' : seen.size < 2 ? only : null));
  const severity = declared ?? undeclaredSeverityOf(label.replace(/\s+/g, '-'), scale);
  const text = head && head.severity === severity ? head.title : said;
  const isExample = raw.length >= 20 && sent.instructions.includes(raw);
  const chaff =
    isExample || isChoice(label) || /^<?severity>?$/i.test(label)
      ? 'template'
      : severity === null
        ? null
        : options.sieve(text);
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
          notes: [...notes, ...notesOf(item)],
          ...extraOf(item, findingKeys),
        },
        place ?? placeIn(cut(toLine(text), 4_000)),
      ),
    );
  } else if (undeclaredLabel === 'keep') draft.unparsed.push(raw);
  else return reject('schema', `Nobody declared the severity ${JSON.stringify(cut(label, 60))}.`);
  return null;
}

/** Signs and emphasis around a word. */
const dress = /^[^\p{L}\p{N}]{0,9}([\p{L}\p{N}].{0,60}?)[^\p{L}\p{N})]{0,9}$/su;

/** `location` first, then `file` with `line`. A location that is no place names a section. */
function placeOfItem(item: JsonObject, units: ReadonlySet<string>) {
  const location = item.get('location') ?? item.get('code_location');
  const [first] = [item.get('locations')].filter(isList).flat();
  const nested = [location, first].find(isObject);
  if (nested) return { place: placeOfFile(nested), section: null };
  const place =
    typeof location === 'string' ? (placeOf(location, units) ?? placeIn(location)) : null;
  return place ? { place, section: null } : { place: placeOfFile(item), section: lineOf(location) };
}

/** A file and its lines, on this level or in what describes the place. */
function placeOfFile(object: JsonObject) {
  const flat: JsonObject = new Map(placePairs(object, 0).toReversed());
  const path = firstOf(flat, pathKeys);
  const line = firstOf(flat, lineKeys);
  const [first, last] = isList(line) ? line : [line, firstOf(flat, endKeys)];
  return typeof path !== 'string' || path.trim() === '' ? null : placeFrom(path, first, last);
}

const placeParts = new Set(
  words('physicalLocation artifactLocation region line_range range lines start'),
);

function placePairs(object: JsonObject, depth: number): [string, Json][] {
  const pairs = [...object].filter(([, value]) => !isObject(value));
  const parts = [...object].filter(([key]) => depth < 3 && placeParts.has(key));
  const values = parts.map(([, value]) => value).filter(isObject);
  return [...pairs, ...values.flatMap(value => placePairs(value, depth + 1))];
}

/** Patches and shells put `a/`, `b/` or `./` before a path. */
export function unitNamed(path: string, units: ReadonlySet<string>): string {
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
  return text === '' ? null : text;
}

function paragraphOf(value: Json | undefined) {
  const text = typeof value === 'string' ? cut(toParagraph(value), fieldLimit) : '';
  return text === '' ? null : text;
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
      'id category location locations code_location evidence quote section confidence reviewer agent',
    ),
  ]),
  expected: new Set(
    words(
      'rule cwe references related_remediation exploit_path dependency direct cve cvss ' +
        'known_exploit affected_versions patched_version workaround effort user_impact effective_go_ref',
    ),
  ),
};

/** `own`: what the host says itself about a review. */
export const answerKeys: ContractKeys = {
  own: new Set(
    words(
      'schema version agent nonce units partial cutoff_reason mode budget_remaining_percent ' +
        'budget_used_percent skipped files_reviewed files_skipped skipped_files findings count ' +
        'findings_count verdict veto_exercised veto_reasons summary votes prose',
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

/** What a reviewer took the trouble to say and no field here holds is not thrown away. Absent when no key is left. */
export function extraOf(object: JsonObject, { own }: ContractKeys): Pick<StatedFinding, 'extra'> {
  const entries = [];
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

function toPlain(value: Json): NonNullable<StatedFinding['extra']>[string] {
  if (isList(value)) return value.map(toPlain);
  if (!isObject(value)) return value;
  const entries = [...value].filter(([key]) => key !== '__proto__');
  return Object.fromEntries(entries.map(([key, inner]) => [key, toPlain(inner)]));
}
