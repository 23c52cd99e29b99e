/** `synthesis.md`: what the reviewers of a run come to together, for people. Their words stand in it as text that does nothing. */
import { printedIdsOf, printedNames } from './finding-names.ts';
import { processOf } from '../process.ts';
import type { Review } from '../words/review.ts';
import type { Run } from '../words/run.ts';
import { groupBy } from '../group-by.ts';
import { readable, tableOf } from '../safety/markdown-text.ts';
import { summaryOf } from './review-file.ts';
import type { Level, MergedFinding, MergedFindings } from './merged-findings.ts';
import { block, namesOf, renderKnowledge } from './research-synthesis.ts';
import { cut } from '../text.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { answerStatusOf, standingOf } from '../verdict/review-status.ts';
import { placeText } from '../words/finding.ts';

const levels: readonly Level[] = ['P0', 'P1', 'P2', 'P3'];

export function renderSynthesis(
  { record, reviews }: Pick<Run, 'record' | 'reviews'>,
  asMerged: MergedFindings,
): string {
  const isAnswer = processOf(record.command).synthesis === 'answer';
  const names = printedNames(record.claims, reviews);
  const merged = withPrintedIds(asMerged, names, reviews);
  const findings = merged.findings.toSorted(
    (one, other) =>
      levels.indexOf(one.severity) - levels.indexOf(other.severity) ||
      other.convergence - one.convergence,
  );
  return [
    '## Synthesis Report',
    '',
    `**Context**: ${readable(merged.process)} of ${readable(merged.input)} (${merged.input_type}), run ${merged.run_id}`,
    `**Agents**: ${merged.agents_launched.length} launched, ${merged.agents_completed.length} ` +
      `completed, ${merged.agents_failed.length} ` +
      `failed${merged.agents_partial.length === 0 ? '' : `, ${merged.agents_partial.length} partial`}`,
    isAnswer
      ? `**Status**: ${record.research?.status ?? statusOfIdeas(reviews)}${record.research?.why ? ` — ${readable(record.research.why)}` : ''}`
      : `**Verdict**: ${merged.verdict}`,
    `**Gate**: ${merged.gate.result ?? `none. ${sayOutcome(record)}`}${merged.gate.reasons.map(reason => ` — ${readable(reason)}`).join('')}`,
    ...merged.overrides.map(
      ({ rule, reason, source }) =>
        `**Override**: ${rule} was lifted by ${readable(source)}: ${readable(reason)}`,
    ),
    ...(record.stages ?? []).map(
      ({ reviewers, asked, why }, index) =>
        `**Stage ${index + 1}**: ${reviewers.map(readable).join(', ')} — ${asked ? 'asked' : 'not asked'}: ${readable(why)}`,
    ),
    '',
    ...block('Verdict Summary', [
      ...tableOf(
        ['Agent', 'Status', 'Summary'],
        reviews.map(review => [
          readable(review.reviewer),
          isAnswer ? answerStatusOf(review) : standingOf(review).status,
          readable(summaryOf(review, null)),
        ]),
      ),
    ]),
    ...(isAnswer
      ? renderKnowledge({
          research: record.research ?? null,
          claims: record.claims,
          reviews,
          names,
        })
      : renderDefects(merged, findings)),
    ...block('Files', [
      ...reviews.map(
        ({ reviewer }) =>
          `- ${readable(reviewer)}: ${readable(`reviews/${reviewer}.md`)}, ${readable(`verdicts/${reviewer}.json`)}`,
      ),
      '- reviews/findings.json, reviews/summary.txt',
    ]),
  ].join('\n');
}

/** The best of them: one answer is an answer. */
function statusOfIdeas(reviews: readonly Review[]): string {
  const statuses = new Set(reviews.map(answerStatusOf));
  return (['COMPLETE', 'PARTIAL'] as const).find(status => statuses.has(status)) ?? 'FAILED';
}

