/** Takes the vote on every motion of a session, and again on those accepted with amendments. */
import type { Aggregation } from './aggregation.ts';
import { type Amendable, type AmendedText, amendedTextOf } from './amended-text.ts';
import type { PanelRecord, ReviewResponse, Stance } from './records.ts';
import {
  decideFirstPass,
  decideMotion,
  decideSecondPass,
  type Decisions,
  type MotionAtVote,
  simulatedTally,
  tallyOf,
} from './ratification.ts';
import {
  nobodyVoted,
  type RatificationRow,
  type SampleFigures,
  toRows,
  votesCast,
  votesCastAgain,
} from './ratification-rows.ts';
import type { RuleSet } from './rule-set.ts';
import { decideBySample, type MotionSample } from './sample.ts';
import type { RiskTier } from './triage.ts';

export interface Ballot {
  readonly sessionId: string;
  readonly rosterSize: number;
  readonly aggregations: readonly Aggregation[];
  /** Of the first pass. */
  readonly responses: Iterable<ReviewResponse>;
  readonly panels: readonly PanelRecord[];
  /** By motion of which not all were asked who could be: names of those who were drawn. */
  readonly drawn: ReadonlyMap<string, ReadonlySet<string>>;
  /** Chance at which they decide it. */
  readonly sampleRisk: number;
  /** The whole text of a motion. */
  readonly textOf: (motionId: string) => string;
  /** True: votes come from a table, nobody cast them. */
  readonly simulated: boolean;
  readonly uuid: (name: string) => string;
}

/** The second pass as it was held. */
export interface HeldSecondPass {
  /** What was put to the vote, by motion. */
  readonly texts: ReadonlyMap<string, AmendedText>;
  /** One for everybody who was asked about a motion. */
  readonly responses: readonly ReviewResponse[];
}

export interface Ratified {
  /** All first passes, then all second ones. */
  readonly history: readonly RatificationRow[];
  /** The last row of each motion, in the order of the session. */
  readonly results: readonly RatificationRow[];
}

/** `again` null: nobody is asked a second time, and the second pass is assumed. `at`: ISO 8601, UTC. */
export function ratify(
  ballot: Ballot,
  again: HeldSecondPass | null,
  rules: RuleSet,
  at: string,
): Ratified {
  const saidAgain = byMotion(again?.responses ?? []);
  const rows = motionsOn(ballot, rules).map(one => {
    const { motionId, aggregation, panel, motion } = one;
    const cast = ballot.simulated ? nobodyVoted : votesCast(aggregation, one.said, rules);
    const voted = {
      motionId,
      title: motion.title,
      rosterSize: ballot.rosterSize,
      recommendation: panel?.recommendation ?? null,
      missing: motion.missing,
      at,
      cast,
      voteId: (pass: number) => ballot.uuid(`${ballot.sessionId}|vote|${motionId}|${pass}`),
      amended: () => again?.texts.get(motionId) ?? amendedTextOf(amendable(one, ballot), panel),
      again: null,
      sample: null,
    };
    const decide = again === null ? decideMotion : decideFirstPass;
    const decided = decide(withUndrawn(one), ballot.rosterSize, rules);
    const { decisions: first, sample } = settleSample(one, decided, ballot, rules);
    if (again === null || !isToBeAsked(first)) return toRows(first, { ...voted, sample });
    const answers = saidAgain.get(motionId) ?? [];
    const second = voteAgain(motion, answers);
    return toRows([first[0], decideSecondPass(second, ballot.rosterSize, rules)], {
      ...voted,
      sample,
      again: { cast: votesCastAgain(cast, answers), missing: second.missing },
    });
  });
  return {
    history: [
      ...rows.flatMap(([first]) => first ?? []),
      ...rows.flatMap(([, second]) => second ?? []),
    ],
    results: rows.flatMap(passes => passes.at(-1) ?? []),
  };
}

/** Where answers of those who were not drawn could turn it, those who were drawn decide it, or nothing does. */
function settleSample(
  { motion, sample }: MotionOnBallot,
  decided: Decisions,
  { rosterSize, sampleRisk }: Ballot,
  rules: RuleSet,
): { readonly decisions: Decisions; readonly sample: SampleFigures | null } {
  if (sample === null) return { decisions: decided, sample };
  const { population, asked, answered } = sample;
  const figures = {
    asked,
    answered: Object.values(answered).reduce((sum, count) => sum + count, 0),
    not_drawn: population - asked,
  };
  if (decided[0].outcome !== 'incomplete')
    return { decisions: decided, sample: { ...figures, risk: 0, more: 0 } };
  const { decisions, risk, more } = decideBySample(motion, sample, {
    risk: sampleRisk,
    rosterSize,
    rules,
  });
  return { decisions: decisions ?? decided, sample: { ...figures, risk, more } };
}

/** Who was not drawn could say anything. */
function withUndrawn({ motion, sample }: MotionOnBallot): MotionAtVote {
  const undrawn = sample === null ? 0 : sample.population - sample.asked;
  return { ...motion, missing: motion.missing + undrawn };
}

/** A motion whose amended text is to be put to the vote, and to whom: everybody who amended or opposed it. */
export interface AmendedMotion extends Amendable {
  readonly motionId: string;
  readonly riskTier: RiskTier;
  readonly panel: PanelRecord | null;
  /** What they said in the first pass. */
  readonly asked: readonly ReviewResponse[];
}

/** In the order of the session. */
export function findAmended(ballot: Ballot, rules: RuleSet): AmendedMotion[] {
  return motionsOn(ballot, rules)
    .filter(one => isToBeAsked(decideFirstPass(withUndrawn(one), ballot.rosterSize, rules)))
    .map(one => ({
      ...amendable(one, ballot),
      motionId: one.motionId,
      riskTier: one.aggregation.risk_tier,
      panel: one.panel,
      asked: one.said.filter(({ stance }) => stance === 'AMEND' || stance === 'OPPOSE'),
    }));
}

interface MotionOnBallot {
  readonly motionId: string;
  readonly aggregation: Aggregation;
  readonly panel: PanelRecord | null;
  readonly said: readonly ReviewResponse[];
  /** Null: everybody was asked who could be. */
  readonly sample: MotionSample | null;
  readonly motion: MotionAtVote;
}

function motionsOn(
  { aggregations, responses, panels, drawn, simulated, rosterSize }: Ballot,
  rules: RuleSet,
): MotionOnBallot[] {
  const panelOf = new Map(panels.map(panel => [panel.mega_motion_id, panel]));
  // Nobody cast a vote in a simulation: its answers are not gathered, a large roster has a million.
  const said = byMotion(simulated ? [] : responses);
  return aggregations.map(aggregation => {
    const { mega_motion_id: motionId, mega_motion_title: title, constitutional } = aggregation;
    const panel = panelOf.get(motionId) ?? null;
    const advice = panel?.recommendation ?? null;
    const own = said.get(motionId) ?? [];
    return {
      motionId,
      aggregation,
      panel,
      said: own,
      sample: sampleOf(aggregation, own, drawn.get(motionId), rules),
      motion: {
        title,
        constitutional,
        riskTier: aggregation.risk_tier,
        tally: simulated
          ? simulatedTally(aggregation.consensus_reached, advice, rosterSize, rules)
          : tallyOf(aggregation, rules),
        missing: simulated ? 0 : aggregation.no_response,
      },
    };
  });
}

function sampleOf(
  { not_drawn: undrawn = 0 }: Aggregation,
  said: readonly ReviewResponse[],
  drawn: ReadonlySet<string> | undefined,
  rules: RuleSet,
): MotionSample | null {
  if (undrawn === 0 || drawn === undefined) return null;
  const saying = (stance: Stance): number =>
    said.filter(answer => answer.stance === stance && drawn.has(answer.archon_name)).length;
  const counts = {
    implicit_endorsements: 0,
    explicit_endorsements: saying('ENDORSE'),
    oppositions: saying('OPPOSE'),
    amendments_proposed: saying('AMEND'),
    abstentions: saying('ABSTAIN'),
  };
  return {
    population: drawn.size + undrawn,
    asked: drawn.size,
    answered: tallyOf(counts, rules),
  };
}

function amendable({ motionId, aggregation }: MotionOnBallot, { textOf }: Ballot): Amendable {
  return {
    title: aggregation.mega_motion_title,
    text: textOf(motionId),
    amendments: aggregation.amendment_texts,
  };
}

function isToBeAsked(first: Decisions): boolean {
  return first.at(-1)?.outcome === 'accepted_with_amendments';
}

/** Who was not asked again keeps the vote; who was and did not answer has none, and is missing. */
function voteAgain(motion: MotionAtVote, answers: readonly ReviewResponse[]): MotionAtVote {
  const { yeas, nays, amends, abstentions } = motion.tally;
  const saying = (stance: Stance): number =>
    answers.filter(answer => answer.stance === stance).length;
  const answered = answers.filter(({ stance }) => stance !== null).length;
  return {
    ...motion,
    tally: {
      yeas: yeas + saying('ENDORSE'),
      nays: saying('OPPOSE'),
      amends: saying('AMEND'),
      abstentions: abstentions + saying('ABSTAIN'),
    },
    missing: motion.missing + nays + amends - answered,
  };
}

/** The counts as they are kept: where the vote is open, so is their status, whatever the answers that came say. */
export function markOpen(
  aggregations: readonly Aggregation[],
  results: Ratified['results'],
): Aggregation[] {
  const open = new Set(
    results.flatMap(({ outcome, mega_motion_id }) =>
      outcome === 'incomplete' ? mega_motion_id : [],
    ),
  );
  return aggregations.map(row =>
    open.has(row.mega_motion_id) ? { ...row, status: 'incomplete' } : row,
  );
}

export function byMotion(responses: Iterable<ReviewResponse>): Map<string, ReviewResponse[]> {
  const grouped = new Map<string, ReviewResponse[]>();
  for (const response of responses) {
    const own = grouped.get(response.mega_motion_id);
    if (own) own.push(response);
    else grouped.set(response.mega_motion_id, [response]);
  }
  return grouped;
}
