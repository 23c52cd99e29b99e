/** `synthesis.md`: what the reviewers of a run come to together, for people. Their words stand in it as text that does nothing. */
import { printedIdsOf, printedNames } from './finding-names.ts';
import { processOf } from '../process.ts';
import type { Claim } from '../words/claim.ts';
import type { Review } from '../words/review.ts';
import type { Run } from '../words/run.ts';
import { by, groupBy } from '../groups.ts';
import { readable, tableOf } from '../safety/visible-text.ts';
import { summaryOf } from './review-file.ts';
import { type mergeClaims, toMergedFindings } from './merged-findings.ts';
import { cut } from '../text.ts';
import { sayOutcome } from '../verdict/outcome.ts';
import { answerStatusOf, standingOf } from '../verdict/review-status.ts';
import { type indexLevelOf, placeText } from '../words/finding.ts';

const levels = ['P0', 'P1', 'P2', 'P3'];
const longest = 400;

type Source = Pick<Run, 'record' | 'reviews'>;

/** `findings.json` keeps the ids of its contract; here they stand as people type them. */
export function renderSynthesis(run: Source, facts?: Parameters<typeof toMergedFindings>[1]) {
  const { record, reviews } = run;
  const { research } = record;
  const isAnswer = processOf(record.command).synthesis === 'answer';
  const names = printedNames(record.claims, reviews);
  const nameOf = (id: string) => names.get(id) ?? id;
  const merged = toMergedFindings(run, facts, nameOf);
  const partial = merged.agents_partial.length;
  return [
    '## Synthesis Report',
    '',
    `**Context**: ${readable(merged.process)} of ${readable(merged.input)} (${merged.input_type}), run ${merged.run_id}`,
    `**Agents**: ${merged.agents_launched.length} launched, ${merged.agents_completed.length} completed, ` +
      `${merged.agents_failed.length} failed${partial === 0 ? '' : `, ${partial} partial`}`,
    isAnswer
      ? `**Status**: ${research?.status ?? statusOfIdeas(reviews)}${research?.why ? ` — ${readable(research.why)}` : ''}`
      : `**Verdict**: ${merged.verdict}`,
    `**Gate**: ${[merged.gate.result ?? `none. ${sayOutcome(record)}`, ...merged.gate.reasons.map(readable)].join(' — ')}`,
    ...merged.overrides.map(
      ({ rule, reason, source }) =>
        `**Override**: ${rule} was lifted by ${readable(source)}: ${readable(reason)}`,
    ),
    ...(record.stages ?? []).map(
      ({ reviewers, asked, why }, index) =>
        `**Stage ${index + 1}**: ${namesOf(reviewers)} — ${asked ? 'asked' : 'not asked'}: ${readable(why)}`,
    ),
    '',
    ...block(
      'Verdict Summary',
      tableOf(
        ['Agent', 'Status', 'Summary'],
        reviews.map(review => [
          readable(review.reviewer),
          isAnswer ? answerStatusOf(review) : standingOf(review).status,
          readable(summaryOf(review, null)),
        ]),
      ),
    ),
    ...(isAnswer ? renderKnowledge(run, nameOf) : renderDefects(merged, printedIdsOf(reviews))),
    ...block('Files', [
      ...reviews.map(
        ({ reviewer }) =>
          `- ${readable(reviewer)}: ${namesOf([`reviews/${reviewer}.md`, `verdicts/${reviewer}.json`])}`,
      ),
      '- reviews/findings.json, reviews/summary.txt',
    ]),
  ].join('\n');
}

/** A part of the file, which says so where there is nothing in it. */
function block(heading: string, lines: readonly string[]) {
  return [`### ${heading}`, '', ...(lines.length === 0 ? ['None.'] : lines), ''];
}

function namesOf(names: readonly string[]) {
  return names.map(readable).join(', ');
}

/** The best of them: one answer is an answer. */
function statusOfIdeas(reviews: readonly Review[]) {
  const statuses = new Set(reviews.map(answerStatusOf));
  return (['COMPLETE', 'PARTIAL'] as const).find(status => statuses.has(status)) ?? 'FAILED';
}

/** The merged findings of a run, with what `synthesis.md` tells of it. */
type MergedFindings = ReturnType<typeof toMergedFindings>;

function renderDefects(merged: MergedFindings, ids: ReadonlyMap<string, string>) {
  const findings = merged.findings.toSorted(
    by(
      ({ severity }) => levels.indexOf(severity),
      ({ convergence }) => -convergence,
    ),
  );
  return [
    ...block('Findings', findings.map(renderFinding)),
    ...block(
      'Issues to Address',
      findings.map(
        ({ severity, id, title }) =>
          `- [ ] ${severity} ${readable(id)}: ${readable(cut(title, longest))}`,
      ),
    ),
    ...block(
      'Improvements',
      merged.improvements.map(
        ({ id, agents, title }) =>
          `- ${readable(ids.get(`${agents[0]}/${id}`) ?? id)}: ${readable(title)} (${namesOf(agents)})`,
      ),
    ),
    ...block('Section Heat Map', renderHeatMap(findings)),
    ...block('Conflicts', renderConflicts(merged)),
  ];
}

