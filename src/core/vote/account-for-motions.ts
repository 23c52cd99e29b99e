/** Tells of each motion why it came to what it came to, from the record of its vote or from its counts alone. */
import type { Aggregation } from './aggregation.ts';
import { addVotes, fewestToTurn } from './margin.ts';
import type { MotionAccount, RiskAccount, Said } from './motion-account.ts';
import type { MotionsRun } from './motions-run.ts';
import type { MotionsSettings } from './motions-settings.ts';
import { isContrary } from './panels.ts';
import { lengthBeyond } from './prompts/foreign-text.ts';
import {
  type Counts,
  decideMotion,
  decideSecondPass,
  type FirstOutcome,
  type MotionAtVote,
  type Tally,
  tallyOf,
  toleratedAmends,
} from './ratification.ts';
import type { RatificationRow } from './ratification-rows.ts';
import { byMotion } from './ratify.ts';
import type { RecordedCounts } from './recorded-counts.ts';
import type { PanelRecord, ReviewResponse, Stance } from './records.ts';
import { labelOf, requiredOf, type RuleSet } from './rule-set.ts';
import type { TriagedMotion } from './triage.ts';

export interface AccountRules {
  /** Those that decided. */
  readonly rules: RuleSet;
  /** All that ship with Jury. */
  readonly shipped: readonly RuleSet[];
}

type AccountedRun = Pick<
  MotionsRun,
  | 'input'
  | 'mode'
  | 'triaged'
  | 'results'
  | 'aggregations'
  | 'panels'
  | 'skippedPanels'
  | 'responses'
  | 'secondResponses'
>;

/** One for each motion, in the order of the session. Nobody voted: none. */
export function accountForMotions(
  run: AccountedRun,
  rules: AccountRules,
  settings: Pick<MotionsSettings, 'low' | 'medium' | 'max_conflicts' | 'limits'>,
): MotionAccount[] {
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  const skipped = new Map(run.skippedPanels.map(row => [row.mega_motion_id, row.reason]));
  const isReal = run.mode === 'real';
  // Words are told of real members alone.
  const [said, saidAgain] = [
    byMotion(isReal ? run.responses : []),
    byMotion(isReal ? run.secondResponses : []),
  ];
  return run.results.flatMap((row, index) => {
    const [subject, counts] = [run.triaged[index], run.aggregations[index]];
    if (subject === undefined || counts === undefined) return [];
    const id = row.mega_motion_id;
    const words = [saidAgain.get(id) ?? [], said.get(id) ?? []] as const;
    return [
      accountOf(
        {
          number: index + 1,
          row,
          counts,
          basedOn: isReal ? 'answers' : 'simulation',
          isSimulated: !isReal,
          textCut: isReal && isAsked(counts) ? cutOf(subject.motion, settings.limits) : null,
          rosterSize: run.input.session.roster.length,
          risk: riskOf(subject, run.input.session.roster.length, settings),
          objection: isReal ? surest(words, 'OPPOSE') : null,
          support: isReal ? surest(words, 'ENDORSE') : null,
          panel: panelOf(panels.get(id), skipped.get(id), row.outcome),
        },
        rules,
      ),
    ];
  });
}

function isAsked({ risk_tier }: AccountedCounts): boolean {
  return risk_tier !== 'low';
}

function cutOf(
  { text }: TriagedMotion['motion'],
  { motion_text: shown }: MotionsSettings['limits'],
): MotionAccount['text_cut'] {
  const length = lengthBeyond(text, shown);
  return length === null ? null : { shown, length };
}

/** What is known of a motion whose counts alone were recorded. */
export interface RecordedMotion extends Omit<RecordedCounts['motions'][number], 'id'> {
  readonly number: number;
  readonly row: RatificationRow;
  readonly rosterSize: number;
}

/** The same from counts alone: who said what, what panels came to and why the tier is what it is stays untold. */
export function accountForCounts(
  { number, row, rosterSize, ...recorded }: RecordedMotion,
  rules: AccountRules,
): MotionAccount {
  return accountOf(
    {
      number,
      row,
      rosterSize,
      counts: {
        ...recorded,
        mega_motion_title: recorded.title,
        risk_tier: recorded.riskTier,
        no_response: recorded.noResponse,
        not_assigned: recorded.notAssigned,
      },
      basedOn: 'counts',
      isSimulated: recorded.isSimulated,
      textCut: null,
      risk: {
        tier: recorded.riskTier,
        because: recorded.isTierGuessed ? 'guessed' : 'recorded',
        supporting: null,
        conflicts: null,
        thresholds: null,
      },
      objection: null,
      support: null,
      panel: null,
    },
    rules,
  );
}

