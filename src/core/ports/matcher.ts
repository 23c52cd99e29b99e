import type { Finding } from '../words/finding.ts';

/** Judges whether two findings say the same thing. `prepare` once, then `compare`: symmetric and deterministic. */
export interface Matcher {
  readonly name: string;
  readonly version: string;
  readonly threshold: number | null;
  prepare(findings: readonly Finding[]): Promise<void>;
  compare(one: Finding, other: Finding): Comparison;
}

export interface Comparison {
  readonly same: boolean;
  /** 0 to 100. */
  readonly score: number;
  readonly contradicts?: boolean;
  readonly reason: string;
}
