/** Who answers for the members of a vote: the port through which reviews, panels and a second pass come in. */
import type { Contradiction, Position } from '../conflicts.ts';
import type { Session } from '../motion.ts';
import type { VoteSpending } from '../motions-run.ts';
import type { PanelSeating } from '../panels.ts';
import type { AmendedMotion, HeldSecondPass } from '../ratify.ts';
import type { AskedBy } from '../recorded-inputs.ts';
import type { PanelRecord, ReviewResponse } from '../records.ts';
import type { Packet, TriagedMotion } from '../triage.ts';

/** What members are asked for. */
interface Wanted {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly note: (message: string) => void;
}

export interface ReviewsWanted extends Wanted {
  readonly motions: readonly TriagedMotion[];
  /** In roster order; empty ones too. */
  readonly packets: readonly Packet[];
}

export interface ConflictsWanted extends Wanted {
  readonly positions: readonly Position[];
}

export interface ConflictsFound {
  /** In the order of the statements, whoever answered first. */
  readonly contradictions: readonly Contradiction[];
  /** False when a question was not answered, or a text was too long to be shown whole. */
  readonly isFinished: boolean;
  /** Contradictions whose quotes do not stand in both texts. */
  readonly dropped: number;
}

export interface PanelsWanted extends Wanted {
  /** In motion order. */
  readonly panels: readonly PanelSeating[];
}

export interface SecondPassWanted extends Wanted {
  /** In the order of the session; never empty. */
  readonly motions: readonly AmendedMotion[];
}

/** Answers for the members. Failures of members are rows; a rejection is a fault in Jury, or `UserError` for what a person can put right. */
export interface Deliberators {
  /** True: nobody was asked, and every artifact says so. */
  readonly simulated: boolean;
  /** What members are told and where; absent where nobody is asked. */
  readonly asked?: AskedBy;
  /** Looks for contradictions by asking a model; missing where there is none to ask. */
  findContradictions?(wanted: ConflictsWanted): Promise<ConflictsFound>;
  /** Id of the run that holds the vote; null: no run does, as in a simulation. */
  readonly run: string | null;
  /**
   * One row for each assignment, in any order; of a simulation in that of the packets, as they are read. `time`: the moment of
   * the event that this ends with, for answers that were never given.
   */
  collectReviews(wanted: ReviewsWanted, time: () => string): Promise<Iterable<ReviewResponse>>;
  /** One record for each panel, in any order. */
  holdPanels(wanted: PanelsWanted, time: () => string): Promise<readonly PanelRecord[]>;
  /** Puts amended texts to those who amended or opposed. Null: nobody is asked again, the second pass is assumed. */
  readonly holdSecondPass: ((wanted: SecondPassWanted) => Promise<HeldSecondPass>) | null;
  /** So far; absent where nobody is paid. */
  readonly spent?: () => VoteSpending;
}
