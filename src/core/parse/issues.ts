/** What *Issues Found* says about each entry of an index: evidence and advice, with the quotations and the code in them. */
import { cut, fieldLimit, toParagraph, trimOff } from '../text.ts';
import { readHeading, type Line } from './layout.ts';

export interface Issue {
  /** Null when there is only advice, or nothing beside the title. */
  readonly evidence: string | null;
  readonly recommendation: string | null;
}

export type ProseLine = Pick<Line, 'text' | 'isQuoted' | 'fence'>;

/** What is said of each id in its item. `titles`: by id. */
export function issuesOf(
  lines: readonly ProseLine[],
  titles: ReadonlyMap<string, string>,
): ReadonlyMap<string, Issue> {
  return new Map(
    itemsOf(lines, titles).map(({ id, lines: [first, ...others] }) => [
      id,
      toIssue([
        ...(first === undefined ? [] : [withoutTitle(first, titles.get(id) ?? '')]),
        ...others,
      ]),
    ]),
  );
}

interface IssueItem {
  readonly id: string;
  readonly lines: readonly ProseLine[];
}

/**
 * The item of each id, which is headed by it: from there to the next item, whatever paragraphs, lists, quotations and code stand
 * between. The first item of an id counts; an item may be headed by the title alone.
 */
export function itemsOf(
  lines: readonly ProseLine[],
  titles: ReadonlyMap<string, string>,
): readonly IssueItem[] {
  const names: Names = { titles, ids: idsByTitle(titles) };
  const items: { readonly id: string; readonly lines: ProseLine[] }[] = [];
  let isAfterBlank = true;
  for (const line of linesIn(lines, names)) {
    const start = isSpoken(line) ? startOf(line.text, isAfterBlank, names) : null;
    if (start !== null) items.push({ id: start.id, lines: [{ ...line, text: start.rest }] });
    else items.at(-1)?.lines.push(line);
    isAfterBlank = line.text.trim() === '';
  }
  const known = new Set<string>();
  return items.filter(({ id }) => !known.has(id) && known.add(id));
}

/** The lines under the heading *Issues Found*; without one, all behind the index but its other parts. */
export function issueLines(
  lines: readonly ProseLine[],
  titles: ReadonlyMap<string, string>,
): readonly ProseLine[] {
  return linesIn(lines, { titles, ids: idsByTitle(titles) });
}

interface Names {
  readonly titles: ReadonlyMap<string, string>;
  /** By their bare title; one that two entries share heads neither. */
  readonly ids: ReadonlyMap<string, string>;
}

function idsByTitle(titles: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  const shared = new Set<string>();
  for (const [id, title] of titles) {
    const bare = bareOf(title);
    if (bare === '' || ids.has(bare)) shared.add(bare);
    ids.set(bare, id);
  }
  for (const bare of shared) ids.delete(bare);
  return ids;
}

/** Letters and digits: a heading sets its words off in ways of its own. */
function bareOf(text: string): string {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** A heading in code, or in the words of somebody else, heads nothing. */
function isSpoken({ isQuoted, fence }: ProseLine): boolean {
  return !isQuoted && fence === null;
}

/** Items may have headings of the level of their section. */
function linesIn(lines: readonly ProseLine[], names: Names): readonly ProseLine[] {
  const titleOf = (line: ProseLine): string | null =>
    isSpoken(line) ? (readHeading(line.text.slice(0, 200))?.title ?? null) : null;
  const start = lines.findIndex(line => issuesHeading.test(titleOf(line) ?? ''));
  const level = readHeading(lines[start]?.text ?? '')?.level ?? 0;
  const from = lines.slice(
    (start === -1 ? lines.findIndex(line => indexHeading.test(titleOf(line) ?? '')) : start) + 1,
  );
  const kept: ProseLine[] = [];
  let isInside = start !== -1;
  for (const line of from) {
    const heading = isSpoken(line) ? readHeading(line.text) : null;
    const ends =
      start !== -1 && (heading?.level ?? 7) <= level && startOf(line.text, true, names) === null;
    if (ends || (isSpoken(line) && isTail(line.text))) break;
    if (start === -1 && heading !== null) isInside = !otherPart.test(heading.title);
    if (isInside) kept.push(line);
  }
  return kept;
}

export const issuesHeading = /^\W*issues? found\b/i;
const indexHeading = /^\W*findings\s+index\b/i;
const otherPart = /^\W*(?:findings\s+index|summary|improvements?|verdict)\b/i;

export function isTail(line: string): boolean {
  return /^\s*-{3}\s*VERDICT\s*-{3}\s*$/.test(line.slice(0, 100));
}

const decoration = ' \t*_`[](){}<>|:,;—–-';
/** A plain word such as "High" needs a mark behind it: prose begins like that. */
const severityWord =
  /^(?:P[0-3](?![\w-])|(?:CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?=\s*[)\]:|*_—–]))/i;

