/** What a vote about a claim came to: who was asked, what they said, what the panel did, and every dissent word for word. */
import { z } from 'zod';
import { Recommendation } from './panel.ts';
import { Stance } from './review-response.ts';

/**
 * - `passed`: well supported, nobody was asked.
 * - `confirmed`, `voted_down`: more stand for it, or against it.
 * - `contested`: as many on either side, also after the panel, or the panel failed.
 * - `undecided`: those who were asked did not answer, or abstained.
 */
export const claimOutcomes = [
  'passed',
  'confirmed',
  'voted_down',
  'contested',
  'undecided',
] as const;
export const ClaimOutcome = z.enum(claimOutcomes);
export type ClaimOutcome = z.infer<typeof ClaimOutcome>;

export const ClaimVote = z.object({
  reviewer: z.string(),
  /** Of AMEND: the claim is real, but its wording or severity is not right. */
  stance: Stance,
  reasoning: z.string(),
  concerns: z.array(z.string()),
  /** 0 to 1, as the reviewer states it; it weighs nothing. */
  confidence: z.number().min(0).max(1),
});
export type ClaimVote = z.infer<typeof ClaimVote>;

export const ClaimPanel = z.object({
  status: z.enum(['concluded', 'failed']),
  error: z.string().nullable(),
  supporters: z.array(z.string()),
  critics: z.array(z.string()),
  neutrals: z.array(z.string()),
  /** Advice: votes decide. Null when the panel failed. */
  recommendation: Recommendation.nullable(),
  votes: z.record(z.string(), Recommendation),
});
export type ClaimPanel = z.infer<typeof ClaimPanel>;

export const ClaimDeliberation = z.object({
  risk: z.enum(['low', 'medium', 'high']),
  outcome: ClaimOutcome,
  /** Reviewers that stand for the claim in the end, its supporters among them, and those that stand against it. */
  for: z.array(z.string()),
  against: z.array(z.string()),
  votes: z.array(ClaimVote),
  /** Who was asked and did not answer, and why: no vote, never an abstention. */
  noResponse: z.array(z.object({ reviewer: z.string(), error: z.string() })),
  panel: ClaimPanel.nullable(),
  /** Own words of those whom the outcome goes against. */
  dissent: z.array(z.object({ reviewer: z.string(), opinion: z.string() })),
  /** Before the vote; what it is now stands on the claim. */
  confidenceBefore: z.number().min(0).max(1).nullable(),
  /** Why the vote could not be held as planned; null when it was. */
  error: z.string().nullable(),
});
export type ClaimDeliberation = z.infer<typeof ClaimDeliberation>;
