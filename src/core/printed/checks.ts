/** What is printed as JSON by the commands that ask no reviewer: checks, verdict files, figures, the state, the index, the machine. */
import { z } from 'zod';
import { LocalPack, SideFile } from '../context/packing/local-pack.ts';
import { Integrity } from '../integrity/integrity.ts';
import type { Statistics } from '../memory/statistics.ts';
import type { Grounding } from '../words/grounding.ts';
import { MonthSpending } from '../spending/month.ts';
import { outcomes } from '../verdict/record.ts';
import type { SearchHit } from '../words/code-index.ts';
import { Isolation } from '../words/isolation.ts';

/** `jury verify --json`. */
export const PrintedIntegrity = Integrity.extend({
  schema: z.literal('jury.integrity/1'),
  title: z.string(),
  evidence: z
    .object({
      recommendations: z.array(
        z.object({
          recommendation_id: z.string(),
          text: z.string(),
          state: z.enum(['proven', 'unproven']),
          missing: z.array(z.string()),
        }),
      ),
      dropped: z.int(),
    })
    .optional(),
});

/** `jury ground --json`. */
export const PrintedGrounding = z.object({
  status: z.enum(['ok', 'warn', 'violation']),
  checked: z.int(),
  ungrounded: z.array(z.string()),
  severity_mismatch: z.array(z.string()),
  wrong_agent: z.array(z.string()),
  foreign_skipped: z.int(),
  strict: z.boolean(),
}) satisfies z.ZodType<Grounding>;

/** `jury verdicts --json`. Verdict files of any tool, with their own keys. */
export const PrintedVerdicts = z.object({
  dir: z.string(),
  verdicts: z.array(z.looseObject({ agent: z.string(), status: z.string() })),
  counts: z.record(z.string(), z.int()),
  attention: z.array(
    z.object({
      agent: z.string(),
      status: z.string(),
      findings_count: z.number().nullable(),
      detail_path: z.string().nullable(),
    }),
  ),
  tokens_total: z.number(),
  malformed: z.array(z.object({ file: z.string(), error: z.string() })),
  warnings: z.array(z.string()),
});

/** `jury verdict write --json`. */
export const PrintedVerdictFile = z.object({
  schema: z.literal('jury.verdict-file/1'),
  file: z.string(),
});

/** `jury collect --prepare --json`. */
export const PrintedInbox = z.object({
  schema: z.literal('jury.inbox/1'),
  folder: z.string(),
  contract: z.string(),
});

const Interval = z.object({ low: z.number(), high: z.number() });

/** `jury stats --json`. */
export const PrintedStatistics = z.object({
  schema: z.literal('jury.stats/1'),
  runs: z.int(),
  claims: z.int(),
  confirmed: z.int(),
  rejected: z.int(),
  month: MonthSpending,
  reviewers: z.array(
    z.object({
      reviewer: z.string(),
      reviews: z.int(),
      completed: z.int(),
      calls: z.int(),
      tokens: z.int(),
      cost: z.number().nullable(),
      findings: z.int(),
      claims: z.int(),
      confirmed: z.int(),
      rejected: z.int(),
      precision: z.number().nullable(),
      interval: Interval,
      alone: z.object({ claims: z.int(), confirmed: z.int() }),
    }),
  ),
  calibration: z.object({
    decisions: z.int(),
    confirmed: z.int(),
    bins: z.array(
      z.object({
        least: z.number(),
        most: z.number(),
        claims: z.int(),
        stated: z.number(),
        confirmed: z.number(),
        interval: Interval,
      }),
    ),
    recalibration: z
      .object({ intercept: z.number(), slope: z.number(), decisions: z.int() })
      .nullable(),
  }),
}) satisfies z.ZodType<Statistics>;

/** `jury clean --json`. */
export const PrintedCleaning = z.object({
  root: z.string(),
  removed: z.array(z.string()),
  kept: z.array(z.string()),
  dryRun: z.boolean(),
});

