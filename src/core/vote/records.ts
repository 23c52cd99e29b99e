/** What is said in a vote, as files keep it: the stance of a member, the record of a panel, the vote about a claim. */
import { z } from 'zod';
import { ClaimCheck } from '../integrity/claim-checks.ts';
import { Count, NullableText, Share, Texts } from '../words/fields.ts';

export const stances = ['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'] as const;
export const Stance = z.enum(stances);
export type Stance = z.infer<typeof Stance>;

export const amendmentTypes = [
  'minor_wording',
  'major_revision',
  'add_clause',
  'remove_clause',
] as const;
export const AmendmentType = z.enum(amendmentTypes);
export type AmendmentType = z.infer<typeof AmendmentType>;

/** A row of `review_responses.json` without what the writer of artifacts stamps on it (`response_id`, `rule_set`, `simulated`). */
export const ReviewResponse = z.object({
  archon_id: z.string(),
  archon_name: z.string(),
  mega_motion_id: z.string(),
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
  reasoning: z.string(),
  /** 0 to 1; null for no response. */
  confidence: Share.nullable(),
  /** What is thin about the answer, in words; it changes nothing. */
  validation: Texts,
  /** True when the member saw only the first part of the text. */
  text_truncated: z.boolean(),
  attempts: Count,
  review_duration_ms: Count,
  /** ISO 8601, UTC. */
  reviewed_at: z.string(),
});
export type ReviewResponse = z.infer<typeof ReviewResponse>;

/** Which stance a word of a member means. What denies, doubts or says two things at once means none: then the member is asked again. */
const words: ReadonlyMap<string, Stance> = new Map(
  Object.entries<Stance>({
    endorse: 'ENDORSE',
    approve: 'ENDORSE',
    support: 'ENDORSE',
    accept: 'ENDORSE',
    oppose: 'OPPOSE',
    reject: 'OPPOSE',
    nay: 'OPPOSE',
    amend: 'AMEND',
    endorse_with_amendment: 'AMEND',
    endorse_with_amendments: 'AMEND',
    endorse_with_changes: 'AMEND',
    abstain: 'ABSTAIN',
    neutral: 'ABSTAIN',
  }),
);

const denials: ReadonlySet<string> = new Set(['not', 'no', 'never', 'cannot']);
const longestStance = 500;

/** Null: no stance can be read from it. */
export function readStance(stated: string): Stance | null {
  const text = stated.slice(0, longestStance).trim().toLowerCase();
  return words.get(text) ?? readSentence(text);
}

