// Claims of a labelled panel by a matcher: which findings, who supports them, which known issue most of them match.
import { groupFindings } from '../../dist/core/matching/grouping.js';

/** Prepares the matcher, which then still holds the panel. */
export async function claimsOf(panel, matcher) {
  await matcher.prepare(panel.findings);
  const { groups } = groupFindings(panel.findings, matcher);
  return groups.map(members => ({
    panel,
    members,
    findings: members.map(index => panel.findings[index]),
    supporters: supportersOf(panel, members),
    electors: panel.reviewers,
    severity: 'medium',
    issues: issuesOf(panel, members),
  }));
}

function supportersOf({ findings }, members) {
  return [...new Set(members.map(index => findings[index].reviewer))];
}

/** Known issues by how many of the findings match them, most first. A claim is real when there is one. */
function issuesOf({ issues }, members) {
  const counts = new Map();
  for (const issue of members.map(index => issues[index]).filter(issue => issue !== null))
    counts.set(issue, (counts.get(issue) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, times], [other, often]) => often - times || (one < other ? -1 : 1))
    .map(([issue]) => issue);
}
