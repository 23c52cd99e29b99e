/**
 * Takes credentials out of a text and puts stable placeholders in: the same value gets the same placeholder everywhere,
 * so that a reviewer can still tell that two places share a secret. Line breaks stay where they were.
 */
import { lineCounter } from '../languages/line-structure.ts';
import { splitLines } from '../text.ts';
import type { SecretSpan } from '../ports/repository.ts';

/** Secret value to placeholder. It holds the secrets themselves: kept in memory only, never stored, never printed. */
export type Placeholders = ReadonlyMap<string, string>;

const safeKind = /^[a-z][a-z0-9-]{0,31}$/;

/**
 * `spans` are sorted and disjoint, as a `SecretScanner` returns them; a span outside the text is a fault. `placeholders`: those handed in
 * and the new ones; hand it to the next call to keep the numbering over several texts.
 */
export function redact(
  text: string,
  spans: readonly SecretSpan[],
  known: Placeholders = new Map(),
) {
  const placeholders = new Map(known);
  const numbers = countByKind(known);
  const shown = replaceSpans(text, spans, (value, { kind: named }) => {
    const kind = safeKind.test(named) ? named : 'other';
    const placeholder = placeholders.get(value) ?? nextPlaceholder(kind, numbers);
    placeholders.set(value, placeholder);
    return cover(value, placeholder);
  });
  return { text: shown, placeholders };
}

/** The same, for text that goes on its way alone: every secret becomes `[REDACTED]`, and line breaks inside it stay. */
export function scrub(text: string, spans: readonly SecretSpan[]) {
  return replaceSpans(text, spans, value => redacted + value.replace(/[^\n]+/g, ''));
}

function replaceSpans(
  text: string,
  spans: readonly SecretSpan[],
  replace: (value: string, span: SecretSpan) => string,
) {
  const pieces: string[] = [];
  let at = 0;
  for (const span of spans) {
    const { start, end } = span;
    if (start < at || end > text.length)
      throw new RangeError(`span ${start}-${end} overlaps or leaves the text`);
    pieces.push(text.slice(at, start), replace(text.slice(start, end), span));
    at = end;
  }
  return [...pieces, text.slice(at)].join('');
}

function nextPlaceholder(kind: string, numbers: Map<string, number>) {
  const number = (numbers.get(kind) ?? 0) + 1;
  numbers.set(kind, number);
  return `⟦SECRET:${kind}:${number}⟧`;
}

function countByKind(known: Placeholders) {
  const numbers = new Map<string, number>();
  for (const placeholder of known.values()) {
    const [, kind = 'other', number = '0'] = /^⟦SECRET:([^:]+):(\d+)⟧$/.exec(placeholder) ?? [];
    numbers.set(kind, Math.max(numbers.get(kind) ?? 0, Number(number)));
  }
  return numbers;
}

/** One placeholder a line, behind the mark of a diff line: hunks keep their line counts and line numbers stay true. */
function cover(value: string, placeholder: string) {
  return value.replace(
    /^([+\- ]?)([^\r\n]+)/gm,
    (_, mark: string, _rest: string, offset: number) =>
      offset === 0 ? placeholder : mark + placeholder,
  );
}

/** Takes credentials out of a text line by line: every line stays where it was. */
const redacted = '[REDACTED]';

/**
 * `spans` are sorted and disjoint, as a `SecretScanner` returns them. `places`: for each secret the first and last line it stood on,
 * 1-based.
 */
export function maskLines(text: string, spans: readonly SecretSpan[]) {
  const lineAt = lineCounter(text);
  return {
    lines: splitLines(replaceSpans(text, spans, value => value.replace(/[^\r\n]+/g, redacted))),
    places: spans.map(({ start, end }) => ({
      start: lineAt(start),
      end: lineAt(Math.max(start, end - 1)),
    })),
  };
}
