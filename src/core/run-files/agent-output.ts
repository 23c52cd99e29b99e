/** A review in the keys of the reviewer output contract, counted by the engine whatever the reviewer says of itself. */
import { floorPercent } from '../context/budget.ts';
import type { Review } from '../words/review.ts';
import { counts } from '../verdict/coverage.ts';
import { continueCommand, isReadable } from '../verdict/onward.ts';
import { cutoffOf, type AgentRow } from '../verdict/panel-table.ts';
import { countedFindings } from '../verdict/review-status.ts';
import { placeText } from '../words/finding.ts';
import { countSeverities } from '../words/severity.ts';

/** Beside the keys of the review itself. `verdict` is given once the whole panel was heard. */
export function toAgentOutput(
  review: Review,
  row: AgentRow | null,
  run: string,
): Record<string, unknown> {
  const skipped = review.coverage
    .filter(({ extent }) => extent === 'skipped' || extent === 'partial')
    .map(({ path }) => path);
  const cutoff = cutoffOf(review);
  return {
    ...review.extra,
    ...review,
    agent: review.reviewer,
    partial: review.status === 'partial' || (review.status === 'failed' && cutoff === 'budget'),
    cutoff_reason: cutoff,
    ...spentOf(review),
    files_reviewed: review.coverage.filter(reading => counts(review, reading)).length,
    files_skipped: skipped.length,
    skipped_files: skipped,
    findings: describeAll(review),
    ...(row === null
      ? {}
      : {
          verdict: row.verdict,
          claimed_verdict: row.claimed,
          veto_downgraded: row.veto_downgraded,
        }),
    veto_reasons: review.vetoReasons ?? [],
    summary: countSeverities(countedFindings(review)),
    ...(cutoff === 'budget' && review.coverage.some(reading => isReadable(review, reading))
      ? { recommendation: `Re-run review with: ${continueCommand(run)}` }
      : {}),
  };
}

function spentOf({ spending }: Review) {
  if (spending === undefined) return { mode: 'full', skipped: { medium_count: 0, low_count: 0 } };
  const { mode, total, used, skipped } = spending;
  // Of a review that was kept whole nobody was given anything to spend.
  const isUnasked = total === 0;
  return {
    mode,
    budget_remaining_percent: isUnasked ? 100 : floorPercent(Math.max(0, total - used), total),
    budget_used_percent: isUnasked ? 0 : floorPercent(used, total),
    skipped,
  };
}

/** With the place as the contract spells it: `file` and `line`, or `file:line` where only grave things were asked for. */
function describeAll({ findings, spending }: Review) {
  const terse = new Set(spending?.terse);
  return findings.map(finding => {
    const place =
      finding.location === null ? {} : { file: finding.location.path, line: finding.location.line };
    const where = finding.location === null ? null : placeText(finding.location);
    const known = { ...finding.extra, ...finding, issue: finding.text };
    return terse.has(finding.id)
      ? { ...known, evidence: null, place: where }
      : { ...known, ...place, place: where };
  });
}
