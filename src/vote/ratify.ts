/** Takes the vote on every motion of a session, and again on those accepted with amendments: a row for each pass. */
import { groupBy } from '../core/groups.ts';
import type { MotionAccount } from '../core/printed/motion-account.ts';
import { defaultSampleRisk } from '../core/words/motions-settings.ts';
import type { Aggregation, RuleSet, Share } from './aggregation.ts';
import { type Amendable, type AmendedText, amendedTextOf } from './answers.ts';
import {
  type CastVotes,
  type MotionsRun,
  type RatificationRow,
  type SampleFigures,
  type Vote,
  everybodyAsked,
  votes,
} from './motions-run.ts';
import {
  decideBySample,
  decideFirstPass,
  decideMotion,
  decideSecondPass,
  type Decision,
  type Decisions,
  isForRevision,
  type MotionAtVote,
  motionAtVote,
  simulatedTally,
} from './ratification.ts';
import type { PanelRecord, ReviewResponse } from './records.ts';

/** `amend`: what a stance AMEND counts as. A failed review is no vote. */
function votesOf(
  responses: readonly ReviewResponse[],
  amend: Vote,
  standing: CastVotes = [],
): CastVotes {
  const voteOf = { ENDORSE: 'yea', OPPOSE: 'nay', AMEND: amend, ABSTAIN: 'abstain' } as const;
  const said = responses.flatMap(({ archon_name, stance }) =>
    stance === null ? [] : [[archon_name, voteOf[stance]] as const],
  );
  const all = [...standing, ...said];
  return votes.flatMap(vote => all.filter(([, cast]) => cast === vote));
}

function countVotes(cast: CastVotes) {
  const [yeas = 0, nays = 0, amends = 0, abstentions = 0] = votes.map(
    vote => cast.filter(([, own]) => own === vote).length,
  );
  return { yeas, nays, amends, abstentions };
}

/** What rows of a motion are made of, beside its decisions. */
interface RowsOfMotion {
  readonly rosterSize: number;
  readonly rules: RuleSet;
  /** ISO 8601, UTC; null where a decision is replayed and nothing is ratified by it. */
  readonly at: string | null;
  /** Names a pass of this motion for good: pass 1 or 2. */
  readonly voteId: (pass: number) => string;
  /** Of both passes; null is left out. */
  readonly row: Pick<MotionAccount, 'mega_motion_id' | 'mega_motion_title'> &
    Partial<RatificationRow>;
  /** Called where there is a second row. */
  readonly amended: () => AmendedText;
  /** Who voted how in the second pass, and who answered in neither; null: no member was asked. */
  readonly again: Pick<RatificationRow, 'votes_by_archon' | 'missing'> | null;
}

/** One row for each pass; the last one is final. */
export function toRows([first, second]: Decisions, motion: RowsOfMotion): RatificationRow[] {
  const firstRow = toRow(first, motion);
  if (second === undefined) return [firstRow];
  const { rules, voteId, again } = motion;
  const { yeas, nays, amends, abstentions, outcome } = first;
  const { text, by } = motion.amended();
  const isHeld = !isForRevision(second);
  const defer = rules.parameters.second_pass?.defer_above ?? [1, 1];
  const ratio = percentOf([amends, first.eligible_votes]);
  return [
    firstRow,
    {
      ...toRow(second, motion),
      ...(isHeld && {
        ...again,
        second_pass: again === null ? 'assumed' : 'asked',
        first_pass: { yeas, nays, amends, abstentions, outcome },
      }),
      vote_id: voteId(2),
      revision_of: voteId(1),
      revised_by: by,
      revised_motion_text: isHeld
        ? text
        : `${text}\n[DEFERRED: Amendment ratio (${ratio}%) exceeds threshold (${percentOf(defer)}%). Motion deferred for ` +
          'manual revision and re-submission to Conclave.]',
    },
  ];
}

function percentOf([part, whole]: Share) {
  return Math.round((100 * part) / whole);
}

/** As a first pass has it. */
function toRow(decision: Decision, { rosterSize, at, voteId, row }: RowsOfMotion): RatificationRow {
  const { yeas, nays, abstentions, amends, outcome } = decision;
  const { mega_motion_id, mega_motion_title, ...more } = row;
  const total = yeas + nays + amends + abstentions;
  // In the order that the files of a vote have.
  return {
    vote_id: voteId(1),
    mega_motion_id,
    mega_motion_title,
    yeas,
    nays,
    abstentions,
    amends,
    eligible_votes: decision.eligible_votes,
    total_votes: total,
    participation_rate: rosterSize === 0 ? 0 : total / rosterSize,
    threshold_type: decision.threshold_type,
    threshold_required: decision.threshold_required,
    quorum_required: decision.quorum_required,
    quorum_met: decision.quorum_met,
    support_total: yeas + amends,
    support_required: decision.threshold_required,
    threshold_met: decision.threshold_met,
    revision_of: null,
    revised_motion_text: null,
    outcome,
    ratified_at: outcome === 'ratified' ? at : null,
    votes_by_archon: null,
    panel_recommendation: null,
    second_pass: null,
    first_pass: null,
    revised_by: null,
    supermajority_because: decision.supermajority_because,
    decided_by: 'vote',
    ...everybodyAsked,
    missing: 0,
    ...more,
  };
}

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
interface Ballot extends MotionAtVote, AmendedMotion {
  readonly aggregation: Aggregation;
  /** In the first pass; empty in a simulation, where nobody cast a vote. */
  readonly cast: CastVotes;
  readonly first: Decisions;
  /** Null: everybody was asked who could be. */
  readonly sample: SampleFigures | null;
}

