/** Whether every merged finding traces to what a reviewer wrote. */
export interface Grounding {
  readonly status: 'ok' | 'warn' | 'violation';
  readonly checked: number;
  /** `P0|F1`; `-` where an entry has no id. */
  readonly ungrounded: readonly string[];
  /** `F1: P0, its index says P1`. */
  readonly severity_mismatch: readonly string[];
  /** `F1: not in the index of alpha`. */
  readonly wrong_agent: readonly string[];
  readonly foreign_skipped: number;
  readonly strict: boolean;
}
