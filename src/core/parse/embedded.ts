/** Finds answers in JSON that stand between prose or in fences. Looks at every character a bounded number of times. */
import type { Fence, Layout, Line } from './fences.ts';
import { isAnswerShaped } from './json.ts';
import { faultOf } from './json-text.ts';
import { unwrapEnvelope } from './envelope.ts';
import { reject, type ReadingOptions, type Rejection } from './reading.ts';
import { isObject, scanJson, type Json } from './scanner.ts';

interface Embedded {
  readonly answers: readonly { readonly text: string; readonly repair: string }[];
  /** An attempt at an answer that cannot be read; null when there is none. */
  readonly broken: Rejection | null;
}

export function findEmbedded(text: string, { lines, fences }: Layout, options: ReadingOptions): Embedded {
  const answers: { text: string; repair: string }[] = [];
  let broken: Rejection | null = null;
  let behind = 0;
  const namesFindings = createSearch(text);
  for (const line of lines) {
    if (line.isQuoted || /^\s*\|/.test(line.text) || line.end < behind) continue;
    for (let at = nextOpener(text, line, Math.max(line.start, behind)); at !== -1; at = nextOpener(text, line, behind)) {
      const fence = line.fence === null ? null : (fences[line.fence] ?? null);
      const scanned = scanJson(text, at);
      behind = scanned.ok ? scanned.end : Math.max(scanned.at, at + 1);
      if (scanned.ok && isCandidate(scanned.value, options)) {
        if (fence?.isClosed === false) broken ??= reject('truncated', 'The fence around the answer is never closed.');
        else answers.push({ text: text.slice(at, scanned.end), repair: repairFor(text, at, fence) });
      } else if (!scanned.ok && (scanned.cause === 'depth' || namesFindings(at, Math.max(scanned.at, at + 600)))) broken ??= faultOf(scanned);
    }
  }
  return { answers, broken };
}

/** A brace anywhere on the line; a bracket only where the line begins with it, since prose is full of them. */
function nextOpener(text: string, line: Line, from: number): number {
  if (from > line.end) return -1;
  const brace = line.text.indexOf('{', from - line.start);
  const found = brace === -1 ? -1 : line.start + brace;
  const bracket = line.start + (line.text.length - line.text.trimStart().length);
  return bracket >= from && text.charAt(bracket) === '[' && /^\[\s*(?:\{|$)/.test(text.slice(bracket, bracket + 200)) && (found === -1 || bracket < found) ? bracket : found;
}

function isCandidate(value: Json, options: ReadingOptions): boolean {
  return isAnswerShaped(value, options) || (isObject(value) && (value.get('type') === 'result' || value.has('response')) && unwrapEnvelope(value) !== null);
}

/**
 * Braces of prose fail at once; an attempt at an answer names its findings near its beginning. Asked with growing
 * offsets only, so that the text is searched once.
 */
function createSearch(text: string): (from: number, to: number) => boolean {
  const key = /findings["'”]?\s{0,8}:/g;
  let found = -1;
  return (from, to) => {
    if (found < from) {
      key.lastIndex = from;
      found = key.exec(text)?.index ?? Number.POSITIVE_INFINITY;
    }
    return found < to;
  };
}

function repairFor(text: string, at: number, fence: Fence | null): string {
  if (fence !== null) return fence.mark === '`' ? 'A1' : 'A2';
  const before = text.slice(Math.max(0, at - 4_000), at).trim();
  if (before === '') return 'A4';
  if (before.includes('{')) return 'A5';
  return /(?:^|\n)\s*(?:npm |warn|warning|\[?(?:info|warn|debug)\]?|update|a new version|loaded|loading|using)/i.test(before) ? 'A17' : 'A3';
}
