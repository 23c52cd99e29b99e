/** The formal vote, phase by phase. Whoever answers for the members comes in through two ports. */
import type { PanelRecord, PanelSeating } from '../core/deliberation/panel.ts';
import type { Packet } from '../core/deliberation/packet.ts';
import type { ReviewResponse } from '../core/deliberation/review-response.ts';
import type { Session } from '../core/deliberation/motion.ts';
import type { TriagedMotion } from '../core/deliberation/triage.ts';

export interface ReviewsWanted {
  readonly session: Session;
  readonly motions: readonly TriagedMotion[];
  /** In roster order; empty ones too. */
  readonly packets: readonly Packet[];
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface PanelsWanted {
  readonly session: Session;
  /** In motion order. */
  readonly panels: readonly PanelSeating[];
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

/** Answers for the members. Failures of members are rows; a rejection is a fault in Jury, or `UserError` for what a person can put right. */
export interface Deliberators {
  /** True: nobody was asked, and every artifact says so. */
  readonly simulated: boolean;
  /** One row for each assignment, in any order. */
  collectReviews(wanted: ReviewsWanted): Promise<readonly ReviewResponse[]>;
  /** One record for each panel, in any order. */
  holdPanels(wanted: PanelsWanted): Promise<readonly PanelRecord[]>;
}