/**
 * `1. **D-1** (P1): …`, `**1. P1 — D-1: …**`, `#### D-1 — …`, `- [P1] D-1: …`; without such a mark only where a paragraph begins. A
 * heading, or what is numbered and set off, may also name its id last, or no more than its title. Null when the line begins no item.
 */
function startOf(
  line: string,
  isAfterBlank: boolean,
  { titles, ids }: Names,
): { readonly id: string; readonly rest: string } | null {
  const mark = itemMark.exec(line)?.[0] ?? '';
  if (mark === '' && !isAfterBlank) return null;
  const body = undecorated(line.slice(mark.length));
  for (const text of new Set([body, withoutSeverity(body)])) {
    const id = tokensOf(text).find(token => titles.has(token));
    if (id !== undefined)
      return { id, rest: withoutSeverity(withoutSeverity(undecorated(text.slice(id.length)))) };
  }
  if (mark === '' || !isHead(line)) return null;
  const words = withoutSeverity(body);
  const named = /[[(（]\s?([^()[\]（）\s]{1,100})\s?[\])）][*_`:. ]{0,6}$/u.exec(words);
  if (named?.[1] !== undefined && titles.has(named[1]))
    return { id: named[1], rest: trimOff(words.slice(0, named.index), decoration) };
  const id = ids.get(bareOf(words));
  return id === undefined ? null : { id, rest: '' };
}

const itemMark =
  /^\s{0,3}(?:(?:#{1,6}|[-*+])\s+[*_`]{0,3}(?:\d{1,3}[.):]\s*)?|[*_`]{0,3}\d{1,3}[.):]\s+|(?=[*_`[]))[*_`]{0,3}/;

/** Is it set off from the lists that an item may hold? */
function isHead(line: string): boolean {
  return /^\s{0,3}(?:#{1,6}\s|[*_]{1,3}\S|\d{1,3}[.)]\s+[*_[])/.test(line);
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

/** Also in the middle of a line: `… Recommendation: …`; at its beginning with a word or two before it: `Smallest fix: …`. */
const advice =
  /(?:^\s*(?:[-*+]\s+)?[*_`]{0,3}(?:\p{L}{2,20}\s){0,2}|(?<![\p{L}\p{N}_-])[*_`]{0,3}(?:(?:recommended|suggested|proposed|possible|smallest|minimal|simplest)\s)?)(?:recommendations?|recommended change|fix(?:es)?|remed(?:y|ies)|remediation|mitigation|advice|suggestions?|suggested (?:change|improvement)|empfehlung|vorschlag|abhilfe|recommandation|recomendaci[oó]n|建议|修复|修正案|対策)[*_`]{0,3}\s?[:：][*_`]{0,3}\s*/iu;
/** A line that begins so is about something else again. */
const otherLabel = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{Lu}[\p{L} ]{1,24}[*_`]{0,3}:/u;

/** Evidence and advice in the lines of one item. */
export function toIssue(lines: readonly ProseLine[]): Issue {
  const said: string[] = [];
  const advised: string[] = [];
  let isAdvice = false;
  for (const line of lines) {
    const { text } = line;
    const found = isSpoken(line) ? advice.exec(text) : null;
    const goesOn: boolean = isAdvice && (!isSpoken(line) || !otherLabel.test(text));
    if (found !== null) {
      said.push(trimOff(text.slice(0, found.index), ' \t*_`+-'));
      advised.push(text.slice(found.index + found[0].length));
    } else if (goesOn) advised.push(text);
    else
      said.push(text.replace(/^\s*(?:[-*+]\s+)?[*_`]{0,3}Evidence[*_`]{0,3}:[*_`]{0,3}\s*/i, ''));
    isAdvice = found !== null || goesOn;
  }
  return { evidence: paragraphOf(said), recommendation: paragraphOf(advised) };
}

/** The title is known from the index. */
function withoutTitle(line: ProseLine, title: string): ProseLine {
  return title !== '' && line.text.startsWith(title)
    ? { ...line, text: undecorated(line.text.slice(title.length)) }
    : line;
}

function paragraphOf(lines: readonly string[]): string | null {
  const kept = lines
    .filter(line => !/^\s*-{3,}\s*$/.test(line))
    .map(line => line.replace(/^\s{0,3}/, '').trimEnd());
  const text = toParagraph(kept.join('\n').replace(/\n{3,}/g, '\n\n'));
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : cut(text, fieldLimit);
}
