/** A vote as text for people (risk tiers, one line for each phase, how every motion ended) and as one small object for programs. */
import { implicitYeas, type MotionAccount } from '../core/printed/motion-account.ts';
import { PrintedVote, type VotePlan } from '../core/printed/votes.ts';
import { describePanels, describeSecondPass } from '../core/spending/forecast.ts';
import { describeMonth } from '../core/spending/month.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { cut, toOneLine } from '../core/text.ts';
import type { Reason } from '../core/verdict/record.ts';
import type { Outcome } from '../core/words/claim.ts';
import {
  describeSearch,
  isDecided,
  type MotionsReport,
  type MotionsRun,
  type RatifiedAgain,
  summariseVote,
  secondPassWords,
  toFileRow,
} from '../vote/index.ts';
import { count, printJson } from './figures.ts';
import { describeFigures, describeThreshold, simulatedWords } from './motion-account.ts';
import { data, lines, table } from './section.ts';
import { paintTerminal, type RenderOptions } from './to-terminal.ts';
import { present } from '../core/groups.ts';

const modeNames = {
  triage: 'triage only',
  packets: 'triage and packets',
  simulated: 'simulation: nobody was asked',
  real: 'real reviewers',
};

export function renderMotions(report: MotionsReport) {
  const { run, folder } = report;
  const rule = '='.repeat(60);
  return present(
    report.isDetected && `Auto-detected consolidator output: ${toOneLine(report.source)}`,
    rule,
    'MOTION REVIEW PIPELINE',
    rule,
    ...factsOf(report),
    ...(run.mode === 'triage' ? ['', ...run.triaged.map(motion => triageLine(motion, run))] : []),
    ...(isDecided(run) ? ['', ...renderResults(run.accounts, run.panels)] : []),
    ...(run.mode === 'packets'
      ? ['', 'Reviews not collected: pass --real-agent or --simulate']
      : []),
    ...(folder === null ? [] : ['', `Results: ${toOneLine(folder)}`]),
  ).join('\n');
}

/** What was voted on, by which rules, and a line for each phase; an empty one between them. */
export function factsOf({ run, source }: MotionsReport) {
  const { session, megaMotions, novelProposals, deferredSkipped, unknownSupporters } = run.input;
  const deferred = deferredSkipped > 0 ? `, ${deferredSkipped} deferred ones skipped` : '';
  const unknown = unknownSupporters.length;
  const summary = summariseVote(run);
  const { triage, assignments, reviews } = summary;
  const search = describeSearch(run.inputs.conflicts_named);
  return present(
    `Input: ${toOneLine(source)}`,
    `Mode: ${modeNames[run.mode]}`,
    `Rules: ${run.rules}`,
    '',
    `Session: ${toOneLine(session.name)}`,
    `Session ID: ${toOneLine(session.id)}`,
    `Loaded: ${megaMotions} mega-motions, ${novelProposals} novel proposals${deferred}, ${session.roster.length} members`,
    unknown > 0 &&
      `Unknown supporters, not counted: ${unknown} (${toOneLine(unknownSupporters.slice(0, 5).join(', '))}${unknown > 5 ? ', …' : ''})`,
    '',
    '--- Phase 1: Triage ---',
    `LOW risk (fast-track): ${triage.low_risk}`,
    `MEDIUM risk (targeted review): ${triage.medium_risk}`,
    `HIGH risk (panel deliberation): ${triage.high_risk}`,
    `Average implicit support: ${(100 * triage.average_implicit_support).toFixed(1)}%`,
    `Potential conflicts: ${triage.total_conflicts}${search === null ? '' : ` (${search})`}`,
    ...(run.mode === 'triage'
      ? []
      : [
          '',
          `--- Phase 2: Packets --- ${run.packets.length} packets, ${assignments.total} assignments, ` +
            `${assignments.average_per_archon.toFixed(1)} per member`,
        ]),
    ...(isDecided(run)
      ? [
          `--- Phase 3: Reviews --- ${reviews.response_count} of ${assignments.total} answered, ` +
            `${reviews.no_response_count} without response`,
          ...decisionLines(run, summary),
        ]
      : []),
  );
}

function triageLine(
  { motion, riskTier, gap, conflicts }: MotionsRun['triaged'][number],
  { input }: MotionsRun,
) {
  const conflict = conflicts.length > 0 ? `, ${conflicts.length} in conflict` : '';
  const support = `${motion.supporters.length}/${input.session.roster.length}`;
  return (
    `${tierIcons[riskTier]} ${riskTier.toUpperCase().padEnd(6)} ${support}, gap ${gap.length}${conflict}  ` +
    `${motion.isNovel ? '✨ ' : ''}${toOneLine(motion.title)}`
  );
}

const tierIcons = { low: '🟢', medium: '🟡', high: '🔴' };

