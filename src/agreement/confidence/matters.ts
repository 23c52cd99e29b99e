/**
 * The probability that a maintainer of the code would act on a claim if it is true: by the severities stated and by how much its
 * reviewers say. Reviewers agree as readily on true trifles as on defects, so how many say it is no evidence here.
 */
import type { Finding } from '../../core/words/finding.ts';
import type { Severity } from '../../core/words/severity.ts';
import { unstatedLabel } from '../../core/words/stated.ts';
import { type Estimate, estimate, type Logistic } from '../../core/words/odds.ts';
import { polarityOf } from '../polarity.ts';

/**
 * Names in the order of the weights of the model, of the finding that tells it most strongly:
 * - `stated`: 1 where a severity is stated, so that a stated medium is another thing than no word about it
 * - `severity`: its `severityRank`, 0 where none is stated
 * - `loudness`: ln of how many things the reviewer of the claim says that says least
 */
export const mattersEvidence = ['stated', 'severity', 'loudness'] as const;

/** By the finding that tells it most strongly, so that a supporter more never makes a claim matter less, in whatever words. */
export function estimateMatter(
  findings: readonly Finding[],
  loudness: number,
  model: Logistic,
): Estimate {
  const nothing = findNothingWrong(findings);
  if (nothing !== null)
    return estimate(model.intercept, [
      { evidence: 'nothing', words: nothing, worth: asGoodAsNever },
    ]);
  return findings
    .map(finding => estimate(model.intercept, gatherEvidence(finding, loudness, model)))
    .reduce((most, next) => (next.probability > most.probability ? next : most));
}

/** Log-odds. */
export const asGoodAsNever = -14;

/** Why no one would act on findings, whatever else is known of them; null where one of them says that something is wrong. */
export function findNothingWrong(findings: readonly Finding[]): string | null {
  if (findings.every(isWordless)) return 'it holds no word';
  return findings.every(finding => polarityOf(finding).says === 'fine')
    ? 'it says that all is well'
    : null;
}

/** An exclamation mark, three dots, a flame: it cannot be looked up, and no two mean the same by it. */
export function isWordless({
  text,
  evidence,
  recommendation,
}: Pick<Finding, 'text' | 'evidence' | 'recommendation'>): boolean {
  return [text, evidence, recommendation].every(said => !/[\p{L}\p{N}]/u.test(said ?? ''));
}

function gatherEvidence(
  finding: Finding,
  loudness: number,
  { weights }: Logistic,
): Estimate['contributions'] {
  const isStated = isSeverityStated(finding);
  const severity = isStated ? severityRank[finding.severity] : 0;
  const parts: Readonly<Record<(typeof mattersEvidence)[number], readonly [string, number]>> = {
    stated: ['its severity is stated', Number(isStated)],
    severity: [`it is called ${finding.severity}`, severity],
    loudness: [
      'its reviewers say much, and the more they say, the more trifles are among it',
      loudness,
    ],
  };
  return mattersEvidence.map((evidence, index) => {
    const [words, value] = parts[evidence];
    return { evidence, words, worth: (weights[index] ?? 0) * value };
  });
}

/** A scale by hand. */
const severityRank: Readonly<Record<Severity, number>> = {
  critical: 1.5,
  high: 1,
  medium: 0,
  low: -1.5,
};

/** A finding that states none is read as medium where an order is needed. */
export function isSeverityStated({ label }: Pick<Finding, 'label'>): boolean {
  return label !== '' && label !== unstatedLabel;
}
