/**
 * The closed list of repairs, named by the codes of the table of bad answers, and everything an answer may be wrapped in:
 * fences, tags, entities, result objects and event streams of clients, prose around JSON. Each repair takes something off; none
 * adds a character to what the reviewer wrote.
 */
import { present } from '../core/groups.ts';
import type { Cause } from '../core/words/review.ts';
import { stripAnsi } from '../core/text.ts';
import { decodeEntities, layOut, type Fence, type Line } from './layout.ts';
import { reject, type ReadingOptions, type Unread, type Wrapping } from './reading.ts';
import { isFindingShaped, listOf } from './json-finding.ts';
import { readLabelledLine, readVerdictLine } from './labels.ts';
import { errorIn } from './sieve.ts';
import {
  isList,
  isObject,
  scanJson,
  textAt,
  type Json,
  type JsonObject,
  type NotScanned,
} from './scanner.ts';

/** Takes line ends and byte-order mark (A18), terminal colours (A16) and thinking aloud (A9) out of it: `thoughts`. */
export function clean(text: string) {
  const plain = text.replace(/^\uFEFF+/, '').replace(/\r\n?/g, '\n');
  const colourless = stripAnsi(plain);
  const end = headless.exec(colourless);
  const begin = colourless.search(thought);
  const isHeadless = end !== null && (begin === -1 || end.index < begin);
  const start = isHeadless ? end.index + end[0].length : 0;
  const thoughts = [colourless.slice(0, start)];
  const cleaned = colourless.slice(start).replace(thought, (whole, tag: string) => {
    thoughts.push(whole.replaceAll(`${tag}>`, '\n'));
    return '';
  });
  const repairs = present(
    plain !== text && 'A18',
    colourless !== plain && 'A16',
    cleaned !== colourless && 'A9',
  );
  return { text: cleaned, thoughts: thoughts.join('\n'), repairs };
}

/** Only tags at the start of a line: a finding may talk about them. What is opened and not closed goes to the end. */
const thought = /^[ \t]*<(think|thinking|reasoning|thought)>[^]*?(?:<\/\1>|$(?![^]))/gim;
/** Some servers swallow the opening tag: everything before a lone closing one was thinking. */
const headless = /^[ \t]*<\/(?:think|thinking|reasoning|thought)>[ \t]*$/im;

/** What stands in fences (A1, A2) or behind HTML entities (A12); null when there is nothing to take off. */
export function unwrap(text: string): Wrapping | Unread | null {
  const { fences } = layOut(text);
  if (fences.some(fence => !fence.isClosed))
    return reject('truncated', 'The fence around the answer is never closed.');
  const texts = fences
    .map(fence => text.slice(fence.start, fence.end))
    .filter(inner => inner.trim() !== '');
  const [first] = fences;
  if (first && texts.length > 0) return { texts, repair: fences.length > 1 ? 'A6' : codeOf(first) };
  const decoded = decodeEntities(text);
  return decoded === text ? null : { texts: [decoded], repair: 'A12' };
}

function codeOf({ mark }: Fence) {
  return mark.startsWith('`') ? 'A1' : 'A2';
}

/** Null: the object is no wrapping that anybody knows. */
export function unwrapEnvelope(object: JsonObject): Wrapping | Unread | null {
  const text = textOf(object);
  const isError =
    ['is_error', 'isError'].some(key => object.get(key) === true) ||
    (object.get('type') === 'result' && text === null);
  if (isError) return errorIn(text ?? 'The client reports an error.');
  return text === null ? null : { texts: [text], repair: 'A14', doubt: doubtOf(object) };
}

/** What the program around an answer says of its end: by an error beside it, or a reason to stop that is not its own. */
function doubtOf(object: JsonObject): Cause | null {
  if (hasError(object)) return 'provider';
  const parts = [object, ...['choices', 'candidates'].flatMap(key => object.get(key) ?? []).flat()];
  const reasons = parts
    .filter(isObject)
    .flatMap(part => ['stop_reason', 'finish_reason', 'finishReason'].map(key => textAt(part, key)))
    .map(reason => reason?.toLowerCase() ?? '');
  if (reasons.some(reason => /length|max|limit/.test(reason))) return 'truncated';
  return reasons.some(reason => /refus|filter|safety|prohibit|recitation|block/.test(reason))
    ? 'refusal'
    : null;
}

/** An empty one is none. */
export function hasError(object: JsonObject) {
  return !([undefined, null, false, ''] as unknown[]).includes(object.get('error'));
}

function textOf(object: JsonObject) {
  if (object.get('type') === 'result') return textAt(object, 'result');
  const choices = object.get('choices');
  if (isList(choices)) {
    const message = isObject(choices[0]) ? choices[0].get('message') : undefined;
    return isObject(message) ? textAt(message, 'content') : null;
  }
  const isCall = 'name arguments input tool function'.split(' ').some(key => object.has(key));
  if (isCall) return null;
  return (
    'response result answer output text content'
      .split(' ')
      .map(key => textAt(object, key))
      .find(text => text !== null) ?? joinedText(object.get('content'))
  );
}

