/** Turns the remarks of an analyser into the answer that every reviewer gives: findings as JSON, and what was read. */
import type { Answered, SecretScanner } from '../../../core/ports.ts';
import { noUsage } from '../../../core/review.ts';
import { rankOf } from '../../../core/severity.ts';
import { computeVerdict } from '../../../core/verdict/verdict-file.ts';
import { answered } from '../answers.ts';
import type { Analysis, Remark } from './analyser.ts';

const mostFindings = 200;

/** The most severe first, in the order of the change within a severity; beyond 200 the rest is counted and said. */
export async function toAnswer(name: string, { remarks, coverage }: Analysis, scanner: SecretScanner): Promise<Answered> {
  const ranked = remarks
    .map((remark, order) => ({ remark, order }))
    .sort((one, other) => rankOf(one.remark.severity) - rankOf(other.remark.severity) || one.order - other.order)
    .map(({ remark }) => remark);
  const shown = ranked.slice(0, mostFindings);
  const findings = await Promise.all(shown.map((remark, index) => toFinding(`${name}-${index + 1}`, remark, scanner)));
  const text = JSON.stringify({
    findings: [...findings, ...(ranked.length > shown.length ? [overflow(name, ranked.length - shown.length)] : [])],
    files_reviewed: coverage.filter(({ extent }) => extent === 'full').map(({ path }) => path),
    verdict: computeVerdict(remarks.map(({ severity }) => severity)),
  });
  return answered(text, { stop: 'end', usage: { ...noUsage, calls: 1, cost: 0 }, coverage });
}

/** A quoted line may hold a credential that only the secrets analyser was looking for. */
async function toFinding(id: string, remark: Remark, scanner: SecretScanner) {
  const { severity, category, path, line, quote, issue, rule, recommendation } = remark;
  const isClean = quote === null || (await scanner.scan(quote, path)).length === 0;
  return {
    id,
    severity: severity.toUpperCase(),
    category,
    file: path,
    ...(line === null ? {} : { line }),
    ...(quote === null || !isClean ? {} : { quote }),
    issue,
    evidence: `Built-in rule ${rule}.`,
    recommendation,
  };
}

function overflow(name: string, count: number) {
  return {
    id: `${name}-more`,
    severity: 'LOW',
    category: 'limit',
    issue: `${count} more findings of the ${name} analyser are not listed: it names its ${mostFindings} most severe.`,
    recommendation: 'Review the change in smaller parts.',
  };
}
