/** Counts the stances on each motion. Nothing but counting: shares, consensus and contest follow from the figures. */
import { z } from 'zod';

const Count = z.int().nonnegative();

/** A row of `aggregations.json` without what the writer of artifacts stamps on every row (`rule_set`, `simulated`). */
export const Aggregation = z.object({
  mega_motion_id: z.string(),
  mega_motion_title: z.string(),
  /** Contributors without conflict on this motion: nobody asked them. */
  implicit_endorsements: Count,
  explicit_endorsements: Count,
  total_endorsements: Count,
  oppositions: Count,
  amendments_proposed: Count,
  abstentions: Count,
  /** Asked and not answered. */
  no_response: Count,
  /** Implicit endorsements and answers. */
  engaged_count: Count,
  endorsement_ratio: z.number(),
  opposition_ratio: z.number(),
  consensus_reached: z.boolean(),
  contested: z.boolean(),
  needs_amendment_synthesis: z.boolean(),
  status: z.enum(['contested', 'ratification_ready', 'under_review']),
  amendment_texts: z.array(z.string()),
  opposition_reasons: z.array(z.string()),
  /** Implicit ones, then explicit ones in roster order. */
  endorsing_archons: z.array(z.string()),
  opposing_archons: z.array(z.string()),
  /** ISO 8601, UTC. */
  aggregated_at: z.string(),
  not_assigned: Count,
  risk_tier: z.enum(['low', 'medium', 'high']),
});
export type Aggregation = z.infer<typeof Aggregation>;
