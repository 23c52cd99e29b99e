/** Reads an answer that is one JSON object with `findings`, or, where nothing needs proof, a list of findings. */
import type { StatedFinding } from '../finding.ts';
import { readEvidence } from './json-evidence.ts';
import { extraOf } from './json-extra.ts';
import { readFinding } from './json-finding.ts';
import { placeIn } from './place.ts';
import { rejectionIn } from './rejections.ts';
import { reject, nothingDropped, type Draft, type ReadingOptions, type Rejection, type StatedVerdict, type Vote } from './reading.ts';
import { isList, isObject, textAt, type Json, type JsonList, type JsonObject, type Scanned } from './scanner.ts';
import { createSieve } from './sieve.ts';
import { stateFinding } from './stated.ts';
import { verdictOf } from './verdict-words.ts';

/** `text` is what was scanned. Never null: whoever calls this has decided that the value is the answer. */
export function readJson({ value, spans }: Scanned, text: string, options: ReadingOptions): Draft | Rejection {
  if (isList(value)) return value.length === 0 ? reject('empty', 'The list is empty.') : readList(value, { text, spans, options });
  if (value === null || (isObject(value) && value.size === 0)) return reject('empty', 'The JSON value holds nothing.');
  if (!isObject(value)) return reject('schema', 'The JSON value is no object.');
  return value.has('findings') || (options.voting && value.has('votes')) ? readObject(value, { text, spans, options }) : rejectOther(value);
}

/** Does the value look like an answer of ours, whatever else may be wrong with it? */
export function isAnswerShaped(value: Json, options: Pick<ReadingOptions, 'strict'>): boolean {
  if (isObject(value)) return value.has('findings');
  return isList(value) && !options.strict && value.length > 0 && value.every(item => isObject(item) && item.has('severity'));
}

interface Source {
  readonly text: string;
  readonly spans: Scanned['spans'];
  readonly options: ReadingOptions;
}

const knownKeys: ReadonlySet<string> = new Set([
  'schema', 'version', 'agent', 'nonce', 'units', 'partial', 'cutoff_reason', 'mode', 'budget_remaining_percent', 'budget_used_percent', 'skipped',
  'files_reviewed', 'files_skipped', 'skipped_files', 'findings', 'count', 'findings_count', 'verdict', 'veto_exercised', 'veto_reasons', 'summary',
  'notes', 'recommendation', 'dependency_health', 'metrics', 'breaking_changes', 'ux_score', 'votes',
]);

/** What the host says itself about a review; the other keys are the reviewer's and are kept. */
const answerKeys: ReadonlySet<string> = new Set([
  'schema', 'version', 'agent', 'nonce', 'units', 'partial', 'cutoff_reason', 'mode', 'budget_remaining_percent', 'budget_used_percent', 'skipped',
  'files_reviewed', 'files_skipped', 'skipped_files', 'findings', 'count', 'findings_count', 'verdict', 'veto_exercised', 'veto_reasons', 'summary', 'votes',
]);

function reasonsOf(object: JsonObject): Pick<Draft, 'vetoReasons'> {
  const reasons = object.get('veto_reasons');
  const texts = isList(reasons) ? reasons.filter(reason => typeof reason === 'string').filter(reason => reason.trim() !== '') : [];
  return texts.length === 0 ? {} : { vetoReasons: texts };
}

function readList(list: JsonList, source: Source): Draft | Rejection {
  if (source.options.strict) return reject('schema', 'The answer is a list where an object was asked for.');
  return readFindings(list, source);
}

function readObject(object: JsonObject, source: Source): Draft | Rejection {
  const { options } = source;
  const fault = versionFault(object) ?? nonceFault(object, options);
  if (fault !== null) return fault;
  const list = object.get('findings') ?? (object.has('votes') ? [] : null);
  if (!isList(list)) return reject('schema', '`findings` is no list.');
  const verdict = readVerdict(object);
  if (verdict?.verdict === null) return reject('schema', `The stated verdict ${JSON.stringify(verdict.words)} is none of the declared words.`);
  if (verdict === null && options.strict) return reject('schema', 'The stated verdict is missing.');
  const draft = readFindings(list, source);
  return draft.kind === 'rejection' ? draft : complete(draft, object, { verdict, options });
}

function complete(draft: Draft, object: JsonObject, { verdict, options }: { verdict: StatedVerdict | null; options: ReadingOptions }): Draft | Rejection {
  const vetoes = draft.findings.length === 0 ? vetoFindings(object) : [];
  const findings = [...draft.findings, ...vetoes];
  const evidence = readEvidence(object, { stated: (object.get('findings') as JsonList | undefined)?.length ?? 0, kept: findings.length, options });
  if (evidence.kind === 'rejection') return evidence;
  if (findings.length === 0) {
    const excuse = rejectionIn(proseOf(object), 'remark');
    if (excuse !== null) return excuse;
  }
  const unknown = [...object.keys()].filter(key => !knownKeys.has(key)).length;
  const notes = [...draft.notes, ...evidence.notes, ...(unknown > 0 ? [`${unknown} unknown ${unknown === 1 ? 'field was' : 'fields were'} kept as they came.`] : [])];
  return { ...draft, findings, verdict, notes, doubt: evidence.doubt, filesReviewed: evidence.filesReviewed, votes: readVotes(object, options), ...extraOf(object, answerKeys), ...reasonsOf(object) };
}

