/** Does a change keep its word? Coverage of its lines, tests switched off, work left undone, work that is none, and the gates of the project. */
import { z } from 'zod';
import type { Change } from '../change.ts';
import { ChangedLineCoverage, coverChangedLines, defaultChangedLinesMin } from './changed-line-coverage.ts';
import type { CoverageReport } from './lcov.ts';
import { findNoOps } from './no-ops.ts';
import { findPlaceholders } from './placeholders.ts';
import { findSkippedTests } from './skipped-tests.ts';

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
  mutation: z.object({ ran: z.boolean(), mutants: z.int(), killed: z.int(), ok: z.union([z.boolean(), z.literal('not_applicable')]) }).nullable(),
  gates: z.record(z.enum(gateNames), GateResult),
  exemptions: z.array(z.object({ finding: z.string(), reason: z.string() })),
  ok: z.boolean(),
});
export type Integrity = z.infer<typeof Integrity>;

export interface IntegrityRequest {
  readonly change: Change;
  readonly report: CoverageReport | null;
  readonly gates: Partial<Gates>;
  readonly exemptions: Integrity['exemptions'];
  readonly changedLinesMin?: number;
}

/** `ok`: coverage is enough or does not apply, every finding is exempted, and no gate failed. A gate that was not run is no pass, and no failure either. */
export function judgeIntegrity({ change, report, gates, exemptions, changedLinesMin = defaultChangedLinesMin }: IntegrityRequest): Integrity {
  const coverage = coverChangedLines(change, report, changedLinesMin);
  const found = { skipped_tests: findSkippedTests(change), placeholders: findPlaceholders(change), no_ops: findNoOps(change) };
  const exempted = new Set(exemptions.map(({ finding }) => finding));
  const open = [...found.skipped_tests, ...found.placeholders, ...found.no_ops].filter(finding => !exempted.has(finding));
  const settled = Object.fromEntries(gateNames.map(name => [name, gates[name] ?? 'not_run'])) as Gates;
  return {
    changed_lines: coverage,
    ...found,
    mutation: null,
    gates: settled,
    exemptions: [...exemptions],
    ok: coverage.ok !== false && open.length === 0 && Object.values(settled).every(result => result !== 'fail'),
  };
}