function renderDefects(merged: MergedFindings, findings: readonly MergedFinding[]): string[] {
  return [
    ...block('Findings', findings.map(renderFinding)),
    ...block(
      'Issues to Address',
      findings.map(
        ({ severity, id, title }) =>
          `- [ ] ${severity} ${readable(id)}: ${readable(cut(title, titleLimit))}`,
      ),
    ),
    ...block(
      'Improvements',
      merged.improvements.map(
        ({ id, agents, title }) => `- ${readable(id)}: ${readable(title)} (${namesOf(agents)})`,
      ),
    ),
    ...block('Section Heat Map', renderHeatMap(findings)),
    ...block('Conflicts', renderConflicts(merged)),
  ];
}

const titleLimit = 400;

/** `findings.json` keeps the ids of its contract; here they stand as people type them. */
function withPrintedIds(
  merged: MergedFindings,
  names: ReadonlyMap<string, string>,
  reviews: readonly Review[],
): MergedFindings {
  const ids = printedIdsOf(reviews);
  const printed = new Map(merged.findings.map(({ id, claim }) => [id, names.get(claim) ?? claim]));
  const nameOf = (id: string): string => printed.get(id) ?? id;
  return {
    ...merged,
    findings: merged.findings.map(finding => ({
      ...finding,
      id: nameOf(finding.id),
      co_located_with: finding.co_located_with.map(nameOf),
      cross_references: finding.cross_references.map(nameOf),
    })),
    improvements: merged.improvements.map(improvement => ({
      ...improvement,
      id: ids.get(`${improvement.agents[0] ?? ''}/${improvement.id}`) ?? improvement.id,
    })),
    conflicts: merged.conflicts.map(conflict => ({
      ...conflict,
      id: nameOf(conflict.id),
      contradicts: conflict.contradicts.map(nameOf),
    })),
  };
}

function renderFinding(finding: MergedFinding): string {
  const { severity, id, title, agents, convergence, file, line, note } = finding;
  const place = file === null ? finding.section : placeText({ path: file, line });
  const remarks = [
    place !== '' && readable(place),
    `${namesOf(agents)} (${convergence}/${finding.convergence_of}, ${finding.confidence})`,
    finding.severity_conflict !== null &&
      `severities differ: ${describeLevels(finding.severity_conflict)}`,
    finding.co_located && `same place as ${namesOf(finding.co_located_with)}`,
    finding.cross_references.length > 0 && `same issue as ${namesOf(finding.cross_references)}`,
    note !== null && readable(note),
  ].filter(remark => remark !== false);
  return `- **${severity}** ${readable(id)}: ${readable(cut(title, titleLimit))} — ${remarks.join('; ')}`;
}

function describeLevels(conflict: Readonly<Record<string, Level>>): string {
  return Object.entries(conflict)
    .map(([agent, level]) => `${readable(agent)} ${level}`)
    .join(', ');
}

/** Sections, or files where a change has none, the most heavily hit first. */
function renderHeatMap(findings: readonly MergedFinding[]): readonly string[] {
  const rows = [...groupBy(findings, ({ section, file }) => section || file || '(no section)')].map(
    ([name, those]) => ({
      name,
      counts: levels.map(level => those.filter(({ severity }) => severity === level).length),
      agents: new Set(those.flatMap(({ agents }) => agents)).size,
    }),
  );
  const weightOf = ({ counts }: (typeof rows)[number]): number =>
    counts.reduce((sum, count) => sum * 1e3 + count, 0);
  return rows.length === 0
    ? []
    : tableOf(
        ['Section', ...levels, 'Agents'],
        rows
          .toSorted((one, other) => weightOf(other) - weightOf(one))
          .map(({ name, counts, agents }) =>
            [readable(cut(name, 200)), ...counts, agents].map(String),
          ),
      );
}

function renderConflicts({ conflicts, findings }: MergedFindings): readonly string[] {
  return conflicts.flatMap(({ id, severity_conflict: levelsOf, contradicts }) => [
    `- ${readable(id)}${levelsOf === null ? '' : `: ${describeLevels(levelsOf)}`}${contradicts.length === 0 ? '' : `; contradicts ${namesOf(contradicts)}`}`,
    ...findings
      .filter(finding => finding.id === id)
      .flatMap(({ descriptions }) => Object.entries(descriptions))
      .map(([agent, text]) => `  - ${readable(agent)}: ${readable(cut(text, titleLimit))}`),
  ]);
}
