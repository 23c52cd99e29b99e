/** What is printed as JSON of the state of a project: figures, what was cleaned and what was imported. */
import { z } from 'zod';
import { Recalibration } from '../words/known-claim.ts';
import { MonthSpending } from '../spending/month.ts';
import { outcomes } from '../verdict/record.ts';
import { Amount, Flag, Rows, Text, Texts, Whole } from '../words/fields.ts';
import type { ReadOnly } from './explanation.ts';

/** How sure a share is that was counted in few cases: 95 %, after Wilson. */
const Interval = z.object({ low: Amount, high: Amount });

/** `jury stats --json`. */
export const PrintedStatistics = z.object({
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
export const PrintedCleaning = z.object({
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
export const PrintedImport = z.object({
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
