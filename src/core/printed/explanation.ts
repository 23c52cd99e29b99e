/** What is printed as JSON of a claim and why it is one. */
import { z } from 'zod';
import { Claim } from '../words/claim.ts';
import { Amount, Flag, NullableText, Rows, Text, Texts, Whole } from '../words/fields.ts';
import { Disposition, KnownClaim } from '../words/known-claim.ts';
import { RunRecord } from '../words/run.ts';

/** A thing before it is printed: it and its lists are only read. */
export type ReadOnly<Thing> = {
  readonly [Key in keyof Thing]: Thing[Key] extends (infer Item)[] ? readonly Item[] : Thing[Key];
};

/** A probability, 0 to 1, with what it is made of: log-odds before anything is known, and what they are added to. */
const Estimate = z.object({
  probability: Amount,
  start: Amount,
  /** Largest first. */
  contributions: Rows({
    /** Name of the evidence. */
    evidence: Text,
    /** Half a sentence: "2 reviewers say it". */
    words: Text,
    /** Log-odds; below 0 it speaks against. */
    worth: Amount,
  }),
});
const PairReasons = z.object({
  /** Ids of the two findings. */
  one: Text,
  other: Text,
  /** 0 to 100. */
  score: Amount,
  same: Flag,
  reason: Text,
});

/**
 * `jury explain --json`, `jury consensus --explain --json`: everything the sentences are made of, with the sentence that comes
 * first.
 */
export const PrintedExplanation = z.object({
  schema: z.literal('jury.explanation/1'),
  /** Null for findings that were handed over: no run holds them. */
  run: NullableText,
  /**
   * A line each: that it was dismissed, where it was; what made its findings one; what spoke against that; how sure it is. Holds
   * words of reviewers: untrusted.
   */
  sentence: Text,
  claim: Claim,
  strategy: RunRecord.shape.strategy,
  /** Each finding with the one it is most like; nothing for a claim of one finding. */
  joined: z.array(PairReasons),
  /** What the findings named here are called for people, by their ids. */
  names: z.record(Text, Text),
  /** At most three, the nearest first; those that say the opposite stand under `against` and `denies`. */
  apart: Rows({
    claim: Text,
    text: Text,
    supporters: Texts,
    /** The two findings that come nearest. */
    nearest: PairReasons,
  }),
  /** What a reviewer says against the claim. */
  against: Rows({
    /** The claim that holds the statement; null where none does. */
    claim: NullableText,
    /** Everybody who says that claim. */
    supporters: Texts,
    reviewer: Text,
    /** Id of the finding. */
    finding: Text,
    /** Untrusted. */
    statement: Text,
  }),
  /** Claims that this one is a denial of. */
  denies: z.array(Claim.pick({ id: true, text: true, supporters: true })),
  /** Worked out with what is known today; null when none was computed. */
  confidence: Estimate.extend({
    /** That the claim matters if it is true. */
    matters: Estimate,
    /** That it is both, 0 to 1. */
    worth: Amount,
    /** Judged claims like it that the figure comes from; below 100 it is told in words. */
    cases: Whole,
  }).nullable(),
  /**
   * What files that were handed over record of their claims that are in this one; its own figures do not hold it, as they are
   * worked out anew. Of a claim of a run it stands in the claim.
   */
  recorded: z.array(
    Claim.pick({
      id: true,
      confidence: true,
      cases: true,
      deliberation: true,
    }).extend({
      /** Name of the file or run that was handed over. */
      source: Text,
    }),
  ),
  /** Null when the memory of the project does not hold the claim. */
  remembered: KnownClaim.pick({ history: true, wordings: true, supporters: true }).nullable(),
  /** Decisions of people about it, or that take it along, the latest first. */
  decisions: z.array(Disposition),
});
export type ClaimExplanation = ReadOnly<z.infer<typeof PrintedExplanation>>;