/** In the order of the session. */
export function countBallots(run: CountedRun): Ballot[] {
  const { rules } = run.inputs;
  const { yeas, amends } = rules.parameters;
  const { roster } = run.input.session;
  const isSimulated = run.mode === 'simulated';
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  // A large roster gives a million answers: those of a simulation are not gathered.
  const answers = groupBy(isSimulated ? [] : run.responses, motionOf);
  return run.triaged.flatMap(({ motion: { id: motionId, text }, conflicts }, index) => {
    const aggregation = run.aggregations[index];
    if (aggregation === undefined) return [];
    const { endorsing_archons: endorsing, consensus_reached: consensus } = aggregation;
    const panel = panels.get(motionId) ?? null;
    const said = answers.get(motionId) ?? [];
    const counted = motionAtVote(aggregation, isSimulated ? 0 : aggregation.no_response, rules);
    const advice = panel?.recommendation ?? null;
    const motion = isSimulated
      ? { ...counted, tally: simulatedTally(consensus, advice, roster.length, rules) }
      : counted;
    const implicit = endorsing.slice(
      0,
      yeas === 'explicit' ? 0 : aggregation.implicit_endorsements,
    );
    const standing = implicit.map(name => [name, 'yea'] as const);
    const amend = amends === 'counted' ? 'amend' : 'abstain';
    const inConflict = new Set(conflicts.map(({ memberName }) => memberName));
    const drawn = said.filter(({ archon_name }) => !inConflict.has(archon_name));
    return {
      ...motion,
      motionId,
      aggregation,
      panel,
      text,
      cast: isSimulated ? [] : votesOf(said, amend, standing),
      amendments: aggregation.amendment_texts,
      asked: said.filter(({ stance }) => stance === 'AMEND' || stance === 'OPPOSE'),
      ...decide(motion, drawn.length, votesOf(drawn, amend), {
        run,
        undrawn: isSimulated ? 0 : (aggregation.not_drawn ?? 0),
      }),
    };
  });
}

/**
 * Where answers of those who were not drawn could turn it, those who were drawn decide it, or nothing does. `asked`, `drawn`, `undrawn`:
 * of members who could be asked, but for those in conflict, who always are.
 */
function decide(
  motion: MotionAtVote,
  asked: number,
  drawn: CastVotes,
  { run, undrawn }: { readonly run: CountedRun; readonly undrawn: number },
): Pick<Ballot, 'first' | 'sample'> {
  const { rules, settings } = run.inputs;
  const rosterSize = run.input.session.roster.length;
  const pass = settings.second_pass === 'ask' ? decideFirstPass : decideMotion;
  const first = pass({ ...motion, missing: motion.missing + undrawn }, rosterSize, rules);
  if (undrawn === 0) return { first, sample: null };
  const { decisions, risk, more } =
    first[0].outcome === 'incomplete'
      ? decideBySample(
          motion,
          { population: asked + undrawn, asked, answered: countVotes(drawn) },
          { risk: settings.sample_risk ?? defaultSampleRisk, rosterSize, rules },
        )
      : { decisions: first, risk: 0, more: 0 };
  return {
    first: decisions ?? first,
    sample: { asked, answered: drawn.length, not_drawn: undrawn, risk, more },
  };
}

export function isAmended({ first }: Ballot) {
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
  { input: { session }, inputs: { rules } }: CountedRun,
  ballots: readonly Ballot[],
  { again, at, uuid }: Ratifying,
): Pick<MotionsRun, 'history' | 'results' | 'aggregations'> {
  const rosterSize = session.roster.length;
  const answers = groupBy(again?.responses ?? [], motionOf);
  const passes = ballots.map(ballot => {
    const { motionId, cast, panel, first, missing, sample } = ballot;
    // Who was not asked again keeps the vote; what the others said of the amended text takes the place of what they said before.
    const kept = cast.filter(([, vote]) => vote === 'yea' || vote === 'abstain');
    const castAgain = isAmended(ballot)
      ? votesOf(answers.get(motionId) ?? [], 'amend', kept)
      : null;
    // Who was asked again and did not answer has no vote, and is missing.
    const second = castAgain && {
      ...ballot,
      tally: countVotes(castAgain),
      missing: missing + cast.length - castAgain.length,
    };
    return toRows(second ? [first[0], decideSecondPass(second, rosterSize, rules)] : first, {
      rosterSize,
      rules,
      at,
      voteId: pass => uuid(`${session.id}|vote|${motionId}|${pass}`),
      row: {
        mega_motion_id: motionId,
        mega_motion_title: ballot.title,
        votes_by_archon: cast,
        panel_recommendation: panel?.recommendation ?? null,
        missing,
        ...(sample && { ...sample, decided_by: 'sample' }),
      },
      amended: () => again?.texts.get(motionId) ?? amendedTextOf(ballot, panel),
      again: second && { votes_by_archon: castAgain, missing: second.missing },
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

export function motionOf({ mega_motion_id }: ReviewResponse) {
  return mega_motion_id;
}
