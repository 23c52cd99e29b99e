/** `findings.json`: the claims of a run as merged findings, each with the index entries it was made of. */
import type { Claim } from '../claim.ts';
import type { Run, RunReviewer } from '../run.ts';
import { indexLevelOf } from '../severity.ts';
import { openClaims, overallVerdictOf } from './standing.ts';

/** The keys are those of the write-behind contract; what no step has computed is null, false or empty, never guessed. */
export function toMergedFindings({ record, reviews }: Pick<Run, 'record' | 'reviews'>): Record<string, unknown> {
  const named = (status: RunReviewer['status']): string[] => record.reviewers.filter(reviewer => reviewer.status === status).map(({ id }) => id);
  const improvements = reviews.flatMap(review => review.findings.filter(finding => finding.isImprovement));
  const open = openClaims(record);
  const names = nameClaims(record.claims);
  const partial = new Set(named('partial'));
  const neighbours = createNeighbours(open, names);
  return {
    schema: 'jury.findings/1',
    synthesis_protocol_version: '1.0',
    run_id: record.run,
    process: record.command,
    reviewed: record.completedAt,
    input: record.subject.title,
    input_type: record.subject.kind === 'change' ? 'diff' : record.subject.kind,
    agents_launched: record.reviewers.map(({ id }) => id),
    agents_completed: named('complete'),
    agents_failed: named('failed'),
    agents_partial: [...partial],
    findings: open.map(claim => ({ ...toFinding(claim, names, partial), co_located: neighbours(claim).length > 0, co_located_with: neighbours(claim) })),
    improvements: improvements.map(({ originalId, reviewer, section, text }) => ({ id: originalId, agents: [reviewer], section: section ?? '', title: text, convergence: 1 })),
    discarded: record.claims.filter(({ state }) => state === 'dismissed').map(({ id, text }) => ({ id: names.get(id) ?? id, title: text, reason: record.dismissed.find(dismissal => dismissal.id === id)?.reason ?? 'dismissed' })),
    conflicts: open.filter(isConflict).map(({ id, severityConflict, contradicts }) => ({ id: names.get(id) ?? id, severity_conflict: toLevels(severityConflict), contradicts })),
    verdict: overallVerdictOf(record),
    gate: { result: record.outcome, reasons: record.reasons },
    overrides: [],
    early_stop: false,
    content_routing_active: false,
    models: Object.fromEntries(record.reviewers.map(({ id, runner, model }) => [id, { provider: runner, model_family: null, model_id: model }])),
    synthesis_timestamp: record.completedAt,
  };
}

/** Reviewers disagree about how severe it is, or about whether it is so. */
export function isConflict({ severityConflict, contradicts }: Claim): boolean {
  return severityConflict !== null || contradicts.length > 0;
}

function toFinding(claim: Claim, names: ReadonlyMap<string, string>, partial: ReadonlySet<string>): Record<string, unknown> {
  const { supporters, severity, location, findings } = claim;
  const isLone = supporters.length === 1 && (severity === 'critical' || severity === 'high');
  return {
    id: names.get(claim.id) ?? claim.id,
    claim: claim.id,
    severity: indexLevelOf(severity),
    agents: supporters,
    provenance: findings.map(({ reviewer, originalId }) => ({ agent: reviewer, original_id: originalId })),
    section: findings.find(({ section }) => section !== null)?.section ?? '',
    title: claim.text,
    file: location?.path ?? null,
    line: location?.line ?? null,
    convergence: supporters.length,
    convergence_of: claim.electorate,
    confidence: confidenceOf(supporters.length),
    cross_family_convergence: null,
    cross_references: [],
    severity_conflict: toLevels(claim.severityConflict),
    descriptions: Object.fromEntries(findings.map(({ reviewer, text }) => [reviewer, text])),
    verification_recommended: isLone,
    partial: supporters.some(name => partial.has(name)),
    note: isLone ? 'verify independently' : null,
  };
}

function confidenceOf(supporters: number): 'high' | 'medium' | 'low' {
  if (supporters >= 3) return 'high';
  return supporters === 2 ? 'medium' : 'low';
}

function toLevels(conflict: Claim['severityConflict']): Record<string, string> | null {
  return conflict === null ? null : Object.fromEntries(Object.entries(conflict).map(([agent, severity]) => [agent, indexLevelOf(severity)]));
}

/** Claim id → the id its first reviewer gave, as long as only one finding of the run has it; else `<agent>:<id>`. */
function nameClaims(claims: readonly Claim[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const { originalId } of claims.flatMap(({ findings }) => findings)) counts.set(originalId, (counts.get(originalId) ?? 0) + 1);
  return new Map(claims.map(({ id, findings: [first] }) => [id, first === undefined ? id : nameOf(first, counts)]));
}

function nameOf({ reviewer, originalId }: Claim['findings'][number], counts: ReadonlyMap<string, number>): string {
  return counts.get(originalId) === 1 ? originalId : `${reviewer}:${originalId}`;
}

/** Names of the other claims at the same line of the same file. */
function createNeighbours(open: readonly Claim[], names: ReadonlyMap<string, string>): (claim: Claim) => string[] {
  const places = new Map<string, Claim[]>();
  for (const claim of open) {
    const place = placeOf(claim);
    if (place !== null) places.set(place, [...(places.get(place) ?? []), claim]);
  }
  return claim => (places.get(placeOf(claim) ?? '') ?? []).filter(({ id }) => id !== claim.id).map(({ id }) => names.get(id) ?? id);
}

function placeOf({ location }: Claim): string | null {
  return location === null || location.line === null ? null : `${location.line}:${location.path}`;
}

/** The levels of a list of merged findings, whoever wrote it; one that cannot be read counts as the gravest. */
export function readMergedLevels(findings: readonly unknown[]): string[] {
  return findings.map(finding => {
    const level = typeof finding === 'object' && finding !== null && 'severity' in finding ? finding.severity : null;
    return typeof level === 'string' && /^P[0-3]$/.test(level) ? level : 'P0';
  });
}
