/** `synthesis.md`: what the reviewers of a run come to together, for people. Their words stand in it as text that does nothing. */
import { printedIdsOf, printedNames } from './finding-names.ts';
import { processOf } from '../process.ts';
import type { Review } from '../words/review.ts';
import type { Run } from '../words/run.ts';
import { readable, tableOf } from '../safety/markdown-text.ts';
import { summaryOf } from './review-file.ts';
import type { Level, MergedFinding, MergedFindings } from './merged-findings.ts';
import { renderKnowledge } from './research-synthesis.ts';
import { cut } from '../text.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { answerStatusOf, standingOf } from '../verdict/review-status.ts';

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
    '### Verdict Summary',
    '',
    ...tableOf(
      ['Agent', 'Status', 'Summary'],
      reviews.map(review => [
        readable(review.reviewer),
        isAnswer ? answerStatusOf(review) : standingOf(review).status,
        readable(summaryOf(review, null)),
      ]),
    ),
    '',
    ...(isAnswer
      ? renderKnowledge({
          research: record.research ?? null,
          claims: record.claims,
          reviews,
          names,
        })
      : renderDefects(merged, findings)),
    '',
    '### Files',
    '',
    ...reviews.map(
      ({ reviewer }) =>
        `- ${readable(reviewer)}: ${readable(`reviews/${reviewer}.md`)}, ${readable(`verdicts/${reviewer}.json`)}`,
    ),
    '- reviews/findings.json, reviews/summary.txt',
    '',
  ].join('\n');
}

/** The best of them: one answer is an answer. */
function statusOfIdeas(reviews: readonly Review[]): string {
  const statuses = new Set(reviews.map(answerStatusOf));
  return (['COMPLETE', 'PARTIAL'] as const).find(status => statuses.has(status)) ?? 'FAILED';
}

function renderDefects(merged: MergedFindings, findings: readonly MergedFinding[]): string[] {
  return [
    '### Findings',
    '',
    ...(findings.length === 0 ? ['None.'] : findings.map(renderFinding)),
    '',
    '### Issues to Address',
    '',
    ...(findings.length === 0
      ? ['None.']
      : findings.map(
          finding =>
            `- [ ] ${finding.severity} ${readable(finding.id)}: ${readable(cut(finding.title, titleLimit))}`,
        )),
    '',
    '### Improvements',
    '',
    ...(merged.improvements.length === 0
      ? ['None.']
      : merged.improvements.map(
          ({ id, agents, title }) =>
            `- ${readable(id)}: ${readable(title)} (${agents.map(readable).join(', ')})`,
        )),
    '',
    '### Section Heat Map',
    '',
    ...renderHeatMap(findings),
    '',
    '### Conflicts',
    '',
    ...renderConflicts(merged),
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
  const { severity, id, title, agents, convergence, convergence_of: of, confidence } = finding;
  const place =
    finding.file === null
      ? finding.section
      : `${finding.file}${finding.line === null ? '' : `:${finding.line}`}`;
  const remarks = [
    ...(place === '' ? [] : [readable(place)]),
    `${agents.map(readable).join(', ')} (${convergence}/${of}, ${confidence})`,
    ...(finding.severity_conflict === null
      ? []
      : [`severities differ: ${describeLevels(finding.severity_conflict)}`]),
    ...(finding.co_located
      ? [`same place as ${finding.co_located_with.map(readable).join(', ')}`]
      : []),
    ...(finding.cross_references.length === 0
      ? []
      : [`same issue as ${finding.cross_references.map(readable).join(', ')}`]),
    ...(finding.note === null ? [] : [readable(finding.note)]),
  ];
  return `- **${severity}** ${readable(id)}: ${readable(cut(title, titleLimit))} — ${remarks.join('; ')}`;
}

function describeLevels(conflict: Readonly<Record<string, Level>>): string {
  return Object.entries(conflict)
    .map(([agent, level]) => `${readable(agent)} ${level}`)
    .join(', ');
}

interface Heat {
  readonly counts: Record<Level, number>;
  readonly agents: Set<string>;
}

/** Sections, or files where a change has none, the most heavily hit first. */
function renderHeatMap(findings: readonly MergedFinding[]): string[] {
  const heat = new Map<string, Heat>();
  for (const { section, file, severity, agents } of findings) {
    const name = section || file || '(no section)';
    const entry = heat.get(name) ?? {
      counts: { P0: 0, P1: 0, P2: 0, P3: 0 },
      agents: new Set<string>(),
    };
    entry.counts[severity] += 1;
    for (const agent of agents) entry.agents.add(agent);
    heat.set(name, entry);
  }
  if (heat.size === 0) return ['None.'];
  const rows = [...heat].toSorted(([, one], [, other]) => weight(other) - weight(one));
  return tableOf(
    ['Section', ...levels, 'Agents'],
    rows.map(([name, { counts, agents }]) => [
      readable(cut(name, 200)),
      ...levels.map(level => String(counts[level])),
      String(agents.size),
    ]),
  );
}

function weight({ counts }: Heat): number {
  return counts.P0 * 1e9 + counts.P1 * 1e6 + counts.P2 * 1e3 + counts.P3;
}

function renderConflicts({ conflicts, findings }: MergedFindings): string[] {
  if (conflicts.length === 0) return ['None.'];
  const said = new Map(findings.map(({ id, descriptions }) => [id, descriptions]));
  return conflicts.flatMap(({ id, severity_conflict: levelsOf, contradicts }) => [
    `- ${readable(id)}${levelsOf === null ? '' : `: ${describeLevels(levelsOf)}`}${contradicts.length === 0 ? '' : `; contradicts ${contradicts.map(readable).join(', ')}`}`,
    ...Object.entries(said.get(id) ?? {}).map(
      ([agent, text]) => `  - ${readable(agent)}: ${readable(cut(text, titleLimit))}`,
    ),
  ]);
}
