/** Who is asked about what: one packet for each member of the roster, also when nothing is in it. */
import type { Conflict } from './conflict.ts';
import type { Member } from './motion.ts';

export type AssignmentReason = 'gap_archon' | 'conflict_review';

export interface Assignment {
  readonly motionId: string;
  readonly reason: AssignmentReason;
  /** The evidence; null unless the reason is `conflict_review`. */
  readonly conflict: Conflict | null;
}

export interface Packet {
  readonly member: Member;
  /** In the order of the session. */
  readonly assigned: readonly Assignment[];
  /** Ids of motions the member supports and is not asked about. */
  readonly alreadyEndorsed: readonly string[];
}
