/** A vote as a Markdown file: one table of motions, then every panel with its dissent word for word, then what amended texts say. */
import {
  countOutcomes,
  countResponses,
  countSecondPass,
  describeSearch,
  summariseSampling,
  summariseTriage,
  type MotionsRun,
  type RevisedBy,
  type RatificationRow,
  type MotionsReport,
} from '../vote/index.ts';
import { implicitYeas } from '../core/printed/motion-account.ts';
import { count } from './figures.ts';
import { code, codeList, quoteBlock, tableOf } from '../core/safety/markdown-text.ts';
import { describeAccount } from './motion-account.ts';
import { describeSecondPass, describeVotes, simulatedWords } from './passes.ts';
import { diffText } from './text-diff.ts';
import { describeOutcomes, describeSampling, modeNames } from './motions.ts';
import { listPanels } from './panel.ts';
import { paintMarkdown } from './to-markdown.ts';

export function renderMotionsMarkdown({ run, source, folder }: MotionsReport): string {
  const isDecided = run.mode === 'simulated' || run.mode === 'real';
  const sections = [
    [
      `# ${isDecided ? `${run.mode === 'simulated' ? 'Simulated vote' : 'Vote'} on motions: ${endOf(run)}` : 'Motions before the vote'}`,
      '',
      ...listFacts(run, source),
      ...(folder === null ? [] : [`- Results: ${code(folder)}`]),
    ],
    ['## Motions', '', ...(isDecided ? decisionTable(run) : triageTable(run))],
    section('Why each motion ended so', explain(run)),
    ...listPanels(run).map((lines, index) => (index === 0 ? ['## Panels', '', ...lines] : lines)),
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

/** A paragraph for each motion, with what was said most surely for and against it. */
function explain({ accounts }: MotionsRun): string[] {
  return accounts.flatMap(account => ['', paintMarkdown(describeAccount(account, 3)).trimEnd()]);
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

function listSampling(run: MotionsRun): string[] {
  const sampling = summariseSampling(run);
  return sampling === null ? [] : [`- Sampling: ${describeSampling(sampling)}`];
}

function listFacts(run: MotionsRun, source: string): string[] {
  const {
    input: { session, megaMotions, novelProposals, deferredSkipped, unknownSupporters },
    mode,
    rules,
  } = run;
  const { low_risk, medium_risk, high_risk, average_implicit_support, total_conflicts } =
    summariseTriage(run);
  const search = describeSearch(run.conflictSearch);
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
      `average support ${percent(average_implicit_support)}, ${count(total_conflicts, 'conflict')}${search === null ? '' : ` (${search})`}`,
    ...(isDecided
      ? [
          `- Reviews: ${answered} of ${assigned} answered, ${missing} without response`,
          ...listSampling(run),
        ]
      : []),
    ...listSecondPass(run),
    `- Time: ${code(run.startedAt)} to ${code(run.completedAt)}`,
    `- Audit trail: head ${code(run.audit.head)}`,
  ];
}

function listSecondPass(run: MotionsRun): string[] {
  const second = countSecondPass(run);
  if (second === null) return [];
  const { motions, how, questions, answered } = second;
  const answers = questions === 0 ? '' : `: ${answered} of ${questions} answered`;
  return [`- Second pass: ${count(motions, 'motion')} as amended, ${how}${answers}`];
}

function decisionTable(run: MotionsRun): string[] {
  const { triaged, results, aggregations, accounts } = run;
  const implicit = accounts.map(implicitYeas);
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
      'First pass',
    ],
    results.map((row, index) => [
      String(index + 1),
      code(row.mega_motion_title),
      triaged[index]?.riskTier ?? '–',
      `${row.outcome}${accounts[index]?.simulated === true ? ` (${simulatedWords})` : ''}`,
      yeasOf(row, implicit[index] ?? 0),
      String(row.nays),
      String(row.amends),
      String(row.abstentions),
      String(aggregations[index]?.no_response ?? '–'),
      firstPassOf(row),
    ]),
  );
}

function yeasOf({ yeas }: RatificationRow, implicit: number): string {
  return implicit === 0 ? String(yeas) : `${yeas} (${implicit} implicit)`;
}

/** What it came to, and whether anybody was asked again. */
function firstPassOf(row: RatificationRow): string {
  const { first_pass: first } = row;
  if (first === null) return '–';
  return `${describeVotes(first)}, ${first.abstentions} abstain; ${describeSecondPass(row) ?? ''}`;
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

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}
