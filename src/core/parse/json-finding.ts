/** Reads one member of `findings`: which keys mean what, and what is corrected, detached or refused. */
import type { StatedFinding } from '../finding.ts';
import { severityOf, type Severity } from '../severity.ts';
import { placeFrom, placeIn, placeOf, type Place } from './place.ts';
import { cut, fieldLimit, toLine, toParagraph } from './plain-text.ts';
import { extraOf } from './json-extra.ts';
import { reject, type ReadingOptions, type Rejection } from './reading.ts';
import { isObject, textAt, type Json, type JsonObject } from './scanner.ts';
import { isChoice, type Chaff, type Sieve } from './sieve.ts';
import { stateFinding } from './stated.ts';
import { undeclaredNote, undeclaredSeverityOf } from './undeclared-label.ts';

type FindingOutcome =
  | { readonly kind: 'finding'; readonly finding: StatedFinding }
  | { readonly kind: 'chaff'; readonly chaff: Chaff }
  | { readonly kind: 'unparsed'; readonly raw: string }
  | Rejection;

interface Surroundings {
  /** The member as it stands in the answer. */
  readonly raw: string;
  readonly sieve: Sieve;
  readonly units: ReadonlySet<string>;
  readonly options: ReadingOptions;
}

const knownKeys: ReadonlySet<string> = new Set([
  'id', 'severity', 'category', 'file', 'path', 'line', 'end_line', 'endLine', 'location', 'issue', 'title', 'description', 'evidence', 'quote',
  'recommendation', 'section', 'confidence', 'cwe', 'references', 'related_remediation', 'exploit_path', 'dependency', 'direct', 'cve', 'cvss',
  'known_exploit', 'affected_versions', 'patched_version', 'workaround', 'effort', 'user_impact', 'effective_go_ref', 'reviewer', 'agent',
]);

export function readFinding(item: Json, { raw, sieve, units, options }: Surroundings): FindingOutcome {
  if (!isObject(item)) return reject('schema', 'A member of `findings` is no object.');
  const label = item.get('severity');
  if (typeof label !== 'string') return reject('schema', 'A finding has no severity, or one that is no word.');
  if (isChoice(label) || /^<?severity>?$/i.test(label.trim()) || isQuotation(raw, options)) return { kind: 'chaff', chaff: 'template' };
  const declared = severityNamed(label, options);
  const severity = declared ?? undeclaredSeverityOf(label.trim().replace(/\s+/g, '-'), options.scale);
  if (severity === null) return options.undeclaredLabel === 'keep' ? { kind: 'unparsed', raw } : reject('schema', `Nobody declared the severity ${JSON.stringify(cut(label, 60))}.`);
  const texts = ['issue', 'title', 'description'].map(key => item.get(key)).filter(value => typeof value === 'string');
  if (texts.length === 0) return reject('schema', 'A finding has no `issue`, `title` or `description`.');
  const [text = '', ...others] = texts.filter(value => value.trim() !== '');
  const chaff = sieve(text);
  if (chaff !== null) return { kind: 'chaff', chaff };
  const notes = declared === null ? [undeclaredNote(label.trim(), severity)] : [];
  return { kind: 'finding', finding: toFinding(item, { label, severity, text, rest: others.join('\n'), raw, units, notes }) };
}

/** An example of the instructions, said back. */
function isQuotation(raw: string, options: ReadingOptions): boolean {
  return raw.length >= 20 && raw.length <= options.sent.instructions.length && options.sent.instructions.includes(raw);
}

function severityNamed(label: string, options: ReadingOptions): Severity | null {
  const word = label.trim();
  return severityOf(word, options.scale) ?? (options.voting && word.toUpperCase() === 'FAIL' ? 'critical' : null);
}

interface Core {
  readonly label: string;
  readonly severity: Severity;
  readonly text: string;
  /** Title and description both given: the one that did not become the text. */
  readonly rest: string;
  readonly raw: string;
  readonly units: ReadonlySet<string>;
  readonly notes: readonly string[];
}

function toFinding(item: JsonObject, { label, severity, text, rest, raw, units, notes }: Core): StatedFinding {
  const id = item.get('id');
  const located = placeOfItem(item, units);
  return stateFinding({
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : null,
    label,
    severity,
    text,
    place: located.place ?? placeIn(cut(toLine(text), 4_000)),
    section: line(item.get('section')) ?? located.section,
    quote: textAt(item, 'quote'),
    category: line(item.get('category')),
    evidence: paragraph(item.get('evidence')) ?? paragraph(rest),
    recommendation: paragraph(item.get('recommendation')),
    ...extraOf(item, ownKeys),
    raw,
    notes: [...notes, ...notesOf(item)],
  });
}

/** Keys that have a field of their own; the others are kept as they are. */
const ownKeys: ReadonlySet<string> = new Set([
  'id', 'severity', 'category', 'file', 'path', 'line', 'end_line', 'endLine', 'location', 'issue', 'title', 'description', 'evidence', 'quote',
  'recommendation', 'section', 'confidence', 'reviewer', 'agent',
]);

/** `location` first, then `file` with `line`. A location that is no place names a section. */
function placeOfItem(item: JsonObject, units: ReadonlySet<string>): { readonly place: Place | null; readonly section: string | null } {
  const location = item.get('location');
  const end = item.get('end_line') ?? item.get('endLine');
  if (isObject(location)) return { place: placeOfFile(location.get('file') ?? location.get('path'), location.get('line'), location.get('end_line') ?? location.get('endLine')), section: null };
  const place = typeof location === 'string' ? placeOf(location, units) : null;
  const file = placeOfFile(item.get('file') ?? item.get('path'), item.get('line'), end);
  return { place: place ?? file, section: place === null ? line(location) : null };
}

function placeOfFile(path: Json | undefined, start: Json | undefined, end: Json | undefined): Place | null {
  return typeof path === 'string' && path.trim() !== '' ? placeFrom(path, start, end) : null;
}

function notesOf(item: JsonObject): string[] {
  const notes: string[] = [];
  const confidence = item.get('confidence');
  if (confidence !== undefined && confidence !== null && !(typeof confidence === 'number' && confidence >= 0 && confidence <= 1)) notes.push('The stated confidence is no number from 0 to 1 and was dropped.');
  if (item.has('reviewer') || item.has('agent')) notes.push('The finding names a reviewer; it stays with the one that was asked.');
  const unknown = [...item.keys()].filter(key => !knownKeys.has(key)).length;
  if (unknown > 0) notes.push(`${unknown} unknown ${unknown === 1 ? 'field was' : 'fields were'} kept as they came.`);
  return notes;
}

function line(value: Json | undefined): string | null {
  const text = typeof value === 'string' ? cut(toLine(value), 500) : '';
  return text === '' ? null : text;
}

function paragraph(value: Json | undefined): string | null {
  const text = typeof value === 'string' ? cut(toParagraph(value), fieldLimit) : '';
  return text === '' ? null : text;
}
