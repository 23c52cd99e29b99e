/** A vote as text for people (risk tiers, one line for each phase, how every motion ended) and as one small object for programs. */
import { implicitYeas, type MotionAccount } from '../core/printed/motion-account.ts';
import { PrintedVote, type SamplingSummary } from '../core/printed/votes.ts';
import { toOneLine } from '../core/text.ts';
import type { FirstOutcome, Outcome } from '../core/words/vote.ts';
import {
  countOutcomes,
  countResponses,
  countSecondPass,
  describeSearch,
  type MotionsMode,
  type MotionsReport,
  type MotionsRun,
  type RatificationRow,
  type RiskTier,
  summariseSampling,
  summariseTriage,
  summariseVote,
} from '../vote/index.ts';
import { count } from './figures.ts';
import { printJson } from './json.ts';
import { describeThreshold, simulatedWords } from './passes.ts';

export const modeNames: Readonly<Record<MotionsMode, string>> = {
  triage: 'triage only',
  packets: 'triage and packets',
  simulated: 'simulation: nobody was asked',
  real: 'real reviewers',
};

/** Were its motions decided, by members or by invention? */
export function isDecided({ mode }: Pick<MotionsRun, 'mode'>): boolean {
  return mode === 'simulated' || mode === 'real';
}

export function renderMotions(report: MotionsReport): string {
  const { run, folder } = report;
  return [
    ...header(report),
    '',
    ...triageLines(run),
    ...(isDecided(run) ? [...decisionLines(run), '', ...renderResults(run)] : []),
    ...(run.mode === 'packets'
      ? ['', 'Reviews not collected: pass --real-agent or --simulate']
      : []),
    ...(folder === null ? [] : ['', `Results: ${toOneLine(folder)}`]),
  ].join('\n');
}

const icons: Readonly<Record<FirstOutcome, string>> = {
  ratified: '✅',
  rejected: '❌',
  deferred: '⏸️',
  incomplete: '⚠️',
  accepted_with_amendments: '📝',
};

interface Decided {
  readonly results: readonly RatificationRow[];
  /** Of the same motions. */
  readonly accounts: readonly MotionAccount[];
}

/**
 * How each motion ended: two lines for each, with a mark where its votes are invented, and one each where yeas were never said, where
 * there was a second pass and where it was contested.
 */
export function renderResults({
  results,
  accounts,
  panels = [],
  skippedPanels = [],
}: Decided & Partial<Pick<MotionsRun, 'panels' | 'skippedPanels'>>): string[] {
  const panelLines = new Map([
    ...panels.map(panel => [panel.mega_motion_id, panelLine(panel)] as const),
    ...skippedPanels.map(
      ({ mega_motion_id, reason }) => [mega_motion_id, `No panel: ${reason}`] as const,
    ),
  ]);
  return [
    'RATIFICATION RESULTS:',
    ...results.flatMap((row, index) => {
      const account = accounts[index];
      const implicit = account === undefined ? 0 : implicitYeas(account);
      const { yeas, nays, amends, abstentions, first_pass: first } = row;
      return [
        `${icons[row.outcome]} ${account?.simulated === true ? `[${simulatedWords}] ` : ''}${toOneLine(row.mega_motion_title)}`,
        `   Yeas: ${yeas} | Nays: ${nays} | Amends: ${amends} | Abstain: ${abstentions} · ${describeThreshold(row)}`,
        first === null
          ? ''
          : `   first pass: Yeas ${first.yeas} | Nays ${first.nays} | Amends ${first.amends} | Abstain ${first.abstentions}`,
        implicit === 0
          ? ''
          : `   of the yeas ${implicit} implicit: supported it before the vote, not asked`,
        panelLines.has(row.mega_motion_id) ? `   ${panelLines.get(row.mega_motion_id)}` : '',
      ].filter(line => line !== '');
    }),
  ];
}

const longestError = 120;

function panelLine({
  recommendation,
  error,
  vote_breakdown,
}: MotionsRun['panels'][number]): string {
  const votes = describePanelVotes(vote_breakdown);
  return recommendation === null
    ? `Panel failed, its votes stand: ${votes}. ${toOneLine(error ?? '').slice(0, longestError)}`
    : `Panel recommended: ${recommendation} (${votes})`;
}

export function describePanelVotes({
  pass,
  fail,
  amend,
  defer,
}: MotionsRun['panels'][number]['vote_breakdown']): string {
  return `${pass} pass, ${fail} fail, ${amend} amend, ${defer} defer`;
}

/** `incomplete` is named only where there is something incomplete. */
export function describeOutcomes({
  ratified,
  rejected,
  deferred,
  incomplete,
}: Readonly<Record<Outcome, number>>): string {
  return `${ratified} ratified, ${rejected} rejected, ${deferred} deferred${incomplete > 0 ? `, ${incomplete} incomplete` : ''}`;
}

function header({ run: { input, mode, rules }, source, isDetected }: MotionsReport): string[] {
  const rule = '='.repeat(60);
  const { session, megaMotions, novelProposals, deferredSkipped, unknownSupporters } = input;
  const deferred = deferredSkipped > 0 ? `, ${deferredSkipped} deferred ones skipped` : '';
  return [
    ...(isDetected ? [`Auto-detected consolidator output: ${toOneLine(source)}`] : []),
    rule,
    'MOTION REVIEW PIPELINE',
    rule,
    `Input: ${toOneLine(source)}`,
    `Mode: ${modeNames[mode]}`,
    `Rules: ${rules}`,
    '',
    `Session: ${toOneLine(session.name)}`,
    `Session ID: ${toOneLine(session.id)}`,
    `Loaded: ${megaMotions} mega-motions, ${novelProposals} novel proposals${deferred}, ${session.roster.length} members`,
    ...(unknownSupporters.length > 0
      ? [
          `Unknown supporters, not counted: ${unknownSupporters.length} (${toOneLine(unknownSupporters.slice(0, 5).join(', '))}${unknownSupporters.length > 5 ? ', …' : ''})`,
        ]
      : []),
  ];
}

