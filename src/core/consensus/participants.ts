/**
 * Who takes part in matching when there is too much to compare. Grouping costs the square of what it is given, so the
 * places are shared out evenly: a reviewer that says 10,000 things cannot take those of one that says three.
 */
import type { Finding } from '../finding.ts';
import { rankOf } from '../severity.ts';

/** Findings compared with each other in one run, at most. Eight reviewers with 250 each. */
const capacity = 2_000;

/** The findings to match, in the order given: of each reviewer its most severe ones, up to an equal share. */
export function selectForMatching(findings: readonly Finding[], limit = capacity): readonly Finding[] {
  if (findings.length <= limit) return findings;
  const byReviewer = groupBy(findings, finding => finding.reviewer);
  const share = equalShare([...byReviewer.values()].map(list => list.length), limit);
  const chosen = new Set([...byReviewer.values()].flatMap(list => list.toSorted(bySeverity).slice(0, share)));
  return findings.filter(finding => chosen.has(finding));
}

/** Those that take no part, gathered only where one reviewer says the same words about the same place again. */
export function gatherRepetitions(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  return [...groupBy(findings, wordsAndPlace).values()];
}

function wordsAndPlace({ reviewer, text, category, location }: Finding): string {
  return JSON.stringify([reviewer, text, category, location?.path, location?.line]);
}

function groupBy(findings: readonly Finding[], key: (finding: Finding) => string): Map<string, Finding[]> {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const group = groups.get(key(finding));
    if (group === undefined) groups.set(key(finding), [finding]);
    else group.push(finding);
  }
  return groups;
}

function bySeverity(one: Finding, other: Finding): number {
  return rankOf(one.severity) - rankOf(other.severity);
}

/** The largest share whose sum over all stays within the limit; at least 1. */
function equalShare(counts: readonly number[], limit: number): number {
  let [left, share] = [limit, 0];
  const ascending = counts.toSorted((one, other) => one - other);
  for (const [index, count] of ascending.entries()) {
    share = Math.floor(left / (ascending.length - index));
    if (count > share) break;
    left -= count;
  }
  return Math.max(share, 1);
}