type MergedFinding = ReturnType<typeof mergeClaims>[number];

function renderFinding(finding: MergedFinding) {
  const { severity, id, title, agents, convergence, file, line, note } = finding;
  const place = file === null ? finding.section : placeText({ path: file, line });
  const remarks = [
    place !== '' && readable(place),
    `${namesOf(agents)} (${convergence}/${finding.convergence_of}, ${finding.confidence})`,
    finding.severity_conflict !== null &&
      `severities differ: ${describeLevels(finding.severity_conflict)}`,
    finding.co_located && `same place as ${namesOf(finding.co_located_with)}`,
    finding.cross_references.length > 0 && `same issue as ${namesOf(finding.cross_references)}`,
    note,
  ].filter(remark => typeof remark === 'string');
  return `- **${severity}** ${readable(id)}: ${readable(cut(title, longest))} — ${remarks.join('; ')}`;
}

function describeLevels(conflict: Readonly<Record<string, ReturnType<typeof indexLevelOf>>>) {
  return Object.entries(conflict)
    .map(([agent, level]) => `${readable(agent)} ${level}`)
    .join(', ');
}

/** Sections, or files where a change has none, the most heavily hit first. */
function renderHeatMap(findings: readonly MergedFinding[]) {
  const rows = [...groupBy(findings, ({ section, file }) => section || file || '(no section)')].map(
    ([name, those]) => ({
      name,
      counts: levels.map(level => those.filter(({ severity }) => severity === level).length),
      agents: new Set(those.flatMap(({ agents }) => agents)).size,
    }),
  );
  const weightOf = ({ counts }: (typeof rows)[number]) =>
    counts.reduce((sum, count) => sum * 1e3 + count, 0);
  return rows.length === 0
    ? []
    : tableOf(
        ['Section', ...levels, 'Agents'],
        rows
          .toSorted(by(row => -weightOf(row)))
          .map(({ name, counts, agents }) =>
            [readable(cut(name, 200)), ...counts, agents].map(String),
          ),
      );
}

function renderConflicts({ conflicts, findings }: MergedFindings) {
  return conflicts.flatMap(({ id, severity_conflict: levelsOf, contradicts }) => [
    `- ${readable(id)}${levelsOf === null ? '' : `: ${describeLevels(levelsOf)}`}` +
      (contradicts.length === 0 ? '' : `; contradicts ${namesOf(contradicts)}`),
    ...findings
      .filter(finding => finding.id === id)
      .flatMap(({ descriptions }) => Object.entries(descriptions))
      .map(([agent, text]) => `  - ${readable(agent)}: ${readable(cut(text, longest))}`),
  ]);
}

/** Of a process that brings knowledge: the answer with its sources, who is how sure, what nobody found out, what contradicts what. */
function renderKnowledge({ record, reviews }: Source, nameOf: (id: string) => string) {
  const { research, claims } = record;
  const line = ({ id, text, supporters, electorate, findings }: Claim) => {
    const cited = new Set(findings.flatMap(({ evidence }) => (evidence ?? '').split(', ')));
    cited.delete('');
    return (
      `- ${readable(nameOf(id))}: ${readable(cut(text, longest))} — ${namesOf(supporters)} (${supporters.length}/${electorate})` +
      (cited.size === 0 ? '' : `; sources ${namesOf([...cited])}`)
    );
  };
  if (research === undefined) return [...block('Ideas', claims.map(line))];
  const gaps = groupBy(
    reviews.flatMap(({ reviewer, research: own }) =>
      (own?.gaps ?? []).map(gap => ({ gap, reviewer })),
    ),
    ({ gap }) => gap,
  );
  return [
    ...block(
      'Answer',
      research.answer.flatMap(wanted => claims.filter(({ id }) => id === wanted)).map(line),
    ),
    ...block(
      'Sources',
      research.sources.length === 0
        ? []
        : tableOf(
            ['Rank', 'Source', 'Address', 'Agents'],
            research.sources.map(({ rank, title, address, agents }) => [
              rank,
              readable(title),
              readable(address),
              namesOf(agents),
            ]),
          ),
    ),
    ...block('Confidence', [
      `The lowest that is stated: ${research.confidence ?? 'none'}`,
      '',
      ...reviews.map(
        ({ reviewer, status, research: own }) =>
          `- ${readable(reviewer)}: ${status === 'failed' ? 'no answer' : (own?.confidence ?? 'not stated')}`,
      ),
    ]),
    ...block(
      'Gaps',
      [...gaps].map(([gap, those]) => {
        const agents = new Set(those.map(({ reviewer }) => reviewer));
        return `- ${readable(cut(gap, longest))} (${namesOf([...agents])})`;
      }),
    ),
    ...block(
      'Conflicts',
      research.conflicts.map(({ claims: both, preferred, why }) => {
        const [one = '', other = '', chosen = ''] = [...both, preferred ?? ''].map(id =>
          readable(nameOf(id)),
        );
        return `- ${one} against ${other}: ${preferred === null ? '' : `${chosen} is preferred, `}${readable(why)}`;
      }),
    ),
  ];
}
