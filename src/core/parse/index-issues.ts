/** What an index file says about its entries below the index: under *Issues Found*, the text and the advice behind each id. */
import { sectionOf } from './index-prose.ts';
import { cut, fieldLimit, toParagraph, trimOff } from './plain-text.ts';

export interface Issue {
  /** Null when there is only advice, or nothing beside the title. */
  readonly evidence: string | null;
  readonly recommendation: string | null;
}

/** For each id, the item that begins with it: from there to the next item, whatever paragraphs and lists stand between. The first item of an id counts. */
export function issuesOf(lines: readonly string[], titles: ReadonlyMap<string, string>): ReadonlyMap<string, Issue> {
  const items: { readonly id: string; readonly text: string[] }[] = [];
  let isAfterBlank = true;
  for (const line of sectionOf(lines, /^\W*issues? found\b/i)) {
    const start = startOf(line, isAfterBlank, titles);
    if (start !== null) items.push({ id: start.id, text: [start.rest] });
    else items.at(-1)?.text.push(line);
    isAfterBlank = line.trim() === '';
  }
  const issues = new Map<string, Issue>();
  for (const { id, text } of items) if (!issues.has(id)) issues.set(id, toIssue(text, titles.get(id) ?? ''));
  return issues;
}

const decoration = ' \t*_`[](){}<>|:,;—–-';
/** A plain word such as "High" needs a mark behind it: prose begins like that. */
const severityWord = /^(?:P[0-3](?![\w-])|(?:CRITICAL|IMPORTANT|HIGH|MEDIUM|MED|LOW|SUGGESTION)(?=\s*[)\]:|*_—–]))/i;

/** `1. **D-1** (P1): …`, `#### D-1 — …`, `- [P1] D-1: …`; without such a mark only where a paragraph begins. Null when the line begins no item. */
function startOf(line: string, isAfterBlank: boolean, ids: ReadonlyMap<string, string>): { readonly id: string; readonly rest: string } | null {
  const mark = /^\s{0,3}(?:#{1,6}\s+|\d{1,3}[.)]\s+|[-*+]\s+|(?=[*_`[]))/.exec(line)?.[0] ?? null;
  if (mark === null && !isAfterBlank) return null;
  const body = undecorated(line.slice(mark?.length ?? 0));
  for (const text of new Set([body, withoutSeverity(body)])) {
    const id = tokensOf(text).find(token => ids.has(token));
    if (id !== undefined) return { id, rest: withoutSeverity(withoutSeverity(undecorated(text.slice(id.length)))) };
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
const advice = /(?<![\p{L}\p{N}_-])[*_`]{0,3}(?:recommendations?|recommended (?:fix|change)|suggested (?:fix|change)|suggestion|fix|remedy|advice)[*_`]{0,3}\s*:[*_`]{0,3}\s*/iu;
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
    else said.push(line.replace(/^\s*(?:[-*+]\s+)?[*_`]{0,3}Evidence[*_`]{0,3}:[*_`]{0,3}\s*/i, ''));
    isAdvice = found !== null || (isAdvice && !otherLabel.test(line));
  }
  return { evidence: paragraphOf(said), recommendation: paragraphOf(advised) };
}

/** The title is known from the index. */
function withoutTitle(line: string, title: string): string {
  return title !== '' && line.startsWith(title) ? undecorated(line.slice(title.length)) : line;
}

function paragraphOf(lines: readonly string[]): string | null {
  const kept = lines.filter(line => !/^\s*-{3,}\s*$/.test(line)).map(line => line.replace(/^\s{0,3}/, '').trimEnd());
  const text = toParagraph(kept.join('\n').replace(/\n{3,}/g, '\n\n'));
  return text === '' || !/[\p{L}\p{N}]/u.test(text) ? null : cut(text, fieldLimit);
}
