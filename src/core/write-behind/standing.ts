/** How a review stands: what its findings give, what its reviewer claims, and the status that sums both up. */
import type { Claim } from '../claim.ts';
import type { Finding } from '../finding.ts';
import { claimOf, readVerdictLine } from '../parse/verdict-words.ts';
import type { Review, ReviewVerdict } from '../review.ts';
import type { RunRecord } from '../run.ts';
import { computeVerdict, type VerdictFile, type VerdictStatus } from '../verdict.ts';

export interface Standing {
  readonly computed: ReviewVerdict;
  /** Null when the reviewer claims nothing, or uses a word nobody knows. */
  readonly claimed: ReviewVerdict | null;
  readonly claim: NonNullable<VerdictFile['claim']>;
  readonly status: VerdictStatus;
}

interface Standable {
  readonly status: Review['status'];
  /** The verdict its findings give. */
  readonly computed: ReviewVerdict;
  readonly statedVerdict: string | null;
  readonly isMalformed?: boolean;
  readonly hasVetoed?: boolean;
}

export function standingOf(review: Review, hasVetoed = false): Standing {
  const computed = review.status === 'failed' ? 'error' : computeVerdict(countedFindings(review).map(({ severity }) => severity));
  const { status, statedVerdict } = review;
  const claimed = claimedVerdictOf(statedVerdict);
  return { computed, claimed, claim: claimOf(claimed, computed), status: statusOf({ status, computed, statedVerdict, hasVetoed, isMalformed: isMalformed(review, claimed) }) };
}

/** The claimed verdict stands beside the computed one and never replaces it; it can only ask for more attention. */
export function statusOf({ status, computed, statedVerdict, isMalformed = false, hasVetoed = false }: Standable): VerdictStatus {
  if (computed === 'error') return 'ERROR';
  if (hasVetoed) return 'BLOCKED';
  if (status === 'partial') return 'PARTIAL';
  const claimed = claimedVerdictOf(statedVerdict);
  const isQuiet = computed === 'safe' && (claimed === null || claimed === 'safe');
  return isQuiet && !isMalformed ? 'CLEAN' : 'NEEDS_ATTENTION';
}

/** The claims a run stands or falls by: what was dismissed or is fixed counts no more. */
export function openClaims({ claims }: Pick<RunRecord, 'claims'>): readonly Claim[] {
  return claims.filter(({ state }) => state !== 'dismissed' && state !== 'fixed');
}

/** The rule of a single review over the claims of all. Where nobody completed, silence is no verdict; what was found is. */
export function overallVerdictOf(record: Pick<RunRecord, 'claims' | 'reviewers'>): ReviewVerdict {
  const verdict = computeVerdict(openClaims(record).map(({ severity }) => severity));
  const isProven = verdict !== 'safe' || record.reviewers.some(({ status }) => status === 'complete');
  return isProven ? verdict : 'error';
}

/** What counts as a finding: improvements do not. */
export function countedFindings(review: Pick<Review, 'findings'>): readonly Finding[] {
  return review.findings.filter(finding => !finding.isImprovement);
}

/** Notes behind the word are allowed: `needs-changes (2 P1, 3 P2)`. */
function claimedVerdictOf(stated: string | null): ReviewVerdict | null {
  return stated === null ? null : (readVerdictLine(`Verdict: ${stated}`)?.verdict ?? null);
}

/** An index without entries that does not say safe: the silence of a reviewer that answered something else. */
function isMalformed(review: Review, claimed: ReviewVerdict | null): boolean {
  return review.status === 'complete' && review.format === 'index' && review.findings.length === 0 && claimed !== 'safe';
}
