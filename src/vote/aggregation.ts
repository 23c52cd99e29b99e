/** Counts the stances on each motion: shares, consensus and contest follow from the figures. */
import { z } from 'zod';
import { Count, Flag, Text, Whole } from '../core/words/fields.ts';
import type { StanceThresholds } from '../core/words/motions-settings.ts';
import { cutText } from '../core/prompt/answer-form.ts';
import { type Answer, ReviewResponse } from './records.ts';
import type { Packet, Session, TriagedMotion } from './triage.ts';

/** A motion with everything that was said of it in the first pass. */
export type CountedMotion = ReturnType<typeof aggregate>[number];

interface Counting {
  session: Pick<Session, 'roster'>;
  triaged: readonly TriagedMotion[];
  packets: readonly Packet[];
  /** In roster and motion order, as `inOrder` gives them. Gone through once. */
  responses: Iterable<Answer>;
  isSimulated: boolean;
  thresholds: StanceThresholds;
  /** ISO 8601, UTC. */
  at: string;
}

const synthesisFrom = 3;

/** In the order of the session. */
export function aggregate(counting: Counting) {
  const { triaged, packets, responses, isSimulated } = counting;
  const motions = new Map(triaged.map(subject => [subject.motion.id, openCount(subject)]));
  for (const { assigned, notDrawn } of packets) {
    for (const { motionId } of assigned) {
      const motion = motions.get(motionId);
      if (motion) motion.assigned += 1;
    }
    for (const id of notDrawn) {
      const motion = motions.get(id);
      if (motion) motion.notDrawn += 1;
    }
  }
  for (const response of responses) {
    const { stance, archon_name, amendment_text, opposition_reason } = response;
    const motion = motions.get(response.mega_motion_id);
    if (!motion) continue;
    if (stance !== null) motion[stance] += 1;
    if (stance === 'ENDORSE') motion.endorsing.push(archon_name);
    if (stance === 'OPPOSE') motion.opposing.push(archon_name);
    if (stance === 'OPPOSE' && opposition_reason) motion.reasons.push(opposition_reason);
    if (stance === 'AMEND' && amendment_text) motion.amendments.push(amendment_text);
    if (!isSimulated) motion.said.push(response);
  }
  return Array.from(motions.values(), motion => ({
    subject: motion.subject,
    said: motion.said,
    counts: rowOf(motion, counting),
  }));
}

/** Before any packet or answer is looked at. Contributors without conflict endorse it: no one asks them. */
function openCount(subject: TriagedMotion) {
  const conflicted = new Set(subject.conflicts.map(({ memberName }) => memberName));
  const endorsing = subject.motion.supporters.filter(name => !conflicted.has(name));
  return {
    subject,
    implicit: endorsing.length,
    assigned: 0,
    notDrawn: 0,
    ENDORSE: 0,
    OPPOSE: 0,
    AMEND: 0,
    ABSTAIN: 0,
    /** In roster order. Empty in a simulation: a large roster gives a million answers, and those are not gathered. */
    said: [] as Answer[],
    endorsing,
    opposing: [] as string[],
    amendments: [] as string[],
    reasons: [] as string[],
  };
}

/** A row of `aggregations.json` without what the writer of artifacts stamps on every row (`rule_set`, `simulated`). */
export type Aggregation = ReturnType<typeof rowOf>;

function rowOf(
  counted: ReturnType<typeof openCount>,
  { session: { roster }, thresholds, at }: Counting,
) {
  const { implicit, assigned, notDrawn, endorsing, opposing, AMEND: amending } = counted;
  const { motion, riskTier } = counted.subject;
  const engaged = endorsing.length + opposing.length + amending + counted.ABSTAIN;
  const { endorsed, opposed, consensus, contested } = weigh(
    { engaged, endorsing: endorsing.length, opposing: opposing.length },
    thresholds,
  );
  return {
    mega_motion_id: motion.id,
    mega_motion_title: motion.title,
    implicit_endorsements: implicit,
    explicit_endorsements: counted.ENDORSE,
    total_endorsements: endorsing.length,
    oppositions: opposing.length,
    amendments_proposed: amending,
    abstentions: counted.ABSTAIN,
    /** Asked and not answered. */
    no_response: assigned - (engaged - implicit),
    /** Implicit endorsements and answers. */
    engaged_count: engaged,
    endorsement_ratio: endorsed,
    opposition_ratio: opposed,
    consensus_reached: consensus,
    contested,
    needs_amendment_synthesis: amending >= synthesisFrom,
    status: (contested ? 'contested' : consensus ? 'ratification_ready' : 'under_review') as
      'contested' | 'ratification_ready' | 'under_review' | 'incomplete',
    amendment_texts: counted.amendments,
    opposition_reasons: counted.reasons,
    /** Implicit ones, then explicit ones in roster order. */
    endorsing_archons: endorsing,
    opposing_archons: opposing,
    /** ISO 8601, UTC. */
    aggregated_at: at,
    not_assigned: roster.length - implicit - assigned,
    /** Of those not assigned, who would have been asked had others not been drawn; absent where all are asked. */
    not_drawn: notDrawn || undefined,
    risk_tier: riskTier,
    /** As the session declares it; null: the title decides. */
    constitutional: motion.constitutional,
  };
}

/** The stored order, whatever finished first: by roster, then by motion. Of two answers to one question the first stands. */
export function inOrder(answers: Iterable<Answer>, { roster, motions }: Session) {
  const members = new Map(roster.map(({ id }, rank) => [id, rank * motions.length]));
  const subjects = new Map(motions.map(({ id }, rank) => [id, rank]));
  const rows = Array.from<Answer | undefined>({ length: roster.length * motions.length });
  for (const answer of answers) {
    const { archon_id, mega_motion_id } = answer;
    const place = (members.get(archon_id) ?? NaN) + (subjects.get(mega_motion_id) ?? NaN);
    if (Number.isNaN(place))
      throw new Error(`An answer of ${archon_id} on ${mega_motion_id}, which nobody asked for.`);
    rows[place] ??= answer;
  }
  return rows.filter(row => row !== undefined);
}

/** `text`: what was put to the vote, of which `shown` characters were shown. Keys in the order of the schema, as files have them. */
export function toResponse(answer: Answer, text: string, shown: number) {
  return ReviewResponse.parse({
    ...answer,
    status: answer.stance === null ? 'no_response' : 'ok',
    text_truncated: cutText(text, shown).isCut,
  } satisfies ReviewResponse);
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
