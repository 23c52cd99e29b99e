/** Cuts a text into the passages that a search finds. */
import { identifiersOf, splitIdentifier } from '../../core/text.ts';

export interface Passage {
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Parts of the identifiers that the text does not spell as words of their own. */
  readonly words: string;
}

const linesPerPassage = 40;
const longestPassage = 8_000;

/** In order, without overlap; a line longer than a passage is spread over several. */
export function* cutPassages(text: string): Generator<Passage> {
  let startLine = 1;
  let line = 1;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at);
    const lineEnd = newline === -1 ? text.length : newline + 1;
    const end = Math.min(lineEnd, start + longestPassage);
    const isFull =
      end - start >= longestPassage ||
      line - startLine + 1 >= linesPerPassage ||
      end === text.length;
    if (isFull) {
      yield toPassage(startLine, line, text.slice(start, end));
      start = end;
      startLine = end === lineEnd ? line + 1 : line;
    }
    if (end === lineEnd) line += 1;
    at = end;
  }
}

function toPassage(startLine: number, endLine: number, text: string): Passage {
  const words = new Set<string>();
  for (const identifier of identifiersOf(text)) {
    if (!/\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u.test(identifier)) continue;
    for (const part of splitIdentifier(identifier)) words.add(part);
  }
  return { startLine, endLine, text, words: [...words].join(' ') };
}
