/** What keeps two findings apart whatever an endpoint thinks of them: other files, other numbers, the opposite. */
import {
  contradict,
  mustStayApart,
  nameOtherNumbers,
  standApart,
  areDifferentFiles,
  fileOfFinding,
  readWording,
  type Wording,
} from '../../agreement/index.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Comparison } from '../../core/ports/matcher.ts';

/** The comparison of two findings that must stay apart, with the score they would have had; null when nothing speaks against a match. */
export type Guard = (one: Finding, other: Finding, score: number) => Comparison | null;

/** Wordings are read once a finding. */
export function createGuard(): Guard {
  const wordings = new WeakMap<Finding, Wording>();
  const wordingOf = (finding: Finding): Wording => {
    const wording = wordings.get(finding) ?? readWording(finding.text);
    wordings.set(finding, wording);
    return wording;
  };
  return (one, other, score) => {
    if (areDifferentFiles(fileOfFinding(one), fileOfFinding(other)))
      return { same: false, score, reason: 'They name two different files.' };
    if (mustStayApart(one, other))
      return { same: false, score, reason: 'They name two different categories at one place.' };
    const [left, right] = [wordingOf(one), wordingOf(other)];
    if (nameOtherNumbers(left, right))
      return { same: false, score, reason: 'They name different numbers.' };
    if (contradict(one, other))
      return {
        same: false,
        score,
        contradicts: true,
        reason: 'One says the opposite of the other.',
      };
    if (standApart(one, other))
      return { same: false, score, reason: 'One says that it is well, the other does not.' };
    return null;
  };
}

// What the matchers need of whoever remembers answers that were paid for: a text by the hash of the question.

export interface AnswerCache {
  get(key: string): string | null;
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  close(): void;
}

export type OpenAnswerCache = () => Promise<AnswerCache>;
