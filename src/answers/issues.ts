/**
 * What the prose of an index file says: of each entry evidence and advice, with the quotations and the code in them; improvements, and
 * the one-line summary.
 */
import { cut, fieldLimit, toLine, toParagraph, trimOff } from '../core/text.ts';
import type { StatedFinding } from '../core/words/finding.ts';
import { stateFinding } from '../core/words/stated.ts';
import { isSpoken, isTail, layOut, sectionOf, type Line } from './layout.ts';
import { placeIn } from './place-in-text.ts';
import { isStatementOfNone } from './sieve.ts';

interface Issue {
  /** Null when there is only advice, or nothing beside the title. */
  readonly evidence: string | null;
  readonly recommendation: string | null;
}

export type ProseLine = Pick<Line, 'text' | 'isQuoted' | 'fence'>;

/** What an index names: its items in the prose are headed by their ids or their titles. */
export interface Entries {
  readonly byId: ReadonlyMap<string, StatedFinding>;
  /** By their bare title; one that two entries share heads neither. */
  readonly byTitle: ReadonlyMap<string, StatedFinding>;
}

export function entriesOf(findings: readonly StatedFinding[]): Entries {
  const byTitle = new Map<string, StatedFinding>();
  const shared = new Set(['']);
  for (const entry of findings) {
    const bare = bareOf(entry.text);
    if (byTitle.has(bare)) shared.add(bare);
    byTitle.set(bare, entry);
  }
  for (const bare of shared) byTitle.delete(bare);
  return { byId: new Map(findings.map(entry => [entry.originalId, entry])), byTitle };
}

/** Letters and digits: a heading sets its words off in ways of its own. */
function bareOf(text: string) {
  return text
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase();
}

/** Parts of an index file that may name an entry and say nothing of it. */
export const otherPart = /^\W*(?:findings\s+index|summary|improvements?|verdict)\b/i;

const decoration = ' \t*_`[](){}<>|:,;—–-';
/** A plain word such as "High" needs a mark behind it: prose begins like that. */
const severityWord =
  /^(?:P[0-3](?![\w-])|(?:CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?=\s*[)\]:|*_—–]))/i;

/**
 * `1. **D-1** (P1): …`, `**1. P1 — D-1: …**`, `#### D-1 — …`, `- [P1] D-1: …`; without such a mark only where a paragraph begins. A
 * heading, or what is numbered and set off, may also name its id last, or no more than its title. Null when the line begins no item.
 */
export function entryIn(
  line: string,
  isAfterBlank: boolean,
  { byId, byTitle }: Entries,
): { readonly entry: StatedFinding; readonly rest: string } | null {
  const mark = itemMark.exec(line)?.[0] ?? '';
  if (mark === '' && !isAfterBlank) return null;
  const body = undecorated(line.slice(mark.length));
  const words = withoutSeverity(body);
  for (const text of [body, words]) {
    // With and without the full stop behind it, or whatever is set off: by code, by emphasis or by a blank.
    const first = /^[\p{L}\p{N}_.#/-]{1,100}/u.exec(text)?.[0] ?? '';
    const entry =
      byId.get(first) ??
      byId.get(first.replace(/[./-]+$/, '')) ??
      byId.get(/^[^\s*]{1,100}/.exec(text)?.[0] ?? '') ??
      byId.get(codeAtStart.exec(line)?.[2] ?? '');
    if (entry) {
      const rest = undecorated(text.slice(entry.originalId.length));
      return { entry, rest: withoutSeverity(withoutSeverity(rest)) };
    }
  }
  if (mark === '' || !isHead(line)) return null;
  const last = /[[(（]\s?([^()[\]（）\s]{1,100})\s?[\])）][*_`:. ]{0,6}$/u.exec(words);
  const named = byId.get(last?.[1] ?? '');
  const entry = named ?? byTitle.get(bareOf(words));
  const rest = named ? trimOff(words.slice(0, last?.index), decoration) : '';
  return entry ? { entry, rest } : null;
}

const codeAtStart = /^[^\p{L}\p{N}`]{0,8}(?:\d{1,3}[.):]\s+)?[*_]{0,3}(`+)(.{1,100}?)\1(?!`)/u;
const itemMark =
  /^\s{0,3}(?:(?:#{1,6}|[-*+])\s+[*_`]{0,3}(?:\d{1,3}[.):]\s*)?|[*_`]{0,3}\d{1,3}[.):]\s+|(?=[*_`[]))[*_`]{0,3}/;

/** Is it set off from the lists that an item may hold? */
function isHead(line: string) {
  return /^\s{0,3}(?:#{1,6}\s|[*_]{1,3}\S|\d{1,3}[.)]\s+[*_[])/.test(line);
}

function withoutSeverity(text: string) {
  return undecorated(text.replace(severityWord, ''));
}

/** Without what stands before a word to set it off. */
function undecorated(text: string) {
  return text.replace(/^[\s*_`[\](){}<>|:,;—–-]+/, '');
}

/** Also in the middle of a line: `… Recommendation: …`; at its beginning with a word or two before it: `Smallest fix: …`. */
const advice = new RegExp(
  String.raw`(?:^\s*(?:[-*+]\s+)?[*_\x60]{0,3}(?:\p{L}{2,20}\s){0,2}|(?<![\p{L}\p{N}_-])[*_\x60]{0,3}(?:(?:recommended|` +
    String.raw`suggested|proposed|possible|smallest|minimal|simplest)\s)?)(?:recommendations?|recommended change|fix(?:es)?` +
    String.raw`|remed(?:y|ies)|remediation|mitigation|advice|suggestions?|suggested (?:change|improvement)|empfehlung|` +
    String.raw`vorschlag|abhilfe|recommandation|recomendaci[oó]n|建议|修复|修正案|対策)[*_\x60]{0,3}\s?[:：][*_\x60]{0,3}\s*`,
  'iu',
);
/** A line that begins so is about something else again. */
const otherLabel = /^\s*(?:[-*+]\s+)?[*_`]{0,3}\p{Lu}[\p{L} ]{1,24}[*_`]{0,3}:/u;

/** Evidence and advice in the lines of one item. */
export function toIssue(lines: readonly ProseLine[]): Issue {
  const said = [];
  const advised = [];
  let isAdvice = false;
  for (const line of lines) {
    const { text } = line;
    const found = isSpoken(line) ? advice.exec(text) : null;
    const goesOn: boolean = isAdvice && (!isSpoken(line) || !otherLabel.test(text));
    if (found) {
      said.push(trimOff(text.slice(0, found.index), ' \t*_`+-'));
      advised.push(text.slice(found.index + found[0].length));
    } else if (goesOn) advised.push(text);
    else
      said.push(text.replace(/^\s*(?:[-*+]\s+)?[*_`]{0,3}Evidence[*_`]{0,3}:[*_`]{0,3}\s*/i, ''));
    isAdvice = found !== null || goesOn;
  }
  return { evidence: paragraphOf(said), recommendation: paragraphOf(advised) };
}

function paragraphOf(lines: readonly string[]) {
  const kept = lines
    .filter(line => !/^\s*-{3,}\s*$/.test(line))
    .map(line => line.replace(/^\s{0,3}/, '').trimEnd());
  const text = toParagraph(kept.join('\n').replace(/\n{3,}/g, '\n\n'));
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : cut(text, fieldLimit);
}

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

function firstSentence(paragraph: string) {
  const text = toLine(paragraph.slice(0, 2_000));
  const end = /[.!?](?=\s+[^a-z\s])/.exec(text);
  return end ? text.slice(0, end.index + 1) : text;
}
