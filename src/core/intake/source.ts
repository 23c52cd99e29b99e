/** Findings that were produced elsewhere, as their readers hand them over: one source a file or run, in the order it holds. */
import type { Finding } from '../finding.ts';
import type { Review } from '../review.ts';

export interface Source {
  /** As the person named it. */
  readonly name: string;
  readonly entries: readonly Entry[];
  /** Who could have said something, in the order of appearance; whoever said nothing is among them. */
  readonly reviews: readonly Review[];
  /** One sentence each. */
  readonly warnings: readonly string[];
}

export interface Entry {
  /** Its `id` is given when all sources are put together. */
  readonly finding: Omit<Finding, 'id'>;
  /** The rule a static analyser found it by; null for everybody else. */
  readonly rule: string | null;
  /** Why it forms no claim, in words; null when it does. */
  readonly leftOut: string | null;
}

/** The text of a file, or of standard input. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}
