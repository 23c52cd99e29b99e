// Claims of a labelled panel by a matcher: which findings, who supports them, which known issue most of them match, and what
// the labels make of that.
import { groupFindings } from '../../dist/agreement/index.js';
import { rankOf } from '../../dist/core/words/finding.js';

/**
 * @typedef {import('./labelled-panels.mjs').Panel} Panel
 * @typedef {import('./labelled-panels.mjs').ReadPanel} ReadPanel
 * @typedef {import('../../dist/index.js').Matcher} Matcher
 * @typedef {Awaited<ReturnType<typeof claimsOf>>[number]} LabelledClaim
 */

/** Prepares the matcher, which then still holds the panel. */
export async function claimsOf(/** @type {ReadPanel} */ panel, /** @type {Matcher} */ matcher) {
  await matcher.prepare(panel.findings);
  const { groups, sureness } = groupFindings(panel.findings, matcher);
  return groups.map((members, index) => ({
    panel,
    members,
    sureness: sureness?.[index] ?? 1,
    findings: members.flatMap(index => panel.findings[index] ?? []),
    supporters: supportersOf(panel, members),
    electors: [...panel.reviewers],
    severity: worstOf(members.flatMap(index => panel.findings[index]?.severity ?? [])),
    ...factsOf(panel, members),
  }));
}

/**
 * What the labels say of findings put together:
 * - `issues`: known issues by how many of the findings match them, most first
 * - `isReal`: at least half of them match the first of these
 * - `isTrue`: at least half of those judged are no false findings; without such judgements, `isReal`; null when all are open
 * - `isMaterial`: of a true claim, do at least half of those that are not false hold a defect? null where nobody judged that
 * @param {Pick<Panel, 'issues' | 'grades'>} panel
 * @param {readonly number[]} members
 * @returns {{ issues: string[], isReal: boolean, isTrue: boolean | null, isMaterial: boolean | null }}
 */
export function factsOf(panel, members) {
  const issues = issuesOf(panel, members);
  const matching = members.filter(index => issues[0] && panel.issues[index] === issues[0]).length;
  const isReal = matching > 0 && 2 * matching >= members.length;
  const grades = members.map(index => panel.grades[index] ?? null).filter(grade => grade !== null);
  if (grades.length === 0) return { issues, isReal, isTrue: isReal, isMaterial: null };
  const judged = grades.filter(grade => grade !== 'unresolved');
  const sound = judged.filter(grade => grade !== 'false-finding');
  const isTrue = judged.length === 0 ? null : 2 * sound.length >= judged.length;
  return {
    issues,
    isReal,
    isTrue,
    isMaterial:
      isTrue === true ? 2 * sound.filter(grade => grade === 'defect').length >= sound.length : null,
  };
}

function worstOf(/** @type {readonly import('../../dist/index.js').Severity[]} */ severities) {
  return severities.reduce((worst, next) => (rankOf(next) < rankOf(worst) ? next : worst));
}

function supportersOf(
  /** @type {ReadPanel} */ { findings },
  /** @type {readonly number[]} */ members,
) {
  return [...new Set(members.map(index => findings[index].reviewer))];
}

/** Known issues by how many of the findings match them, most first. */
function issuesOf(
  /** @type {Pick<Panel, 'issues'>} */ { issues },
  /** @type {readonly number[]} */ members,
) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const issue of members.map(index => issues[index] ?? null).filter(one => one !== null))
    counts.set(issue, (counts.get(issue) ?? 0) + 1);
  return [...counts]
    .toSorted(([one, times], [other, often]) => often - times || (one < other ? -1 : 1))
    .map(([issue]) => issue);
}
