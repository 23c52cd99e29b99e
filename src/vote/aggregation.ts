/** Counts the stances on each motion: shares, consensus and contest follow from the figures. */
import { z } from 'zod';
import { Count, Flag, Text, Whole } from '../core/words/fields.ts';
import type { StanceThresholds } from '../core/words/motions-settings.ts';
import { cutText } from '../core/prompt/answer-form.ts';
import { type Answer, ReviewResponse } from './records.ts';
import type { Motion, Packet, RiskTier, Session, TriagedMotion } from './triage.ts';

/** A row of `aggregations.json` without what the writer of artifacts stamps on every row (`rule_set`, `simulated`). */
export interface Aggregation {
  mega_motion_id: string;
  mega_motion_title: string;
  /** Contributors without conflict on this motion: no one asked them. */
  implicit_endorsements: number;
  explicit_endorsements: number;
  total_endorsements: number;
  oppositions: number;
  amendments_proposed: number;
  abstentions: number;
  /** Asked and not answered. */
  no_response: number;
  /** Implicit endorsements and answers. */
  engaged_count: number;
  endorsement_ratio: number;
  opposition_ratio: number;
  consensus_reached: boolean;
  contested: boolean;
  needs_amendment_synthesis: boolean;
  status: 'contested' | 'ratification_ready' | 'under_review' | 'incomplete';
  amendment_texts: string[];
  opposition_reasons: string[];
  /** Implicit ones, then explicit ones in roster order. */
  endorsing_archons: string[];
  opposing_archons: string[];
  /** ISO 8601, UTC. */
  aggregated_at: string;
  not_assigned: number;
  /** Of those not assigned, who would have been asked had others not been drawn; absent where all are asked. */
  not_drawn?: number | undefined;
  risk_tier: RiskTier;
  /** As the session declares it; null: the title decides. */
  constitutional: boolean | null;
}

/** A motion with everything that was said of it in the first pass. */
export interface CountedMotion {
  readonly subject: TriagedMotion;
  readonly counts: Aggregation;
  /** In roster order. Empty in a simulation: a large roster gives a million answers, and those are not gathered. */
  readonly said: readonly ReviewResponse[];
}

interface Counting {
  session: Pick<Session, 'roster'>;
  triaged: readonly TriagedMotion[];
  packets: readonly Packet[];
  /** In roster and motion order, as `toResponses` gives them. Gone through once. */
  responses: Iterable<ReviewResponse>;
  isSimulated: boolean;
  thresholds: StanceThresholds;
  /** ISO 8601, UTC. */
  at: string;
}

const synthesisFrom = 3;

/** In the order of the session. */
export function aggregate({
  session: { roster },
  triaged,
  packets,
  responses,
  isSimulated,
  thresholds,
  at,
}: Counting): CountedMotion[] {
  const motions = new Map(
    triaged.map(subject => [
      subject.motion.id,
      { subject, counts: openRow(subject, roster.length, at), said: [] as ReviewResponse[] },
    ]),
  );
  for (const { assigned, notDrawn = [] } of packets) {
    for (const { motionId } of assigned) {
      const counts = motions.get(motionId)?.counts;
      if (counts === undefined) continue;
      counts.no_response += 1;
      counts.not_assigned -= 1;
    }
    for (const id of notDrawn) {
      const counts = motions.get(id)?.counts;
      if (counts !== undefined) counts.not_drawn = (counts.not_drawn ?? 0) + 1;
    }
  }
  for (const response of responses) {
    const motion = motions.get(response.mega_motion_id);
    if (motion === undefined) continue;
    if (response.status === 'ok') addAnswer(motion.counts, response);
    if (!isSimulated) motion.said.push(response);
  }
  return Array.from(motions.values(), motion => ({
    ...motion,
    counts: closeRow(motion.counts, thresholds),
  }));
}

