import { z } from 'zod';
import type { Seat } from '../words/config.ts';
import type { Finding } from '../words/finding.ts';
import { Amount, Rows, Text } from '../words/fields.ts';

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

// Who judges pairs of findings, what it answers, how often it is right, and where the answers are kept.

export const PairAnswer = z.enum(['same', 'different', 'opposite', 'cannot-say']);
export type PairAnswer = z.infer<typeof PairAnswer>;

/** Probability of the right answer about two findings that say the same, and about two that do not. */
const JudgeAccuracy = z.object({ same: Amount, different: Amount });
export type JudgeAccuracy = z.infer<typeof JudgeAccuracy>;

/** What a judge answered in a run, by the ids of two findings, and how often it was taken to be right. */
export const Judgement = JudgeAccuracy.extend({
  answers: Rows({ one: Text, other: Text, answer: PairAnswer }),
});
export type Judgement = z.infer<typeof Judgement>;

/** Where answers are remembered that were paid for: a text by the hash of the question. */
export interface PairAnswers {
  /** Null also where what remembers them refuses. */
  get(key: string): string | null;
  /** A full disk or a busy file costs only the memory of them. */
  put(entries: readonly (readonly [key: string, value: string])[]): void;
  close(): void;
}

export interface JudgeSettings {
  /** A model that sits on no panel; null: those of the panel are asked. */
  readonly seat: Seat | null;
  readonly accuracy: JudgeAccuracy;
  readonly maxPairs: number;
  readonly maxCalls: number;
  readonly openAnswers: () => Promise<PairAnswers>;
}
