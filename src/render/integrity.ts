/** The result of `jury verify` for people: a line for each check, and under it what was found. */
import { gateNames, type Integrity, type JudgedEvidence } from '../core/integrity/integrity.ts';
import { count } from './figures.ts';
import { oneLine } from './terminal-text.ts';

const shownOfEach = 20;

export function renderIntegrity({ title, integrity, evidence }: { readonly title: string; readonly integrity: Integrity; readonly evidence: JudgedEvidence | null }): string {
  const exempted = new Map(integrity.exemptions.map(({ finding, reason }) => [finding, reason]));
  return [
    `Verify ${oneLine(title)}: ${integrity.ok ? 'ok' : 'not ok'}`,
    coverageLine(integrity.changed_lines),
    ...integrity.changed_lines.without_records.map(path => `    ${oneLine(path)} is not in the coverage report`),
    ...listed('Tests switched off', integrity.skipped_tests, exempted),
    ...listed('Placeholders', integrity.placeholders, exempted),
    ...listed('Changes that do nothing', integrity.no_ops, exempted),
    `Gates: ${gateNames.map(name => `${name} ${integrity.gates[name].replace('_', ' ')}`).join(', ')}`,
    ...(evidence === null ? [] : evidenceLines(evidence)),
  ].join('\n');
}

function coverageLine({ executable, covered, ratio, min, ok, total }: Integrity['changed_lines']): string {
  if (ok === 'not_applicable') return 'Changed lines: no code changed';
  const needed = `${Math.round(min * 100)} % needed`;
  if (executable === 0) return `Changed lines: ${count(total, 'line')} of code, none executable${ok ? '' : '; no coverage report'}`;
  return `Changed lines: ${covered} of ${executable} covered (${Math.floor((ratio ?? 0) * 100)} %, ${needed}): ${ok ? 'ok' : 'not ok'}`;
}

function listed(heading: string, findings: readonly string[], exempted: ReadonlyMap<string, string>): string[] {
  if (findings.length === 0) return [`${heading}: none`];
  const lines = findings.slice(0, shownOfEach).map(finding => `    ${oneLine(finding)}${exempted.has(finding) ? ` (exempted: ${oneLine(exempted.get(finding) ?? '')})` : ''}`);
  const rest = findings.length - lines.length;
  return [`${heading}: ${findings.length}`, ...lines, ...(rest > 0 ? [`    and ${rest} more; --json lists all`] : [])];
}

function evidenceLines({ recommendations, dropped }: JudgedEvidence): string[] {
  return [
    `Evidence: ${recommendations.filter(({ state }) => state === 'proven').length} of ${count(recommendations.length, 'recommendation')} proven${dropped > 0 ? `; ${dropped} without any artifact left out` : ''}`,
    ...recommendations.filter(({ state }) => state === 'unproven').map(({ recommendation_id: id, missing }) => `    ${oneLine(id)} lacks ${missing.join(', ').replaceAll('_', ' ')}`),
  ];
}
