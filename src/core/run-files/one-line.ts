/** How short a text of reviewers gets on its way to a caller: at the end of a word, or within a number of tokens. */
import { cut } from '../text.ts';

/** As `cut`, at the end of a word where one ends in the last quarter: half a word costs tokens and says nothing. */
export function cutToWord(text: string, limit: number): string {
  const short = cut(text, limit);
  if (short === text || /\s/.test(text.charAt(short.length - 1))) return short;
  const end = short.lastIndexOf(' ');
  return end * 4 < limit * 3 ? short : `${short.slice(0, end)}…`;
}

/**
 * No fewer tokens than any of four encodings (cl100k, o200k, p50k, claude) needs. A token of a byte-pair encoding covers at
 * least one byte, so bytes are the bound; only frequent small letters and spaces are sure to be merged, measured at 0.68
 * a character at most over random strings.
 */
export function mostTokensOf(text: string): number {
  let tokens = 0;
  for (const character of text) tokens += costOf(character);
  return Math.ceil(tokens);
}

/** Cuts so that `mostTokensOf` stays within `limit`, an ellipsis included. */
export function cutToTokens(text: string, limit: number): string {
  if (mostTokensOf(text) <= limit) return text;
  let left = limit - ellipsisCost;
  let end = 0;
  for (const character of text) {
    left -= costOf(character);
    if (left < 0) break;
    end += character.length;
  }
  return `${text.slice(0, end).trimEnd()}…`;
}

const ellipsisCost = 3;
const frequent = /^[a-ik-pr-uwy ]$/;

function costOf(character: string): number {
  if (frequent.test(character)) return 0.7;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