const tierIcons: Readonly<Record<RiskTier, string>> = { low: '🟢', medium: '🟡', high: '🔴' };

/** With a line for each motion where nothing else was asked for. */
function triageLines(run: MotionsRun): string[] {
  const summary = summariseTriage(run);
  const search = describeSearch(run.inputs.conflicts_named);
  const size = run.input.session.roster.length;
  return [
    '--- Phase 1: Triage ---',
    `LOW risk (fast-track): ${summary.low_risk}`,
    `MEDIUM risk (targeted review): ${summary.medium_risk}`,
    `HIGH risk (panel deliberation): ${summary.high_risk}`,
    `Average implicit support: ${(100 * summary.average_implicit_support).toFixed(1)}%`,
    `Potential conflicts: ${summary.total_conflicts}${search === null ? '' : ` (${search})`}`,
    ...(run.mode === 'triage'
      ? [
          '',
          ...run.triaged.map(({ motion, riskTier: tier, contributing, gap, conflicts }) => {
            const conflict = conflicts.length > 0 ? `, ${conflicts.length} in conflict` : '';
            return `${tierIcons[tier]} ${tier.toUpperCase().padEnd(6)} ${contributing.length}/${size}, gap ${gap.length}${conflict}  ${motion.isNovel ? '✨ ' : ''}${toOneLine(motion.title)}`;
          }),
        ]
      : ['', packetLine(run)]),
  ];
}

function packetLine(run: MotionsRun): string {
  const { assigned } = countResponses(run);
  return `--- Phase 2: Packets --- ${run.packets.length} packets, ${assigned} assignments, ${(assigned / run.packets.length).toFixed(1)} per member`;
}

function decisionLines(run: MotionsRun): string[] {
  const { assigned, answered, missing } = countResponses(run);
  // What implicit support alone makes of a motion that is open is no consensus.
  const whole = run.aggregations.filter(({ status }) => status !== 'incomplete');
  const having = (key: 'consensus_reached' | 'contested'): number =>
    whole.filter(row => row[key]).length;
  const failed = run.panels.filter(({ status }) => status === 'failed').length;
  const skipped = run.skippedPanels.length;
  const second = describeSecondPasses(run);
  const sampling = summariseSampling(run);
  return [
    `--- Phase 3: Reviews --- ${answered} of ${assigned} answered, ${missing} without response`,
    ...(sampling === null ? [] : [`Sampling: ${describeSampling(sampling)}`]),
    `--- Phase 4: Aggregation --- ${having('consensus_reached')} with consensus, ${having('contested')} contested`,
    `--- Phase 5: Panels --- ${run.panels.length} held${failed > 0 ? `, ${failed} of them failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    `--- Phase 6: Ratification --- ${describeOutcomes(countOutcomes(run.results))}${second === null ? '' : `; ${second.motions} of them in a second pass ${second.held}`}`,
  ];
}

/** How many motions had a second pass, and `as amended, asked: 5 of 6 answered`; null where there was none. */
export function describeSecondPasses(
  run: MotionsRun,
): { readonly motions: number; readonly held: string } | null {
  const second = countSecondPass(run);
  if (second === null) return null;
  const { motions, how, questions, answered } = second;
  const answers = questions === 0 ? '' : `: ${answered} of ${questions} answered`;
  return { motions, held: `as amended, ${how}${answers}` };
}

/** `9 of 12 motions decided by a sample of 12 members, each at a risk of at most 0.05; 400 reviews not asked for`. */
export function describeSampling({
  sample,
  risk,
  motions,
  decided,
  not_drawn,
}: SamplingSummary): string {
  return `${decided} of ${count(motions, 'motion')} decided by a sample of ${count(sample, 'member')}, each at a risk of at most ${risk}; ${count(not_drawn, 'review')} not asked for`;
}

/** Figures, outcomes and where the rest is. Who voted how stands in the files. */
export function renderMotionsJson({ run, folder, source }: MotionsReport): string {
  const { mode, rules, results, panels, triaged } = run;
  const { session, unknownSupporters } = run.input;
  const { ratification, ...summary } = summariseVote(run);
  const object = {
    session_id: session.id,
    session_name: session.name,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    input_dir: source,
    output_dir: folder,
    mode,
    rules,
    simulated: mode === 'simulated',
    roster_size: session.roster.length,
    unknown_supporters: unknownSupporters.length,
    ...summary,
    triage: summariseTriage(run),
    ...(mode === 'triage'
      ? {
          motions: triaged.map(({ motion, riskTier, contributing, gap, conflicts }) => ({
            mega_motion_id: motion.id,
            title: motion.title,
            risk_tier: riskTier,
            contributing: contributing.length,
            gap: gap.length,
            conflicts: conflicts.length,
            is_novel_proposal: motion.isNovel,
          })),
        }
      : {
          sampling: summariseSampling(run),
          deliberation: {
            panels_convened: panels.length,
            failed: panels.filter(({ status }) => status === 'failed').length,
            skipped: run.skippedPanels.length,
          },
          ratification: {
            ...ratification,
            votes: results.map(row => ({ ...row, no_response: row.missing })),
          },
          audit: { head_sha256: run.audit.head },
        }),
  };
  // The schema keeps the keys it names.
  return printJson(PrintedVote.parse(object));
}
