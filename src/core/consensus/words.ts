/** What two texts have in common, by their words alone: the exact rules of the `overlap` strategy. */
import type { Finding } from '../finding.ts';

/** The 34 words that say nothing about the subject. */
const stopWords: ReadonlySet<string> = new Set(
  ('the a an and or but in on at to for of with is are was were be been being have has had ' +
    'do does did will would should could may might must can').split(' '),
);

/** Maximal runs of letters, digits and `_` of the lower-cased text, without the stop words. */
export function words(text: string): ReadonlySet<string> {
  const runs = text.toLowerCase().match(/[\p{L}\p{Nd}_]+/gu) ?? [];
  return new Set(runs.filter(run => !stopWords.has(run)));
}

/**
 * Share of the words of `one` that `other` has too, in whole percent, rounded down. Directed: the first text is the
 * measure. 0 when either has no words.
 */
export function overlap(one: string, other: string): number {
  return overlapOfWords(words(one), words(other));
}

export function overlapOfWords(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  return Math.floor((100 * countCommon(one, other)) / one.size);
}

function countCommon(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const [fewer, more] = one.size <= other.size ? [one, other] : [other, one];
  let common = 0;
  for (const word of fewer) if (more.has(word)) common += 1;
  return common;
}

/**
 * The first source file a text names, empty when none: `\b[a-zA-Z0-9_/-]+\.(sh|py|js|ts|md|go|rs|java)\b`. Found from
 * the extension backwards, because the expression itself takes quadratic time on a long run of hyphens.
 */
export function fileOf(text: string): string {
  for (const { index, 0: extension } of text.matchAll(/\.(?:sh|py|js|ts|md|go|rs|java)\b/g)) {
    let start = index;
    while (start > 0 && /[a-zA-Z0-9_/-]/.test(text.charAt(start - 1))) start -= 1;
    // A match begins at a word boundary, which no slash or hyphen at the front is.
    while (start < index && /[/-]/.test(text.charAt(start))) start += 1;
    if (start < index) return text.slice(start, index) + extension;
  }
  return '';
}

/** The file a finding is about: the place it was given, else the first one its text names; empty when none. */
export function fileOfFinding(finding: Finding): string {
  return finding.location === null ? fileOf(finding.text) : finding.location.path.replace(/^(?:\.\/)+/, '');
}

/** Two paths name two files unless one equals the other or is its end, folder by folder. An empty path names none. */
export function areDifferentFiles(one: string, other: string): boolean {
  if (one === '' || other === '' || one === other) return false;
  return !one.endsWith(`/${other}`) && !other.endsWith(`/${one}`);
}