/** Before any packet or answer is looked at. */
function openRow(
  { motion, conflicts, riskTier }: TriagedMotion,
  rosterSize: number,
  at: string,
): Aggregation {
  const conflicted = new Set(conflicts.map(({ memberName }) => memberName));
  const implicit = motion.supporters.filter(name => !conflicted.has(name));
  return {
    mega_motion_id: motion.id,
    mega_motion_title: motion.title,
    implicit_endorsements: implicit.length,
    explicit_endorsements: 0,
    total_endorsements: implicit.length,
    oppositions: 0,
    amendments_proposed: 0,
    abstentions: 0,
    no_response: 0,
    engaged_count: implicit.length,
    endorsement_ratio: 0,
    opposition_ratio: 0,
    consensus_reached: false,
    contested: false,
    needs_amendment_synthesis: false,
    status: 'under_review',
    amendment_texts: [],
    opposition_reasons: [],
    endorsing_archons: implicit,
    opposing_archons: [],
    aggregated_at: at,
    not_assigned: rosterSize - implicit.length,
    not_drawn: undefined,
    risk_tier: riskTier,
    constitutional: motion.constitutional,
  };
}

function addAnswer(row: Aggregation, response: ReviewResponse) {
  const { stance, archon_name, amendment_text, opposition_reason } = response;
  row.engaged_count += 1;
  row.no_response -= 1;
  if (stance === 'ENDORSE') {
    row.explicit_endorsements += 1;
    row.total_endorsements += 1;
    row.endorsing_archons.push(archon_name);
  } else if (stance === 'OPPOSE') {
    row.oppositions += 1;
    row.opposing_archons.push(archon_name);
    if (opposition_reason) row.opposition_reasons.push(opposition_reason);
  } else if (stance === 'AMEND') {
    row.amendments_proposed += 1;
    if (amendment_text) row.amendment_texts.push(amendment_text);
  } else if (stance === 'ABSTAIN') row.abstentions += 1;
}

function closeRow(row: Aggregation, thresholds: StanceThresholds): Aggregation {
  const { engaged_count: engaged, total_endorsements: endorsing, oppositions: opposing } = row;
  const weighed = weigh({ engaged, endorsing, opposing }, thresholds);
  const { consensus, contested } = weighed;
  return {
    ...row,
    endorsement_ratio: weighed.endorsed,
    opposition_ratio: weighed.opposed,
    consensus_reached: consensus,
    contested,
    needs_amendment_synthesis: row.amendments_proposed >= synthesisFrom,
    status: contested ? 'contested' : consensus ? 'ratification_ready' : 'under_review',
  };
}

/**
 * As they are stored, whatever finished first: by roster, then by motion. Of two answers to one question the first stands. `textOf`: what
 * was put to the vote, of which `shown` characters were shown.
 */
export function toResponses(
  answers: Iterable<Answer>,
  { roster, motions }: Session,
  textOf: (motion: Motion) => string,
  shown: number,
) {
  const members = new Map(roster.map((member, rank) => [member.id, { member, rank }]));
  const subjects = new Map(
    motions.map((motion, rank) => [
      motion.id,
      { rank, text_truncated: cutText(textOf(motion), shown).isCut },
    ]),
  );
  const rows = Array.from<ReviewResponse | undefined>({ length: roster.length * motions.length });
  for (const answer of answers) {
    const [by, on] = [members.get(answer.archon_id), subjects.get(answer.mega_motion_id)];
    if (by === undefined || on === undefined)
      throw new Error(
        `An answer of ${answer.archon_id} on ${answer.mega_motion_id}, which nobody asked for.`,
      );
    // Keys in the order of the schema, as files have them.
    rows[by.rank * motions.length + on.rank] ??= ReviewResponse.parse({
      ...answer,
      archon_name: by.member.name,
      status: answer.stance === null ? 'no_response' : 'ok',
      text_truncated: on.text_truncated,
    } satisfies ReviewResponse);
  }
  return rows.filter(row => row !== undefined);
}

/** What the stances on a motion, or on a claim, come to. Who stands for it without being asked takes part and endorses. */
export function weigh(
  counted: Readonly<Record<'engaged' | 'endorsing' | 'opposing', number>>,
  { consensus, contested }: StanceThresholds,
) {
  const share = (count: number) => (counted.engaged === 0 ? 0 : count / counted.engaged);
  const [endorsed, opposed] = [share(counted.endorsing), share(counted.opposing)];
  return {
    endorsed,
    opposed,
    consensus: endorsed >= consensus,
    contested: opposed >= contested,
  };
}

// Rule sets: how counted stances become a decision, as named, versioned data that a team can copy and edit. All shares are pairs of
// integers, so that no decision hangs on rounding.

