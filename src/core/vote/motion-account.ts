/** Why a motion came to what it came to: everything that somebody who acts on it would ask, from the record of its vote. */
import type { Aggregation } from './aggregation.ts';
import { fewestToTurn, type Turn } from './margin.ts';
import type { MotionsRun } from './motions-run.ts';
import type { MotionsSettings } from './motions-settings.ts';
import {
  decideMotion,
  decideSecondPass,
  type FirstOutcome,
  type MotionAtVote,
  type Tally,
  tallyOf,
} from './ratification.ts';
import type { RatificationRow } from './ratification-rows.ts';
import { isContrary } from './panels.ts';
import { byMotion } from './ratify.ts';
import type { PanelRecord, Recommendation, ReviewResponse, Stance } from './records.ts';
import { labelOf, type RuleSet } from './rule-set.ts';
import type { RiskTier, TriagedMotion } from './triage.ts';

export interface MotionAccount {
  /** From 1, in the order of the session. */
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly row: RatificationRow;
  readonly risk: RiskAccount;
  readonly votes: VoteFigures;
  /** What was said most surely on either side, word for word; null: nobody gave a word. */
  readonly objection: Said | null;
  readonly support: Said | null;
  /** Null: no panel was held. */
  readonly panel: PanelAccount | null;
  /** What the shipped rule sets make of the same answers where it is something else. */
  readonly otherwise: readonly { readonly rules: string; readonly outcome: FirstOutcome }[];
  /** Null: nobody was asked, the outcome is open, or no other answers would have turned it. */
  readonly turn: Turn | null;
}

export interface RiskAccount {
  readonly tier: RiskTier;
  /** The first condition of triage that holds. */
  readonly because:
    | 'novel'
    | 'well_supported'
    | 'broadly_sourced'
    | 'some_support'
    | 'little_support'
    | 'conflicts';
  readonly supporting: number;
  readonly rosterSize: number;
  readonly conflicts: number;
  /** Share of the roster that the condition asks for; null where it asks for none. */
  readonly share: number | null;
}

/** Of the first pass, before a rule set counts them. Implicit support was never said. */
export interface VoteFigures {
  readonly implicit: number;
  readonly endorsing: number;
  readonly opposing: number;
  readonly amending: number;
  readonly abstaining: number;
  readonly noResponse: number;
  readonly notAsked: number;
}

export interface Said {
  readonly name: string;
  readonly words: string;
  /** 0 to 1, as the member states it. */
  readonly confidence: number | null;
}

export interface PanelAccount {
  /** Null: the panel came to none. */
  readonly recommendation: Recommendation | null;
  /** The outcome goes against it. */
  readonly isContrary: boolean;
}

export interface AccountRules {
  /** Those that decided. */
  readonly rules: RuleSet;
  /** All that ship with Jury. */
  readonly shipped: readonly RuleSet[];
  readonly settings: Pick<MotionsSettings, 'low' | 'medium' | 'max_conflicts'>;
}

/** One for each motion, in the order of the session. Nobody voted: none. */
export function accountForMotions(
  run: Pick<
    MotionsRun,
    'input' | 'mode' | 'triaged' | 'results' | 'history' | 'aggregations' | 'panels' | 'responses'
  >,
  rules: AccountRules,
): MotionAccount[] {
  const rosterSize = run.input.session.roster.length;
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  const said = byMotion(run.responses);
  return run.results.flatMap((row, index) => {
    const [subject, aggregation] = [run.triaged[index], run.aggregations[index]];
    if (subject === undefined || aggregation === undefined) return [];
    const own = said.get(row.mega_motion_id) ?? [];
    return [
      {
        number: index + 1,
        id: row.mega_motion_id,
        title: row.mega_motion_title,
        row,
        risk: riskOf(subject, rosterSize, rules.settings),
        votes: figuresOf(aggregation),
        objection: surest(own, 'OPPOSE'),
        support: surest(own, 'ENDORSE'),
        panel: panelOf(panels.get(row.mega_motion_id), row.outcome),
        // Simulated votes come from a table: other rules, or other answers, would be told of nobody.
        otherwise: run.mode === 'real' ? otherOutcomes(row, aggregation, rosterSize, rules) : [],
        turn: run.mode === 'real' ? turnOf(row, aggregation, rosterSize, rules) : null,
      },
    ];
  });
}

