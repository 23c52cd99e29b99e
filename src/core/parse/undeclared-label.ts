/** Labels nobody declared: which words may be one, and what they count for. A word of its own must not cost a reviewer its review. */
import { ownSeverityOf, unstatedSeverity, type LabelScale, type Severity } from '../severity.ts';
import { verdictOf } from './verdict-words.ts';

const shape = /^\p{L}[\p{L}\p{M}\p{N}_-]{0,31}$/u;

const otherHeads: ReadonlySet<string> = new Set(['VERDICT', 'SUMMARY', 'SEVERITY', 'LEVEL', 'LABEL', 'PRIORITY', 'NONE', 'TOTAL', 'STATUS', 'CONFIDENCE']);

/** Does the word in front of a bar head something else than a finding, or one that finds nothing wrong? */
export function isOtherHead(word: string): boolean {
  return otherHeads.has(word.toUpperCase()) || verdictOf(word) === 'safe';
}

/**
 * Medium; or what one of its words says: `VERY_HIGH` is high. Null for a score, for a word that is no label, and for one
 * that names two severities: which of them was meant would be a guess.
 */
export function undeclaredSeverityOf(label: string, scale?: LabelScale): Severity | null {
  if (!shape.test(label) || isOtherHead(label)) return null;
  const named = new Set(label.split(/[_-]/).map(word => ownSeverityOf(word, scale)).filter(severity => severity !== null));
  return named.size > 1 ? null : ([...named][0] ?? unstatedSeverity);
}

export function undeclaredNote(label: string, severity: Severity): string {
  return `Nobody declared the severity ${JSON.stringify(label)}; ${severity} was taken.`;
}
