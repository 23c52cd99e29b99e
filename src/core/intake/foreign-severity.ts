/** The severities of other tools: their words, the levels of SARIF, and scores from 0 to 10. */
import { severityOf, type Severity } from '../severity.ts';

/** The labels that answers use too, and the level of SARIF that is none; null for a word nobody declared. */
export function foreignSeverityOf(label: string): Severity | null {
  const word = label.trim().toUpperCase();
  return severityOf(word) ?? (word === 'NONE' ? 'low' : null);
}

/** Bands of `security-severity` as code scanning of GitHub draws them; null for what is no score, and for 0. */
export function severityOfScore(score: unknown): Severity | null {
  const number = typeof score === 'number' ? score : typeof score === 'string' && score.trim() !== '' ? Number(score) : Number.NaN;
  if (!(number > 0 && number <= 10)) return null;
  if (number >= 9) return 'critical';
  if (number >= 7) return 'high';
  return number >= 4 ? 'medium' : 'low';
}
