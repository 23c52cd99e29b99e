/** What the prose of an index file adds: places, texts and advice behind each id, the one-line summary, and findings where the index is broken. */
import type { Severity } from '../words/severity.ts';
import { cut, fieldLimit, toLine, toParagraph, trimOff } from '../text.ts';
import { readSeverity } from './index-block.ts';
import { readHeading } from './layout.ts';
import { isStatementOfNone } from './sieve.ts';
import { placeIn, type Place } from './stated.ts';

export const summaryLimit = 160;

/** The lines under the first heading that matches, up to the next one of its level or above. Empty when there is none. */
export function sectionOf(lines: readonly string[], name: RegExp): readonly string[] {
  const start = lines.findIndex(line => name.test(readHeading(line.slice(0, 200))?.title ?? ''));
  const level = readHeading(lines[start] ?? '')?.level ?? 0;
  if (start === -1) return [];
  const length = lines
    .slice(start + 1)
    .findIndex(line => (readHeading(line)?.level ?? 7) <= level || isTail(line));
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length);
}

/** For each id, the first `path:line` in a paragraph under *Issues Found* that names the id. */
export function placesOf(
  lines: readonly string[],
  ids: ReadonlySet<string>,
): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>();
  const issues = sectionOf(lines, /^\W*issues? found\b/i);
  // Items may follow one another without a blank line: the place of one is none of the next.
  const apart = issues.flatMap(line => (isItem(line) ? ['', line] : [line]));
  for (const paragraph of paragraphsOf(apart)) {
    const named = new Set(
      (paragraph.match(/[\p{L}\p{N}_.#-]+/gu) ?? [])
        .flatMap(word => [word, word.replace(/[.-]+$/, '')])
        .filter(word => ids.has(word)),
    );
    const place = named.size === 0 ? null : placeIn(paragraph);
    for (const id of named) if (place !== null && !places.has(id)) places.set(id, place);
  }
  return places;
}

function isItem(line: string): boolean {
  return /^\s{0,3}\d{1,3}[.)]\s/.test(line) || readHeading(line.slice(0, 200)) !== null;
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

const edges = ' \t:—–|*_`()[]-';

interface ProseFinding {
  readonly severity: Severity;
  readonly label: string;
  /** Null when none stands before the severity. */
  readonly id: string | null;
  readonly title: string;
  readonly raw: string;
}

/** Headings and numbered items that carry a severity: `### P1: x`, `1. **[HIGH]** x`, `### X-1 (P2): x`. */
export function readProseFindings(lines: readonly string[]): ProseFinding[] {
  return lines.flatMap(raw => {
    const item = readHeading(raw)?.title ?? /^\s{0,3}\d{1,3}[.)]\s+(.*)$/s.exec(raw)?.[1];
    const word =
      item === undefined
        ? null
        : /^(.{0,60}?)(?:[[(*`_]{1,4}|\b)(P[0-3]|CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?:[\])*`_]{1,4}|(?=\s*[:—–|-])|\b)/.exec(
            item.slice(0, 120),
          );
    const head = word?.[2] === undefined ? null : readSeverity(word[2]);
    if (item === undefined || word === null || head === null) return [];
    const before = trimOff(word[1] ?? '', edges);
    const after = trimOff(item.slice(word[0].length), edges);
    const id = /^[A-Za-z][\w.-]*\d$/.test(before) ? before : null;
    const title = id === null ? `${before} ${after}`.trim() : after;
    return title === '' ? [] : [{ severity: head.severity, label: head.label, id, title, raw }];
  });
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

function isTail(line: string): boolean {
  return /^\s*-{3}\s*VERDICT\s*-{3}\s*$/.test(line.slice(0, 100));
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

export interface Issue {
  /** Null when there is only advice, or nothing beside the title. */
  readonly evidence: string | null;
  readonly recommendation: string | null;
}

/** For each id, the item that begins with it: from there to the next item, whatever paragraphs and lists stand between. The first item of an id counts. */
export function issuesOf(
  lines: readonly string[],
  titles: ReadonlyMap<string, string>,
): ReadonlyMap<string, Issue> {
  const items: { readonly id: string; readonly text: string[] }[] = [];
  let isAfterBlank = true;
  for (const line of sectionOf(lines, /^\W*issues? found\b/i)) {
    const start = startOf(line, isAfterBlank, titles);
    if (start !== null) items.push({ id: start.id, text: [start.rest] });
    else items.at(-1)?.text.push(line);
    isAfterBlank = line.trim() === '';
  }
  const issues = new Map<string, Issue>();
  for (const { id, text } of items)
    if (!issues.has(id)) issues.set(id, toIssue(text, titles.get(id) ?? ''));
  return issues;
}

const decoration = ' \t*_`[](){}<>|:,;—–-';
/** A plain word such as "High" needs a mark behind it: prose begins like that. */
const severityWord =
  /^(?:P[0-3](?![\w-])|(?:CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?=\s*[)\]:|*_—–]))/i;

/** `1. **D-1** (P1): …`, `#### D-1 — …`, `- [P1] D-1: …`; without such a mark only where a paragraph begins. Null when the line begins no item. */
function startOf(
  line: string,
  isAfterBlank: boolean,
  ids: ReadonlyMap<string, string>,
): { readonly id: string; readonly rest: string } | null {
  const mark = /^\s{0,3}(?:#{1,6}\s+|\d{1,3}[.)]\s+|[-*+]\s+|(?=[*_`[]))/.exec(line)?.[0] ?? null;
  if (mark === null && !isAfterBlank) return null;
  const body = undecorated(line.slice(mark?.length ?? 0));
  for (const text of new Set([body, withoutSeverity(body)])) {
    const id = tokensOf(text).find(token => ids.has(token));
    if (id !== undefined)
      return { id, rest: withoutSeverity(withoutSeverity(undecorated(text.slice(id.length)))) };
  }
  return null;
}

/** The word the text begins with, with and without the full stop behind it. */
function tokensOf(text: string): readonly string[] {
  const word = /^[\p{L}\p{N}_.#/-]{1,100}/u.exec(text)?.[0] ?? '';
  return [word, word.replace(/[./-]+$/, '')];
}

function withoutSeverity(text: string): string {
  return undecorated(text.replace(severityWord, ''));
}

/** Without what stands before a word to set it off. */
function undecorated(text: string): string {
  let start = 0;
  while (start < text.length && decoration.includes(text.charAt(start))) start += 1;
  return text.slice(start);
}

/** Also in the middle of a line: `… Recommendation: …`. */
const advice =
  /(?<![\p{L}\p{N}_-])[*_`]{0,3}(?:recommendations?|recommended (?:fix|change)|suggested (?:fix|change)|suggestion|fix|remedy|advice)[*_`]{0,3}\s*:[*_`]{0,3}\s*/iu;
/** A line that begins so is about something else again. */
const otherLabel = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{Lu}[\p{L} ]{1,24}[*_`]{0,3}:/u;

function toIssue([first = '', ...others]: readonly string[], title: string): Issue {
  const said: string[] = [];
  const advised: string[] = [];
  let isAdvice = false;
  for (const line of [withoutTitle(first, title), ...others]) {
    const found = advice.exec(line);
    if (found !== null) {
      said.push(trimOff(line.slice(0, found.index), ' \t*_`+-'));
      advised.push(line.slice(found.index + found[0].length));
    } else if (isAdvice && !otherLabel.test(line)) advised.push(line);
    else
      said.push(line.replace(/^\s*(?:[-*+]\s+)?[*_`]{0,3}Evidence[*_`]{0,3}:[*_`]{0,3}\s*/i, ''));
    isAdvice = found !== null || (isAdvice && !otherLabel.test(line));
  }
  return { evidence: paragraphOf(said), recommendation: paragraphOf(advised) };
}

/** The title is known from the index. */
function withoutTitle(line: string, title: string): string {
  return title !== '' && line.startsWith(title) ? undecorated(line.slice(title.length)) : line;
}

function paragraphOf(lines: readonly string[]): string | null {
  const kept = lines
    .filter(line => !/^\s*-{3,}\s*$/.test(line))
    .map(line => line.replace(/^\s{0,3}/, '').trimEnd());
  const text = toParagraph(kept.join('\n').replace(/\n{3,}/g, '\n\n'));
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : cut(text, fieldLimit);
}