function readFindings(list: JsonList, { text, spans, options }: Source): Draft | Rejection {
  const sieve = createSieve(options.sent);
  const units = new Set(options.units);
  const dropped = nothingDropped();
  const findings: StatedFinding[] = [];
  const unparsed: string[] = [];
  const notes: string[] = [];
  for (const item of list) {
    const [start, end] = spans.get(item) ?? [0, 0];
    const outcome = readFinding(item, { raw: text.slice(start, end), sieve, units, options });
    if (outcome.kind === 'finding') findings.push(outcome.finding);
    else if (outcome.kind === 'chaff') {
      dropped[outcome.chaff] += 1;
      notes.push(`A finding without content was dropped (${outcome.chaff}).`);
    } else if (outcome.kind === 'unparsed') unparsed.push(outcome.raw);
    else return { ...outcome, dropped };
  }
  if (findings.length === 0 && dropped.template + dropped.prompt > 0) return reject('echo', 'The findings are those of the template.', { dropped });
  return {
    kind: 'draft', format: 'json', findings, improvements: [], verdict: null, isZeroStated: findings.length === 0 && unparsed.length === 0, hasEndMark: true, doubt: null,
    unparsed, dropped, notes: [...new Set(notes)], filesReviewed: null, votes: [],
  };
}

/** The first version has no number of its own, so that its absence is fine. */
function versionFault(object: JsonObject): Rejection | null {
  const stated = object.get('version') ?? object.get('schema') ?? null;
  const isOurs = stated === null || stated === 1 || (typeof stated === 'string' && /(?:^|[/\sv@-])1(?:\.0){0,2}$/.test(stated.slice(0, 100)));
  return isOurs ? null : reject('schema', 'The answer is of another version.');
}

function nonceFault(object: JsonObject, { nonce, strict }: ReadingOptions): Rejection | null {
  if (nonce === null) return null;
  const stated = object.get('nonce');
  if (stated === nonce || (stated === undefined && !strict)) return null;
  return reject('nonce', stated === undefined ? 'The nonce is missing.' : 'The nonce is that of another question.');
}

/** Null when no verdict is stated. */
function readVerdict(object: JsonObject): StatedVerdict | null {
  if (object.get('veto_exercised') === true) return { words: 'VETO', verdict: 'risky' };
  const stated = object.get('verdict') ?? null;
  if (stated === null) return null;
  return typeof stated === 'string' ? { words: stated, verdict: verdictOf(stated) } : { words: JSON.stringify(stated), verdict: null };
}

/** A veto with reasons and no finding is a finding that was written in the wrong place. */
function vetoFindings(object: JsonObject): StatedFinding[] {
  const reasons = object.get('veto_reasons');
  if (!isList(reasons)) return [];
  return reasons
    .filter(reason => typeof reason === 'string')
    .filter(reason => reason.trim() !== '')
    .map(reason => stateFinding({ label: 'VETO', severity: 'critical', text: reason, place: placeIn(reason), raw: reason, notes: ['Read from veto_reasons.'] }));
}

function readVotes(object: JsonObject, options: ReadingOptions): Vote[] {
  const votes = object.get('votes');
  if (!options.voting || !isList(votes)) return [];
  return votes.flatMap(item => {
    const criterion = isObject(item) ? item.get('criterion') : undefined;
    const vote = isObject(item) ? (textAt(item, 'vote') ?? '').toUpperCase() : '';
    return typeof criterion === 'number' && Number.isSafeInteger(criterion) && (vote === 'PASS' || vote === 'FAIL') ? [{ criterion, vote }] : [];
  });
}

function rejectOther(object: JsonObject): Rejection {
  if (object.has('properties') || object.has('$schema')) return reject('echo', 'The answer is a schema, not an answer.');
  const refusal = textAt(object, 'refusal');
  if (refusal !== null) return reject('refusal', refusal);
  const error = object.get('error') ?? (object.get('type') === 'error' ? object : null);
  if (error !== null && error !== undefined && error !== false) {
    const words = isObject(error) ? proseOf(error) : JSON.stringify(error);
    return rejectionIn(words, 'error') ?? reject('provider', words.slice(0, 300));
  }
  return reject('schema', 'The object has no `findings`.');
}

function proseOf(object: JsonObject): string {
  return ['notes', 'summary', 'recommendation', 'message', 'comment', 'type', 'code', 'status', 'error']
    .map(key => textAt(object, key) ?? '')
    .join('\n')
    .slice(0, 4_000);
}