/** Words count from their beginning, so that "unsupported" and "disapprove" support nothing. */
function readSentence(text: string): Stance | null {
  const said = text.split(/[^\p{L}'’]+/u);
  if (said.some(word => denials.has(word) || /n['’]t$/.test(word))) return null;
  const says = (...stems: readonly string[]): boolean =>
    said.some(word => stems.some(stem => word.startsWith(stem)));
  if (says('amend')) return 'AMEND';
  const [isAgainst, isFor] = [says('oppose', 'reject'), says('endorse', 'support')];
  if (isAgainst === isFor) return null;
  return isAgainst ? 'OPPOSE' : 'ENDORSE';
}

export const recommendations = ['pass', 'fail', 'amend', 'defer'] as const;
export const Recommendation = z.enum(recommendations);
export type Recommendation = z.infer<typeof Recommendation>;

export const Side = z.enum(['supporter', 'critic', 'neutral']);
export type Side = z.infer<typeof Side>;

/**
 * What a seat follows from: support from the start that did not have to be asked for, the stance of an answer, or that the member was
 * not asked about this motion.
 */
export const SeatReason = z.enum(['implicit', 'endorsed', 'opposed', 'abstained', 'not_asked']);
export type SeatReason = z.infer<typeof SeatReason>;

export const AnnouncedPanel = z.object({
  panel_id: z.string(),
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  supporters: Texts,
  critics: Texts,
  neutrals: Texts,
  panel_size: Count,
  time_limit_minutes: z.number(),
  /** Why fewer than three neutrals sit; null when three do. */
  neutrals_note: NullableText,
  /** By the name of each member. */
  seated_because: z.record(z.string(), SeatReason),
  /** Neutrals are ordered by SHA-256 of `run_id|mega_motion_id|archon_id`; of a simulation, which is no run, the session. */
  run_id: z.string(),
});

/** What a facilitator reports, checked. */
export const Synthesis = z.object({
  /** Anything but a known word defers. */
  recommendation: Recommendation,
  rationale: NullableText,
  revised_motion_text: NullableText,
  revision_summary: NullableText,
  key_points_discussed: Texts,
  consensus_areas: Texts,
  unresolved_concerns: Texts,
});
export type Synthesis = z.infer<typeof Synthesis>;

const Opinions = z.array(z.object({ archon_name: z.string(), opinion: z.string() }));

/** A file of `panel_deliberations/` without what the writer of artifacts stamps on it (`rule_set`, `simulated`). */
export const PanelRecord = AnnouncedPanel.extend({
  /** ISO 8601, UTC. */
  scheduled_at: z.iso.datetime(),
  /** Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  revised_motion_text: NullableText,
  revision_rationale: NullableText,
  /** Word for word. */
  dissenting_opinions: Opinions,
  /** Counted by code, over members of the panel: the votes under `arguments` and those under `reported_votes`. */
  vote_breakdown: z.object({ pass: z.int(), fail: z.int(), amend: z.int(), defer: z.int() }),
  concluded_at: z.iso.datetime().nullable(),
  deliberation_duration_minutes: z.number().nullable(),
  status: z.enum(['concluded', 'failed']),
  error: NullableText,
  /** False when the largest group of votes is not the recommendation; null when the panel failed. */
  votes_agree: z.boolean().nullable(),
  /** One for each member, in the order of the seats, whatever became of the panel; empty in a simulation, where no member argued. */
  arguments: z.array(
    z.object({
      archon_name: z.string(),
      side: Side,
      /** Word for word, without the vote; null when the member did not answer or was not reached. */
      argument: NullableText,
      /** As the member cast it; null when it cast none. */
      vote: Recommendation.nullable(),
    }),
  ),
  /** Votes that the facilitator reports of members who argued and cast none, by name. */
  reported_votes: z.record(z.string(), Recommendation),
  /** Null without a report: the panel failed, or was simulated. */
  synthesis: Synthesis.extend({
    /** As the facilitator quotes them; those above hold the words of the others who dissent, too. */
    dissenting_opinions: Opinions,
  }).nullable(),
});
export type PanelRecord = z.infer<typeof PanelRecord>;

// What a vote about a claim came to: who was asked, what they said, what the panel did, and every dissent word for word.

/**
 * - `passed`: well supported, no member was asked.
 * - `confirmed`, `voted_down`: more stand for it, or against it.
 * - `contested`: as many on either side, also after the panel, or the panel failed or was skipped.
 * - `undecided`: those who were asked did not answer, or abstained.
 */
const claimOutcomes = ['passed', 'confirmed', 'voted_down', 'contested', 'undecided'] as const;
export const ClaimOutcome = z.enum(claimOutcomes);
export type ClaimOutcome = z.infer<typeof ClaimOutcome>;

export const ClaimVote = z.object({
  reviewer: z.string(),
  /** Of AMEND: the claim is real, but its wording or severity is not right. */
  stance: Stance,
  reasoning: z.string(),
  concerns: Texts,
  /** 0 to 1, as the reviewer states it; it weighs nothing. */
  confidence: Share,
});
export type ClaimVote = z.infer<typeof ClaimVote>;

export const ClaimPanel = z.object({
  status: z.enum(['concluded', 'failed']),
  error: NullableText,
  supporters: Texts,
  critics: Texts,
  neutrals: Texts,
  /** Advice: votes decide. Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  votes: z.record(z.string(), Recommendation),
});
export type ClaimPanel = z.infer<typeof ClaimPanel>;

export const ClaimDeliberation = z.object({
  risk: z.enum(['low', 'medium', 'high']),
  outcome: ClaimOutcome,
  /** Reviewers that stand for the claim in the end, its supporters among them, and those that stand against it. */
  for: Texts,
  against: Texts,
  votes: z.array(ClaimVote),
  /** Who was asked and did not answer, and why: no vote, never an abstention. */
  noResponse: z.array(z.object({ reviewer: z.string(), error: z.string() })),
  panel: ClaimPanel.nullable(),
  /** Why a contested claim went to no panel; null when one was held, or nothing asked for one. */
  panelSkipped: NullableText.default(null),
  /** Own words of those whom the outcome goes against. */
  dissent: z.array(z.object({ reviewer: z.string(), opinion: z.string() })),
  /** Before the vote; what it is now is on the claim. */
  confidenceBefore: Share.nullable(),
  /** Why the vote could not be held as planned; null when it was. */
  error: NullableText,
});
export type ClaimDeliberation = z.infer<typeof ClaimDeliberation>;

/**
 * What became of a claim of the uncertain band: what could be looked up, who was asked and how that moved its confidence.
 */
export const ClaimVerified = z.object({
  /** What was looked up without asking anybody; it moves the confidence first. */
  checks: z.array(ClaimCheck),
  /** Answers of reviewers who did not say it, in panel order. */
  answers: z.array(
    ClaimVote.extend({
      /** Expected share of right answers, by what people decided about earlier ones. */
      reliability: Share,
      /** Log-odds it moved the confidence by: above 0 in favour, below 0 against, 0 for an abstention. */
      moved: z.number(),
    }),
  ),
  /** Who was asked and did not answer, and why: it moves nothing. */
  noResponse: z.array(z.object({ reviewer: z.string(), error: z.string() })),
  /** Before the checks; what it is now is on the claim. */
  confidenceBefore: Share.nullable(),
  /** Why no member was asked about it although an answer could decide it, or why no member answered; null otherwise. */
  error: NullableText,
});
export type ClaimVerified = z.infer<typeof ClaimVerified>;
