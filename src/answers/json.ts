/**
 * Reads a text that is JSON from its first character on: an object with `findings`, or, where nothing needs proof, a list of
 * findings; and what the answer says about its own completeness.
 */
import type { Cause } from '../core/words/review.ts';
import { type StatedFinding, isAtLeast, severities, severityOf } from '../core/words/finding.ts';
import {
  answerKeys,
  extraOf,
  isFindingShaped,
  listOf,
  takeFinding,
  unitNamed,
  unknownKeyNotes,
} from './json-finding.ts';
import { isTitle, mentionsIn } from './heads.ts';
import { remarks, verdictOf, readVerdictLine } from './labels.ts';
import {
  emptyDraft,
  isAnswer,
  reject,
  type Draft,
  type Question,
  type Unread,
  type StatedVerdict,
  type Vote,
  type Wrapping,
} from './reading.ts';
import { admissionIn, errorIn, excuseOf, isNegative, isUnproved, namesFindings } from './sieve.ts';
import {
  isList,
  isObject,
  scanJson,
  skipSpace,
  textAt,
  type Json,
  type JsonList,
  type JsonObject,
  type Scanned,
} from './scanner.ts';
import { placeIn } from './place-in-text.ts';
import { stateFinding } from '../core/words/stated.ts';
import { faultOf, hasError, isAnswerShaped, unwrapEnvelope } from './wrappings.ts';

/** `text` is what was scanned. Never null: whoever calls this has decided that the value is the answer. */
function readJson(scanned: Scanned, text: string, options: Question): Draft | Unread {
  const attempt = readValue(scanned.value, { text, spans: scanned.spans, options });
  if (!attempt.ok) return attempt;
  const { unparsed, dropped } = attempt;
  if (!isAnswer(attempt))
    return reject('schema', 'No member of `findings` has a declared severity.', {
      unparsed,
      dropped,
    });
  return { ...attempt, mentions: mentionsIn(textsIn(scanned.value).join('\n'), options) };
}

/** Every text in a value, whatever its key is called; one word, and what a severity is the key of, behind its key. */
function textsIn(value: Json, key: string | number = ''): readonly string[] {
  const isGraded = severityOf(String(key)) !== null;
  if (typeof value === 'string')
    return [/\s/.test(value) && !isGraded ? value : `${key}: ${value}`];
  const members = isList(value) ? [...value.entries()] : isObject(value) ? [...value] : [];
  const saysNothing = isFindingShaped(value) ? proposed : keyToWords;
  return members.flatMap(([name, member]) =>
    saysNothing.test(String(name)) ? [] : textsIn(member, isGraded ? key : name),
  );
}

/** What a finding proposes is code. */
const proposed = /^(?:suggestion|suggested_?fix|fix|remediation|patch)$/i;
const keyToWords = /^(?:severity_?)?(?:legend|scale)$/i;

function readValue(value: Json, source: Source): Draft | Unread {
  const { strict, voting } = source.options;
  if (isList(value) && value.length === 0) return reject('empty', 'The list is empty.');
  if (isList(value))
    return strict
      ? reject('schema', 'The answer is a list where an object was asked for.')
      : readFindings(value, source);
  if (value === null || (isObject(value) && value.size === 0))
    return reject('empty', 'The JSON value holds nothing.');
  if (!isObject(value)) return reject('schema', 'The JSON value is no object.');
  const found = listOf(value) ?? (!strict && isFindingShaped(value) ? [value] : null);
  const list = found?.length === 0 && !ownLists.test(source.text) ? null : found;
  return value.has('findings') || list || (voting && value.has('votes'))
    ? readObject(value, list, source)
    : rejectOther(value);
}

/** An empty list of another name is as often that of a tool, whatever it was run on. */
const ownLists = /"(?:findings|issues|comments|problems)"\s*:/;

interface Source {
  text: string;
  spans: Scanned['spans'];
  options: Question;
}

