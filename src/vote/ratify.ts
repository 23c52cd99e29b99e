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
import { decideBySample, type MotionSample } from './sample.ts';
import type { Packet } from './triage.ts';

/** A vote whose stances are counted and whose panels are held. */
type CountedRun = Pick<
  MotionsRun,
  'input' | 'inputs' | 'mode' | 'packets' | 'responses' | 'aggregations' | 'panels'
>;

/** A motion, the votes on it, and what its first pass comes to. */
export interface Ballot extends MotionAtVote, Amendable {
  readonly motionId: string;
  readonly aggregation: Aggregation;
  readonly panel: PanelRecord | null;
  /** In the first pass; empty in a simulation, where nobody cast a vote. */
  readonly said: readonly ReviewResponse[];
  readonly first: Decisions;
  /** Null: everybody was asked who could be. */
  readonly sample: SampleFigures | null;
}

/** In the order of the session. */
export function countBallots(run: CountedRun): Ballot[] {
  const { roster, motions } = run.input.session;
  const { rules } = run.inputs;
  const isSimulated = run.mode === 'simulated';
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  const texts = new Map(motions.map(({ id, text }) => [id, text]));
  const drawn = drawnIn(run.packets);
  // A large roster gives a million answers: those of a simulation are not gathered.
  const answers = byMotion(isSimulated ? [] : run.responses);
  return run.aggregations.map(aggregation => {
    const { mega_motion_id: motionId, mega_motion_title: title, constitutional } = aggregation;
    const panel = panels.get(motionId) ?? null;
    const said = answers.get(motionId) ?? [];
    const advice = panel?.recommendation ?? null;
    const motion = {
      title,
      constitutional,
      riskTier: aggregation.risk_tier,
      tally: isSimulated
        ? simulatedTally(aggregation.consensus_reached, advice, roster.length, rules)
        : tallyOf(aggregation, rules),
      missing: isSimulated ? 0 : aggregation.no_response,
    };
    return {
      ...motion,
      motionId,
      aggregation,
      panel,
      said,
      text: texts.get(motionId) ?? '',
      amendments: aggregation.amendment_texts,
      ...decide(motion, isSimulated ? null : sampleOf(aggregation, said, drawn, run), run),
    };
  });
}

/** Where answers of those who were not drawn could turn it, those who were drawn decide it, or nothing does. */
function decide(
  motion: MotionAtVote,
  sample: MotionSample | null,
  { input, inputs: { rules, settings } }: CountedRun,
): Pick<Ballot, 'first' | 'sample'> {
  const rosterSize = input.session.roster.length;
  const undrawn = sample === null ? 0 : sample.population - sample.asked;
  const pass = settings.second_pass === 'ask' ? decideFirstPass : decideMotion;
  const first = pass({ ...motion, missing: motion.missing + undrawn }, rosterSize, rules);
  if (sample === null) return { first, sample };
  const { decisions, risk, more } =
    first[0].outcome === 'incomplete'
      ? decideBySample(motion, sample, {
          risk: settings.sample_risk ?? defaultSampleRisk,
          rosterSize,
          rules,
        })
      : { decisions: first, risk: 0, more: 0 };
  const answered = Object.values(sample.answered).reduce((sum, count) => sum + count, 0);
  return {
    first: decisions ?? first,
    sample: { asked: sample.asked, answered, not_drawn: undrawn, risk, more },
  };
}

/** By motion of which others were drawn than could be asked: names of those who were. */
function drawnIn(packets: readonly Packet[]): ReadonlyMap<string, ReadonlySet<string>> {
  const drawn = new Map(
    packets.flatMap(({ notDrawn = [] }) => notDrawn.map(id => [id, new Set<string>()])),
  );
  // A large roster has a million assignments.
  for (const { member, assigned } of drawn.size === 0 ? [] : packets)
    for (const { motionId, reason } of assigned)
      if (reason === 'gap_archon') drawn.get(motionId)?.add(member.name);
  return drawn;
}

function sampleOf(
  { mega_motion_id: motionId, not_drawn: undrawn = 0 }: Aggregation,
  said: readonly ReviewResponse[],
  drawn: ReturnType<typeof drawnIn>,
  { inputs: { rules } }: CountedRun,
): MotionSample | null {
  const members = drawn.get(motionId);
  if (members === undefined) return null;
  const counts = countStances(said.filter(({ archon_name }) => members.has(archon_name)));
  return {
    population: members.size + undrawn,
    asked: members.size,
    answered: tallyOf(
      {
        implicit_endorsements: 0,
        explicit_endorsements: counts.ENDORSE,
        oppositions: counts.OPPOSE,
        amendments_proposed: counts.AMEND,
        abstentions: counts.ABSTAIN,
      },
      rules,
    ),
  };
}

