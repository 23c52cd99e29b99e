/** What is printed as JSON of the state of a project: figures, what was cleaned and what was imported. */
import { z } from 'zod';
import { MonthSpending } from '../spending/month.ts';
import { outcomes } from '../verdict/record.ts';
import { Claim, Estimate } from '../words/claim.ts';
import {
  Amount,
  Flag,
  NullableText,
  type ReadOnly,
  Rows,
  Text,
  Texts,
  Whole,
} from '../words/fields.ts';
import { Disposition, KnownClaim, Recalibration, RunRecord } from '../words/run.ts';

/** How sure a share is that was counted in few cases: 95 %, after Wilson. */
const Interval = z.object({ low: Amount, high: Amount });

/** `jury stats --json`. */
const PrintedStatistics = z.object({
  schema: z.literal('jury.stats/1'),
  runs: Whole,
  claims: Whole,
  confirmed: Whole,
  rejected: Whole,
  /** What the project has spent in this month (UTC), by runs that are kept or not. */
  month: MonthSpending,
  /** By name. */
  reviewers: Rows({
    reviewer: Text,
    /** Of the runs that are kept; a review that a later run took over counts once. */
    reviews: Whole,
    completed: Whole,
    calls: Whole,
    tokens: Whole,
    /** US dollars; null when no price is known. */
    cost: Amount.nullable(),
    findings: Whole,
    /** Distinct claims it supported, those of removed runs included. */
    claims: Whole,
    /** Of these, how many a person confirmed or tolerates, and how many were dismissed as false. */
    confirmed: Whole,
    rejected: Whole,
    /** Confirmed of those judged; null when none was. */
    precision: Amount.nullable(),
    interval: Interval,
    /** What the panel would lose without it: claims that nobody else supported. */
    alone: z.object({ claims: Whole, confirmed: Whole }),
  }),
  /** How the confidence of claims that people decided about stands to what they decided. */
  calibration: z.object({
    /** Decided claims of which it is known what was said of them then. */
    decisions: Whole,
    confirmed: Whole,
    /** The curve, from the lowest confidence up; fifths of the scale that hold no decided claim are left out. */
    bins: Rows({
      /** Confidence from `least` to below `most`, 0 to 1. */
      least: Amount,
      most: Amount,
      claims: Whole,
      /** Mean confidence as it was shown. */
      stated: Amount,
      /** Share that people confirmed or tolerate. */
      confirmed: Amount,
      interval: Interval,
    }),
    /** What corrects the confidence of this project; null while too little is decided. */
    recalibration: Recalibration.nullable(),
  }),
});
export type Statistics = ReadOnly<z.infer<typeof PrintedStatistics>>;

/** `jury clean --json`. */
const PrintedCleaning = z.object({
  /** Folder of the state. */
  root: Text,
  /** Ids of the runs that were removed, or would be; newest first. */
  removed: Texts,
  /** Ids of the runs that stay: too young, or in use. */
  kept: Texts,
  dryRun: Flag,
});
export type Cleaned = ReadOnly<z.infer<typeof PrintedCleaning>>;

/** `jury import --json`. */
const PrintedImport = z.object({
  /** Absolute folder that was looked through. */
  folder: Text,
  /** Runs that can be imported, latest first. `said`: the outcome they came with. */
  found: Rows({
    run: Text,
    command: Text,
    title: Text,
    startedAt: Text,
    said: z.enum(outcomes).nullable(),
  }),
  /** What else lies there and why it stays there; `isHere`: nothing is wrong with it. Names are untrusted. */
  skipped: Rows({ name: Text, why: Text, isHere: Flag }),
  /** What is never imported, one sentence each. */
  left: Texts,
  /** Ids of the runs that were imported. */
  imported: Texts,
});
export type Imported = ReadOnly<z.infer<typeof PrintedImport>>;

// What is printed as JSON of a claim and why it is one.

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
const PrintedExplanation = z.object({
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

/** By name, each with what prints it. */
export const printedChecks = {
  explanation: { title: 'jury explain --json', schema: PrintedExplanation },
  stats: { title: 'jury stats --json', schema: PrintedStatistics },
  clean: { title: 'jury clean --json', schema: PrintedCleaning },
  import: { title: 'jury import --json', schema: PrintedImport },
};
