/** What a file says about itself at its top, and which comments say nothing of it: licences, and headings that fit any file. */
import type { LineRange } from './line-range.ts';

const longest = 10;
const lookedAt = 80;

const comment =
  /^\s*(?:\/\/|\/\*|\*|#(?!!|\[|\s*(?:include|define|if|pragma|region)\b)|"""|'''|--|<!--)/;
const legal =
  /copyright|licen[sc]e|spdx-|\(c\) ?\d{4}|all rights reserved|permission is hereby granted|warranties or conditions/i;
/** Said of nothing in particular, or said to a tool. */
const empty = new RegExp(
  '^\\W*(?:module (?:dependencies|exports|variables|prototypes?)|imports?|dependencies|constants|globals?|' +
    'expose\\b.{0,40}|-\\*-.*-\\*-|eslint\\b.*|@ts-\\w+.*|frozen_string_literal.*|encoding.*|use strict)\\W*(?:@\\w+\\W*)*$',
  'i',
);

/** True of a licence, and of a heading that fits any file. `text`: the comment on one line. */
export function saysNothing(text: string): boolean {
  return legal.test(text) || empty.test(text.trim());
}

/** Lines of the first comment of a file that tells of it, at most ten; null when none does. */
export function synopsisOf(lines: readonly string[]): LineRange | null {
  for (let at = 0; at < Math.min(lookedAt, lines.length); at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || /^\s*(?:#!|["']use \w+["'];?\s*$|<\?php|package\b)/.test(line))
      continue;
    if (!comment.test(line)) return null;
    const end = commentEnd(lines, at);
    const text = lines.slice(at, end).map(bare).join(' ').trim();
    // What stands right above a definition is about that one.
    const isOfFile = at === 0 || (lines[end] ?? '').trim() === '' || /^(?:"""|''')/.test(line);
    if (text !== '' && !saysNothing(text) && isOfFile)
      return { start: at + 1, end: Math.min(end, at + longest) };
    at = end - 1;
  }
  return null;
}

/** 1-based; 1 where there is none. */
export function firstCodeLine(lines: readonly string[]): number {
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.startsWith('#!')) continue;
    if (!comment.test(line)) return at + 1;
    at = commentEnd(lines, at) - 1;
  }
  return 1;
}

/** Index behind the comment that begins at `from`. */
function commentEnd(lines: readonly string[], from: number) {
  const first = (lines[from] ?? '').trim();
  const quotes = /^("""|''')/.exec(first)?.[1];
  const close = quotes ?? (first.startsWith('/*') ? '*/' : first.startsWith('<!--') ? '-->' : null);
  if (close !== null) {
    if (first.indexOf(close, quotes === undefined ? 2 : 3) !== -1) return from + 1;
    const end = lines.findIndex((line, index) => index > from && line.includes(close));
    return end === -1 ? from + 1 : end + 1;
  }
  let end = from + 1;
  while (end < lines.length && comment.test(lines[end] ?? '')) end += 1;
  return end;
}

function bare(line: string) {
  return line
    .replace(/^\s*(?:\/\*+!?|\*\/|\*|\/\/[/!]?|#+|--|"""|'''|<!--)/, '')
    .replace(/\*\/|"""|'''|-->/, '')
    .trim();
}