const icons = {
  ratified: '✅',
  rejected: '❌',
  deferred: '⏸️',
  incomplete: '⚠️',
  accepted_with_amendments: '📝',
};

/**
 * How each motion ended: two lines for each, with a mark where its votes are invented, and one each where yeas were never said, where
 * there was a second pass and where it was contested.
 */
function renderResults(accounts: readonly MotionAccount[], panels: MotionsRun['panels'] = []) {
  const held = new Map(panels.map(panel => [panel.mega_motion_id, panel]));
  return [
    'RATIFICATION RESULTS:',
    ...accounts.flatMap(account => {
      const { outcome, simulated, mega_motion_title, first_pass: first, final } = account;
      const implicit = implicitYeas(account);
      const panel = held.get(account.mega_motion_id);
      const skipped = account.panel?.skipped_because ?? null;
      return present(
        `${icons[outcome]} ${simulated ? `[${simulatedWords}] ` : ''}${toOneLine(mega_motion_title)}`,
        `   Yeas: ${final.yeas} | Nays: ${final.nays} | Amends: ${final.amends} ` +
          `| Abstain: ${final.abstentions} · ${describeThreshold(account)}`,
        first !== null &&
          `   first pass: Yeas ${first.yeas} | Nays ${first.nays} | Amends ${first.amends} | Abstain ${first.abstentions}`,
        implicit > 0 &&
          `   of the yeas ${implicit} implicit: supported it before the vote, not asked`,
        panel !== undefined && `   ${panelLine(panel)}`,
        skipped !== null && `   No panel: ${skipped}`,
      );
    }),
  ];
}

const longestError = 120;

function panelLine({ recommendation, error, vote_breakdown }: MotionsRun['panels'][number]) {
  const votes = describePanelVotes(vote_breakdown);
  return recommendation === null
    ? `Panel failed, its votes stand: ${votes}. ${toOneLine(error ?? '').slice(0, longestError)}`
    : `Panel recommended: ${recommendation} (${votes})`;
}

export function describePanelVotes(votes: MotionsRun['panels'][number]['vote_breakdown']) {
  const told = Object.entries(votes).map(([vote, amount]) => `${amount} ${vote}`);
  return told.join(', ');
}

/** `incomplete` is named only where there is something incomplete. */
export function describeOutcomes({
  ratified,
  rejected,
  deferred,
  incomplete,
}: Readonly<Record<Outcome, number>>) {
  return `${ratified} ratified, ${rejected} rejected, ${deferred} deferred${incomplete > 0 ? `, ${incomplete} incomplete` : ''}`;
}

