/** The severities of other tools: their words, the levels of SARIF, and scores from 0 to 10. */
import { severityOf, type Severity } from '../severity.ts';

const foreignLabels: Readonly<Record<string, Severity>> = {
  BLOCKER: 'critical', FATAL: 'critical', SEVERE: 'critical', MAJOR: 'high', ERROR: 'high', WARNING: 'medium', WARN: 'medium',
  MINOR: 'low', NOTE: 'low', INFO: 'low', INFORMATION: 'low', INFORMATIONAL: 'low', HINT: 'low', STYLE: 'low', TRIVIAL: 'low', NONE: 'low',
};

/** What counts when nobody says how bad it is. */
export const unstatedSeverity: Severity = 'medium';

/** Our own labels first; null for a word nobody declared. */
export function foreignSeverityOf(label: string): Severity | null {
  const word = label.trim().toUpperCase();
  return severityOf(word) ?? (Object.hasOwn(foreignLabels, word) ? (foreignLabels[word] ?? null) : null);
}

/** Bands of `security-severity` as code scanning of GitHub draws them; null for what is no score, and for 0. */
export function severityOfScore(score: unknown): Severity | null {
  const number = typeof score === 'number' ? score : typeof score === 'string' && score.trim() !== '' ? Number(score) : Number.NaN;
  if (!(number > 0 && number <= 10)) return null;
  if (number >= 9) return 'critical';
  if (number >= 7) return 'high';
  return number >= 4 ? 'medium' : 'low';
}
