/** What is said in a vote: stances, what a panel recommends, and what a vote about a claim came to. */
import { z } from 'zod';
import { NullableText, Rows, Share, Text, Texts } from './fields.ts';

export const stances = ['ENDORSE', 'OPPOSE', 'AMEND', 'ABSTAIN'] as const;
export const Stance = z.enum(stances);
export type Stance = z.infer<typeof Stance>;

export const recommendations = ['pass', 'fail', 'amend', 'defer'] as const;
export const Recommendation = z.enum(recommendations);
export type Recommendation = z.infer<typeof Recommendation>;

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
  reviewer: Text,
  /** Of AMEND: the claim is real, but its wording or severity is not right. */
  stance: Stance,
  reasoning: Text,
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
  votes: z.record(Text, Recommendation),
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
  noResponse: Rows({ reviewer: Text, error: Text }),
  panel: ClaimPanel.nullable(),
  /** Why a contested claim went to no panel; null when one was held, or nothing asked for one. */
  panelSkipped: NullableText.default(null),
  /** Own words of those whom the outcome goes against. */
  dissent: Rows({ reviewer: Text, opinion: Text }),
  /** Before the vote; what it is now is on the claim. */
  confidenceBefore: Share.nullable(),
  /** Why the vote could not be held as planned; null when it was. */
  error: NullableText,
});
export type ClaimDeliberation = z.infer<typeof ClaimDeliberation>;

/** `incomplete`: answers that were asked for and never came could change what the others come to. */
export type Outcome = 'ratified' | 'rejected' | 'deferred' | 'incomplete';

export type FirstOutcome = Outcome | 'accepted_with_amendments';

/** The stance in words, with the concerns behind it. */
export function wordsOf({ reasoning, concerns }: Pick<ClaimVote, 'reasoning' | 'concerns'>) {
  return [reasoning, ...concerns].filter(text => text.trim() !== '').join(' ');
}