function readObject(object: JsonObject, found: JsonList | null, source: Source): Draft | Unread {
  const { options } = source;
  const fault = versionFault(object) ?? nonceFault(object, options);
  if (fault) return fault;
  const list = found ?? (object.has('findings') ? null : []);
  if (!list) return reject('schema', '`findings` is no list.');
  const verdict = readVerdict(object);
  if (verdict?.verdict === null)
    return reject(
      'schema',
      `The stated verdict ${JSON.stringify(verdict.words)} is none of the declared words.`,
    );
  if (!verdict && options.strict) return reject('schema', 'The stated verdict is missing.');
  const draft = readFindings(list, source);
  if (!draft.ok) return draft;
  const known = new Set<Json>([...list, ...draft.findings.map(({ text }) => text)]);
  const told = [...object].flatMap(([key, value]) => (trouble.test(key) ? value : []));
  draft.left.push(
    ...told.filter(isText).filter(text => isTitle(text) && !isNegative(text) && !known.has(text)),
  );
  const vetoReasons = [object.get('veto_reasons')]
    .filter(isList)
    .flat()
    .filter(isText)
    .filter(reason => reason.trim() !== '');
  // A veto with reasons and no finding is a finding that was written in the wrong place.
  if (draft.findings.length === 0) {
    const veto = { label: 'VETO', severity: 'critical' } as const;
    const notes = ['Read from veto_reasons.'];
    for (const text of vetoReasons)
      draft.findings.push(stateFinding({ ...veto, text, raw: text, notes }, placeIn(text)));
  }
  const evidence = readEvidence(object, list.length, draft.findings, options);
  if ('ok' in evidence) return evidence;
  const refusal = textAt(object, 'refusal') ?? '';
  if (refusal !== '' && draft.findings.length === 0) return reject('refusal', refusal);
  const excuse = draft.findings.length === 0 ? excuseOf(proseOf(object)) : null;
  return (
    excuse ?? {
      ...draft,
      verdict,
      ...evidence,
      notes: [...draft.notes, ...evidence.notes, ...unknownKeyNotes(object, answerKeys)],
      votes: readVotes(object, options),
      ...extraOf(object, answerKeys),
      ...(vetoReasons.length > 0 && { vetoReasons }),
    }
  );
}

function readFindings(list: JsonList, { text, spans, options }: Source) {
  const draft = emptyDraft('json');
  const { findings, unparsed, dropped, notes } = draft;
  const context = { draft, units: new Set(options.units), options };
  for (const item of list) {
    const fault = takeFinding(item, text.slice(...(spans.get(item) ?? [0, 0])), context);
    if (fault) return { ...fault, dropped };
  }
  if (findings.length === 0 && dropped.template + dropped.prompt > 0)
    return reject('echo', 'The findings are those of the template.', { dropped });
  return {
    ...draft,
    isZeroStated: findings.length + unparsed.length === 0,
    hasEndMark: true,
    notes: [...new Set(notes)],
  };
}

/** Keys of what stands in plain words beside the list that is read. */
const trouble =
  /^(?!resolved|fixed|closed|previous|non).*(?:issues|findings|problems|concerns?|bugs?|defects?|warnings?|blockers?|must_?fix|vulnerabilities|violations|risks|flaws)$/i;

/** The first version has no number of its own, so that its absence is fine. */
function versionFault(object: JsonObject) {
  if (!object.has('findings')) return null;
  const stated = object.get('version') ?? object.get('schema') ?? null;
  const isOurs =
    stated === null ||
    stated === 1 ||
    (typeof stated === 'string' && /(?:^|[/\sv@-])1(?:\.0){0,2}$/.test(stated.slice(0, 100)));
  return isOurs ? null : reject('schema', 'The answer is of another version.');
}

function nonceFault(object: JsonObject, { nonce, strict }: Question) {
  if (nonce === null) return null;
  const stated = object.get('nonce');
  if (stated === nonce || (stated === undefined && !strict)) return null;
  return reject(
    'nonce',
    stated === undefined ? 'The nonce is missing.' : 'The nonce is that of another question.',
  );
}

