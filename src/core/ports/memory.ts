import type { Recalibration, RememberedRun, RunToRemember } from '../words/known-claim.ts';
import type { ReviewerReliability } from '../../agreement/index.ts';

/** What earlier runs on the same repository left, and what people decided about their claims. */
export interface Memory {
  /**
   * Names the claims of a run as they are known, gives their states and remembers the run: all or nothing, and for the same run
   * again the same.
   */
  remember(run: RunToRemember): Promise<RememberedRun>;
  /** The same, and nothing of the run is kept. */
  recognise(run: RunToRemember): Promise<RememberedRun>;
  reliability(): Promise<readonly ReviewerReliability[]>;
  /** Null while too little is decided. */
  recalibration(): Promise<Recalibration | null>;
}
