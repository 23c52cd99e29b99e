/** What a request is on its way to a plan: what is asked for, what was found for it, what is told. */
import type { GitRepository } from '../adapters/git/repository.ts';
import type { EgressPlan } from '../core/context/egress.ts';
import type { Process, Settings } from '../core/process.ts';
import type { Reason } from '../core/verdict/record.ts';
import type { OutcomeRules } from '../core/verdict/rule-set.ts';
import type { Subject } from '../core/words/change.ts';
import type { Seat } from '../core/words/config.ts';
import type { ModeName } from '../core/words/mode.ts';
import type { Plan, SpendingRules } from '../core/words/plan.ts';
import type { Call } from './call.ts';
import type { OwnState } from './own-state.ts';
import type { RunnerFor } from './open-world.ts';
import type { ChosenPanel, Sizing } from './panel-choice.ts';
import type { ReadSubject } from './read-subject.ts';
import type { Configured } from './seat-reviewers.ts';

/** What is asked for, and where. */
export interface Order {
  readonly process: Process;
  readonly mode: ModeName;
  readonly settings: Settings;
  readonly repository: GitRepository;
  readonly state: OwnState;
  readonly call: Call;
  /** The plan of a run that goes on; null: one begins. */
  readonly before: Plan | null;
}

/** Who is seated, before the size of the subject says who is asked. */
export interface Seating extends Configured, ChosenPanel {
  readonly panel: readonly Seat[];
  /** Is a check of uncertain claims wanted beside a vote, which asks about them anyway? */
}

/** What the order has come to before it is known what may go to whom. */
export interface Chosen extends ReadSubject, Seating {
  /** Without what is not reviewed. */
  readonly reviewed: Subject;
  readonly rules: OutcomeRules;
  readonly seats: readonly Seat[];
  /** Null where nobody has a budget. */
  readonly spending: SpendingRules | null;
  /** Null where nobody is chosen by the size of a change. */
  readonly sizing: Sizing | null;
}

export interface Found extends Chosen {
  /** Absent where everything may go to all. */
  readonly egress: EgressPlan | undefined;
  readonly runnerFor: RunnerFor;
  /** What keeps the run from being proof whatever its reviewers say. */
  readonly gaps: readonly Reason[];
}

/** What reviewers are told besides the subject. A run that goes on tells what it began with. */
export interface Told extends Required<Pick<Plan, 'guidelines' | 'learnt'>> {
  /** What people's decisions about claims come to. */
  readonly decisions: string;
  readonly notes: readonly string[];
}
