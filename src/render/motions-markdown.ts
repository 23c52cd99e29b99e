/** A vote as a Markdown file: one table of motions, then every panel with its dissent word for word, then what amended texts say. */
import {
  countOutcomes,
  countResponses,
  countSecondPass,
  summariseTriage,
  type MotionsRun,
} from '../core/vote/motions-run.ts';
import type { RevisedBy } from '../core/vote/amended-text.ts';
import type { PanelRecord } from '../core/vote/records.ts';
import type { RatificationRow } from '../core/vote/ratification-rows.ts';
import { count } from './figures.ts';
import { code, codeList, quoteBlock, tableOf } from '../core/safety/markdown-text.ts';
import { constitutionalWords, describeSecondPass, describeVotes } from './passes.ts';
import { diffText } from './text-diff.ts';
import { describeOpen, describeOutcomes, modeNames, type MotionsReport } from './motions.ts';

export function renderMotionsMarkdown({ run, source, folder }: MotionsReport): string {
  const isDecided = run.mode === 'simulated' || run.mode === 'real';
  const sections = [
    [
      `# ${isDecided ? `Vote on motions: ${endOf(run)}` : 'Motions before the vote'}`,
      '',
      ...listFacts(run, source),
      ...(folder === null ? [] : [`- Results: ${code(folder)}`]),
    ],
    ['## Motions', '', ...(isDecided ? decisionTable(run) : triageTable(run))],
    ...run.panels.map((panel, index) => [
      ...(index === 0 ? ['## Panels', ''] : []),
      ...listPanel(panel, numberOf(run, panel.mega_motion_id)),
    ]),
    section(
      'Amended texts',
      run.results.flatMap((row, index) =>
        listAmendedText(row, index + 1, run.triaged[index]?.motion.text ?? ''),
      ),
    ),
  ];
  return `${sections
    .filter(lines => lines.length > 0)
    .map(lines => lines.join('\n').trimEnd())
    .join('\n\n')}\n`;
}

/** A section without content is left out; the lines begin with an empty one. */
function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, ...lines];
}

const amendedBy: Readonly<Record<RevisedBy, string>> = {
  panel: 'as its panel amended it',
  facilitator: 'as a facilitator merged the amendments',
  merge: 'with the suggestions below it',
};

/** As a diff against the motion as it was put; whole it stands in the results. */
function listAmendedText(
  { revised_motion_text, revised_by }: RatificationRow,
  number: number,
  text: string,
): string[] {
  if (revised_motion_text === null || revised_by === null) return [];
  const changes = diffText(text, revised_motion_text).join('\n');
  return ['', `Motion ${number}, ${amendedBy[revised_by]}:`, '', ...quoteBlock(changes)];
}

function endOf({ results }: MotionsRun): string {
  return describeOutcomes(countOutcomes(results));
}

function listFacts(run: MotionsRun, source: string): string[] {
  const {
    input: { session, megaMotions, novelProposals, deferredSkipped, unknownSupporters },
    mode,
    rules,
  } = run;
  const { low_risk, medium_risk, high_risk, average_implicit_support, total_conflicts } =
    summariseTriage(run.triaged);
  const { assigned, answered, missing } = countResponses(run);
  const isDecided = mode === 'simulated' || mode === 'real';
  return [
    `- Session: ${code(session.name)} (${code(session.id)}), from ${code(source)}`,
    `- Mode: ${modeNames[mode]}`,
    `- Rules: ${code(rules)}`,
    `- Roster: ${count(session.roster.length, 'member')}${unknownSupporters.length === 0 ? '' : `; not on it and not counted: ${codeList(unknownSupporters)}`}`,
    `- Motions: ${count(megaMotions, 'mega-motion')}, ` +
      `${count(novelProposals, 'novel proposal')}${deferredSkipped === 0 ? '' : `, ${deferredSkipped} deferred ones skipped`}`,
    `- Triage: ${low_risk} of low risk, ${medium_risk} of medium risk, ${high_risk} of high risk; ` +
      `average support ${percent(average_implicit_support)}, ${count(total_conflicts, 'conflict')}`,
    ...(isDecided
      ? [`- Reviews: ${answered} of ${assigned} answered, ${missing} without response`]
      : []),
    ...listSecondPass(run),
    `- Time: ${code(run.startedAt)} to ${code(run.completedAt)}`,
    `- Audit trail: ${count(run.audit.events.length, 'event')}, head ${code(run.audit.head)}`,
  ];
}

