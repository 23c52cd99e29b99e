/** The consensus report as a program reads it: `jury.consensus/1`, with exactly its keys. */
import { agreementOf, type Agreement, type Claim } from '../core/claim.ts';
import { questionUnit } from '../core/verdict/coverage.ts';
import type { Finding } from '../core/finding.ts';
import { modes } from '../core/mode.ts';
import { displayOf, reasonOf, type Review } from '../core/review.ts';
import { severities } from '../core/severity.ts';
import type { ConsensusReport } from './consensus-report.ts';

const tiers = { all: 'high', majority: 'medium', single: 'consider' } as const satisfies Record<Agreement, string>;

/** One object, indented, ending with a line feed. Texts are what reviewers wrote and untrusted. */
export function renderConsensusJson(report: ConsensusReport): string {
  return `${JSON.stringify(toConsensusObject(report), null, 2)}\n`;
}

function toConsensusObject(report: ConsensusReport): Readonly<Record<string, unknown>> {
  const { mode, strategy, scale, commits, reviews, quorum, claims, verification } = report;
  return {
    schema: 'jury.consensus/1',
    mode,
    title: modes[mode].title.replace(/^# /, ''),
    strategy: { name: strategy.name, threshold: strategy.threshold, version: strategy.version },
    severities: mode === 'verification' ? modes[mode].labels : [...scale.keys()],
    commits: commits === null ? null : { base: commits.base, head: commits.head },
    reviewers: reviews.map(review => toReviewer(review, report.folder)),
    quorum: { required: quorum.required, completed: quorum.completed, met: quorum.met },
    claims: claims.map(toClaim),
    counts: countClaims(claims),
    verification,
  };
}

function toReviewer(review: Review, folder: string | null): Readonly<Record<string, unknown>> {
  const read = review.coverage.filter(({ extent }) => extent === 'full').map(({ path }) => path);
  const isWhole = review.coverage.every(({ path }) => path === questionUnit);
  return {
    name: review.reviewer,
    required: review.required,
    status: review.status === 'complete' ? 'ok' : (reasonOf(review) ?? 'unreadable'),
    status_text: displayOf(review),
    findings: review.findings.filter(finding => !finding.isImprovement).length,
    files_read: isWhole ? null : read,
    dropped: { placeholder: review.dropped.placeholder, template: review.dropped.template, prompt: review.dropped.prompt },
    unparsed: review.unparsed,
    duration_ms: review.durationMs,
    tokens_in: review.usage.inputTokens,
    tokens_out: review.usage.outputTokens,
    raw_path: folder === null ? null : `${folder}/raw/${review.reviewer}.txt`,
  };
}

function toClaim(claim: Claim): Readonly<Record<string, unknown>> {
  return {
    id: claim.id,
    tier: tierOf(claim),
    severity: claim.severity,
    label: claim.label,
    text: claim.text,
    file: claim.location?.path ?? null,
    line: claim.location?.line ?? null,
    support: claim.supporters.length,
    electorate: claim.electorate,
    supporters: claim.supporters,
    electors: claim.electors,
    severity_conflict: claim.severityConflict,
    contradicts: claim.contradicts,
    findings: claim.findings.map(toFinding),
  };
}

function toFinding({ reviewer, originalId, label, severity, text, location, raw }: Finding): Readonly<Record<string, unknown>> {
  return { reviewer, original_id: originalId, label, severity, text, file: location?.path ?? null, line: location?.line ?? null, raw };
}

function countClaims(claims: readonly Claim[]): Readonly<Record<string, unknown>> {
  const inTier = (tier: string): number => claims.filter(claim => tierOf(claim) === tier).length;
  return {
    high: inTier('high'),
    medium: inTier('medium'),
    consider: inTier('consider'),
    by_severity: Object.fromEntries(severities.map(severity => [severity, claims.filter(claim => claim.severity === severity).length])),
  };
}

function tierOf({ supporters, electorate }: Claim): string {
  return tiers[agreementOf(supporters.length, electorate)];
}