/** Null when no verdict is stated. */
function readVerdict(object: JsonObject): StatedVerdict | null {
  if (object.get('veto_exercised') === true) return { words: 'VETO', verdict: 'risky' };
  const stated = object.get('verdict') ?? object.get('overall_correctness') ?? null;
  if (stated !== null)
    return isText(stated)
      ? { words: stated, verdict: verdictOf(stated) }
      : { words: JSON.stringify(stated), verdict: null };
  // Under other names only what is understood, and speaks against the change or the review.
  const other = membersBeside(object)
    .flatMap(([key, value]) => [`${key}: ${value}`, ...value.split(/(?<=[.!?])\s+/)])
    .map(readVerdictLine)
    .find(found => found?.verdict && found.verdict !== 'safe');
  return other ?? (hasError(object) ? { words: 'error', verdict: 'error' } : null);
}

function readVotes(object: JsonObject, { voting }: Question): Vote[] {
  const votes = object.get('votes');
  return (voting && isList(votes) ? votes : []).filter(isObject).flatMap(item => {
    const criterion = Number(item.get('criterion') ?? NaN);
    const vote = textAt(item, 'vote')?.toUpperCase();
    const isVote = Number.isSafeInteger(item.get('criterion'));
    const isOpen = vote === 'PASS' && isUnproved(textAt(item, 'reason') ?? '');
    return isVote && !isOpen && (vote === 'PASS' || vote === 'FAIL') ? [{ criterion, vote }] : [];
  });
}

function rejectOther(object: JsonObject) {
  if (object.has('properties') || object.has('$schema'))
    return reject('echo', 'The answer is a schema, not an answer.');
  const refusal = textAt(object, 'refusal');
  if (refusal !== null) return reject('refusal', refusal);
  const error = object.get('error') ?? (object.get('type') === 'error' ? object : false);
  if (error === false) return reject('schema', 'The object has no `findings`.');
  return errorIn(isObject(error) ? proseOf(error) : JSON.stringify(error));
}

function proseOf(object: JsonObject) {
  return 'notes summary recommendation message comment type code status error'
    .split(' ')
    .map(key => textAt(object, key) ?? '')
    .join('\n')
    .slice(0, 4_000);
}

/** Null: the text does not start as JSON, or goes on behind it. */
export function readJsonText(text: string, options: Question): Draft | Unread | Wrapping | null {
  const start = skipSpace(text, 0);
  if (!'{["n'.includes(text.charAt(start)) || start === text.length) return null;
  const lax = { withComments: !options.strict, withBreaks: true };
  const first = scanJson(text, start, lax);
  const isAttempt =
    !first.ok && first.cause === 'syntax' ? jsonStart.test(text) : !/^\s*n/.test(text);
  if (!first.ok) return isAttempt ? faultOf(first) : null;
  // Several values in a row are read one by one, as those between prose.
  if (skipSpace(text, first.end) < text.length) return null;
  if (typeof first.value === 'string') return { texts: [first.value], repair: 'A11' };
  const isEnvelope = isObject(first.value) && !isAnswerShaped(first.value, options);
  return (isEnvelope ? unwrapEnvelope(first.value) : null) ?? readJson(first, text, options);
}

