/** What a rule about one added line is given. */

/** One added line with what stands around it. */
export interface LineContext {
  readonly path: string;
  /** 0-based index of the line in the arrays below. */
  readonly index: number;
  readonly text: readonly string[];
  readonly code: readonly string[];
  readonly comments: readonly string[];
}
