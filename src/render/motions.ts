/** A vote as text for people (risk tiers, one line for each phase, how every motion ended) and as one small object for programs. */
import type { SamplingSummary, SecondPassFigures } from '../core/printed/votes.ts';
import {
  countOutcomes,
  countResponses,
  countSecondPass,
  describeSearch,
  summariseSampling,
  summariseTriage,
  summariseVote,
  type MotionsReport,
  type MotionsMode,
  type MotionsRun,
  type RatificationRow,
  type RiskTier,
} from '../vote/index.ts';
import { implicitYeas, type MotionAccount } from '../core/printed/motion-account.ts';
import type { FirstOutcome, Outcome } from '../core/words/vote.ts';
import { toOneLine } from '../core/text.ts';
import { count } from './figures.ts';
import { printJson } from './json.ts';
import { panelLines } from './panel.ts';
import {
  constitutionalWords,
  describeFirstPass,
  describeImplicit,
  describeSample,
  describeSecondPass,
  simulatedWords,
} from './passes.ts';

export const modeNames: Readonly<Record<MotionsMode, string>> = {
  triage: 'triage only',
  packets: 'triage and packets',
  simulated: 'simulation: nobody was asked',
  real: 'real reviewers',
};

export function renderMotions(report: MotionsReport): string {
  const { run, folder } = report;
  const isDecided = run.mode === 'simulated' || run.mode === 'real';
  return [
    ...header(report),
    '',
    ...triageLines(run),
    ...(run.mode === 'triage'
      ? ['', ...run.triaged.map(subject => motionLine(subject, run.input.session.roster.length))]
      : []),
    ...(run.mode === 'triage' ? [] : packetLines(run)),
    ...(isDecided
      ? [...decisionLines(run), '', ...renderResults(run.results, run.accounts, panelLines(run))]
      : []),
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

/**
 * How each motion ended: two lines for each, with a mark where its votes are invented, and one each where yeas were never said, where there was a second pass and where it was
 * contested. `accounts`: of the same motions. `panels`: what became of its panel, by motion id.
 */
export function renderResults(
  rows: readonly RatificationRow[],
  accounts: readonly MotionAccount[],
  panels: ReadonlyMap<string, string> = new Map(),
): string[] {
  const implicit = accounts.map(implicitYeas);
  return [
    'RATIFICATION RESULTS:',
    ...rows.flatMap((row, index) => [
      `${icons[row.outcome]} ${accounts[index]?.simulated === true ? `[${simulatedWords}] ` : ''}${toOneLine(row.mega_motion_title)}`,
      `   Yeas: ${row.yeas} | Nays: ${row.nays} | Amends: ${row.amends} | Abstain: ${row.abstentions} · ${thresholdOf(row)}`,
      ...[describeFirstPass(row)].flatMap(first =>
        first === null ? [] : `   first pass: ${first}`,
      ),
      ...[describeImplicit(implicit[index] ?? 0)].flatMap(said =>
        said === null ? [] : `   ${said}`,
      ),
      ...(panels.has(row.mega_motion_id) ? [`   ${panels.get(row.mega_motion_id)}`] : []),
    ]),
  ];
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

function describeOpen(row: RatificationRow): string {
  const sample = describeSample(row);
  return sample === null
    ? `undecided: ${row.missing} of those asked did not answer, which could change the outcome`
    : `undecided: ${sample}`;
}

function thresholdOf(row: RatificationRow): string {
  const pass = [describeSecondPass(row)]
    .flatMap(said => (said === null ? [] : `, ${said}`))
    .join('');
  if (row.outcome === 'incomplete') return `INCOMPLETE, ${describeOpen(row)}${pass}`;
  if (row.threshold_type === 'fast_track')
    return 'fast_track: of low risk, ratified without a vote, threshold MET';
  const sample = describeSample(row);
  if (sample !== null) return `${sampledThreshold(row)}, ${sample}`;
  if (row.threshold_type === 'revision_required')
    return `revision_required: ${row.amends} of ${row.eligible_votes} votes ask for amendments, threshold NOT MET`;
  const quorum = row.quorum_met
    ? ''
    : `, quorum ${row.eligible_votes}/${row.quorum_required} NOT MET`;
  const because = row.supermajority_because;
  return (
    `${row.threshold_type} ${row.yeas}/${row.threshold_required} ${row.threshold_met ? 'MET' : 'NOT MET'}` +
    `${because === null ? '' : ` (${constitutionalWords[because]})`}${quorum}${pass}`
  );
}

/** Without figures: those of a sample stand against no threshold. */
function sampledThreshold(row: RatificationRow): string {
  if (!row.quorum_met) return 'quorum NOT MET';
  return `${row.threshold_type} ${row.threshold_met ? 'MET' : 'NOT MET'}`;
}

function header({ run: { input, mode, rules }, source, isDetected }: MotionsReport): string[] {
  const rule = '='.repeat(60);
  return [
    ...(isDetected ? [`Auto-detected consolidator output: ${toOneLine(source)}`] : []),
    rule,
    'MOTION REVIEW PIPELINE',
    rule,
    `Input: ${toOneLine(source)}`,
    `Mode: ${modeNames[mode]}`,
    `Rules: ${rules}`,
    '',
    `Session: ${toOneLine(input.session.name)}`,
    `Session ID: ${toOneLine(input.session.id)}`,
    `Loaded: ${input.megaMotions} mega-motions, ${input.novelProposals} novel ` +
      `proposals${input.deferredSkipped > 0 ? `, ${input.deferredSkipped} deferred ones skipped` : ''}, ` +
      `${input.session.roster.length} members`,
    ...(input.unknownSupporters.length > 0
      ? [
          `Unknown supporters, not counted: ${input.unknownSupporters.length} ` +
            `(${toOneLine(input.unknownSupporters.slice(0, 5).join(', '))}${input.unknownSupporters.length > 5 ? ', …' : ''})`,
        ]
      : []),
  ];
}

function triageLines(run: MotionsRun): string[] {
  const summary = summariseTriage(run);
  const search = describeSearch(run.conflictSearch);
  return [
    '--- Phase 1: Triage ---',
    `LOW risk (fast-track): ${summary.low_risk}`,
    `MEDIUM risk (targeted review): ${summary.medium_risk}`,
    `HIGH risk (panel deliberation): ${summary.high_risk}`,
    `Average implicit support: ${(100 * summary.average_implicit_support).toFixed(1)}%`,
    `Potential conflicts: ${summary.total_conflicts}${search === null ? '' : ` (${search})`}`,
  ];
}

const tierIcons: Readonly<Record<RiskTier, string>> = { low: '🟢', medium: '🟡', high: '🔴' };

function motionLine(
  { motion, riskTier, contributing, gap, conflicts }: MotionsRun['triaged'][number],
  rosterSize: number,
): string {
  const conflict = conflicts.length > 0 ? `, ${conflicts.length} in conflict` : '';
  return (
    `${tierIcons[riskTier]} ${riskTier.toUpperCase().padEnd(6)} ${contributing.length}/${rosterSize}, ` +
    `gap ${gap.length}${conflict}  ${motion.isNovel ? '✨ ' : ''}${toOneLine(motion.title)}`
  );
}

function packetLines(run: MotionsRun): string[] {
  const { assigned } = countResponses(run);
  return [
    '',
    `--- Phase 2: Packets --- ${run.packets.length} packets, ${assigned} assignments, ` +
      `${(assigned / run.packets.length).toFixed(1)} per member`,
  ];
}

function decisionLines(run: MotionsRun): string[] {
  const { assigned, answered, missing } = countResponses(run);
  // What implicit support alone makes of a motion that is open is no consensus.
  const whole = run.aggregations.filter(({ status }) => status !== 'incomplete');
  const having = (key: 'consensus_reached' | 'contested'): number =>
    whole.filter(row => row[key]).length;
  const failed = run.panels.filter(({ status }) => status === 'failed').length;
  const skipped = run.skippedPanels.length;
  const second = countSecondPass(run);
  return [
    `--- Phase 3: Reviews --- ${answered} of ${assigned} answered, ${missing} without response`,
    ...samplingLines(run),
    `--- Phase 4: Aggregation --- ${having('consensus_reached')} with consensus, ${having('contested')} contested`,
    `--- Phase 5: Panels --- ${run.panels.length} held${failed > 0 ? `, ${failed} of them failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    '--- Phase 6: Ratification --- ' +
      `${describeOutcomes(countOutcomes(run.results))}${second === null ? '' : `; ${second.motions} of them in a second pass as amended, ${describeHolding(second)}`}`,
  ];
}

function samplingLines(run: MotionsRun): string[] {
  const sampling = summariseSampling(run);
  return sampling === null ? [] : [`Sampling: ${describeSampling(sampling)}`];
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

function describeHolding({ how, questions, answered }: SecondPassFigures): string {
  return questions === 0 ? how : `${how}: ${answered} of ${questions} answered`;
}

/** Figures, outcomes and where the rest is. Who voted how stands in the files. */
export function renderMotionsJson({ run, folder, source }: MotionsReport): string {
  const { mode, rules, results, panels } = run;
  const { session, unknownSupporters } = run.input;
  const { input, assignments, reviews, ratification } = summariseVote(run);
  return printJson({
    session_id: session.id,
    session_name: session.name,
    started_at: run.startedAt,
    completed_at: run.completedAt,
    input_dir: source,
    output_dir: folder,
    mode,
    rules,
    simulated: mode === 'simulated',
    input,
    roster_size: session.roster.length,
    unknown_supporters: unknownSupporters.length,
    triage: summariseTriage(run),
    ...(mode === 'triage'
      ? { motions: triageList(run.triaged) }
      : {
          sampling: summariseSampling(run),
          assignments,
          reviews,
          deliberation: {
            panels_convened: panels.length,
            failed: panels.filter(({ status }) => status === 'failed').length,
            skipped: run.skippedPanels.length,
          },
          ratification: {
            ...ratification,
            votes: results.map(
              ({
                mega_motion_id,
                outcome,
                yeas,
                nays,
                amends,
                abstentions,
                threshold_required,
                panel_recommendation,
                second_pass,
                first_pass,
                revised_by,
                supermajority_because,
                decided_by,
                asked,
                answered,
                risk,
                not_drawn,
                more,
                missing,
              }) => ({
                mega_motion_id,
                outcome,
                yeas,
                nays,
                amends,
                abstentions,
                no_response: missing,
                threshold_required,
                panel_recommendation,
                second_pass,
                first_pass,
                revised_by,
                supermajority_because,
                decided_by,
                asked,
                answered,
                risk,
                not_drawn,
                more,
              }),
            ),
          },
          audit: { head_sha256: run.audit.head },
        }),
  });
}

function triageList(triaged: MotionsReport['run']['triaged']): object[] {
  return triaged.map(({ motion, riskTier, contributing, gap, conflicts }) => ({
    mega_motion_id: motion.id,
    title: motion.title,
    risk_tier: riskTier,
    contributing: contributing.length,
    gap: gap.length,
    conflicts: conflicts.length,
    is_novel_proposal: motion.isNovel,
  }));
}
