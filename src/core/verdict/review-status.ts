/** How a review stands: what its findings give, what its reviewer claims, and the status that sums both up. */
import { claimOf, readVerdictLine, statusOf } from '../../answers/index.ts';
import { present } from '../groups.ts';
import { shellQuote } from '../text.ts';
import { type Claim, isClosed } from '../words/claim.ts';
import type { Finding } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import type { RunRecord, RunReviewer } from '../words/run.ts';
import { isFree, kindOf } from '../words/runner.ts';
import { type Reason, type VerdictStatus, computeVerdict, isApprovable } from './record.ts';
import { unreadIn } from './coverage.ts';

export function standingOf(review: Review, isVetoed = false) {
  const computed =
    review.status === 'failed'
      ? ('error' as const)
      : computeVerdict(countedFindings(review).map(({ severity }) => severity));
  const claimed = claimedVerdictOf(review.statedVerdict ?? review.milderVerdict ?? null);
  // An index without entries that does not say safe is the silence of a reviewer that answered something else.
  const isMalformed =
    review.format === 'index' && review.findings.length === 0 && claimed !== 'safe';
  const status = statusOf({
    state: isMalformed ? 'malformed' : 'valid',
    claimed,
    computed,
    isPartial: review.status === 'partial',
    isVetoed,
  });
  return { computed, claimed, claim: claimOf(claimed, computed), status };
}

const answerStatuses = {
  complete: 'COMPLETE',
  partial: 'PARTIAL',
  failed: 'FAILED',
} as const;

/** The status of one that brings knowledge instead of findings. */
export function answerStatusOf({ status }: Pick<Review, 'status'>): VerdictStatus {
  return answerStatuses[status];
}

/** Would its verdict file be in the attention list? A record does not tell a malformed index; everything else it does. */
export function needsAttention({ status, verdict, statedVerdict }: RunReviewer) {
  return (
    statusOf({
      state: 'valid',
      claimed: claimedVerdictOf(statedVerdict),
      computed: verdict,
      isPartial: status === 'partial',
      isVetoed: false,
    }) !== 'CLEAN'
  );
}

/** The claims a run stands or falls by: what was dismissed or is fixed counts no more. */
export function openClaims({ claims }: Pick<RunRecord, 'claims'>): readonly Claim[] {
  return claims.filter(claim => !isClosed(claim));
}

/**
 * The verdict of the whole in the words of its readers, by the reasons that make the outcome: it never says anything else than
 * the gate. What the engine finds is critical. An answered question has no gate: its verdict is that of what was found.
 */
export function overallVerdictOf(
  record: Pick<RunRecord, 'outcome' | 'reasons' | 'blocking' | 'claims' | 'engineFindings'>,
) {
  const { outcome, reasons, engineFindings = [] } = record;
  const open = openClaims(record);
  if (outcome === null) return computeVerdict(open.map(({ severity }) => severity));
  if (outcome !== 'FAIL') return outcome === 'PASS' ? 'safe' : 'incomplete';
  const failing = reasons.filter(({ effect }) => effect === 'FAIL');
  const grounds = new Set([...record.blocking, ...failing.map(({ subject }) => subject)]);
  const isCritical = open.some(
    ({ id, severity, supporters }) =>
      severity === 'critical' &&
      (grounds.has(id) || supporters.some(reviewer => grounds.has(reviewer))),
  );
  return isCritical || engineFindings.length > 0 ? 'risky' : 'needs-changes';
}

/** What counts as a finding: improvements do not. */
export function countedFindings(review: Pick<Review, 'findings'>): readonly Finding[] {
  return review.findings.filter(finding => !finding.isImprovement);
}

/** Notes behind the word are allowed: `needs-changes (2 P1, 3 P2)`. */
function claimedVerdictOf(stated: string | null) {
  return stated === null ? null : (readVerdictLine(`Verdict: ${stated}`)?.verdict ?? null);
}

/** That answers are recordings, in one sentence; null where every answer was given when it was asked for. */
export function sayRecorded(
  reviewers: readonly { readonly id: string; readonly runner: string }[],
) {
  const recorded = reviewers.filter(({ runner }) => kindOf(runner) === 'recording');
  if (recorded.length === 0) return null;
  return reviewers.every(({ runner }) => isFree(runner))
    ? 'The answers are recordings: no model was asked.'
    : `The answers of ${recorded.map(({ id }) => id).join(', ')} are recordings.`;
}

// The reasons of an outcome, as reports print them.

/** One for each, for people. Untrusted: they may quote the world. */
export function sentencesOf({ reasons }: { readonly reasons: readonly Reason[] }) {
  return reasons.map(({ sentence }) => sentence);
}

/** Was it cut short? Then it is to go on, whatever it had come to by then. */
export function wasInterrupted({ reasons }: Pick<RunRecord, 'reasons'>) {
  return reasons.some(({ rule }) => rule === 'interrupted');
}

/** Those that a report does not tell anyway where it lists what blocks, counts who completed and lists what nobody read. */
export function furtherReasons({
  reasons,
  quorum,
  research,
  coverage,
}: Pick<RunRecord, 'reasons' | 'quorum' | 'research' | 'coverage'>) {
  const unread = new Set(unreadIn(coverage));
  const isTold = (reason: Reason) =>
    reason.rule === 'engine' ||
    isToldByClaim(reason) ||
    (reason.rule === 'unread' && unread.has(reason.subject)) ||
    (reason.rule === 'quorum' && !quorum.met && (research ?? null) === null);
  return sentencesOf({ reasons: reasons.filter(reason => !isTold(reason)) });
}

/** Does a claim fail the run as it is shown, and not as it would be in another reading? */
export function isToldByClaim({ rule, effect, subject, sentence }: Reason) {
  return rule === 'claim' && effect === 'FAIL' && sentence.startsWith(subject);
}

const mostPaths = 5;

/** How a person lets pass what an undecided run asks a person about, or nobody could read; none where that cannot be. */
export function approvalCommands({
  run,
  outcome,
  reasons,
}: Pick<RunRecord, 'run' | 'outcome' | 'reasons'>) {
  if (outcome !== 'INCOMPLETE') return [];
  const open = reasons.filter(isApprovable);
  const unread = new Set(
    open.filter(({ rule }) => rule === 'unread').map(({ subject }) => subject),
  );
  return present(
    open.some(({ rule }) => rule === 'require-human') &&
      `jury approve require-human --run ${run} --reason TEXT`,
    unread.size !== 0 &&
      `jury approve unread --run ${run} --path ${[...unread].slice(0, mostPaths).map(shellQuote).join(' ')} --reason TEXT`,
  );
}
