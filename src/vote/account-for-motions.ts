/** Tells of each motion why it came to what it came to, from the record of its vote or from its counts alone. */
import type { Aggregation } from './aggregation.ts';
import { addVotes, fewestToTurn } from './margin.ts';
import type { MotionAccount } from '../core/printed/motion-account.ts';
import type { MotionsRun } from './motions-run.ts';
import type { MotionsSettings } from '../core/words/motions-settings.ts';
import { isContrary } from './panels.ts';
import { lengthBeyond } from '../core/prompt/foreign-text.ts';
import {
  type Counts,
  decideMotion,
  decideSecondPass,
  type MotionAtVote,
  type Tally,
  tallyOf,
  toleratedAmends,
} from './ratification.ts';
import type { FirstOutcome, Stance } from '../core/words/vote.ts';
import type { RatificationRow } from './ratification-rows.ts';
import { byMotion } from './ratify.ts';
import type { ReviewResponse } from './records.ts';
import { labelOf, requiredOf, type RuleSet } from './rule-set.ts';
import type { TriagedMotion } from './triage.ts';

export interface AccountRules {
  /** Those that decided. */
  readonly rules: RuleSet;
  /** All that ship with Jury. */
  readonly shipped: readonly RuleSet[];
}

/** One for each motion, in the order of the session. None where no member voted. */
export function accountForMotions(run: Omit<MotionsRun, 'accounts' | 'audit'>): MotionAccount[] {
  const { settings, rules, shipped_rules: shipped } = run.inputs;
  const shown = settings.limits.motion_text;
  const isReal = run.mode === 'real';
  // Words are told of real members alone. Those about the amended text, which was decided, go first.
  const second = byMotion(isReal ? run.secondResponses : []);
  const first = byMotion(isReal ? run.responses : []);
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  const skipped = new Map(run.skippedPanels.map(row => [row.mega_motion_id, row.reason]));
  return run.results.flatMap((row, index) => {
    const [subject, counts] = [run.triaged[index], run.aggregations[index]];
    if (subject === undefined || counts === undefined) return [];
    const id = row.mega_motion_id;
    const { status, recommendation = null } = panels.get(id) ?? {};
    const reason = skipped.get(id) ?? null;
    const said = [second.get(id) ?? [], first.get(id) ?? []] as const;
    const length =
      isReal && counts.risk_tier !== 'low' ? lengthBeyond(subject.motion.text, shown) : null;
    return accountOf(
      row,
      counts,
      {
        number: index + 1,
        roster_size: run.input.session.roster.length,
        based_on: isReal ? 'answers' : 'simulation',
        simulated: !isReal,
        risk: riskOf(subject, settings),
        text_cut: length === null ? null : { shown, length },
        strongest_objection: surest('OPPOSE', said),
        strongest_support: surest('ENDORSE', said),
        panel:
          status === undefined && reason === null
            ? null
            : {
                status: status ?? 'skipped',
                recommendation,
                is_contrary: isContrary(recommendation, row.outcome),
                skipped_because: reason,
              },
      },
      { rules, shipped },
    );
  });
}

/** The counts of a motion, as files of votes have them. */
type AccountedCounts = Counts &
  Pick<Aggregation, 'mega_motion_title' | 'constitutional' | 'risk_tier' | 'no_response'> & {
    readonly not_assigned: number | null;
  };

/** What neither the final row of a motion tells nor its counts. */
type Told = Pick<MotionAccount, 'number' | 'roster_size' | 'based_on' | 'simulated' | 'risk'> &
  Partial<Pick<MotionAccount, 'text_cut' | 'strongest_objection' | 'strongest_support' | 'panel'>>;

export function accountOf(
  row: RatificationRow,
  counts: AccountedCounts,
  told: Told,
  { rules, shipped }: AccountRules,
): MotionAccount {
  const { yeas, amends, required, second_pass } = rules.parameters;
  const { roster_size: rosterSize, based_on: basis } = told;
  const share = required[row.supermajority_because === null ? 'simple' : 'constitutional'];
  // Simulated votes come from a table, and a sample from a part of the members: no one is told of by other rules, or other answers.
  const isWhole = basis !== 'simulation' && row.asked === null;
  // A recorded second pass was assumed: it lacks no answers of its own. Older records tell none that are missing.
  const missing = basis === 'counts' ? row.missing : counts.no_response;
  const { first_pass: first } = row;
  const eligible = first === null ? 0 : first.yeas + first.nays + first.amends;
  // By hand, in the order of the schema: to parse ten thousand of what was made here takes a second and a fifth of the memory.
  return {
    number: told.number,
    mega_motion_id: row.mega_motion_id,
    mega_motion_title: row.mega_motion_title,
    based_on: basis,
    simulated: told.simulated,
    outcome: row.outcome,
    decided_by: row.decided_by,
    asked: row.asked,
    answered: row.answered,
    risk_of_sample: row.risk,
    not_drawn: row.not_drawn,
    more: row.more,
    roster_size: rosterSize,
    risk: told.risk,
    text_cut: told.text_cut ?? null,
    stances: {
      implicit_endorsements: counts.implicit_endorsements,
      explicit_endorsements: counts.explicit_endorsements,
      oppositions: counts.oppositions,
      amendments_proposed: counts.amendments_proposed,
      abstentions: counts.abstentions,
      no_response: counts.no_response,
      not_assigned: counts.not_assigned,
    },
    counts_implicit: yeas === 'implicit_and_explicit',
    counts_amends: amends === 'counted',
    first_pass: row.first_pass,
    second_pass: row.second_pass,
    first_needed: first && {
      eligible_votes: eligible,
      threshold_required: requiredOf(required.of === 'roster' ? rosterSize : eligible, share),
      tolerated_amends: toleratedAmends(eligible, rosterSize, rules),
    },
    defer_above: second_pass?.defer_above ?? null,
    revised_by: row.revised_by,
    final: {
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
      threshold_share: share,
      quorum_required: row.quorum_required,
      quorum_met: row.quorum_met,
      supermajority_because: row.supermajority_because,
      missing: row.missing,
    },
    strongest_objection: told.strongest_objection ?? null,
    strongest_support: told.strongest_support ?? null,
    panel: told.panel ?? null,
    otherwise: isWhole
      ? shipped
          .filter(other => labelOf(other) !== labelOf(rules))
          .map(other => ({
            rule_set: labelOf(other),
            ...endOf(motionAtVote(counts, missing, other), rosterSize, other),
          }))
          .filter(({ outcome }) => outcome !== row.outcome)
      : null,
    fewest_to_turn: isWhole ? turnOf(row, counts, rosterSize, rules) : null,
  };
}

