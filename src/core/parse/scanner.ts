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

/**
 * Scans the value that starts at `from`, white space before it skipped; comments too, and line breaks and tabs inside of texts as they
 * come, where they are allowed.
 */
export function scanJson(
  text: string,
  from = 0,
  { withComments = false, withBreaks = false } = {},
): Scanned | NotScanned {
  const scan: Scan = { text, at: from, spans: new Map(), failure: null, withComments, withBreaks };
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
export function textAt(object: JsonObject, key: string): string | null {
  const value = object.get(key);
  return typeof value === 'string' ? value : null;
}

/** Offset of the first character at or behind `from` that is no JSON white space. */
export function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && isSpace(text.charCodeAt(at))) at += 1;
  return at;
}

interface Scan {
  readonly text: string;
  at: number;
  readonly spans: Map<Json, Span>;
  failure: NotScanned | null;
  readonly withComments: boolean;
  readonly withBreaks: boolean;
}

/** Behind white space and, where they are allowed, comments of either kind. */
function skipComments(text: string, from: number): number {
  let at = skipSpace(text, from);
  for (;;) {
    const mark = text.slice(at, at + 2);
    if (mark !== '//' && mark !== '/*') return at;
    const end = text.indexOf(mark === '//' ? '\n' : '*/', at + 2);
    at = end === -1 ? text.length : skipSpace(text, end + (mark === '//' ? 1 : 2));
  }
}

function isSpace(code: number): boolean {
  return code === 32 || code === 10 || code === 13 || code === 9;
}

function fail(scan: Scan, cause: NotScanned['cause']): undefined {
  scan.failure ??= { ok: false, cause, at: scan.at };
  return undefined;
}

/** The end of the text where something had to follow means that the rest is missing. */
function unexpected(scan: Scan): undefined {
  return fail(scan, scan.at >= scan.text.length ? 'truncated' : 'syntax');
}

function peek(scan: Scan): string {
  scan.at = (scan.withComments ? skipComments : skipSpace)(scan.text, scan.at);
  return scan.text.charAt(scan.at);
}

function readValue(scan: Scan, depth: number): Json | undefined {
  const first = peek(scan);
  if (first === '{' || first === '[') {
    if (depth > maximumDepth) return fail(scan, 'depth');
    return first === '{' ? readObject(scan, depth) : readList(scan, depth);
  }
  if (first === '"') return readString(scan);
  if (first === 't') return readWord(scan, 'true', true);
  if (first === 'f') return readWord(scan, 'false', false);
  if (first === 'n') return readWord(scan, 'null', null);
  return readNumber(scan);
}

function readObject(scan: Scan, depth: number): JsonObject | undefined {
  const start = scan.at;
  const object = new Map<string, Json>();
  scan.at += 1;
  if (peek(scan) !== '}') {
    do {
      if (!readMember(scan, object, depth)) return undefined;
    } while (skipComma(scan));
  }
  if (peek(scan) !== '}') return unexpected(scan);
  scan.at += 1;
  scan.spans.set(object, [start, scan.at]);
  return object;
}

function readMember(scan: Scan, object: Map<string, Json>, depth: number): boolean {
  if (peek(scan) !== '"') return unexpected(scan) ?? false;
  const key = readString(scan);
  if (key === undefined) return false;
  if (peek(scan) !== ':') return unexpected(scan) ?? false;
  if (key === '__proto__') return fail(scan, 'schema') ?? false;
  if (object.has(key)) return fail(scan, 'dupkey') ?? false;
  scan.at += 1;
  const value = readValue(scan, depth + 1);
  if (value === undefined) return false;
  object.set(key, value);
  return true;
}

function readList(scan: Scan, depth: number): JsonList | undefined {
  const start = scan.at;
  const list: Json[] = [];
  scan.at += 1;
  if (peek(scan) !== ']') {
    do {
      const value = readValue(scan, depth + 1);
      if (value === undefined) return undefined;
      list.push(value);
    } while (skipComma(scan));
  }
  if (peek(scan) !== ']') return unexpected(scan);
  scan.at += 1;
  scan.spans.set(list, [start, scan.at]);
  return list;
}

function skipComma(scan: Scan): boolean {
  if (peek(scan) !== ',') return false;
  scan.at += 1;
  return true;
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ['\\', '\\'],
  ['/', '/'],
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

function readString(scan: Scan): string | undefined {
  const { text } = scan;
  const parts: string[] = [];
  let from = scan.at + 1;
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
      parts.push(text.slice(from, at));
      scan.at = at + 1;
      return parts.join('');
    }
    scan.at = at;
    if (code < 32 && !(scan.withBreaks && isSpace(code))) return fail(scan, 'syntax');
    if (code !== 92) continue;
    const escaped = readEscape(scan);
    if (escaped === undefined) return undefined;
    parts.push(text.slice(from, at), escaped);
    at = scan.at - 1;
    from = scan.at;
  }
  scan.at = text.length;
  return fail(scan, 'truncated');
}

/** Stands on the backslash; leaves the scan behind the escape. */
function readEscape(scan: Scan): string | undefined {
  const { text, at } = scan;
  const letter = text.charAt(at + 1);
  if (letter === 'u') {
    const hex = text.slice(at + 2, at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex))
      return fail(scan, at + 6 > text.length ? 'truncated' : 'syntax');
    scan.at = at + 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  const character = escapes.get(letter);
  if (character === undefined) return fail(scan, letter === '' ? 'truncated' : 'syntax');
  scan.at = at + 2;
  return character;
}

function readWord<Value extends Json>(scan: Scan, word: string, value: Value): Value | undefined {
  const found = scan.text.slice(scan.at, scan.at + word.length);
  if (found === word) {
    scan.at += word.length;
    return value;
  }
  const isCut = scan.at + found.length === scan.text.length && word.startsWith(found);
  return fail(scan, isCut ? 'truncated' : 'syntax');
}

const numberPattern = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function readNumber(scan: Scan): number | undefined {
  numberPattern.lastIndex = scan.at;
  const match = numberPattern.exec(scan.text);
  if (match === null)
    return isCutNumber(scan.text, scan.at) ? fail(scan, 'truncated') : unexpected(scan);
  if (isCutNumber(scan.text, numberPattern.lastIndex)) return fail(scan, 'truncated');
  const number = Number(match[0]);
  if (!Number.isFinite(number)) return fail(scan, 'schema');
  scan.at += match[0].length;
  return number;
}

/** Does the text end inside of a sign, a fraction or an exponent? */
function isCutNumber(text: string, at: number): boolean {
  return text.length - at <= 2 && /^(?:-|\.|[eE][+-]?)$/.test(text.slice(at));
}
