/** Time, so that a run can be simulated and replayed. A program may bring its own. */
export interface Clock {
  /** Wall clock, for what people read. */
  now(): Date;
  /** Milliseconds that never go backwards. */
  monotonicMs(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when a deadline of so many milliseconds has passed, rejects when `signal` aborts before. Apart from `sleep`, which a clock
   * may cut short: nobody could answer in no time. Absent: by the time of this machine.
   */
  deadline?(ms: number, signal: AbortSignal): Promise<void>;
}
