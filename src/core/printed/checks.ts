/** What is printed as JSON by the commands that ask no reviewer: checks, verdict files, figures, the state, the index, the machine. */
import { z } from 'zod';
import { LocalPack, SideFile } from '../context/packing/local-pack.ts';
import { Integrity, JudgedEvidence } from '../integrity/integrity.ts';
import { Recalibration } from '../words/known-claim.ts';
import { MonthSpending } from '../spending/month.ts';
import { outcomes } from '../verdict/record.ts';
import { Counter, IndexedFile, SearchHit } from '../words/code-index.ts';
import { Amount, Flag, NullableText, Text, Texts, Whole } from '../words/fields.ts';
import { Isolation } from '../words/isolation.ts';
import type { ReadOnly } from './explanation.ts';

/** `jury verify --json`. */
export const PrintedIntegrity = Integrity.extend({
  schema: z.literal('jury.integrity/1'),
  title: Text,
  evidence: JudgedEvidence.optional(),
});

/** `jury verdicts --json`. Verdict files of any tool, with their own keys. */
export const PrintedVerdicts = z.object({
  dir: Text,
  verdicts: z.array(z.looseObject({ agent: Text, status: Text })),
  counts: z.record(Text, Whole),
  attention: z.array(
    z.object({
      agent: Text,
      status: Text,
      findings_count: Amount.nullable(),
      detail_path: NullableText,
    }),
  ),
  tokens_total: Amount,
  malformed: z.array(z.object({ file: Text, error: Text })),
  warnings: Texts,
});

/** `jury verdict write --json`. */
export const PrintedVerdictFile = z.object({
  schema: z.literal('jury.verdict-file/1'),
  file: Text,
});

/** `jury collect --prepare --json`. */
export const PrintedInbox = z.object({
  schema: z.literal('jury.inbox/1'),
  folder: Text,
  contract: Text,
});

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
  reviewers: z.array(
    z.object({
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
  ),
  /** How the confidence of claims that people decided about stands to what they decided. */
  calibration: z.object({
    /** Decided claims of which it is known what was said of them then. */
    decisions: Whole,
    confirmed: Whole,
    /** The curve, from the lowest confidence up; fifths of the scale that hold no decided claim are left out. */
    bins: z.array(
      z.object({
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
    ),
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
  found: z.array(
    z.object({
      run: Text,
      command: Text,
      title: Text,
      startedAt: Text,
      said: z.enum(outcomes).nullable(),
    }),
  ),
  /** What else lies there and why it stays there; `isHere`: nothing is wrong with it. Names are untrusted. */
  skipped: z.array(z.object({ name: Text, why: Text, isHere: Flag })),
  /** What is never imported, one sentence each. */
  left: Texts,
  /** Ids of the runs that were imported. */
  imported: Texts,
});
export type Imported = ReadOnly<z.infer<typeof PrintedImport>>;

/** `jury doctor --json`. A machine may have more to tell than is named here. */
export const PrintedMachine = z.looseObject({
  jury: Text,
  node: Text,
  git: NullableText,
  gitProblem: NullableText,
  configuration: NullableText,
  configurationProblem: NullableText,
  clients: z.array(
    z.looseObject({
      name: Text,
      path: NullableText,
      version: NullableText,
      key: NullableText,
      problem: NullableText,
    }),
  ),
  apiKeys: Texts,
  isolation: z.looseObject({
    level: z.enum(['L0', 'L1']),
    by: Isolation.shape.by,
    reason: NullableText,
  }),
  telemetry: z.looseObject({ hosts: Texts, problem: NullableText }).nullable(),
  seats: z.array(
    z.looseObject({
      id: Text,
      runner: Text,
      isolation: Isolation.nullable(),
      refused: NullableText,
    }),
  ),
});

/** `jury index --json`. */
export const PrintedIndex = z.object({
  schema: z.literal(1),
  branch: Text,
  tree: Text,
  total_tokens: Whole,
  counter: Counter,
  definitions: Whole,
  references: Whole,
  imports: Whole,
  indexed: Whole,
  reused: Whole,
  files: z.array(IndexedFile),
  skipped: z.array(z.object({ path: Text, reason: Text })),
});

/** `jury search --json`. */
export const PrintedHits = z.array(SearchHit);

/** `jury context --json`: one pack, or several of a change that is too large for one. */
export const PrintedPacks = z.union([LocalPack, z.object({ packs: z.array(LocalPack) })]);

/** `jury context check --json`. */
export const PrintedPackCheck = z.object({
  schema: z.literal(1),
  pack: Text,
  findings: Texts,
});

/** `jury context show --json`. */
export const PrintedPackShown = z.object({
  schema: z.literal(1),
  pack: Text,
  rendered: Text,
  refreshed: SideFile.shape.refreshed,
});

const Demand = z.object({
  kind: z.enum(['start', 'reach', 'read', 'tell']),
  what: Text,
  by: Text,
});
const Grant = z.looseObject({
  schema: z.literal('jury.grant/1'),
  id: Text,
  granted: Text,
  kind: z.enum(['configuration', 'repository']),
});

/** `jury trust --json`: what was looked at, what is allowed, all that is, or what was taken back. */
export const PrintedTrust = z.union([
  z.array(Grant),
  Grant,
  z.object({ revoked: Text }),
  z.looseObject({
    file: Text,
    hash: Text,
    files: z.array(
      z.looseObject({
        name: Text,
        file: Text,
        digest: NullableText,
        leadsTo: NullableText,
      }),
    ),
    demands: z.array(Demand),
    isGranted: Flag,
  }),
]);
