/**
 * Reads one JSON value, strictly and in linear time. Needed because the built-in reader keeps the last of two equal keys
 * and cannot tell a text that was cut off from one that is malformed. Nothing is ever completed or corrected.
 */

export type Json = null | boolean | number | string | JsonList | JsonObject;
export type JsonList = readonly Json[];
/** A map, so that no key can touch a prototype. */
export type JsonObject = ReadonlyMap<string, Json>;

/** Half-open offsets of a list or object in the scanned text. */
type Span = readonly [start: number, end: number];

export interface Scanned {
  readonly ok: true;
  readonly value: Json;
  /** Offset behind the value. */
  readonly end: number;
  readonly spans: ReadonlyMap<Json, Span>;
}

/** `schema`: well-formed, but holds what no answer may hold (a number beyond all bounds, the key `__proto__`). */
export interface NotScanned {
  readonly ok: false;
  readonly cause: 'syntax' | 'truncated' | 'dupkey' | 'depth' | 'schema';
  readonly at: number;
}

const maximumDepth = 64;

interface ScanOptions {
  /** Comments of either kind are white space. */
  withComments?: boolean;
  /** Line breaks and tabs may stand in texts as they come. */
  withBreaks?: boolean;
  /** Takes the keys that stand in their object again, of which the last one counts; without it they are a fault. */
  repeated?: { key: string; at: number }[];
}

/** Scans the value that starts at `from`, white space before it skipped. */
export function scanJson(text: string, from = 0, options: ScanOptions = {}): Scanned | NotScanned {
  const scan: Scan = { ...options, text, at: from, spans: new Map(), failure: null };
  const value = readValue(scan, 1);
  if (value === undefined) return scan.failure ?? { ok: false, cause: 'syntax', at: scan.at };
  return { ok: true, value, end: scan.at, spans: scan.spans };
}

export function isObject(value: Json | undefined): value is JsonObject {
  return value instanceof Map;
}

export function isList(value: Json | undefined): value is JsonList {
  return Array.isArray(value);
}

/** The text under a key; null when there is none, or something else. */
export function textAt(object: JsonObject, key: string) {
  const value = object.get(key);
  return typeof value === 'string' ? value : null;
}

/** Offset of the first character at or behind `from` that is no JSON white space. */
export function skipSpace(text: string, from: number) {
  return endOf(space, { text, at: from });
}

interface Scan extends ScanOptions {
  readonly text: string;
  at: number;
  readonly spans: Map<Json, Span>;
  failure: NotScanned | null;
}

function fail(scan: Scan, cause: NotScanned['cause']) {
  scan.failure ??= { ok: false, cause, at: scan.at };
  return undefined;
}

/** The end of the text where something had to follow means that the rest is missing. */
function unexpected(scan: Scan) {
  return fail(scan, scan.at >= scan.text.length ? 'truncated' : 'syntax');
}

const space = /[ \t\n\r]*/y;
const comments = /(?:[ \t\n\r]|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$))*/y;

/** The character behind white space, which is skipped. */
function peek(scan: Scan) {
  scan.at = endOf(scan.withComments ? comments : space, scan);
  return scan.text.charAt(scan.at);
}

/** Where the match of a pattern that matches everywhere ends. */
function endOf(pattern: RegExp, { text, at }: Pick<Scan, 'text' | 'at'>) {
  pattern.lastIndex = at;
  pattern.test(text);
  return pattern.lastIndex;
}

function readValue(scan: Scan, depth: number): Json | undefined {
  const first = peek(scan);
  if (first === '"') return readString(scan);
  if (first !== '{' && first !== '[') return readScalar(scan);
  return depth > maximumDepth ? fail(scan, 'depth') : readMembers(scan, depth, first);
}

function readMembers(scan: Scan, depth: number, opener: '{' | '['): Json | undefined {
  const start = scan.at;
  const object = new Map<string, Json>();
  const list = [];
  const closer = opener === '{' ? '}' : ']';
  scan.at += 1;
  if (peek(scan) !== closer) {
    do {
      const key = opener === '{' ? readKey(scan, object) : '';
      const value = key === undefined ? undefined : readValue(scan, depth + 1);
      if (key === undefined || value === undefined) return undefined;
      if (opener === '{') object.set(key, value);
      else list.push(value);
    } while (skip(scan, ','));
  }
  if (!skip(scan, closer)) return unexpected(scan);
  const value = opener === '{' ? object : list;
  scan.spans.set(value, [start, scan.at]);
  return value;
}

function skip(scan: Scan, mark: string) {
  const isThere = peek(scan) === mark;
  if (isThere) scan.at += 1;
  return isThere;
}

/** With the colon behind it. */
function readKey(scan: Scan, object: JsonObject) {
  if (peek(scan) !== '"') return unexpected(scan);
  const { at } = scan;
  const key = readString(scan);
  if (key === undefined) return undefined;
  if (!skip(scan, ':')) return unexpected(scan);
  if (key === '__proto__') return fail(scan, 'schema');
  if (object.has(key)) {
    if (!scan.repeated) return fail(scan, 'dupkey');
    scan.repeated.push({ key, at });
  }
  return key;
}

const characters = /"(?:[^"\\\u0000-\u001f]+|[\t\n\r]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/y;

function readString(scan: Scan) {
  const { text, at: start } = scan;
  scan.at = endOf(characters, scan);
  const next = text.slice(scan.at, scan.at + 6);
  if (!next.startsWith('"'))
    return fail(scan, /^(?:\\(?:u[\da-f]{0,3})?)?$/i.test(next) ? 'truncated' : 'syntax');
  const quoted = text.slice(start, scan.at + 1);
  const broken = scan.withBreaks ? -1 : quoted.search(/[\t\n\r]/);
  scan.at = broken === -1 ? scan.at + 1 : start + broken;
  if (broken !== -1) return fail(scan, 'syntax');
  return String(JSON.parse(quoted.replace(/[\t\n\r]/g, mark => JSON.stringify(mark).slice(1, -1))));
}

const word = /[\w.+-]*/y;
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
const cutScalar =
  /^(?:t(?:ru?)?|f(?:a(?:ls?)?)?|n(?:ul?)?|-|-?(?:0|[1-9]\d*)(?:\.|(?:\.\d+)?[eE][+-]?))?$/;

function readScalar(scan: Scan): Json | undefined {
  const end = endOf(word, scan);
  const said = scan.text.slice(scan.at, end);
  const isCut = end === scan.text.length && cutScalar.test(said);
  if (!scalar.test(said)) return fail(scan, isCut ? 'truncated' : 'syntax');
  const value: Json = JSON.parse(said);
  if (typeof value === 'number' && !Number.isFinite(value)) return fail(scan, 'schema');
  scan.at = end;
  return value;
}