/** `jury import --json`. */
export const PrintedImport = z.object({
  folder: z.string(),
  found: z.array(
    z.object({
      run: z.string(),
      command: z.string(),
      title: z.string(),
      startedAt: z.string(),
      said: z.enum(outcomes).nullable(),
    }),
  ),
  skipped: z.array(z.object({ name: z.string(), why: z.string(), isHere: z.boolean() })),
  left: z.array(z.string()),
  imported: z.array(z.string()),
});

/** `jury doctor --json`. A machine may have more to tell than is named here. */
export const PrintedMachine = z.looseObject({
  jury: z.string(),
  node: z.string(),
  git: z.string().nullable(),
  gitProblem: z.string().nullable(),
  configuration: z.string().nullable(),
  configurationProblem: z.string().nullable(),
  clients: z.array(
    z.looseObject({
      name: z.string(),
      path: z.string().nullable(),
      version: z.string().nullable(),
      key: z.string().nullable(),
      problem: z.string().nullable(),
    }),
  ),
  apiKeys: z.array(z.string()),
  isolation: z.looseObject({
    level: z.enum(['L0', 'L1']),
    by: Isolation.shape.by,
    reason: z.string().nullable(),
  }),
  telemetry: z
    .looseObject({ hosts: z.array(z.string()), problem: z.string().nullable() })
    .nullable(),
  seats: z.array(
    z.looseObject({
      id: z.string(),
      runner: z.string(),
      isolation: Isolation.nullable(),
      refused: z.string().nullable(),
    }),
  ),
});

/** `jury index --json`. */
export const PrintedIndex = z.object({
  schema: z.literal(1),
  branch: z.string(),
  tree: z.string(),
  total_tokens: z.int(),
  counter: z.object({ name: z.string(), version: z.string(), estimated: z.boolean() }),
  definitions: z.int(),
  references: z.int(),
  imports: z.int(),
  indexed: z.int(),
  reused: z.int(),
  files: z.array(
    z.object({
      path: z.string(),
      language: z.string(),
      bytes: z.int(),
      lines: z.int(),
      tokens: z.int(),
      id: z.string(),
    }),
  ),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
});

/** `jury search --json`. */
export const PrintedHits = z.array(
  z.object({
    path: z.string(),
    startLine: z.int(),
    endLine: z.int(),
    text: z.string(),
    score: z.number(),
  }),
) satisfies z.ZodType<readonly SearchHit[]>;

/** `jury context --json`: one pack, or several of a change that is too large for one. */
export const PrintedPacks = z.union([LocalPack, z.object({ packs: z.array(LocalPack) })]);

/** `jury context check --json`. */
export const PrintedPackCheck = z.object({
  schema: z.literal(1),
  pack: z.string(),
  findings: z.array(z.string()),
});

/** `jury context show --json`. */
export const PrintedPackShown = z.object({
  schema: z.literal(1),
  pack: z.string(),
  rendered: z.string(),
  refreshed: SideFile.shape.refreshed,
});

const Demand = z.object({
  kind: z.enum(['start', 'reach', 'read', 'tell']),
  what: z.string(),
  by: z.string(),
});
const Grant = z.looseObject({
  schema: z.literal('jury.grant/1'),
  id: z.string(),
  granted: z.string(),
  kind: z.enum(['configuration', 'repository']),
});

/** `jury trust --json`: what was looked at, what is allowed, all that is, or what was taken back. */
export const PrintedTrust = z.union([
  z.array(Grant),
  Grant,
  z.object({ revoked: z.string() }),
  z.looseObject({
    file: z.string(),
    hash: z.string(),
    files: z.array(
      z.looseObject({
        name: z.string(),
        file: z.string(),
        digest: z.string().nullable(),
        leadsTo: z.string().nullable(),
      }),
    ),
    demands: z.array(Demand),
    isGranted: z.boolean(),
  }),
]);
