/** Does a change keep its word? Coverage of its lines, tests switched off, work left undone, work that is none, and the gates of the project. */
import { z } from 'zod';
import type { Change } from '../words/change.ts';
import {
  ChangedLineCoverage,
  type CoverageReport,
  coverChangedLines,
  defaultChangedLinesMin,
} from './changed-line-coverage.ts';
import { findNoOps, findPlaceholders, findSkippedTests } from './no-ops.ts';

export const gateNames = ['tests', 'lint', 'typecheck', 'security', 'licence'] as const;
export const GateResult = z.enum(['pass', 'fail', 'not_run']);
export type GateResult = z.infer<typeof GateResult>;
export type Gates = Readonly<Record<(typeof gateNames)[number], GateResult>>;

export const Integrity = z.object({
  changed_lines: ChangedLineCoverage,
  skipped_tests: z.array(z.string()),
  placeholders: z.array(z.string()),
  no_ops: z.array(z.string()),
  /** Null: no mutants were made. */
  mutation: z
    .object({
      ran: z.boolean(),
      mutants: z.int(),
      killed: z.int(),
      ok: z.union([z.boolean(), z.literal('not_applicable')]),
    })
    .nullable(),
  gates: z.record(z.enum(gateNames), GateResult),
  exemptions: z.array(z.object({ finding: z.string(), reason: z.string() })),
  ok: z.boolean(),
});
export type Integrity = z.infer<typeof Integrity>;

interface IntegrityRequest {
  readonly change: Change;
  readonly report: CoverageReport | null;
  readonly gates: Partial<Gates>;
  readonly exemptions: Integrity['exemptions'];
  readonly changedLinesMin?: number;
}

/** `ok`: coverage is enough or does not apply, every finding is exempted, and no gate failed. A gate that was not run is no pass, and no failure either. */
export function judgeIntegrity({
  change,
  report,
  gates,
  exemptions,
  changedLinesMin = defaultChangedLinesMin,
}: IntegrityRequest): Integrity {
  const coverage = coverChangedLines(change, report, changedLinesMin);
  const found = {
    skipped_tests: findSkippedTests(change),
    placeholders: findPlaceholders(change),
    no_ops: findNoOps(change),
  };
  const exempted = new Set(exemptions.map(({ finding }) => finding));
  const open = [...found.skipped_tests, ...found.placeholders, ...found.no_ops].filter(
    finding => !exempted.has(finding),
  );
  const settled = Object.fromEntries(
    gateNames.map(name => [name, gates[name] ?? 'not_run']),
  ) as Gates;
  return {
    changed_lines: coverage,
    ...found,
    mutation: null,
    gates: settled,
    exemptions: [...exemptions],
    ok:
      coverage.ok !== false &&
      open.length === 0 &&
      Object.values(settled).every(result => result !== 'fail'),
  };
}

/** What a recommendation rests on: proven only by a run that failed, the fix, a run that passed and the coverage of both. */
const artifactKinds = ['failing_run', 'fix', 'passing_run', 'coverage', 'diff', 'log'] as const;
/** All four are needed. */
const proof = [
  'failing_run',
  'fix',
  'passing_run',
  'coverage',
] as const satisfies readonly (typeof artifactKinds)[number][];

export const Evidence = z.array(
  z.looseObject({
    recommendation_id: z.string().min(1),
    text: z.string(),
    artifacts: z.array(
      z.looseObject({
        kind: z.enum(artifactKinds),
        ref: z.string().min(1),
        rev: z.string().nullish(),
      }),
    ),
    state: z.enum(['proven', 'unproven']).optional(),
  }),
);
export type Evidence = z.infer<typeof Evidence>;

export interface JudgedEvidence {
  readonly recommendations: readonly {
    readonly recommendation_id: string;
    readonly text: string;
    readonly state: 'proven' | 'unproven';
    readonly missing: readonly string[];
  }[];
  /** Recommendations without any artifact: reports leave them out. */
  readonly dropped: number;
}

/** `holds` tells whether a reference resolves and, where a revision is given, still has that content. The stated state counts for nothing. */
export async function judgeEvidence(
  evidence: Evidence,
  holds: (ref: string, rev: string | null) => Promise<boolean>,
): Promise<JudgedEvidence> {
  const backed = evidence.filter(({ artifacts }) => artifacts.length > 0);
  const recommendations = await Promise.all(
    backed.map(async ({ recommendation_id, text, artifacts }) => {
      const standing = await Promise.all(
        artifacts.map(async ({ kind, ref, rev }) =>
          (await holds(ref, rev ?? null)) ? kind : null,
        ),
      );
      const missing = proof.filter(kind => !standing.includes(kind));
      return {
        recommendation_id,
        text,
        state: missing.length === 0 ? ('proven' as const) : ('unproven' as const),
        missing,
      };
    }),
  );
  return { recommendations, dropped: evidence.length - backed.length };
}