function decisionLines(
  run: MotionsRun,
  { sampling, ratification }: ReturnType<typeof summariseVote>,
) {
  // What implicit support alone makes of a motion that is open is no consensus.
  const whole = run.aggregations.filter(({ status }) => status !== 'incomplete');
  const having = (key: 'consensus_reached' | 'contested') => whole.filter(row => row[key]).length;
  const failed = run.panels.filter(({ status }) => status === 'failed').length;
  const skipped = run.skippedPanels.length;
  const { second_pass: second } = ratification;
  const asked =
    second !== null && second.questions > 0
      ? `: ${second.answered} of ${second.questions} answered`
      : '';
  return present(
    sampling !== null &&
      `Sampling: ${sampling.decided} of ${count(sampling.motions, 'motion')} decided by a sample of ${count(sampling.sample, 'member')}, ` +
        `each at a risk of at most ${sampling.risk}; ${count(sampling.not_drawn, 'review')} not asked for`,
    `--- Phase 4: Aggregation --- ${having('consensus_reached')} with consensus, ${having('contested')} contested`,
    `--- Phase 5: Panels --- ${run.panels.length} ` +
      `held${failed > 0 ? `, ${failed} of them failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}`,
    `--- Phase 6: Ratification --- ${describeOutcomes(ratification)}` +
      (second === null
        ? ''
        : `; ${second.motions} of them in a second pass as amended, ${second.how}${asked}`),
  );
}

const mostLines = 15;
const titleLength = 100;

/**
 * A vote in few lines: one for each motion, those that were not ratified first, or how risky each is where nobody was asked; then why it
 * is no decision, and where the rest is.
 */
export function renderMotionsBrief({
  run,
  folder,
  reasons,
}: MotionsReport & { readonly reasons: readonly Reason[] }) {
  const motions =
    run.mode === 'triage' || run.mode === 'packets'
      ? run.triaged.map(
          ({ motion, riskTier, gap }) =>
            `${riskTier}: ${cut(toOneLine(motion.title), titleLength)} (${motion.supporters.length} support, ` +
            `${gap.length} have not spoken) ${toOneLine(motion.id)}`,
        )
      : run.accounts
          .toSorted(
            (one, other) =>
              Number(one.outcome === 'ratified') - Number(other.outcome === 'ratified'),
          )
          .map(
            account =>
              `${account.outcome}${account.simulated ? ` (${simulatedWords})` : ''}: ` +
              `${cut(toOneLine(account.mega_motion_title), titleLength)} ` +
              `(${describeFigures(account)}) ${toOneLine(account.mega_motion_id)}`,
          );
  const end = present(
    ...reasons.map(({ effect, sentence }) => `${effect}: ${sentence}`),
    folder !== null && `Results: ${toOneLine(folder)}`,
  );
  const room = mostLines - end.length;
  const left = motions.length > room ? motions.splice(room - 1).length : 0;
  return present(
    ...motions,
    left > 0 && `and ${left} more ${folder === null ? 'motions' : 'in the results folder'}`,
    ...end,
  ).join('\n');
}

/** Figures, outcomes and where the rest is. Who voted how stands in the files. */
export function renderMotionsJson({ run, folder, source }: MotionsReport) {
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
    ...(mode === 'triage'
      ? {
          motions: triaged.map(({ motion, riskTier, gap, conflicts }) => ({
            mega_motion_id: motion.id,
            title: motion.title,
            risk_tier: riskTier,
            contributing: motion.supporters.length,
            gap: gap.length,
            conflicts: conflicts.length,
            is_novel_proposal: motion.isNovel,
          })),
        }
      : {
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

const invented = `${simulatedWords}: the counts are those of a simulation, and nobody was asked`;

/** A decision replayed from counts: the results list for one rule set, a comparison for several. */
export function renderRatification({ rosterSize, sets }: RatifiedAgain, options: RenderOptions) {
  const [first] = sets;
  if (first === undefined) return '';
  const isSimulated = sets.some(isInvented);
  if (sets.length === 1)
    return [
      `Rules: ${first.rules}, ${rosterSize} members`,
      ...renderResults(first.accounts),
      `${describeOutcomes(first.counts)}${isSimulated ? `; ${invented}` : ''}`,
    ].join('\n');
  return paintTerminal(
    [
      ...table(
        [...sets.map(({ rules }) => rules), { title: `motion (${rosterSize} members)`, least: 20 }],
        first.accounts.map(({ mega_motion_title }, index) => [
          ...sets.map(({ accounts }) => accounts[index]?.outcome),
          data(mega_motion_title),
        ]),
      ),
      ...lines(
        ...sets.map(({ rules, accounts, counts }) => {
          const assumed = accounts.filter(({ second_pass }) => second_pass !== null).length;
          // Counts alone ask nobody.
          const second =
            assumed === 0
              ? ''
              : `; ${assumed} of them in a second pass that is ${secondPassWords.assumed}`;
          return [`${rules}: ${describeOutcomes(counts)}${second}`];
        }),
        isSimulated && [`All of them: ${invented}`],
      ),
    ],
    options,
  );
}

function isInvented({ accounts }: RatifiedAgain['sets'][number]) {
  return accounts.some(({ simulated }) => simulated);
}

/** One object for one rule set; for several, one in each place of `sets`. */
export function renderRatificationJson({ rosterSize, sets }: RatifiedAgain) {
  const [only] = sets;
  const isOne = sets.length === 1 && only !== undefined;
  // Counts of a session that lacks no answer have no key for it.
  const objectOf = ({
    rules,
    votes,
    counts: { incomplete, ...counts },
  }: (typeof sets)[number]) => ({
    rules,
    votes: votes.map(toFileRow),
    counts: incomplete === 0 ? counts : { ...counts, incomplete },
  });
  return printJson({
    rules: isOne ? only.rules : 'all',
    roster_size: rosterSize,
    ...(sets.some(isInvented) ? { simulated: true } : {}),
    ...(isOne ? objectOf(only) : { sets: sets.map(objectOf) }),
  });
}

/** The dry run of a vote as a person wants to read it. */
export function renderVotePlan(plan: VotePlan) {
  const { session, motions, members, rules, run, month, secondPass, example } = plan;
  return present(
    'DRY RUN: nobody was asked.',
    `Session: ${toOneLine(session)}, ${count(motions, 'motion')}, ${count(members, 'member')}, rules ${toOneLine(rules)}`,
    run !== null &&
      (plan.isComplete
        ? `Run ${run} has ended; nothing is missing: nobody would be asked (--fresh asks anew).`
        : `It would go on with run ${run}: what was answered is not asked again.`),
    plan.sentence,
    month !== null &&
      (month.limit !== null || month.calls > 0) &&
      `This month: ${describeMonth(month, month.limit)}.`,
    describePanels(plan.panels),
    secondPass !== null && describeSecondPass(secondPass),
    'Members are asked at:',
    ...plan.places.map(
      ({ runner, endpoint, model }) =>
        `  ${makeVisible(present(runner, model, endpoint).join(' '))}`,
    ),
    example !== null &&
      `\nPrompt of ${toOneLine(example.member)}:\n\n${makeVisible(example.prompt)}`,
  ).join('\n');
}