/** `[CRITICAL]|…`, `[[findings]]`, `{so-called} prose`, `{&quot;` and `none` begin like JSON and are not. */
const jsonStart = /^\s*[[{][[{\s]*(?:["'“”]|\/[/*]|\w+\s*:|[\]}]?\s*$)/;

/** What an object says about its own completeness. */
function readEvidence(
  object: JsonObject,
  stated: number,
  kept: readonly StatedFinding[],
  options: Question,
): Pick<Draft, 'doubt' | 'filesReviewed' | 'notes'> | Unread {
  const declared = ['count', 'findings_count'].map(key => object.get(key)).find(isNumber);
  if (declared !== undefined && declared !== stated)
    return reject('truncated', `${declared} findings were declared, ${stated} arrived.`);
  const summary = ['summary', 'counts'].map(key => object.get(key) ?? null).find(isObject);
  const summed = severities
    .map(key => summary?.get(key))
    .filter(isNumber)
    .reduce((sum, count) => sum + count, 0);
  const isThinned = object.get('mode') === 'high_severity_only' || isObject(object.get('skipped'));
  if (summed > stated && !isThinned)
    return reject('truncated', `The summary counts ${summed} findings, ${stated} arrived.`);
  const unmet = membersBeside(object).find(member => countsMore(member, stated, kept));
  if (unmet && !isThinned)
    return reject('truncated', `It says ${unmet.join(': ')}, and ${stated} arrived.`);
  const notes: string[] = [];
  const filesReviewed = readFiles(object, options);
  const isPartial = ['partial', 'incomplete', 'truncated'].some(key => object.get(key) === true);
  if (isPartial || object.get('complete') === false) {
    const cause = cutoffCauses.get(object.get('cutoff_reason')) ?? null;
    return { doubt: { cause }, filesReviewed, notes };
  }
  const read = new Set(filesReviewed ?? options.units);
  const missing = options.units.filter(unit => !read.has(unit)).length;
  const isSilent = !filesReviewed && options.strict;
  if (isSilent && kept.length === 0)
    return reject('unread', 'Nothing was found, and nothing says what was read.');
  if (missing > 0)
    notes.push(`${missing} of ${options.units.length} files are not among those it says it read.`);
  const admission = isSilent || missing > 0 ? 'unread' : admissionBeside(object);
  return { doubt: admission && { cause: admission }, filesReviewed, notes };
}

/** `critical: 1`, `has issues: true`, `total findings: 2`: more, or graver, than what arrived. */
function countsMore(
  [name, value]: readonly [string, string],
  stated: number,
  kept: readonly StatedFinding[],
) {
  const what = name
    .replace(/\b(?:num|number|counts?|totals?|of|severity|has|is)\b|[^a-z0-9]+/g, ' ')
    .trim();
  const count = value === 'true' ? 1 : Number(value);
  const severity = remarks.test(what) ? null : severityOf(what);
  return (
    count > 0 &&
    (severity === null
      ? count > stated && namesFindings(what)
      : !kept.some(each => isAtLeast(each.severity, severity)))
  );
}

/** What the members beside the findings say against the review itself. */
function admissionBeside(object: JsonObject): Cause | null {
  const members = membersBeside(object);
  const count = (name: RegExp) => Number(members.find(([key]) => name.test(key))?.[1]);
  if (
    count(/^(?:files )?(?:reviewed|read|covered)$/) < count(/^(?:total|files total|total files)$/)
  )
    return 'unread';
  return (
    members
      .flatMap(([key, value]) => (value === 'false' ? [] : [value, `${key}: ${value}`]))
      .map(line => admissionIn(line, true))
      .find(Boolean) ?? null
  );
}

/** `[name, value]` of every member that holds no finding, those of objects and lists of texts as well. */
function membersBeside(object: JsonObject): readonly (readonly [string, string])[] {
  return [...object].flatMap(([key, value]) => {
    const name = key.replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
    if (isObject(value)) return membersBeside(value);
    const values = isList(value) ? value.filter(isText) : [String(value ?? '')];
    return values.filter(each => each !== '').map(each => [name, each] as const);
  });
}

/** Null when the answer has no list: a bare number of files proves nothing and is counted again by the host. */
function readFiles(object: JsonObject, { units }: Question) {
  const known = new Set(units);
  const listed = ['units', 'files_reviewed', 'filesReviewed']
    .map(key => object.get(key))
    .find(isList);
  if (listed) return listed.filter(isText).map(path => unitNamed(path, known));
  const skipped = object.get('skipped_files');
  return isList(skipped) && skipped.length > 0
    ? units.filter(unit => !skipped.includes(unit))
    : null;
}

function isNumber(value: Json | undefined): value is number {
  return typeof value === 'number';
}

function isText(value: Json): value is string {
  return typeof value === 'string';
}

const cutoffCauses: ReadonlyMap<Json | undefined, Cause> = new Map([
  ['budget', 'budget'],
  ['timeout', 'deadline'],
  ['error', 'provider'],
]);