function listSecondPass(run: MotionsRun): string[] {
  const second = countSecondPass(run);
  if (second === null) return [];
  const { motions, how, questions, answered } = second;
  const answers = questions === 0 ? '' : `: ${answered} of ${questions} answered`;
  return [`- Second pass: ${count(motions, 'motion')} as amended, ${how}${answers}`];
}

function decisionTable({ triaged, results, aggregations, panels }: MotionsRun): string[] {
  const panelOf = new Map(panels.map(panel => [panel.mega_motion_id, panel]));
  return tableOf(
    [
      '#',
      'Motion',
      'Risk',
      'Outcome',
      'Yeas',
      'Nays',
      'Amends',
      'Abstentions',
      'No response',
      'Threshold',
      'First pass',
      'Panel',
    ],
    results.map((row, index) => [
      String(index + 1),
      code(row.mega_motion_title),
      triaged[index]?.riskTier ?? '–',
      row.outcome,
      String(row.yeas),
      String(row.nays),
      String(row.amends),
      String(row.abstentions),
      String(aggregations[index]?.no_response ?? '–'),
      thresholdOf(row),
      row.first_pass === null
        ? '–'
        : `${describeVotes(row.first_pass)}, ${row.first_pass.abstentions} abstain`,
      recommendationOf(panelOf.get(row.mega_motion_id)),
    ]),
  );
}

function thresholdOf(row: RatificationRow): string {
  const pass = [describeSecondPass(row)]
    .flatMap(said => (said === null ? [] : `; ${said}`))
    .join('');
  if (row.outcome === 'incomplete') return `${describeOpen(row)}${pass}`;
  if (row.threshold_type === 'fast_track') return 'low risk: no votes needed';
  // Too many amendments: nothing was counted against a threshold.
  if (row.threshold_type === 'revision_required') return 'revision required';
  const quorum = row.quorum_met
    ? ''
    : `; quorum ${row.eligible_votes} of ${row.quorum_required}, not met`;
  const because = row.supermajority_because;
  return (
    `${row.threshold_type.replace('_', ' ')} ${row.yeas} of ${row.threshold_required}, ` +
    `${row.threshold_met ? 'met' : 'not met'}${because === null ? '' : ` (${constitutionalWords[because]})`}${quorum}${pass}`
  );
}

function recommendationOf(panel: PanelRecord | undefined): string {
  if (panel === undefined) return '–';
  return panel.recommendation ?? 'failed';
}

function triageTable({ triaged, input }: MotionsRun): string[] {
  return tableOf(
    ['#', 'Motion', 'Risk', 'Support', 'Gap', 'In conflict'],
    triaged.map(({ motion, riskTier, contributing, gap, conflicts }, index) => [
      String(index + 1),
      code(motion.title),
      riskTier,
      `${contributing.length} of ${input.session.roster.length}`,
      String(gap.length),
      String(conflicts.length),
    ]),
  );
}

function listPanel(panel: PanelRecord, number: number): string[] {
  const { pass, fail, amend, defer } = panel.vote_breakdown;
  const agreement = panel.votes_agree === false ? '; this is not what most of them voted for' : '';
  return [
    `### Panel on motion ${number}`,
    '',
    `- Motion: ${code(panel.mega_motion_title)}`,
    `- Supporters: ${codeList(panel.supporters)}; critics: ${codeList(panel.critics)}; neutrals: ${codeList(panel.neutrals)}`,
    ...(panel.recommendation === null
      ? ['- No recommendation: the panel failed']
      : [
          `- Recommendation: ${panel.recommendation}; votes: ${pass} pass, ${fail} fail, ${amend} amend, ${defer} defer${agreement}`,
        ]),
    ...(panel.error === null ? [] : [`- Went wrong: ${code(panel.error)}`]),
    ...quoted('Why:', panel.revision_rationale),
    ...quoted('Text it proposes:', panel.revised_motion_text),
    ...panel.dissenting_opinions.flatMap(({ archon_name, opinion }) =>
      quoted(`Dissent of ${code(archon_name)}:`, opinion),
    ),
  ];
}

function quoted(title: string, text: string | null): string[] {
  return text === null ? [] : [`- ${title}`, '', ...quoteBlock(text, '  '), ''];
}

function numberOf({ results }: MotionsRun, id: string): number {
  return results.findIndex(({ mega_motion_id }) => mega_motion_id === id) + 1;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
