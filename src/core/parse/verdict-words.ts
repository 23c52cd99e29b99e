/** The words for a verdict, and the line that states one. What a reviewer states is recorded, never counted. */
import type { ReviewVerdict } from '../review.ts';
import type { StatedVerdict } from './reading.ts';

const words: Readonly<Record<string, ReviewVerdict>> = {
  'safe': 'safe', 'clean': 'safe', 'pass': 'safe', 'approved': 'safe', 'approve': 'safe', 'ok': 'safe',
  'needs-changes': 'needs-changes', 'needs-attention': 'needs-changes', 'request-changes': 'needs-changes', 'warn': 'needs-changes',
  'risky': 'risky', 'blocked': 'risky', 'fail': 'risky', 'reject': 'risky', 'veto': 'risky',
  'error': 'error', 'failed': 'error',
};

/** The harshest words of their own vocabularies, short of a veto: no critical finding makes them mild. */
const strongWords: ReadonlySet<string> = new Set(['warn', 'request-changes']);

export interface VerdictLine extends StatedVerdict {
  /** Anything but `Verdict: word`. */
  readonly isDecorated: boolean;
}

const rank: Record<ReviewVerdict, number> = { 'safe': 0, 'needs-changes': 1, 'risky': 2, 'error': 3 };

export type Claimed = 'match' | 'lower' | 'higher' | 'absent';

/** How the verdict a reviewer claims compares with the one its findings give: `lower` claims less than they say. */
export function claimOf(claimed: ReviewVerdict | null, computed: ReviewVerdict): Claimed {
  if (claimed === null) return 'absent';
  if (claimed === computed) return 'match';
  return rank[claimed] < rank[computed] ? 'lower' : 'higher';
}

/** Null for a word nobody declared. Case, emphasis and the kind of separator do not matter; further words do. */
export function verdictOf(text: string): ReviewVerdict | null {
  const word = normalise(text);
  return Object.hasOwn(words, word) ? (words[word] ?? null) : null;
}

/** Does the statement say less than the findings do? */
export function isMilder(stated: StatedVerdict, computed: ReviewVerdict): boolean {
  return stated.verdict !== null && claimOf(stated.verdict, computed) === 'lower' && !strongWords.has(normalise(stated.words));
}

const lineLimit = 400;
const separator = /^[\s*_`]*(?:[:=]|—|–|-(?=\s))[\s*_`]*/;

/**
 * Reads `Verdict: x`, `**Verdict: x**`, `**Verdict:** x`, `Verdict — x`, `### Verdict: x`, with a note in brackets or
 * behind a dash. Null when the line states no verdict, or when it is the template (`safe|needs-changes|risky`).
 */
export function readVerdictLine(line: string): VerdictLine | null {
  if (line.length > lineLimit) return null;
  const head = /^\s*(?:#{1,6}\s+)?(?:[-*+]\s+)?[*_`]*verdict/i.exec(line)?.[0];
  if (head === undefined) return null;
  const tail = line.slice(head.length);
  const between = separator.exec(tail)?.[0];
  if (between === undefined) return null;
  const value = tail.slice(between.length).trim();
  if (value === '' || /\w\s*\|\s*\w/.test(value)) return null;
  return { words: withoutEmphasis(value), verdict: verdictOf(withoutNote(value)), isDecorated: !/^verdict: [a-z-]+$/i.test(line.trimEnd()) };
}

/** `### Verdict` or `### Verdict:` alone: the word follows on a line of its own. */
export function isVerdictHeading(line: string): boolean {
  return line.length <= lineLimit && /^#{1,6}\s+[*_]*verdict[*_]*\s*:?[*_]*\s*$/i.test(line);
}

function withoutNote(value: string): string {
  return value.replace(/^([A-Za-z][A-Za-z _-]{0,40}?)[*_`]*(?:\s*\(.*|\s+[—–-]\s.*|\s*[—–].*)$/s, '$1');
}

function withoutEmphasis(value: string): string {
  return value.replace(/^[*_`\s]+/, '').replace(/[*_`\s]+$/, '');
}

function normalise(text: string): string {
  return text.length > lineLimit ? '' : withoutEmphasis(text).replace(/\.$/, '').toLowerCase().replace(/[\s_-]+/g, '-');
}