function riskOf(
  { riskTier: tier, motion, contributing, conflicts }: TriagedMotion,
  rosterSize: number,
  { low, medium, max_conflicts: maxConflicts }: AccountRules['settings'],
): RiskAccount {
  const figures = {
    tier,
    supporting: contributing.length,
    rosterSize,
    conflicts: conflicts.length,
  };
  if (motion.isNovel) return { ...figures, because: 'novel', share: null };
  const support = rosterSize === 0 ? 0 : contributing.length / rosterSize;
  if (tier === 'low')
    return support >= low
      ? { ...figures, because: 'well_supported', share: low }
      : { ...figures, because: 'broadly_sourced', share: null };
  if (tier === 'medium') return { ...figures, because: 'some_support', share: medium };
  return conflicts.length > maxConflicts && support >= medium
    ? { ...figures, because: 'conflicts', share: null }
    : { ...figures, because: 'little_support', share: medium };
}

function figuresOf(row: Aggregation): VoteFigures {
  return {
    implicit: row.implicit_endorsements,
    endorsing: row.explicit_endorsements,
    opposing: row.oppositions,
    amending: row.amendments_proposed,
    abstaining: row.abstentions,
    noResponse: row.no_response,
    notAsked: row.not_assigned,
  };
}

/** Of equally sure ones the first of the roster. */
function surest(responses: readonly ReviewResponse[], stance: Stance): Said | null {
  let found: Said | null = null;
  for (const response of responses) {
    if (response.stance !== stance) continue;
    const words = (response.opposition_reason ?? response.reasoning).trim();
    const { archon_name: name, confidence } = response;
    if (words !== '' && (found === null || (confidence ?? 0) > (found.confidence ?? 0)))
      found = { name, words, confidence };
  }
  return found;
}

function panelOf(panel: PanelRecord | undefined, outcome: FirstOutcome): PanelAccount | null {
  if (panel === undefined) return null;
  const { recommendation } = panel;
  return {
    recommendation,
    isContrary: isContrary(recommendation, outcome),
  };
}

/** The second pass as those rules would have assumed it: who was asked again was asked by the rules that decided. */
function otherOutcomes(
  row: RatificationRow,
  aggregation: Aggregation,
  rosterSize: number,
  { rules, shipped }: AccountRules,
): MotionAccount['otherwise'] {
  return shipped
    .filter(({ name, version }) => name !== rules.name || version !== rules.version)
    .map(other => ({
      rules: labelOf(other),
      outcome: endOf(motionOf(aggregation, other), rosterSize, other),
    }))
    .filter(({ outcome }) => outcome !== row.outcome);
}

function motionOf(aggregation: Aggregation, rules: RuleSet): MotionAtVote {
  return {
    title: aggregation.mega_motion_title,
    constitutional: aggregation.constitutional,
    riskTier: aggregation.risk_tier,
    tally: tallyOf(aggregation, rules),
    missing: aggregation.no_response,
  };
}

function endOf(motion: MotionAtVote, rosterSize: number, rules: RuleSet): FirstOutcome {
  // One decision or two; the last is final.
  const [first, second] = decideMotion(motion, rosterSize, rules);
  return (second ?? first).outcome;
}

/** What stands in the final row is what other answers would have turned: those of the second pass where it was asked. */
function turnOf(
  row: RatificationRow,
  aggregation: Aggregation,
  rosterSize: number,
  { rules }: AccountRules,
): Turn | null {
  if (row.outcome === 'incomplete' || row.threshold_type === 'fast_track') return null;
  const motion = { ...motionOf(aggregation, rules), missing: 0 };
  const countsAmends = rules.parameters.amends === 'counted';
  const implicit = rules.parameters.yeas === 'explicit' ? 0 : aggregation.implicit_endorsements;
  if (row.second_pass !== 'asked')
    return fewestToTurn({
      tally: motion.tally,
      given: { ...motion.tally, yeas: motion.tally.yeas - implicit },
      countsAmends,
      outcomeOf: tally => endOf({ ...motion, tally }, rosterSize, rules),
    });
  const { yeas, nays, amends, abstentions } = row;
  const tally = { yeas, nays, amends, abstentions };
  const stayed = row.first_pass ?? noVotes;
  return fewestToTurn({
    tally,
    given: {
      ...tally,
      yeas: yeas - stayed.yeas,
      abstentions: abstentions - stayed.abstentions,
    },
    countsAmends,
    outcomeOf: supposed =>
      decideSecondPass({ ...motion, tally: supposed }, rosterSize, rules).outcome,
  });
}

const noVotes: Tally = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };
