/** A vote from its session to its final rows: what artifacts, reports and summaries are made of. */
import { by, groupsBy, present, sumOf } from '../core/groups.ts';
import { MotionAccount, StanceFigures } from '../core/printed/motion-account.ts';
import type { VotePlan } from '../core/printed/votes.ts';
import { defaultSampleRisk, type MotionsSettings } from '../core/words/motions-settings.ts';
import { type Aggregation, labelOf, type RuleSet } from './aggregation.ts';
import { type SkippedPanel, isContrary } from './panels.ts';
import type { CountedRun, RatificationRow, VotedMotion } from './ratify.ts';
import type { AuditEvent, RecordedInputs } from './recorded-inputs.ts';
import type { Answer, ReviewResponse } from './records.ts';
import type { Packet, TriagedMotion } from './triage.ts';
import type { z } from 'zod';
import { lengthBeyond } from '../core/prompt/answer-form.ts';
import type { Stance } from '../core/words/claim.ts';
import {
  type AccountedCounts,
  decideMotion,
  decideSecondPass,
  isForRevision,
  leastEnough,
  type MotionAtVote,
  motionAtVote,
  requiredOf,
  type Tally,
  toleratedAmends,
} from './ratification.ts';

export interface MotionsRun extends CountedRun {
  /** `packets`: triage and packets only; nobody answered, not even in simulation. */
  readonly mode: 'triage' | 'packets' | 'simulated' | 'real';
  /** `name@version` of the rule set. */
  readonly rules: string;
  readonly spent: VoteSpending;
  /** ISO 8601, UTC; like all times. */
  readonly startedAt: string;
  readonly triagedAt: string;
  readonly completedAt: string;
  readonly triaged: readonly TriagedMotion[];
  /** In roster order; what was put to each member, once somebody was asked. */
  readonly packets: readonly Packet[];
  /** In roster and motion order. Can be gone through more than once; those of a simulation are made anew each time. */
  readonly responses: Iterable<Answer>;
  /** Of the second pass; nothing but its own figures is counted from them. */
  readonly secondResponses: readonly ReviewResponse[];
  readonly aggregations: readonly Aggregation[];
  /** Contested motions about which no panel was held. */
  readonly skippedPanels: readonly SkippedPanel[];
  /** Every pass, first passes first. */
  readonly history: readonly RatificationRow[];
  /** One row for each motion, in the order of the session. */
  readonly results: readonly RatificationRow[];
  /** Why each motion came to what it came to, in the same order. */
  readonly accounts: readonly MotionAccount[];
  readonly audit: { readonly events: readonly AuditEvent[]; readonly head: string };
}

/** Were its motions decided, by members or by invention? */
export function isDecided({ mode }: MotionsRun) {
  return mode === 'simulated' || mode === 'real';
}

/** Over all rounds of the run. */
export interface VoteSpending extends Readonly<Record<'calls' | 'tokens', number>> {
  /** US dollars of the calls whose price is known; null when none is. */
  readonly cost: number | null;
}

export function summariseTriage({
  triaged,
  inputs: { conflicts_named: searched },
}: MotionsRun): VotePlan['triage'] {
  const tiers = { low: 0, medium: 0, high: 0 };
  for (const { riskTier } of triaged) tiers[riskTier] += 1;
  const support = sumOf(triaged, subject => subject.support);
  return {
    total_motions: triaged.length,
    novel_proposals: triaged.filter(({ motion }) => motion.isNovel).length,
    low_risk: tiers.low,
    medium_risk: tiers.medium,
    high_risk: tiers.high,
    average_implicit_support: triaged.length === 0 ? 0 : support / triaged.length,
    total_conflicts: sumOf(triaged, ({ conflicts }) => conflicts.length),
    conflict_search:
      searched === null ? 'not_run' : searched.is_finished ? 'finished' : 'not_finished',
    conflicts_dropped: searched?.dropped ?? 0,
  };
}

/** What people read behind the number of conflicts; null when there is nothing to say. */
export function describeSearch(searched: RecordedInputs['conflicts_named']) {
  if (searched === null) return 'of those that were stated: texts were not compared';
  const { is_finished: isFinished, dropped } = searched;
  return (
    present(
      !isFinished && 'at least: the search was not finished',
      dropped !== 0 && `${dropped} without literal quotes dropped`,
    ).join(', ') || null
  );
}

export function countOutcomes(rows: readonly Pick<RatificationRow, 'outcome'>[]) {
  const counts = { ratified: 0, rejected: 0, deferred: 0, incomplete: 0 };
  for (const { outcome } of rows) if (outcome !== 'accepted_with_amendments') counts[outcome] += 1;
  return counts;
}

/** What the printed result and its file both hold. */
export function summariseVote(run: MotionsRun) {
  const { input, results, history, packets, secondResponses } = run;
  const { sample, sample_risk: risk = defaultSampleRisk } = run.inputs.settings;
  const { assigned, answered, missing } = countResponses(run);
  const accepted = history.filter(({ outcome }) => outcome === 'accepted_with_amendments');
  const sampled = results.filter(({ decided_by }) => decided_by === 'sample');
  // One vote holds them all in one way.
  const held = results.flatMap(({ second_pass }) => second_pass ?? []);
  const [how] = held;
  const { ratified, ...others } = countOutcomes(results);
  return {
    input: {
      mega_motions: input.megaMotions,
      novel_proposals: input.novelProposals,
      deferred_skipped: input.deferredSkipped,
    },
    triage: summariseTriage(run),
    /** Null: everybody was asked who could be. */
    sampling:
      sample === null
        ? null
        : {
            sample,
            risk,
            motions: sampled.length,
            decided: sampled.filter(({ outcome }) => outcome !== 'incomplete').length,
            not_drawn: sumOf(sampled, row => row.not_drawn ?? 0),
          },
    assignments: { total: assigned, average_per_archon: assigned / packets.length },
    reviews: {
      response_count: answered,
      response_rate: assigned === 0 ? 0 : answered / assigned,
      no_response_count: missing,
    },
    ratification: {
      ratified,
      accepted_with_amendments: accepted.length,
      ...others,
      /** Null: there was none. */
      second_pass:
        how === undefined
          ? null
          : {
              motions: held.length,
              how: secondPassWords[how],
              questions: secondResponses.length,
              answered: secondResponses.filter(({ status }) => status === 'ok').length,
            },
    },
  };
}

/** Of the first pass; before it nothing is answered and nothing missing. */
export function countResponses({ packets, aggregations }: MotionsRun) {
  return {
    assigned: sumOf(packets, packet => packet.assigned.length),
    answered: sumOf(aggregations, row => row.engaged_count - row.implicit_endorsements),
    missing: sumOf(aggregations, row => row.no_response),
  };
}

/** Why most of those who were asked gave no answer, in one sentence; null where all did. Of equally many the first counts. */
export function commonestFailure({ responses }: Pick<MotionsRun, 'responses'>) {
  const errors = [...responses].flatMap(({ error }) => error ?? []);
  const [most] = groupsBy(errors, error => error).toSorted(by(({ length }) => -length));
  return most?.[0] ?? null;
}

/** A vote as it is told. */
export interface MotionsReport {
  readonly run: MotionsRun;
  /** The session folder, as it was named or found. */
  readonly source: string;
  readonly isDetected: boolean;
  /** Where the results are; null when nothing was written. */
  readonly folder: string | null;
}

/** The vote as Markdown. */
export type VotePainter = (vote: MotionsReport) => string;

/** How every place names a second pass. */
export const secondPassWords = {
  asked: 'asked',
  assumed: 'assumed, not asked',
};

// Tells of each motion why it came to what it came to, from the record of its vote or from its counts alone.

/** One for each motion, in the order of the session. */
export function accountForMotions(motions: readonly VotedMotion[], run: MotionsRun) {
  const { settings, shipped_rules: shipped } = run.inputs;
  const shown = settings.limits.motion_text;
  const isReal = run.mode === 'real';
  const skipped = new Map(run.skippedPanels.map(row => [row.mega_motion_id, row.reason]));
  return motions.map((voted, index) => {
    const { subject, counts, panel, final: row, said: first, saidAgain } = voted;
    const { status = 'skipped', recommendation = null } = panel ?? {};
    const skipped_because = skipped.get(row.mega_motion_id) ?? null;
    const is_contrary = isContrary(recommendation, row.outcome);
    const isArgued = panel !== null || skipped_because !== null;
    // Those about the amended text, which was decided, go first.
    const said = [saidAgain, first] as const;
    const length =
      isReal && counts.risk_tier !== 'low' ? lengthBeyond(subject.motion.text, shown) : null;
    return accountOf(voted, shipped, {
      number: index + 1,
      based_on: isReal ? 'answers' : 'simulation',
      simulated: !isReal,
      risk: riskOf(subject, settings),
      text_cut: length === null ? null : { shown, length },
      strongest_objection: surest('OPPOSE', said),
      strongest_support: surest('ENDORSE', said),
      panel: isArgued ? { status, recommendation, is_contrary, skipped_because } : null,
    });
  });
}

