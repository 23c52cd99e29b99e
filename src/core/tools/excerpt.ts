/** Lines of a text as a tool shows them: bounded in number, in length and in all, and open about what was cut. */
import { makeVisible } from '../visible-text.ts';

/** Lines of one excerpt, characters of one line, and characters in all. */
const mostLines = 400;
const longestLine = 500;
const longestExcerpt = 16_000;

export interface Range {
  /** 1-based, both inclusive; `to` may lie beyond the end. */
  readonly from: number;
  readonly to: number;
}

export interface Excerpt {
  /** `10-40`, as far as was shown. */
  readonly lines: string;
  readonly text: string;
  /** What is missing, in words; null when nothing is. */
  readonly cut: string | null;
}

/** Null when the range lies outside of the text. */
export function takeLines(text: string, { from, to }: Range, { isNumbered }: { readonly isNumbered: boolean }): Excerpt | null {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const last = Math.min(to, lines.length);
  if (from < 1 || from > last) return null;
  const shown: string[] = [];
  let characters = 0;
  let shortened = 0;
  for (const line of lines.slice(from - 1, Math.min(last, from - 1 + mostLines))) {
    const visible = makeVisible(line.slice(0, longestLine));
    if (line.length > longestLine) shortened += 1;
    const rendered = `${isNumbered ? `${from + shown.length}\t` : ''}${visible}${line.length > longestLine ? ` … (cut: ${line.length} characters)` : ''}`;
    if (shown.length > 0 && characters + rendered.length > longestExcerpt) break;
    shown.push(rendered);
    characters += rendered.length + 1;
  }
  const end = from + shown.length - 1;
  const missing = [
    ...(end < last ? [`lines ${end + 1}-${last} are not shown: ask for them`] : []),
    ...(shortened > 0 ? [`${shortened === 1 ? '1 long line was' : `${shortened} long lines were`} cut`] : []),
  ];
  return { lines: `${from}-${end}`, text: shown.join('\n'), cut: missing.length > 0 ? missing.join('; ') : null };
}

/** `10` or `10-40`; turned round when it is the wrong way round. Null when it is no range. */
export function parseRange(text: string): Range | null {
  const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text);
  if (match?.[1] === undefined) return null;
  const [one, other] = [Number(match[1]), Number(match[2] ?? match[1])];
  return one < 1 && other < 1 ? null : { from: Math.max(1, Math.min(one, other)), to: Math.max(one, other) };
}