type AccountedCounts = Counts &
  Pick<Aggregation, 'mega_motion_title' | 'constitutional' | 'risk_tier' | 'no_response'> & {
    readonly not_assigned: number | null;
  };

interface Accounted {
  readonly number: number;
  readonly row: RatificationRow;
  readonly counts: AccountedCounts;
  readonly basedOn: MotionAccount['based_on'];
  readonly isSimulated: boolean;
  readonly textCut: MotionAccount['text_cut'];
  readonly rosterSize: number;
  readonly risk: RiskAccount;
  readonly objection: Said | null;
  readonly support: Said | null;
  readonly panel: MotionAccount['panel'];
}

function accountOf(motion: Accounted, rules: AccountRules): MotionAccount {
  const { row, counts, basedOn } = motion;
  // Simulated votes come from a table, and a sample from a part of the members: other rules, or other answers, would be told of nobody.
  const isWhole = basedOn !== 'simulation' && row.asked === null;
  const { parameters } = rules.rules;
  return {
    number: motion.number,
    mega_motion_id: row.mega_motion_id,
    mega_motion_title: row.mega_motion_title,
    based_on: basedOn,
    simulated: motion.isSimulated,
    outcome: row.outcome,
    decided_by: row.decided_by,
    asked: row.asked,
    answered: row.answered,
    risk_of_sample: row.risk,
    not_drawn: row.not_drawn,
    more: row.more,
    roster_size: motion.rosterSize,
    risk: motion.risk,
    text_cut: motion.textCut,
    stances: {
      implicit_endorsements: counts.implicit_endorsements,
      explicit_endorsements: counts.explicit_endorsements,
      oppositions: counts.oppositions,
      amendments_proposed: counts.amendments_proposed,
      abstentions: counts.abstentions,
      no_response: counts.no_response,
      not_assigned: counts.not_assigned,
    },
    counts_implicit: parameters.yeas === 'implicit_and_explicit',
    counts_amends: parameters.amends === 'counted',
    first_pass: row.first_pass,
    second_pass: row.second_pass,
    first_needed: firstNeeded(motion, rules.rules),
    defer_above: parameters.second_pass?.defer_above ?? null,
    revised_by: row.revised_by,
    final: finalOf(row, rules.rules),
    strongest_objection: motion.objection,
    strongest_support: motion.support,
    panel: motion.panel,
    otherwise: isWhole ? otherOutcomes(motion, rules) : null,
    fewest_to_turn: isWhole ? turnOf(motion, rules.rules) : null,
  };
}

/** By the same rules as the first pass itself; null where that decided. */
function firstNeeded(
  { row: { first_pass: first, supermajority_because: because }, rosterSize }: Accounted,
  rules: RuleSet,
): MotionAccount['first_needed'] {
  if (first === null) return null;
  const { required } = rules.parameters;
  const eligible = first.yeas + first.nays + first.amends;
  const base = required.of === 'roster' ? rosterSize : eligible;
  return {
    eligible_votes: eligible,
    threshold_required: requiredOf(base, required[because === null ? 'simple' : 'constitutional']),
    tolerated_amends: toleratedAmends(eligible, rosterSize, rules),
  };
}

function finalOf(
  row: RatificationRow,
  { parameters: { required } }: RuleSet,
): MotionAccount['final'] {
  const kind = row.supermajority_because === null ? 'simple' : 'constitutional';
  return {
    yeas: row.yeas,
    nays: row.nays,
    amends: row.amends,
    abstentions: row.abstentions,
    eligible_votes: row.eligible_votes,
    threshold_type: row.threshold_type,
    threshold_required: row.threshold_required,
    threshold_met: row.threshold_met,
    margin: row.yeas - row.threshold_required,
    threshold_of: required.of,
    threshold_share: required[kind],
    quorum_required: row.quorum_required,
    quorum_met: row.quorum_met,
    supermajority_because: row.supermajority_because,
    missing: row.missing,
  };
}

function riskOf(
  { riskTier: tier, motion, contributing, conflicts }: TriagedMotion,
  rosterSize: number,
  { low, medium, max_conflicts: maxConflicts }: Parameters<typeof accountForMotions>[2],
): RiskAccount {
  const support = rosterSize === 0 ? 0 : contributing.length / rosterSize;
  const because = (): RiskAccount['because'] => {
    if (motion.isNovel) return 'novel';
    if (tier === 'low') return support >= low ? 'well_supported' : 'broadly_sourced';
    if (tier === 'medium') return 'some_support';
    return conflicts.length > maxConflicts && support >= medium ? 'conflicts' : 'little_support';
  };
  return {
    tier,
    because: because(),
    supporting: contributing.length,
    conflicts: conflicts.length,
    thresholds: { low, medium },
  };
}