/** A message whose content is a list of parts. */
function joinedText(content: Json | undefined) {
  const parts = (isList(content) ? content : [])
    .filter(isObject)
    .filter(part => part.get('type') === 'text')
    .map(part => textAt(part, 'text') ?? '');
  return parts.length === 0 ? null : parts.join('');
}

/**
 * Answers in JSON that stand between prose or in fences, and the text without them; `broken` is an attempt at an answer that cannot be
 * read. Looks at every character a bounded number of times.
 */
export function findEmbedded(text: string, options: ReadingOptions) {
  const { lines, fences } = layOut(text);
  const answers = [];
  const rest = [];
  let kept = 0;
  let broken: Unread | null = null;
  let behind = 0;
  for (const line of lines) {
    if (line.isQuoted || /^\s*\|/.test(line.text) || line.end < behind) continue;
    for (let at = nextOpener(line, behind); at !== -1; at = nextOpener(line, behind)) {
      const fence = line.fence === null ? null : (fences[line.fence] ?? null);
      const scanned = scanJson(text, at, { withComments: !options.strict, withBreaks: true });
      behind = scanned.ok ? scanned.end : Math.max(scanned.at, at + 1);
      // An error by itself, not as evidence in prose or in a fence.
      const isAlone = !fence && /(?:^|\n)\s*$/.test(text.slice(kept, at));
      const isError = scanned.ok && isAlone && isObject(scanned.value) && hasError(scanned.value);
      if (scanned.ok && (isError || isCandidate(scanned.value, options))) {
        if (fence?.isClosed === false)
          broken ??= reject('truncated', 'The fence around the answer is never closed.');
        else {
          const texts = [text.slice(at, scanned.end)];
          answers.push({ texts, repair: repairFor(text, at, fence) });
          rest.push(text.slice(kept, at));
          kept = scanned.end;
        }
      } else if (
        !scanned.ok &&
        (scanned.cause === 'depth' ||
          findingsKey.test(text.slice(at, Math.max(scanned.at, at + 600))))
      )
        broken ??= faultOf(scanned);
    }
  }
  return { answers, rest: [...rest, text.slice(kept)].join(''), broken };
}

/** A brace anywhere on the line; a bracket only where the line begins with it, since prose is full of them. */
const opener = /\{|\[(?<=^\s*\[)(?=\s*(?:\{|$))/g;

function nextOpener(line: Line, from: number) {
  opener.lastIndex = Math.max(0, from - line.start);
  const found = opener.exec(line.text);
  return found ? line.start + found.index : -1;
}

function isCandidate(value: Json, options: ReadingOptions) {
  return (
    isAnswerShaped(value, options) ||
    (isObject(value) &&
      (value.get('type') === 'result' || value.has('response')) &&
      unwrapEnvelope(value) !== null)
  );
}

/** Braces of prose fail at once; an attempt at an answer names its findings near its beginning. */
const findingsKey = /findings["'”]?\s{0,8}:/;

function repairFor(text: string, at: number, fence: Fence | null) {
  if (fence) return codeOf(fence);
  const before = text.slice(Math.max(0, at - 4_000), at).trim();
  return before === '' ? 'A4' : before.includes('{') ? 'A5' : 'A3';
}

/** Does the value look like an answer, whatever else may be wrong with it? */
export function isAnswerShaped(value: Json, { strict }: ReadingOptions) {
  if (isObject(value) && value.has('findings')) return true;
  const list = isList(value) ? (strict ? null : value) : isObject(value) ? listOf(value) : null;
  if (!list) return isObject(value) && !strict && isFindingShaped(value);
  return list.length === 0 ? isObject(value) && value.has('issues') : list.every(isFindingShaped);
}

const sentences = {
  syntax: 'The JSON is malformed',
  truncated: 'The JSON ends too early',
  dupkey: 'An object repeats a key',
  depth: 'The JSON is nested too deeply',
  schema: 'The JSON holds a value or key that no answer may hold',
};

export function faultOf(failure: NotScanned): Unread {
  return reject(failure.cause, `${sentences[failure.cause]} (at character ${failure.at}).`);
}

/** A report of a tool in SARIF, with whatever the tool prints around it; not where somebody states a finding or a verdict beside it. */
export function isSarif(text: string) {
  const start = Math.max(text.indexOf('{'), 0);
  const scanned = scanJson(text, start);
  if (!scanned.ok || !isObject(scanned.value) || !isList(scanned.value.get('runs'))) return false;
  const beside = text.slice(0, start) + text.slice(scanned.end);
  return !beside.split('\n').some(line => readLabelledLine(line) ?? readVerdictLine(line));
}
