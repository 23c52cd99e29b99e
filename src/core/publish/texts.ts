/** What is said on the host, made by the rank that prints: Markdown in which no word of a reviewer does anything. */
import type { DismissedClaim, FixedClaim } from '../words/known-claim.ts';
import type { Annotation } from '../ports/code-host.ts';
import type { Claim } from '../words/claim.ts';
import type { RunRecord } from '../words/run.ts';

/** What a summary tells besides the run. */
export interface SummaryView {
  readonly record: RunRecord;
  readonly head: string;
  /** Ids of claims that stand at their line as well. */
  readonly atLines: ReadonlySet<string>;
  readonly fixed: readonly FixedClaim[];
  /** How many would have a line and are too many for one time. */
  readonly beyond: number;
  /** How many comments somebody deleted. */
  readonly deleted: number;
  /** One sentence each: what could not be published, and why. */
  readonly troubles: readonly string[];
}

export interface PublicationTexts {
  /** Of the check, one line. */
  title(record: RunRecord): string;
  /** At most so many characters; says how much is left out. */
  summary(view: SummaryView, longest: number): string;
  inline(claim: Claim, record: RunRecord): string;
  /** One line. */
  fixed(fixed: FixedClaim, head: string): string;
  dismissed(dismissed: DismissedClaim | null): string;
  /** Plain text, most important first, all of them. */
  annotations(record: RunRecord): readonly Annotation[];
}

/** Characters of a comment. GitHub takes 65,536, and what Jury writes unseen is no part of these. */
export const longestComment = 60_000;

/** Bytes of UTF-8 of the summary of a check. GitHub takes 65,535, and says characters where it counts bytes. */
export const mostCheckBytes = 64_800;