function countStances(responses: readonly ReviewResponse[]): Record<Stance, number> {
  const counts = { ENDORSE: 0, OPPOSE: 0, AMEND: 0, ABSTAIN: 0 };
  for (const { stance } of responses) if (stance !== null) counts[stance] += 1;
  return counts;
}

/** A motion whose amended text is to be put to the vote, and to whom: everybody who amended or opposed it. */
export interface AmendedMotion extends Amendable, Pick<Ballot, 'motionId' | 'riskTier' | 'panel'> {
  /** What they said in the first pass. */
  readonly asked: readonly ReviewResponse[];
}

/** In the order of the session. */
export function findAmended(ballots: readonly Ballot[]): AmendedMotion[] {
  return ballots.filter(isAmended).map(ballot => ({
    ...ballot,
    asked: ballot.said.filter(({ stance }) => stance === 'AMEND' || stance === 'OPPOSE'),
  }));
}

function isAmended({ first }: Ballot): boolean {
  return first.at(-1)?.outcome === 'accepted_with_amendments';
}

/** The second pass as it was held. */
export interface HeldSecondPass {
  /** What was put to the vote, by motion. */
  readonly texts: ReadonlyMap<string, AmendedText>;
  /** One for everybody who was asked about a motion. */
  readonly responses: readonly ReviewResponse[];
}

/** `history`: all first passes, then all second ones; `results`: the last row of each motion, in the order of the session. */
type Ratified = Pick<MotionsRun, 'history' | 'results' | 'aggregations'>;

interface Ratifying {
  /** Null: nobody is asked a second time, and the second pass is assumed. */
  readonly again: HeldSecondPass | null;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly uuid: (name: string) => string;
}

/** The counts say of each motion that is left open that it is, whatever the answers that came say. */
export function ratify(
  { input: { session }, inputs: { rules }, mode }: CountedRun,
  ballots: readonly Ballot[],
  { again, at, uuid }: Ratifying,
): Ratified {
  const rosterSize = session.roster.length;
  const saidAgain = byMotion(again?.responses ?? []);
  const rows = ballots.map(ballot => {
    const { motionId, title, aggregation, panel, missing, first, sample } = ballot;
    const cast = mode === 'simulated' ? nobodyVoted : votesCast(aggregation, ballot.said, rules);
    const answers = saidAgain.get(motionId) ?? [];
    const second = isAmended(ballot) ? voteAgain(ballot, answers) : null;
    const decisions =
      second === null ? first : [first[0], decideSecondPass(second, rosterSize, rules)];
    return toRows(decisions, {
      motionId,
      title,
      rosterSize,
      recommendation: panel?.recommendation ?? null,
      missing,
      at,
      cast,
      voteId: pass => uuid(`${session.id}|vote|${motionId}|${pass}`),
      amended: () => again?.texts.get(motionId) ?? amendedTextOf(ballot, panel),
      again: second && { cast: votesCastAgain(cast, answers), missing: second.missing },
      sample,
    });
  });
  const results = rows.flatMap(passes => passes.at(-1) ?? []);
  return {
    history: [0, 1].flatMap(pass =>
      rows.flatMap((passes): RatificationRow[] => passes.slice(pass, pass + 1)),
    ),
    results,
    aggregations: ballots.map(({ aggregation }, index) =>
      results[index]?.outcome === 'incomplete'
        ? { ...aggregation, status: 'incomplete' }
        : aggregation,
    ),
  };
}

/** Who was not asked again keeps the vote; who was and did not answer has none, and is missing. */
function voteAgain(motion: MotionAtVote, answers: readonly ReviewResponse[]): MotionAtVote {
  const { yeas, nays, amends, abstentions } = motion.tally;
  const { ENDORSE, OPPOSE, AMEND, ABSTAIN } = countStances(answers);
  return {
    ...motion,
    tally: {
      yeas: yeas + ENDORSE,
      nays: OPPOSE,
      amends: AMEND,
      abstentions: abstentions + ABSTAIN,
    },
    missing: motion.missing + nays + amends - (ENDORSE + OPPOSE + AMEND + ABSTAIN),
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