/** `shipped`: all rule sets that ship with Jury. */
export function accountOf(
  voted: MotionAtVote & { readonly counts: AccountedCounts; readonly final: RatificationRow },
  shipped: readonly RuleSet[],
  told: Pick<MotionAccount, 'number' | 'based_on' | 'simulated' | 'risk'> & Partial<MotionAccount>,
) {
  const { counts, final: row, rosterSize, rules } = voted;
  const { yeas, amends, required, second_pass } = rules.parameters;
  const { based_on: basis } = told;
  const motion = motionAtVote(counts, 0, rosterSize, rules);
  const share = required[row.supermajority_because === null ? 'simple' : 'constitutional'];
  // Simulated votes come from a table, and a sample from a part of the members: no one is told of by other rules, or other answers.
  const isWhole = basis !== 'simulation' && row.asked === null;
  // A recorded second pass was assumed: it lacks no answers of its own. Older records tell none that are missing.
  const missing = basis === 'counts' ? row.missing : counts.no_response;
  const { first_pass: first } = row;
  const eligible = first === null ? 0 : first.yeas + first.nays + first.amends;
  return keysOf(MotionAccount, {
    text_cut: null,
    strongest_objection: null,
    strongest_support: null,
    panel: null,
    ...row,
    ...told,
    roster_size: rosterSize,
    risk_of_sample: row.risk,
    stances: keysOf(StanceFigures, counts),
    counts_implicit: yeas === 'implicit_and_explicit',
    counts_amends: amends === 'counted',
    first_needed: first && {
      eligible_votes: eligible,
      threshold_required: requiredOf(required.of === 'roster' ? rosterSize : eligible, share),
      tolerated_amends: toleratedAmends(eligible, motion),
    },
    defer_above: second_pass?.defer_above ?? null,
    final: keysOf(MotionAccount.shape.final, {
      ...row,
      margin: row.yeas - row.threshold_required,
      threshold_of: required.of,
      threshold_share: share,
    }),
    otherwise: isWhole
      ? shipped
          .filter(other => labelOf(other) !== labelOf(rules))
          .map(other => ({
            rule_set: labelOf(other),
            ...endOf(motionAtVote(counts, missing, rosterSize, other)),
          }))
          .filter(({ outcome }) => outcome !== row.outcome)
      : null,
    fewest_to_turn: isWhole ? turnOf(row, counts, motion) : null,
  });
}

/** What the schema has keys for, in its order. Not parsed: of ten thousand that takes a second and a fifth of the memory. */
function keysOf<Shape extends z.ZodRawShape>(
  { shape }: z.ZodObject<Shape>,
  given: z.output<z.ZodObject<Shape>>,
) {
  const kept = {} as typeof given;
  for (const key of Object.keys(shape) as (keyof typeof given)[]) kept[key] = given[key];
  return kept;
}

/** By the first condition of triage that holds. */
function riskOf(
  { riskTier: tier, motion, support, conflicts }: TriagedMotion,
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
    supporting: motion.supporters.length,
    conflicts: conflicts.length,
    thresholds: { low, medium },
  };
}

