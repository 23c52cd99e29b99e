/** What the prose of an index file adds beside its items: improvements, and the one-line summary. */
import { cut, toLine } from '../text.ts';
import { isTail } from './issues.ts';
import { readHeading } from './layout.ts';
import { isStatementOfNone } from './sieve.ts';

export const summaryLimit = 160;

/** The lines under the first heading that matches, up to the next one of its level or above. Empty when there is none. */
function sectionOf(lines: readonly string[], name: RegExp): readonly string[] {
  const start = lines.findIndex(line => name.test(readHeading(line.slice(0, 200))?.title ?? ''));
  const level = readHeading(lines[start] ?? '')?.level ?? 0;
  if (start === -1) return [];
  const length = lines
    .slice(start + 1)
    .findIndex(line => (readHeading(line)?.level ?? 7) <= level || isTail(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}

/** Tail `SUMMARY`, else the first sentence of *Summary*, else the given figures. One line of at most 160 characters. */
export function summaryOf(lines: readonly string[], figures: string): string {
  const tail = lines.slice(lines.findLastIndex(isTail));
  const stated =
    tail.length === lines.length && !isTail(lines[0] ?? '')
      ? undefined
      : tail.map(line => /^\s*SUMMARY:\s*(\S.*)$/.exec(line)?.[1]).find(text => text !== undefined);
  const text =
    stated ?? firstSentence(paragraphsOf(sectionOf(lines, /^\W*summary\b/i))[0] ?? '') ?? figures;
  return cut(toLine(text), summaryLimit);
}

/** Items of the section *Improvements*, named `IMP-n` unless they bring a name of that kind. */
export function readImprovements(
  lines: readonly string[],
): { readonly id: string; readonly title: string; readonly raw: string }[] {
  return sectionOf(lines, /^\W*improvements?\b/i)
    .map(raw => ({ raw, item: /^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(\S.*)$/s.exec(raw)?.[1] ?? '' }))
    .filter(({ item }) => item !== '' && !isStatementOfNone(item) && !item.startsWith('[numbered'))
    .map(({ raw, item }, index) => {
      const named = /^[*_`[(]{0,4}(IMP-?\d{1,4})[\])*_`]{0,4}\s*[:—–|.-]?\s*(.+)$/s.exec(item);
      return { id: named?.[1] ?? `IMP-${index + 1}`, title: named?.[2] ?? item, raw };
    });
}

function paragraphsOf(lines: readonly string[]): string[] {
  const paragraphs: string[][] = [[]];
  for (const line of lines) {
    if (line.trim() === '') paragraphs.push([]);
    else paragraphs.at(-1)?.push(line);
  }
  return paragraphs
    .filter(paragraph => paragraph.length > 0)
    .map(paragraph => paragraph.join('\n'));
}

/** Undefined when there is no text. */
function firstSentence(paragraph: string): string | undefined {
  const text = toLine(paragraph.slice(0, 2_000));
  const end = /[.!?](?=\s+[^a-z\s])/.exec(text);
  const sentence = end === null ? text : text.slice(0, end.index + 1);
  return sentence === '' ? undefined : sentence;
}
