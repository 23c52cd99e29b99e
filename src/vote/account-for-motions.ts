/** Tells of each motion why it came to what it came to, from the record of its vote or from its counts alone. */
import type { z } from 'zod';
import { MotionAccount, StanceFigures } from '../core/printed/motion-account.ts';
import { lengthBeyond } from '../core/prompt/answer-form.ts';
import type { MotionsSettings } from '../core/words/motions-settings.ts';
import type { Stance } from '../core/words/claim.ts';
import type { MotionsRun } from './motions-run.ts';
import { isContrary } from './panels.ts';
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
import type { RatificationRow, VotedMotion } from './ratify.ts';
import type { Answer } from './records.ts';
import { labelOf, type RuleSet } from './aggregation.ts';
import type { TriagedMotion } from './triage.ts';

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