/** Of the last pass in which anything was said; of equally sure words those of the first of the roster. */
function surest(stance: Stance, [second, first]: readonly [readonly Answer[], readonly Answer[]]) {
  const surestOf = (responses: readonly Answer[], pass: 1 | 2) =>
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

/**
 * One decision or two; the last is final. What is put off for revision had no second pass; any other is assumed, because only the
 * rules that decided asked anybody.
 */
function endOf(motion: MotionAtVote) {
  const [first, second] = decideMotion(motion);
  const isAssumed = second !== undefined && !isForRevision(second);
  const second_pass = isAssumed ? ('assumed' as const) : null;
  return { outcome: (second ?? first).outcome, second_pass };
}

/** What is in the final row is what other answers would have turned: those of the second pass where it was asked. */
function turnOf(row: RatificationRow, counts: AccountedCounts, motion: MotionAtVote) {
  if (row.outcome === 'incomplete' || row.threshold_type === 'fast_track') return null;
  const { yeas: counted, amends } = motion.rules.parameters;
  const asked = row.second_pass === 'asked' ? row.first_pass : null;
  const tally = asked === null ? motion.tally : row;
  const implicit = counted === 'explicit' ? 0 : counts.implicit_endorsements;
  const stayed = asked ?? { yeas: implicit, abstentions: 0 };
  return fewestToTurn({
    tally,
    given: {
      ...tally,
      yeas: tally.yeas - stayed.yeas,
      abstentions: tally.abstentions - stayed.abstentions,
    },
    countsAmends: amends === 'counted',
    endOf(supposed) {
      const turned = { ...motion, tally: supposed };
      return asked === null
        ? endOf(turned)
        : { outcome: decideSecondPass(turned).outcome, second_pass: null };
    },
  });
}

/** Votes of a pass, and how they are decided. */
interface DecidedVotes {
  tally: Tally;
  /** The part of it that was cast by asking: implicit endorsements stay. */
  given: Tally;
  /** Where who amends abstains, no answer is an amend of the tally. */
  countsAmends: boolean;
  endOf: (tally: Tally) => Pick<MotionAccount, 'outcome' | 'second_pass'>;
}

/** A result that more answers stand between is not close. */
export const mostTried = 100;

/**
 * The fewest answers that turn the outcome when they are others; null when none do, of at most `mostTried`. All of them become
 * votes of one kind: whatever turns a motion can be had so with no more answers, and what so many turn, more of them turn too.
 * `test/vote/margin.test.ts` holds it against trying everything.
 */
export function fewestToTurn({ tally, given, countsAmends, endOf }: DecidedVotes) {
  const standing = endOf(tally).outcome;
  const turnsTowards = (kind: Kind, answers: number) =>
    changesTowards(kind, answers, given)
      .map(change => {
        const { outcome, second_pass } = endOf(addVotes(tally, change));
        return { answers, outcome, change, by_second_pass: second_pass !== null };
      })
      .filter(({ outcome }) => outcome !== standing);
  const gaining = kinds.filter(kind => countsAmends || kind !== 'amends');
  const answers = Math.min(
    ...gaining.map(kind => {
      const others = kinds.reduce((sum, each) => sum + (each === kind ? 0 : given[each]), 0);
      return leastEnough(Math.min(mostTried, others), some => turnsTowards(kind, some).length > 0);
    }),
  );
  const turns = gaining.flatMap(kind => turnsTowards(kind, answers));
  // Of equals the one that is told in the fewest words.
  return turns.toSorted((one, other) => kindsIn(one.change) - kindsIn(other.change))[0] ?? null;
}

const kinds = ['yeas', 'nays', 'amends', 'abstentions'] as const;
type Kind = (typeof kinds)[number];

const noChange = { yeas: 0, nays: 0, amends: 0, abstentions: 0 };

/**
 * Ways in which exactly so many answers become answers of this kind: any number of one other kind, and of the last two first all
 * that the one has, then of the other.
 */
function changesTowards(gained: Kind, answers: number, given: Tally) {
  const [one, other, free] = kinds.filter(kind => kind !== gained) as [Kind, Kind, Kind];
  const changes = [];
  for (let taken = 0; taken <= Math.min(answers, given[free]); taken += 1)
    for (const [first, second] of [[one, other] as const, [other, one] as const]) {
      const rest = answers - taken;
      const drained = Math.min(rest, given[first]);
      if (rest - drained <= given[second])
        changes.push({
          ...noChange,
          [gained]: answers,
          [free]: 0 - taken,
          [first]: 0 - drained,
          [second]: drained - rest,
        });
    }
  return changes;
}

function kindsIn(change: Tally) {
  return kinds.filter(kind => change[kind] !== 0).length;
}

function addVotes(one: Tally, other: Tally) {
  return {
    yeas: one.yeas + other.yeas,
    nays: one.nays + other.nays,
    amends: one.amends + other.amends,
    abstentions: one.abstentions + other.abstentions,
  };
}
