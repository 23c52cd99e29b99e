/** What the prose of an index file adds beside its items: improvements, and the one-line summary. */
import type { StatedFinding } from '../core/words/finding.ts';
import { cut, toLine } from '../core/text.ts';
import { isTail, layOut, sectionOf, type Line } from './layout.ts';
import { placeIn } from './place-in-text.ts';
import { isStatementOfNone } from './sieve.ts';
import { stateFinding } from '../core/words/stated.ts';

export const summaryLimit = 160;

/** Tail `SUMMARY`, else the first sentence of *Summary*. One line of at most 160 characters; empty where there is neither. */
export function summaryOf(lines: readonly string[]): string {
  const tail = lines.slice(Math.max(0, lines.findLastIndex(isTail)));
  const stated = isTail(tail[0] ?? '')
    ? tail.map(line => /^\s*SUMMARY:\s*(\S.*)$/.exec(line)?.[1]).find(text => text !== undefined)
    : undefined;
  const section = sectionOf(layOut(lines.join('\n')).lines, /^\W*summary\b/i) ?? [];
  const [paragraph = ''] = section
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  return cut(toLine(stated ?? firstSentence(paragraph)), summaryLimit);
}

/** Items of the section *Improvements*, named `IMP-n` unless they bring a name of that kind. */
export function readImprovements(lines: readonly Line[]): StatedFinding[] {
  return (sectionOf(lines, /^\W*improvements?\b/i) ?? [])
    .map(raw => ({ raw, item: /^\s{0,3}(?:\d{1,3}[.)]|[-*+])\s+(\S.*)$/s.exec(raw)?.[1] ?? '' }))
    .filter(({ item }) => item !== '' && !isStatementOfNone(item) && !item.startsWith('[numbered'))
    .map(({ raw, item }, index) => {
      const named = /^[*_`[(]{0,4}(IMP-?\d{1,4})[\])*_`]{0,4}\s*[:—–|.-]?\s*(.+)$/s.exec(item);
      const [originalId = `IMP-${index + 1}`, text = item] = named?.slice(1) ?? [];
      return stateFinding({ originalId, label: 'IMP', severity: 'low', text, raw }, placeIn(text));
    });
}

function firstSentence(paragraph: string): string {
  const text = toLine(paragraph.slice(0, 2_000));
  const end = /[.!?](?=\s+[^a-z\s])/.exec(text);
  return end === null ? text : text.slice(0, end.index + 1);
}