/** `[2, 3]` is two thirds. */
const Share = z
  .tuple([Count, Whole.positive()], {
    error: 'must be a pair of whole numbers, such as [2, 3] for two thirds',
  })
  .refine(([part, whole]) => part <= whole, {
    error: ({ input }) =>
      `must not be more than the whole, as ${(input as readonly number[]).join('/')} is; write the part first, such as ` +
      '[2, 3] for two thirds',
  });
export type Share = z.infer<typeof Share>;

/** `strict`: more than the share, ⌊share·base⌋ + 1; else at least the share, ⌈share·base⌉. */
const Threshold = z.strictObject({ share: Share, strict: Flag });

const Parameters = z.strictObject({
  /** Whose endorsements are yeas. */
  yeas: z.enum(['explicit', 'implicit_and_explicit']),
  /** What a stance AMEND counts as. */
  amends: z.enum(['abstention', 'counted']),
  /** Yeas needed, as a share of the roster or of the eligible votes (yeas, nays and amends). */
  required: z.strictObject({
    of: z.enum(['roster', 'eligible']),
    simple: Threshold,
    constitutional: Threshold,
  }),
  /** Eligible votes needed, as a share of the roster, rounded up; null: none. */
  quorum: z.strictObject({ simple: Share, constitutional: Share }).nullable(),
  /** Amends up to which a motion is ratified as it is: the smaller of two shares, each rounded up. */
  amend_tolerance: z.strictObject({ roster: Share, eligible: Share }).nullable(),
  /** The vote on the amended motion; above this share of amends it is deferred for revision by hand. */
  second_pass: z.strictObject({ defer_above: Share.nullable() }).nullable(),
  /** Whether motions of low risk are voted on like any other or ratified at once. */
  low_risk: z.enum(['vote', 'fast_track']),
});

export const RuleSet = z
  .strictObject({
    name: Text.regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'must be of letters, digits, "_" and "-"'),
    version: Text.regex(
      /^[A-Za-z0-9][A-Za-z0-9.+_-]{0,31}$/,
      'must be of letters, digits, ".", "+", "_" and "-"',
    ),
    parameters: Parameters,
  })
  .superRefine(({ parameters }, context) => {
    for (const [path, message] of contradictionsOf(parameters))
      context.addIssue({ code: 'custom', path: ['parameters', ...path.split('.')], message });
  });
export type RuleSet = z.infer<typeof RuleSet>;

/** As every artifact names it. */
export function labelOf({ name, version }: RuleSet) {
  return `${name}@${version}`;
}

/** The rule set as it applies where implicit endorsements are switched off; its version says so. */
export function withoutImplicit(rules: RuleSet): RuleSet {
  if (rules.parameters.yeas === 'explicit') return rules;
  return {
    ...rules,
    version: `${rules.version}+no-implicit`,
    parameters: { ...rules.parameters, yeas: 'explicit' },
  };
}

/** Each with the parameter it is about. */
function* contradictionsOf({
  amends,
  required,
  quorum,
  amend_tolerance,
  second_pass,
}: z.infer<typeof Parameters>): Generator<readonly [path: string, message: string]> {
  for (const kind of ['simple', 'constitutional'] as const) {
    const { share, strict } = required[kind];
    if (share[0] === 0 && !strict)
      yield [`required.${kind}`, 'would ratify a motion without a single yea'];
    if (share[0] === share[1] && strict) yield [`required.${kind}`, 'asks for more than all votes'];
  }
  for (const [path, what, simple, constitutional] of [
    ['required', 'yeas', required.simple.share, required.constitutional.share],
    ['quorum', 'votes', quorum?.simple, quorum?.constitutional],
  ] as const)
    if (simple && constitutional && constitutional[0] * simple[1] < simple[0] * constitutional[1])
      yield [
        path,
        `contradicts itself: constitutional motions would need fewer ${what} than simple ones`,
      ];
  for (const [path, given, use] of [
    ['amend_tolerance', amend_tolerance, 'tolerate'],
    ['second_pass', second_pass, 'vote on again'],
  ] as const) {
    if (amends === 'abstention' && given)
      yield [path, `contradicts "amends": "abstention": there are no amends to ${use}`];
    if (amends === 'counted' && !given) yield [path, 'is missing, but "amends" are counted'];
  }
}
