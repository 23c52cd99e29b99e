/** Claims of findings from elsewhere as a program reads them: `jury.claims/1`. Findings are referred to by their index. */
import type { Claim } from '../core/claim.ts';
import type { Finding } from '../core/finding.ts';
import type { Consensus, TakenFinding } from '../core/intake/intake.ts';
import { escapeHidden } from './json.ts';

export function renderClaimsJson({ strategy, claims, findings, panel, warnings }: Consensus): string {
  const indexOf = new Map(findings.map(({ index, finding }) => [finding.id, index]));
  const claimOf = new Map(claims.flatMap(claim => claim.findings.map(({ id }) => [id, claim.id] as const)));
  const record = {
    schema: 'jury.claims/1',
    strategy: { name: strategy.name, threshold: strategy.threshold, version: strategy.version },
    claims: claims.map(claim => toClaim(claim, indexOf)),
    warnings,
    reviewers: panel,
    findings: findings.map(taken => toFinding(taken, claimOf.get(taken.finding.id) ?? null)),
  };
  return `${escapeHidden(JSON.stringify(record, null, 2))}\n`;
}

function toClaim(claim: Claim, indexOf: ReadonlyMap<string, number>): object {
  const { id, supporters, electorate, agreement, severity, confidence, text, location, severityConflict, contradicts } = claim;
  const indexes = claim.findings.map(finding => indexOf.get(finding.id)).filter(index => index !== undefined);
  return {
    id, findings: indexes.toSorted((one, other) => one - other), supporters, electorate, agreement, severity, confidence, text,
    location: placeOf(location), severityConflict, contradicts,
  };
}

/** `leftOut` says why a finding is in no claim; `claim` is null then. */
function toFinding({ index, source, rule, leftOut, finding }: TakenFinding, claim: string | null): object {
  const { reviewer, originalId, severity, label, text, location } = finding;
  return { index, source, reviewer, id: originalId, severity, label, rule, text, location: placeOf(location), claim, leftOut };
}

function placeOf(location: Finding['location']): object | null {
  return location === null ? null : { path: location.path, line: location.line, endLine: location.endLine };
}