/** As a rule set counts it. */
export function motionAtVote(
  counts: AccountedCounts,
  missing: number,
  rules: RuleSet,
): MotionAtVote {
  const { mega_motion_title: title, constitutional, risk_tier: riskTier } = counts;
  return { title, constitutional, riskTier, tally: tallyOf(counts, rules), missing };
}

/** By the first condition of triage that holds. */
function riskOf(
  { riskTier: tier, motion, contributing, support, conflicts }: TriagedMotion,
  { low, medium, max_conflicts: most }: MotionsSettings,
): MotionAccount['risk'] {
  const becauseOf = {
    low: support >= low ? 'well_supported' : 'broadly_sourced',
    medium: 'some_support',
    high: conflicts.length > most && support >= medium ? 'conflicts' : 'little_support',
  } as const;
  return {
    tier,
    because: motion.isNovel ? 'novel' : becauseOf[tier],
    supporting: contributing.length,
    conflicts: conflicts.length,
    thresholds: { low, medium },
  };
}

/** Of the last pass in which anything was said; of equally sure words those of the first of the roster. */
function surest(
  stance: Stance,
  [second, first]: readonly [readonly ReviewResponse[], readonly ReviewResponse[]],
): MotionAccount['strongest_objection'] {
  const surestOf = (responses: readonly ReviewResponse[], pass: 1 | 2) =>
    responses
      .filter(response => response.stance === stance)
      .map(({ archon_name, opposition_reason, reasoning, confidence }) => {
        // What a member is against is told apart from how it weighed the motion.
        const against = stance === 'OPPOSE' ? opposition_reason?.trim() : '';
        return { archon_name, words: against || reasoning.trim(), confidence, pass };
      })
      .filter(({ words }) => words !== '')
      .toSorted((one, other) => (other.confidence ?? 0) - (one.confidence ?? 0))[0];
  return surestOf(second, 2) ?? surestOf(first, 1) ?? null;
}

interface AssumedEnd {
  readonly outcome: FirstOutcome;
  readonly second_pass: 'assumed' | null;
}

/**
 * One decision or two; the last is final. What is put off for revision had no second pass; any other is assumed, because only the
 * rules that decided asked anybody.
 */
function endOf(motion: MotionAtVote, rosterSize: number, rules: RuleSet): AssumedEnd {
  const [first, second] = decideMotion(motion, rosterSize, rules);
  const isAssumed = second?.deferral === null;
  return { outcome: (second ?? first).outcome, second_pass: isAssumed ? 'assumed' : null };
}

/** What is in the final row is what other answers would have turned: those of the second pass where it was asked. */
function turnOf(
  row: RatificationRow,
  counts: AccountedCounts,
  rosterSize: number,
  rules: RuleSet,
): MotionAccount['fewest_to_turn'] {
  if (row.outcome === 'incomplete' || row.threshold_type === 'fast_track') return null;
  const { yeas: counted, amends } = rules.parameters;
  const motion = motionAtVote(counts, 0, rules);
  const asked = row.second_pass === 'asked' ? row.first_pass : null;
  const tally: Tally = asked === null ? motion.tally : row;
  const implicit = counted === 'explicit' ? 0 : counts.implicit_endorsements;
  const stayed = asked ?? { yeas: implicit, abstentions: 0 };
  const end = (supposed: Tally): AssumedEnd => {
    const turned = { ...motion, tally: supposed };
    return asked === null
      ? endOf(turned, rosterSize, rules)
      : { outcome: decideSecondPass(turned, rosterSize, rules).outcome, second_pass: null };
  };
  const turn = fewestToTurn({
    tally,
    given: {
      ...tally,
      yeas: tally.yeas - stayed.yeas,
      abstentions: tally.abstentions - stayed.abstentions,
    },
    countsAmends: amends === 'counted',
    outcomeOf: supposed => end(supposed).outcome,
  });
  return (
    turn && { ...turn, by_second_pass: end(addVotes(tally, turn.change)).second_pass !== null }
  );
}
