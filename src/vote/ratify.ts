/** Takes the vote on every motion of a session, and again on those accepted with amendments: a row for each pass. */
import { nameBasedUuid } from '../core/hash.ts';
import { groupBy } from '../core/groups.ts';
import type { MotionAccount } from '../core/printed/motion-account.ts';
import { defaultSampleRisk } from '../core/words/motions-settings.ts';
import type { CountedMotion, Share } from './aggregation.ts';
import { type Amendable, type AmendedText, amendedTextOf } from './answers.ts';
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
import type { RecordedInputs } from './recorded-inputs.ts';
import type { Answer, PanelRecord, ReviewResponse } from './records.ts';
import type { SessionInput } from './session-input.ts';

/** `amend`: what a stance AMEND counts as. A failed review is no vote. */
function votesOf(responses: readonly Answer[], amend: Vote, standing: CastVotes = []): CastVotes {
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
interface RowsOfMotion extends Pick<MotionAtVote, 'rosterSize' | 'rules'> {
  /** ISO 8601, UTC; null where a decision is replayed and nothing is ratified by it. */
  at: string | null;
  /** Names the passes of its motions for good. */
  sessionId: string;
  /** Of both passes; null is left out. */
  row: Pick<MotionAccount, 'mega_motion_id' | 'mega_motion_title'> & Partial<RatificationRow>;
  /** Called where there is a second row. */
  amended: () => AmendedText;
  /** Who voted how in the second pass, and who answered in neither; null: no member was asked. */
  again: Pick<RatificationRow, 'votes_by_archon' | 'missing'> | null;
}

/** One row for each pass. */
export function toRows([first, again]: Decisions, motion: RowsOfMotion) {
  const row = toRow(first, motion);
  /** Null: there was no second pass. */
  const second = again ? toSecondRow(first, again, motion) : null;
  return { first: row, second, final: second ?? row };
}

function toSecondRow(first: Decision, second: Decision, motion: RowsOfMotion): RatificationRow {
  const { rules, again } = motion;
  const { yeas, nays, amends, abstentions, outcome } = first;
  const { text, by } = motion.amended();
  const isHeld = !isForRevision(second);
  const defer = rules.parameters.second_pass?.defer_above ?? [1, 1];
  const ratio = percentOf([amends, first.eligible_votes]);
  return {
    ...toRow(second, motion),
    ...(isHeld && {
      ...again,
      second_pass: again === null ? 'assumed' : 'asked',
      first_pass: { yeas, nays, amends, abstentions, outcome },
    }),
    vote_id: voteId(motion, 2),
    revision_of: voteId(motion, 1),
    revised_by: by,
    revised_motion_text: isHeld
      ? text
      : `${text}\n[DEFERRED: Amendment ratio (${ratio}%) exceeds threshold (${percentOf(defer)}%). Motion deferred for ` +
        'manual revision and re-submission to Conclave.]',
  };
}

function percentOf([part, whole]: Share) {
  return Math.round((100 * part) / whole);
}

/** Pass 1 or 2. */
function voteId({ sessionId, row }: RowsOfMotion, pass: number) {
  return nameBasedUuid(`${sessionId}|vote|${row.mega_motion_id}|${pass}`);
}

/** As a first pass has it. */
function toRow(decision: Decision, motion: RowsOfMotion): RatificationRow {
  const { rosterSize, at, row } = motion;
  const { yeas, nays, abstentions, amends, outcome } = decision;
  const { mega_motion_id, mega_motion_title, ...more } = row;
  const total = yeas + nays + amends + abstentions;
  // In the order that the files of a vote have, each by name: spread into it the figures of a large vote take 90 MB more.
  return {
    vote_id: voteId(motion, 1),
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
    asked: null,
    answered: null,
    risk: null,
    not_drawn: null,
    more: null,
    missing: 0,
    ...more,
  };
}

/** A vote whose stances are counted and whose panels are held. */
export interface CountedRun {
  readonly input: SessionInput;
  /** All that the results follow from, beside the answers. */
  readonly inputs: RecordedInputs;
  readonly panels: readonly PanelRecord[];
}

/** A motion as its amended text is put to the vote, and to whom: everybody who amended or opposed it. */
export interface AmendedMotion extends Amendable, Pick<CountedMotion, 'subject'> {
  readonly panel: PanelRecord | null;
  /** What they said in the first pass. */
  readonly asked: readonly Answer[];
}

/** A motion, the votes on it, and what its first pass comes to. */
type Ballot = ReturnType<typeof countBallots>[number];

export function countBallots(motions: readonly CountedMotion[], run: CountedRun) {
  const { rules, mode } = run.inputs;
  const { yeas, amends } = rules.parameters;
  const { roster } = run.input.session;
  const isSimulated = mode === 'simulated';
  const panels = new Map(run.panels.map(panel => [panel.mega_motion_id, panel]));
  const amend = amends === 'counted' ? 'amend' : 'abstain';
  return motions.map(({ subject, counts, said }) => {
    const motion = {
      ...motionAtVote(counts, isSimulated ? 0 : counts.no_response, roster.length, rules),
      ...(isSimulated && { tally: simulatedTally(counts.consensus_reached, roster.length, rules) }),
    };
    const standing = counts.endorsing_archons
      .slice(0, yeas === 'explicit' ? 0 : counts.implicit_endorsements)
      .map(name => [name, 'yea'] as const);
    const inConflict = new Set(subject.conflicts.map(({ memberName }) => memberName));
    const drawn = said.filter(({ archon_name }) => !inConflict.has(archon_name));
    return {
      ...motion,
      subject,
      counts,
      said,
      panel: panels.get(subject.motion.id) ?? null,
      text: subject.motion.text,
      /** In the first pass; empty in a simulation, where nobody cast a vote. */
      cast: isSimulated ? [] : votesOf(said, amend, standing),
      amendments: counts.amendment_texts,
      asked: said.filter(({ stance }) => stance === 'AMEND' || stance === 'OPPOSE'),
      ...decide(motion, drawn.length, votesOf(drawn, amend), {
        run,
        undrawn: isSimulated ? 0 : (counts.not_drawn ?? 0),
      }),
    };
  });
}

/**
 * Where answers of those who were not drawn could turn it, those who were drawn decide it, or nothing does. `asked`, `drawn`, `undrawn`:
 * of members who could be asked, but for those in conflict, who always are. `sample` null: everybody was asked who could be.
 */
function decide(
  motion: MotionAtVote,
  asked: number,
  drawn: CastVotes,
  { run, undrawn }: { readonly run: CountedRun; readonly undrawn: number },
) {
  const { settings } = run.inputs;
  const pass = settings.second_pass === 'ask' ? decideFirstPass : decideMotion;
  const first = pass({ ...motion, missing: motion.missing + undrawn });
  if (undrawn === 0) return { decisions: first, sample: null };
  const { decisions, risk, more } =
    first[0].outcome === 'incomplete'
      ? decideBySample(
          motion,
          { population: asked + undrawn, asked, answered: countVotes(drawn) },
          settings.sample_risk ?? defaultSampleRisk,
        )
      : { decisions: first, risk: 0, more: 0 };
  return {
    decisions: decisions ?? first,
    sample: { asked, answered: drawn.length, not_drawn: undrawn, risk, more },
  };
}

export function isAmended({ decisions }: Ballot) {
  return decisions.at(-1)?.outcome === 'accepted_with_amendments';
}

/** The second pass as it was held. */
export interface HeldSecondPass {
  /** What was put to the vote, by motion. */
  readonly texts: ReadonlyMap<string, AmendedText>;
  /** One for everybody who was asked about a motion, in any order. */
  readonly answers: readonly Answer[];
}

interface Ratifying {
  /** Null: nobody is asked a second time, and the second pass is assumed. */
  again:
    | (Pick<HeldSecondPass, 'texts'> & { readonly secondResponses: readonly ReviewResponse[] })
    | null;
  /** ISO 8601, UTC. */
  at: string;
}

/** A motion at the end of its vote. */
export type VotedMotion = ReturnType<typeof ratify>['motions'][number];

/**
 * `history`: all first passes, then all second ones; `results`: the last row of each motion, in the order of the session. The counts
 * say of each motion that is left open that it is, whatever the answers that came say.
 */
export function ratify(
  ballots: readonly Ballot[],
  { input: { session } }: CountedRun,
  { again, at }: Ratifying,
) {
  const answers = groupBy(again?.secondResponses ?? [], ({ mega_motion_id }) => mega_motion_id);
  const motions = ballots.map(ballot => {
    const { cast, panel, missing, sample } = ballot;
    const motionId = ballot.subject.motion.id;
    const saidAgain = answers.get(motionId) ?? [];
    // Who was not asked again keeps the vote; what the others said of the amended text takes the place of what they said before.
    const kept = cast.filter(([, vote]) => vote === 'yea' || vote === 'abstain');
    const castAgain = isAmended(ballot) ? votesOf(saidAgain, 'amend', kept) : null;
    // Who was asked again and did not answer has no vote, and is missing.
    const second = castAgain && {
      ...ballot,
      tally: countVotes(castAgain),
      missing: missing + cast.length - castAgain.length,
    };
    const decisions: Decisions = second
      ? [ballot.decisions[0], decideSecondPass(second)]
      : ballot.decisions;
    return {
      ...ballot,
      /** Of the amended text. */
      saidAgain,
      ...toRows(decisions, {
        ...ballot,
        at,
        sessionId: session.id,
        row: {
          mega_motion_id: motionId,
          mega_motion_title: ballot.title,
          votes_by_archon: cast,
          panel_recommendation: panel?.recommendation ?? null,
          missing,
          ...(sample && { ...sample, decided_by: 'sample' }),
        },
        amended: () => again?.texts.get(motionId) ?? amendedTextOf(ballot),
        again: second && { votes_by_archon: castAgain, missing: second.missing },
      }),
    };
  });
  return {
    motions,
    history: [
      ...motions.map(({ first }) => first),
      ...motions.flatMap(({ second }) => second ?? []),
    ],
    results: motions.map(({ final }) => final),
    aggregations: motions.map(({ counts, final: { outcome } }) =>
      outcome === 'incomplete' ? { ...counts, status: outcome } : counts,
    ),
  };
}

// A decision as its row in the files of a vote has it.

const votes = ['yea', 'nay', 'amend', 'abstain'] as const;
type Vote = (typeof votes)[number];

/** Yeas first. A list, because an object would put names that are numbers before all others. */
type CastVotes = readonly (readonly [name: string, vote: Vote])[];

/**
 * Rows of `ratification_results.json` and `ratification_history.json`, without what is stamped on every row: a decision, what it was
 * about and what the pass before it came to. `missing` is not in files of votes: aggregations hold it.
 */
export interface RatificationRow
  extends
    Decision,
    Pick<
      MotionAccount,
      | 'mega_motion_id'
      | 'mega_motion_title'
      | 'decided_by'
      | 'asked'
      | 'answered'
      | 'not_drawn'
      | 'more'
      | 'first_pass'
      | 'second_pass'
      | 'revised_by'
    >,
    Pick<MotionAtVote, 'missing'> {
  readonly vote_id: string;
  readonly risk: MotionAccount['risk_of_sample'];
  readonly total_votes: number;
  /** Votes of the roster. */
  readonly participation_rate: number;
  /** Yeas and amends. */
  readonly support_total: number;
  readonly support_required: number;
  /** The first pass this one follows. */
  readonly revision_of: string | null;
  /** Whole. */
  readonly revised_motion_text: string | null;
  /** ISO 8601, UTC; null unless ratified. */
  readonly ratified_at: string | null;
  /** As it was said: an assumed pass changes no vote. Empty in a simulation, where no member voted; null when only counts are known. */
  readonly votes_by_archon: CastVotes | null;
  readonly panel_recommendation: PanelRecord['recommendation'];
}

/** As files have it. */
export function toFileRow({ missing: _missing, ...row }: RatificationRow): object {
  const { votes_by_archon: cast } = row;
  return { ...row, votes_by_archon: cast && Object.fromEntries(cast) };
}
