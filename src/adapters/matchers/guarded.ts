/** What keeps two findings apart whatever an endpoint thinks of them: other files, other categories at one place, the opposite. */
import {
  areDifferentFiles,
  comparePolarity,
  fileOfFinding,
  mustStayApart,
} from '../../agreement/index.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Comparison } from '../../core/ports/matcher.ts';

/** The comparison of two findings that must stay apart, with the score they would have had; null when nothing speaks against a match. */
export function guardAgainst(one: Finding, other: Finding, score: number): Comparison | null {
  if (areDifferentFiles(fileOfFinding(one), fileOfFinding(other)))
    return { same: false, score, reason: 'They name two different files.' };
  if (mustStayApart(one, other))
    return { same: false, score, reason: 'They name two different categories at one place.' };
  return comparePolarity(one, other) === 'opposite'
    ? { same: false, score, contradicts: true, reason: 'One says the opposite of the other.' }
    : null;
}

// What the matchers need of whoever remembers answers that were paid for: a text by the hash of the question.

export interface AnswerCache {
  get(key: string): string | null;
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  close(): void;
}

export type OpenAnswerCache = () => Promise<AnswerCache>;
