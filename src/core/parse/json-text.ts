/** Reads a text that is JSON from its first character on: an answer, a wrapping around one, or something that is neither. */
import { unwrapEnvelope, unwrapStream } from './envelope.ts';
import { isAnswerShaped, readJson } from './json.ts';
import { reject, type Draft, type ReadingOptions, type Rejection, type Wrapping } from './reading.ts';
import { isList, isObject, scanJson, skipSpace, type NotScanned, type Scanned } from './scanner.ts';

/** Null: the text does not start as JSON, or goes on as prose. */
export function readJsonText(text: string, options: ReadingOptions): Draft | Rejection | Wrapping | null {
  const start = skipSpace(text, 0);
  if (!'{["n'.includes(text.charAt(start)) || start === text.length) return null;
  const first = scanJson(text, start);
  if (!first.ok) return isJsonAttempt(text, start, first) ? faultOf(first) : null;
  const next = skipSpace(text, first.end);
  if (next < text.length) return isList(first.value) || isObject(first.value) ? readSequence(text, first, next) : null;
  if (typeof first.value === 'string') return { kind: 'wrapping', texts: [first.value], repair: 'A11' };
  if (isAnswerShaped(first.value, options)) return readJson(first, text, options);
  return (isObject(first.value) ? unwrapEnvelope(first.value) : null) ?? readJson(first, text, options);
}

const sentences: Record<NotScanned['cause'], string> = {
  syntax: 'The JSON is malformed',
  truncated: 'The JSON ends too early',
  dupkey: 'An object repeats a key',
  depth: 'The JSON is nested too deeply',
  schema: 'The JSON holds a value or key that no answer may hold',
};

export function faultOf(failure: NotScanned): Rejection {
  return reject(failure.cause, `${sentences[failure.cause]} (at character ${failure.at}).`);
}

/** `[CRITICAL]|…`, `[[findings]]`, `{so-called} prose`, `{&quot;` and `none` begin like JSON and are not. */
function isJsonAttempt(text: string, start: number, failure: NotScanned): boolean {
  if (failure.cause !== 'syntax') return text.charAt(start) !== 'n';
  if (/^&(?:#|[a-z])/i.test(text.slice(failure.at, failure.at + 2))) return false;
  if (text.charAt(start) === '[') return !/^[[\s]*[\p{L}\s\]x*_`]/u.test(text.slice(start, failure.at + 1)) || /^\[\s*[{"\d]/.test(text.slice(start, start + 400));
  return text.charAt(start) === '{' && !/^\{[\w ./-]{0,60}\}[^,:\]}]/.test(text.slice(start, start + 80));
}

/** Several values in a row. They may be an event stream; they are never an answer. */
function readSequence(text: string, first: Scanned, from: number): Rejection | Wrapping | null {
  const values = [first.value];
  for (let at = from; at < text.length; ) {
    if (!'{['.includes(text.charAt(at))) return null;
    const scanned = scanJson(text, at);
    if (!scanned.ok) return faultOf(scanned);
    values.push(scanned.value);
    at = skipSpace(text, scanned.end);
  }
  const stream = unwrapStream(values);
  if (stream !== null) return stream;
  const answers = values.filter(value => isObject(value) && value.has('findings')).length;
  return answers >= 2 ? reject('ambiguous', `${answers} answers stand side by side.`) : reject('schema', 'Several JSON values stand where one object was asked for.');
}
