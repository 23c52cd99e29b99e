/** What a run needs of the world: the ports, put together by whoever starts it. */
import type { Seat } from '../core/words/config.ts';
import type { ReportScope } from '../core/change/set-aside.ts';
import type { Measure, TokenObservation } from '../core/context/review-plan.ts';
import type { AddedSecret } from '../core/safety/engine-finding.ts';
import type { Clock, Runner } from '../core/ports/runner.ts';
import type { CodeIndex, Repository, SecretScanner } from '../core/ports/repository.ts';
import type { JudgeSettings, Matcher } from '../core/ports/matcher.ts';
import type { Memory, RunStore, Steps } from '../core/ports/steps.ts';
import type { Run } from '../core/words/run.ts';
import type { MonthCeiling } from './asking/limits.ts';
import type { BranchDesk } from './tools/reviewer-tools.ts';
import type { ContextWorld } from './context/context-texts.ts';

/** What the tools of reviewers stand on. */
interface ToolContext {
  /** Brought up to date when it is first asked for; null when there is none. */
  readonly index: () => Promise<CodeIndex | null>;
  readonly branches: BranchDesk;
}

export interface World {
  /** Null when the subject is no change. */
  readonly repository: Repository | null;
  readonly runnerFor: (seat: Seat) => Promise<Runner>;
  /** Null or absent: nobody has tools. */
  readonly toolContext?: ToolContext | null;
  /** What the month still holds. Null or absent: nobody who is asked costs anything. */
  readonly month?: MonthCeiling | null;
  /** Null when nobody has a budget. */
  readonly measure: Measure | null;
  /**
   * Opens what packs are assembled from; null when there is no index: outside of git, a patch. Closed by `close`. Absent: nobody
   * wants packs.
   */
  readonly openContext?: () => Promise<(ContextWorld & { close(): void }) | null>;
  /** Keeps what providers reported of prompts that were counted, for later counts. Absent: nobody learns. */
  readonly learnTokens?: (
    counter: string,
    observations: readonly TokenObservation[],
  ) => Promise<void>;
  readonly steps: Steps;
  readonly store: RunStore;
  readonly clock: Clock;
  readonly secrets: SecretScanner;
  /** Does what the scanner found stand there in earnest, and not as an example? */
  readonly isCredential: (secret: AddedSecret) => boolean;
  readonly matcher: Matcher;
  /** Who is asked about pairs of findings that the matcher leaves open. Null or absent: no model is. */
  readonly judge?: JudgeSettings | null;
  /** What the project remembers; null when the subject is no change. */
  readonly memory: Memory | null;
  /** Writes `reviews/<agent>.md` behind: in progress under another name, then renamed. One of an earlier round is replaced. */
  readonly writeReviewFile: (agent: string, text: string) => Promise<void>;
  /** The file `reviews/<agent>.md` that a reviewer wrote itself, taken out of the way of the next one; null when there is none. */
  readonly takeWritten: (agent: string) => Promise<string | null>;
  /** The full report for people, kept in the run folder. */
  readonly renderReport: (run: Run) => string;
  /** The report of a scope, kept beside the runs. Absent where nobody keeps one. */
  readonly scopeReports?: {
    take(scope: ReportScope, now: Date): Promise<string>;
    write(name: string, text: string): Promise<void>;
    render(run: Run): string;
  };
  /** Is what is reviewed another thing by now? */
  readonly isMoved: () => Promise<boolean>;
  /** Why a person lets sensitive files pass without a look at security; null: nobody does. */
  readonly skipSecurity: string | null;
}