/** Who spoke about the amended text spoke about what was decided. Of equally sure ones the first of the roster. */
function surest(
  [second, first]: readonly [readonly ReviewResponse[], readonly ReviewResponse[]],
  stance: Stance,
): Said | null {
  return surestOf(second, stance, 2) ?? surestOf(first, stance, 1);
}

function surestOf(
  responses: readonly ReviewResponse[],
  stance: Stance,
  pass: Said['pass'],
): Said | null {
  let found: Said | null = null;
  for (const response of responses) {
    if (response.stance !== stance) continue;
    const words = wordsOf(response);
    const { archon_name, confidence } = response;
    if (words !== '' && (found === null || (confidence ?? 0) > (found.confidence ?? 0)))
      found = { archon_name, words, confidence, pass };
  }
  return found;
}

/** What a member is against stands apart from how it weighed the motion. */
function wordsOf({ stance, opposition_reason, reasoning }: ReviewResponse): string {
  const against = stance === 'OPPOSE' ? (opposition_reason?.trim() ?? '') : '';
  return against === '' ? reasoning.trim() : against;
}

function panelOf(
  panel: PanelRecord | undefined,
  skippedBecause: string | undefined,
  outcome: FirstOutcome,
): MotionAccount['panel'] {
  if (panel === undefined)
    return skippedBecause === undefined
      ? null
      : {
          status: 'skipped',
          recommendation: null,
          is_contrary: false,
          skipped_because: skippedBecause,
        };
  const { status, recommendation } = panel;
  const isAgainst = isContrary(recommendation, outcome);
  return { status, recommendation, is_contrary: isAgainst, skipped_because: null };
}

/** The second pass as those rules would have assumed it: who was asked again was asked by the rules that decided. */
function otherOutcomes(
  { row, counts, rosterSize, basedOn }: Accounted,
  { rules, shipped }: AccountRules,
): NonNullable<MotionAccount['otherwise']> {
  // A recorded second pass was assumed: it lacks no answers of its own. Older records tell none that are missing.
  const missing = basedOn === 'counts' ? row.missing : counts.no_response;
  return shipped
    .filter(({ name, version }) => name !== rules.name || version !== rules.version)
    .map(other => ({
      rule_set: labelOf(other),
      ...endOf(motionOf(counts, missing, other), rosterSize, other),
    }))
    .filter(({ outcome }) => outcome !== row.outcome);
}

function motionOf(counts: AccountedCounts, missing: number, rules: RuleSet): MotionAtVote {
  return {
    title: counts.mega_motion_title,
    constitutional: counts.constitutional,
    riskTier: counts.risk_tier,
    tally: tallyOf(counts, rules),
    missing,
  };
}

interface AssumedEnd {
  readonly outcome: FirstOutcome;
  readonly second_pass: 'assumed' | null;
}

/** One decision or two; the last is final. What is put off for revision had no second pass. */
function endOf(motion: MotionAtVote, rosterSize: number, rules: RuleSet): AssumedEnd {
  const [first, second] = decideMotion(motion, rosterSize, rules);
  const isAssumed = second !== undefined && second.deferral === null;
  return { outcome: (second ?? first).outcome, second_pass: isAssumed ? 'assumed' : null };
}

/** What stands in the final row is what other answers would have turned: those of the second pass where it was asked. */
function turnOf(
  { row, counts, rosterSize }: Accounted,
  rules: RuleSet,
): MotionAccount['fewest_to_turn'] {
  if (row.outcome === 'incomplete' || row.threshold_type === 'fast_track') return null;
  const motion = motionOf(counts, 0, rules);
  const countsAmends = rules.parameters.amends === 'counted';
  const implicit = rules.parameters.yeas === 'explicit' ? 0 : counts.implicit_endorsements;
  if (row.second_pass !== 'asked') {
    const end = (tally: Tally): AssumedEnd => endOf({ ...motion, tally }, rosterSize, rules);
    const turn = fewestToTurn({
      tally: motion.tally,
      given: { ...motion.tally, yeas: motion.tally.yeas - implicit },
      countsAmends,
      outcomeOf: tally => end(tally).outcome,
    });
    if (turn === null) return null;
    const turned = addVotes(motion.tally, turn.change);
    return { ...turn, by_second_pass: end(turned).second_pass !== null };
  }
  const { yeas, nays, amends, abstentions } = row;
  const stayed = row.first_pass ?? noVotes;
  const turn = fewestToTurn({
    tally: { yeas, nays, amends, abstentions },
    given: {
      yeas: yeas - stayed.yeas,
      nays,
      amends,
      abstentions: abstentions - stayed.abstentions,
    },
    countsAmends,
    outcomeOf: tally => decideSecondPass({ ...motion, tally }, rosterSize, rules).outcome,
  });
  return turn && { ...turn, by_second_pass: false };
}

const noVotes: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };
