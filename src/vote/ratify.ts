/** Takes the vote on every motion of a session, and again on those accepted with amendments. */
import type { Aggregation } from './aggregation.ts';
import { type Amendable, type AmendedText, amendedTextOf } from './amended-text.ts';
import { defaultSampleRisk } from '../core/words/motions-settings.ts';
import type { MotionsRun } from './motions-run.ts';
import type { PanelRecord, ReviewResponse } from './records.ts';
import type { Stance } from '../core/words/vote.ts';
import {
  decideFirstPass,
  decideMotion,
  decideSecondPass,
  type Decisions,
  type MotionAtVote,
  simulatedTally,
  type Tally,
  tallyOf,
} from './ratification.ts';
import {
  nobodyVoted,
  type SampleFigures,
  toRows,
  votesCast,
  votesCastAgain,
} from './ratification-rows.ts';
import type { RuleSet } from './rule-set.ts';
import { decideBySample } from './sample.ts';

/** A vote whose stances are counted and whose panels are held. */
type CountedRun = Pick<
  MotionsRun,
  'input' | 'inputs' | 'mode' | 'triaged' | 'responses' | 'aggregations' | 'panels'
>;

/** A motion as its amended text is put to the vote, and to whom: everybody who amended or opposed it. */
export interface AmendedMotion extends Amendable, Pick<MotionAtVote, 'riskTier'> {
  readonly motionId: string;
  readonly panel: PanelRecord | null;
  /** What they said in the first pass. */
  readonly asked: readonly ReviewResponse[];
}

/** A motion, the votes on it, and what its first pass comes to. */
export interface Ballot extends MotionAtVote, AmendedMotion {
  readonly aggregation: Aggregation;
  /** In the first pass; empty in a simulation, where nobody cast a vote. */
  readonly said: readonly ReviewResponse[];
  readonly first: Decisions;
  /** Null: everybody was asked who could be. */
  readonly sample: SampleFigures | null;
}

/** In the order of the session. */
export function countBallots(run: CountedRun): Ballot[] {
  const { rules } = run.inputs;
  const isSimulated = run.mode === 'simulated';
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  // A large roster gives a million answers: those of a simulation are not gathered.
  const answers = byMotion(isSimulated ? [] : run.responses);
  return run.triaged.flatMap(({ motion: { id: motionId, text }, conflicts }, index) => {
    const aggregation = run.aggregations[index];
    if (aggregation === undefined) return [];
    const panel = panels.get(motionId) ?? null;
    const said = answers.get(motionId) ?? [];
    const motion = {
      title: aggregation.mega_motion_title,
      constitutional: aggregation.constitutional,
      riskTier: aggregation.risk_tier,
      tally: isSimulated
        ? simulatedTally(
            aggregation.consensus_reached,
            panel?.recommendation ?? null,
            run.input.session.roster.length,
            rules,
          )
        : tallyOf(aggregation, rules),
      missing: isSimulated ? 0 : aggregation.no_response,
    };
    const inConflict = new Set(conflicts.map(({ memberName }) => memberName));
    const drawn = said.filter(({ archon_name }) => !inConflict.has(archon_name));
    return {
      ...motion,
      motionId,
      aggregation,
      panel,
      said,
      text,
      amendments: aggregation.amendment_texts,
      asked: said.filter(({ stance }) => stance === 'AMEND' || stance === 'OPPOSE'),
      ...decide(motion, { drawn, undrawn: isSimulated ? 0 : (aggregation.not_drawn ?? 0) }, run),
    };
  });
}

/** Of members who could be asked, but for those in conflict, who always are. */
interface Draw {
  readonly drawn: readonly ReviewResponse[];
  readonly undrawn: number;
}

/** Where answers of those who were not drawn could turn it, those who were drawn decide it, or nothing does. */
function decide(
  motion: MotionAtVote,
  { drawn, undrawn }: Draw,
  { input, inputs: { rules, settings } }: CountedRun,
): Pick<Ballot, 'first' | 'sample'> {
  const rosterSize = input.session.roster.length;
  const pass = settings.second_pass === 'ask' ? decideFirstPass : decideMotion;
  const first = pass({ ...motion, missing: motion.missing + undrawn }, rosterSize, rules);
  if (undrawn === 0) return { first, sample: null };
  const asked = drawn.length;
  const answered = tallyStances(drawn, rules);
  const { decisions, risk, more } =
    first[0].outcome === 'incomplete'
      ? decideBySample(
          motion,
          { population: asked + undrawn, asked, answered },
          { risk: settings.sample_risk ?? defaultSampleRisk, rosterSize, rules },
        )
      : { decisions: first, risk: 0, more: 0 };
  return {
    first: decisions ?? first,
    sample: { asked, answered: votesIn(answered), not_drawn: undrawn, risk, more },
  };
}

function tallyStances(responses: readonly ReviewResponse[], rules: RuleSet): Tally {
  const count = (wanted: Stance): number =>
    responses.filter(({ stance }) => stance === wanted).length;
  const counts = {
    implicit_endorsements: 0,
    explicit_endorsements: count('ENDORSE'),
    oppositions: count('OPPOSE'),
    amendments_proposed: count('AMEND'),
    abstentions: count('ABSTAIN'),
  };
  return tallyOf(counts, rules);
}

function votesIn(tally: Tally): number {
  return Object.values(tally).reduce((sum, count) => sum + count, 0);
}

export function isAmended({ first }: Ballot): boolean {
  return first.at(-1)?.outcome === 'accepted_with_amendments';
}

/** The second pass as it was held. */
export interface HeldSecondPass {
  /** What was put to the vote, by motion. */
  readonly texts: ReadonlyMap<string, AmendedText>;
  /** One for everybody who was asked about a motion. */
  readonly responses: readonly ReviewResponse[];
}

interface Ratifying {
  /** Null: nobody is asked a second time, and the second pass is assumed. */
  readonly again: HeldSecondPass | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly uuid: (name: string) => string;
}

/**
 * `history`: all first passes, then all second ones; `results`: the last row of each motion, in the order of the session. The counts
 * say of each motion that is left open that it is, whatever the answers that came say.
 */
export function ratify(
  { input: { session }, inputs: { rules }, mode }: CountedRun,
  ballots: readonly Ballot[],
  { again, at, uuid }: Ratifying,
): Pick<MotionsRun, 'history' | 'results' | 'aggregations'> {
  const rosterSize = session.roster.length;
  const saidAgain = byMotion(again?.responses ?? []);
  const passes = ballots.map(ballot => {
    const { motionId, aggregation, panel, first } = ballot;
    const cast = mode === 'simulated' ? nobodyVoted : votesCast(aggregation, ballot.said, rules);
    const answers = saidAgain.get(motionId) ?? [];
    const second = isAmended(ballot) ? voteAgain(ballot, answers, rules) : null;
    return toRows(second ? [first[0], decideSecondPass(second, rosterSize, rules)] : first, {
      ...ballot,
      rosterSize,
      recommendation: panel?.recommendation ?? null,
      at,
      cast,
      voteId: pass => uuid(`${session.id}|vote|${motionId}|${pass}`),
      amended: () => again?.texts.get(motionId) ?? amendedTextOf(ballot, panel),
      again: second && { cast: votesCastAgain(cast, answers), missing: second.missing },
    });
  });
  const results = passes.flatMap(rows => rows.slice(-1));
  return {
    history: [
      ...passes.flatMap(rows => rows.slice(0, 1)),
      ...passes.flatMap(rows => rows.slice(1)),
    ],
    results,
    aggregations: ballots.map(({ aggregation }, index) =>
      results[index]?.outcome === 'incomplete'
        ? { ...aggregation, status: 'incomplete' }
        : aggregation,
    ),
  };
}

/** Who was not asked again keeps the vote; who was and did not answer has none, and is missing. */
function voteAgain(
  motion: MotionAtVote,
  answers: readonly ReviewResponse[],
  rules: RuleSet,
): MotionAtVote {
  const { yeas, nays, amends, abstentions } = motion.tally;
  const said = tallyStances(answers, rules);
  return {
    ...motion,
    tally: { ...said, yeas: yeas + said.yeas, abstentions: abstentions + said.abstentions },
    missing: motion.missing + nays + amends - votesIn(said),
  };
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
