/** Everything that is settled before the first reviewer is asked: JSON in the run folder, so that a killed run goes on with the same. */
import type { Config, EmbeddingConfig, JudgeConfig, Seat } from './config.ts';
import type {
  Complexity,
  Cover,
  Isolation,
  Limits,
  ProgressiveSummarization,
} from '../context/budget.ts';
import type { EgressPlan } from '../context/egress.ts';
import type { DeliberationSettings } from './motions-settings.ts';
import type { CapSettings, ModelCapability } from '../context/scope.ts';
import type { Guideline } from './guideline.ts';
import type { ModeName } from './mode.ts';
import type { ChangeRequest } from '../ports/repository.ts';
import type { ActRule, Strategy } from '../settings.ts';
import type { Severity } from './finding.ts';
import type { Reason } from '../verdict/record.ts';
import type { OutcomeRules, Policy } from '../verdict/rule-set.ts';

/** How the subject is read again on resume. */
export type SubjectRequest =
  | { readonly kind: 'change'; readonly request: ChangeRequest }
  /** Absolute path of the file or folder, and what the caller called it. */
  | { readonly kind: 'document'; readonly path: string; readonly title: string }
  | { readonly kind: 'question'; readonly title: string };

export interface SpendingRules {
  readonly complexity: Complexity | null;
  readonly isolation: Isolation;
  /** Globs of files that the configuration calls sensitive. */
  readonly sensitiveFiles: readonly string[];
  readonly thresholds: ProgressiveSummarization;
  /** What budgets grow for; null and absent: nobody said. */
  readonly cover?: Cover | null;
  /** Readers of each file that is dealt; null and absent: nobody said. */
  readonly readers?: number | null;
}

/** A matcher that is none of Jury's own: which it was, so that another never passes for it. */
export interface MatcherIdentity {
  readonly name: string;
  readonly version: string;
}

export interface Plan {
  readonly schema: 'jury.plan/2';
  readonly run: string;
  /** Version of Jury that made the plan. */
  readonly version: string;
  /** `review`, `ask`, … */
  readonly command: string;
  readonly mode: ModeName;
  readonly startedAt: string;
  /** Absolute folder the caller stood in. */
  readonly cwd: string;
  readonly subject: SubjectRequest;
  readonly description: string | null;
  /** Text of the plan or requirements the change is judged against. */
  readonly requirements: string | null;
  /** The question and its background; null in a code review. */
  readonly prompt: string | null;
  readonly context: string | null;
  readonly seats: readonly Seat[];
  /** How the seats were found: they are never taken from here, but found again on resume. */
  readonly panel: {
    /** Absolute path of the configuration that the caller named; null: whichever is found. */
    readonly config: string | null;
    /** Reviewers that the caller chose from the configuration; null: those that it seats. */
    readonly reviewers: readonly string[] | null;
    /** What kind of answer the caller asked for, in its word: it decides whom the configuration seats. */
    readonly mode?: string | null;
    readonly require: readonly string[];
    /** Seconds for each reviewer; null: those of the configuration. */
    readonly timeout: number | null;
    /** Ceilings that the caller named; null each: that of the configuration. */
    readonly limits: Limits;
    /** The same for the month. */
    readonly maxCostPerMonth?: number;
  };
  /** What keeps the run from being proof whatever its reviewers say. */
  readonly gaps: readonly Reason[];
  /** Ids of the seats by stage, the first asked first; null: all at once. */
  readonly stages: readonly (readonly string[])[] | null;
  /** Ask every stage, whatever the earlier ones find. */
  readonly allStages: boolean;
  /** Globs of files whose findings are set aside. */
  readonly protectedPaths: readonly string[];
  /** Labels asked for, most severe first. */
  readonly labels: readonly (readonly [label: string, severity: Severity])[];
  readonly policy: Policy;
  readonly strategy: Strategy;
  /** The caller's own matcher, in place of the strategy; absent where there is none. */
  readonly matcher?: MatcherIdentity;
  /** Which claims are worth a person's time. */
  readonly act: ActRule;
  /** Percent, for strategies that have a cut. */
  readonly threshold: number;
  /** What strategy `embedding` asks; null for any other. */
  readonly embedding: EmbeddingConfig | null;
  /** Who is asked about pairs that wordings leave open, `auto`: those of the panel; null: no model. */
  readonly judge: JudgeConfig | 'auto' | null;
  readonly trust: Config['trust'];
  readonly exclude: readonly string[];
  /** What cannot be shown and may pass unread. */
  readonly accept: Config['accept'];
  /** Which files may go to whom; absent where everything may go to all. */
  readonly egress?: EgressPlan;
  /** What the team wants reviewers to know, with those that concern nobody here. */
  readonly guidelines: readonly Guideline[];
  /**
   * What people decided about earlier findings, as all reviewers are told it. It is no part of what decides whether an answer is used
   * again.
   */
  readonly learnt: readonly string[];
  readonly concurrency: number;
  /** Which judges are heard and what they do. */
  readonly rules: OutcomeRules;
  /** How the packs of a review are made; null: it has none. */
  readonly packs: {
    readonly capability: ModelCapability;
    readonly caps: CapSettings;
    /** Programs of the user's own wait for the packs and are shown what stands around the change, as models are. */
    readonly programs: boolean;
  } | null;
  /** How the change is measured and its budgets allotted and kept; null when nobody has a budget. */
  readonly spending: SpendingRules | null;
  /** How claims are put to the vote of the panel; null: they are not. */
  readonly deliberation: DeliberationSettings | null;
  readonly limits: Limits;
  /** US dollars of a calendar month, whatever else ran in it; absent: nobody set it. No part of what decides the answers. */
  readonly maxCostPerMonth?: number;
  /** Random delimiter around untrusted text; the same for all reviewers, so that their prompts share a prefix. */
  readonly fence: string;
  /** Per reviewer, to be echoed in its answer. */
  readonly nonces: Readonly<Record<string, string>>;
  /** Hash of all that decides the answers: subject, seats and their programs, policy, mode. Null when an answer must not be shared. */
  readonly configurationHash: string | null;
  /**
   * By seat: hash of all that decides what it is asked and how that is taken, whichever process asks. Null and absent: not to be
   * shared.
   */
  readonly questions?: Readonly<Record<string, string | null>>;
  /**
   * By seat: hash of all that decides how it is asked, whatever the change is: who has it the same reads a later state of the change
   * as it read this one. Null and absent: nobody can tell.
   */
  readonly asking?: Readonly<Record<string, string | null>>;
  /**
   * By seat: what its runner says decides its answers besides the turn. Null and absent: answers must not be shared, or nobody is
   * asked.
   */
  readonly fingerprints?: Readonly<Record<string, string | null>>;
  /** Hash of the subject alone. */
  readonly subjectHash: string;
  /** Hash of the subject with what is excluded of it: what approvals are bound to. */
  readonly changeHash: string;
  /** What people's decisions about claims came to when the plan was made: they change no answer, but what counts. */
  readonly decisions: string;
}
