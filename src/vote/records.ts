/** What is said in a vote on motions, as files keep it: the answer of a member, the record of a panel. */
import { z } from 'zod';
import {
  Amount,
  Count,
  Flag,
  NullableText,
  Rows,
  Share,
  Text,
  Texts,
  Whole,
  orNull,
} from '../core/words/fields.ts';
import { Recommendation, Stance } from '../core/words/claim.ts';

export const AmendmentType = z.enum([
  'minor_wording',
  'major_revision',
  'add_clause',
  'remove_clause',
]);

/** A row of `review_responses.json` without what the writer of artifacts stamps on it (`response_id`, `rule_set`, `simulated`). */
export const ReviewResponse = z.object({
  archon_id: Text,
  archon_name: Text,
  mega_motion_id: Text,
  /** A failed review is `no_response` with its error; it never counts as an abstention. */
  status: z.enum(['ok', 'no_response']),
  error: NullableText,
  /** Who answered, as the endpoint calls it, and where; null when no member did, and for a model that is not told. */
  model: NullableText,
  endpoint: NullableText,
  /** Null exactly when the status is `no_response`. */
  stance: Stance.nullable(),
  amendment_type: AmendmentType.nullable(),
  amendment_text: NullableText,
  amendment_rationale: NullableText,
  /** Concerns joined with `; `. */
  opposition_reason: NullableText,
  reasoning: Text,
  /** 0 to 1; null for no response. */
  confidence: Share.nullable(),
  /** What is thin about the answer, in words; it changes nothing. */
  validation: Texts,
  /** True when the member saw only the first part of the text. */
  text_truncated: Flag,
  attempts: Count,
  review_duration_ms: Count,
  /** ISO 8601, UTC. */
  reviewed_at: Text,
});
export type ReviewResponse = z.infer<typeof ReviewResponse>;

/** What only who was asked can know of it; the rest follows from the session. */
export type Answer = Omit<ReviewResponse, 'status' | 'text_truncated'>;

/** Which stance a word of a member means. */
const words = new Map<string, Stance>([
  ...['endorse', 'approve', 'support', 'accept'].map(word => [word, 'ENDORSE'] as const),
  ...['oppose', 'reject', 'nay'].map(word => [word, 'OPPOSE'] as const),
  ...['abstain', 'neutral'].map(word => [word, 'ABSTAIN'] as const),
  ['endorse_with_changes', 'AMEND'],
]);

const longestStance = 500;

/**
 * Null: no stance can be read from it. Whose words deny, doubt or say two things at once is asked again. Words of a sentence count
 * from their beginning, so that "unsupported" and "disapprove" support nothing.
 */
export function readStance(stated: string) {
  const text = stated.slice(0, longestStance).trim().toLowerCase();
  const known = words.get(text);
  if (known !== undefined) return known;
  const said = text.split(/[^\p{L}'’]+/u);
  if (text.includes('|') || said.some(word => /^(?:not|no|never|cannot|.*n['’]t)$/.test(word)))
    return null;
  const [isAgainst, isFor, amends] = [/^(?:oppose|reject)/, /^(?:endorse|support)/, /^amend/].map(
    stem => said.some(word => stem.test(word)),
  );
  if ((isFor || amends) && said.some(word => !plainWords.has(word))) return null;
  if (amends) return 'AMEND';
  return isAgainst === isFor ? null : isAgainst ? 'OPPOSE' : 'ENDORSE';
}

/** Any other word may turn what is for a motion, or for another text of it, into its reverse: "decline to endorse". */
const plainWords = new Set(
  (
    'endorse endorses endorsed endorsement support supports supported amend amends amended amendment amendments oppose ' +
    'opposed reject rejected i we my stance is to must fully strongly this it the motion with and unless '
  ).split(' '),
);

export const Side = z.enum(['supporter', 'critic', 'neutral']);
export type Side = z.infer<typeof Side>;

/**
 * What a seat follows from: support from the start that did not have to be asked for, the stance of an answer, or that the member was
 * not asked about this motion.
 */
const SeatReason = z.enum(['implicit', 'endorsed', 'opposed', 'abstained', 'not_asked']);

const Opinions = Rows({ archon_name: Text, opinion: Text });

/** What a facilitator reports, checked. */
const Synthesis = z.object({
  /** Anything but a known word defers. */
  recommendation: Recommendation,
  rationale: NullableText,
  revised_motion_text: NullableText,
  revision_summary: NullableText,
  key_points_discussed: Texts,
  consensus_areas: Texts,
  unresolved_concerns: Texts,
  /** As the facilitator quotes them; those of the record hold the words of the others who dissent, too. */
  dissenting_opinions: Opinions,
});

/** What one member of a panel said. */
const Argument = z.object({
  archon_name: Text,
  side: Side,
  /** Word for word, without the vote; null when the member did not answer or was not reached. */
  argument: NullableText,
  /** Cast with the argument, before the vote of anybody else was read; null when it cast none. */
  vote: Recommendation.nullable(),
});
export type Argument = z.infer<typeof Argument>;

/** A file of `panel_deliberations/` without what the writer of artifacts stamps on it (`rule_set`, `simulated`). */
export const PanelRecord = z.object({
  panel_id: Text,
  mega_motion_id: Text,
  mega_motion_title: Text,
  supporters: Texts,
  critics: Texts,
  neutrals: Texts,
  panel_size: Count,
  time_limit_minutes: Amount,
  /** Why fewer than three neutrals sit; null when three do. */
  neutrals_note: NullableText,
  /** By the name of each member. */
  seated_because: z.record(Text, SeatReason),
  /** Neutrals are ordered by SHA-256 of `run_id|mega_motion_id|archon_id`; of a simulation, which is no run, the session. */
  run_id: Text,
  /** ISO 8601, UTC. */
  scheduled_at: z.iso.datetime(),
  /** Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  revised_motion_text: NullableText,
  revision_rationale: NullableText,
  /** Word for word. */
  dissenting_opinions: Opinions,
  /** Counted by code, over members of the panel: the votes under `arguments` and those under `reported_votes`. */
  vote_breakdown: z.object({ pass: Whole, fail: Whole, amend: Whole, defer: Whole }),
  concluded_at: z.iso.datetime().nullable(),
  deliberation_duration_minutes: Amount.nullable(),
  status: z.enum(['concluded', 'failed']),
  error: NullableText,
  /** False when the largest group of votes is not the recommendation; null when the panel failed. */
  votes_agree: Flag.nullable(),
  /** One for each member, in the order of the seats, whatever became of the panel; empty in a simulation, where no member argued. */
  arguments: z.array(Argument),
  /** Votes that the facilitator reports of members who argued and cast none, by name. */
  reported_votes: z.record(Text, Recommendation),
  /** Null without a report: the panel failed, or was simulated. */
  synthesis: Synthesis.nullable(),
});
export type PanelRecord = z.infer<typeof PanelRecord>;

const nullable = orNull(Text);

/** What a member stated outside the motions: an element of `positions.json`. */
export const Position = z.object({
  archon_name: Text,
  mega_motion_id: nullable,
  stance: nullable,
  text: nullable,
  source: nullable,
});
export type Position = z.infer<typeof Position>;

/** What a model named that was asked about conflicts: who said it and where, and the words of both, verbatim. */
export const ConflictsNamed = z.object({
  is_finished: Flag,
  /** Named, but not by words that stand in both texts: none of them counts. */
  dropped: Count,
  contradictions: Rows({
    mega_motion_id: Text,
    archon_names: Texts,
    source: Text,
    own: Text,
    against: Text,
  }),
});
export type ConflictsNamed = z.infer<typeof ConflictsNamed>;
