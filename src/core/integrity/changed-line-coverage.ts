/** How much of what a change adds was run by tests: covered ÷ executable among the added lines. */
import { z } from 'zod';
import type { Change } from '../change.ts';
import { addedLinesOf, isCodeLine, productFilesOf } from './added-lines.ts';
import { hitsOf, type CoverageReport } from './lcov.ts';

export const ChangedLineCoverage = z.object({
  /** Added lines of code files, tests left out. */
  total: z.int(),
  executable: z.int(),
  covered: z.int(),
  /** Null when nothing is executable. */
  ratio: z.number().nullable(),
  min: z.number(),
  ok: z.union([z.boolean(), z.literal('not_applicable')]),
  /** Files without any record: all their added code lines count as uncovered. */
  without_records: z.array(z.string()),
});
export type ChangedLineCoverage = z.infer<typeof ChangedLineCoverage>;

export const defaultChangedLinesMin = 0.8;

/** `report` null: there is none, and a change of code fails for it. Only other files changed: not applicable. */
export function coverChangedLines(change: Change, report: CoverageReport | null, min: number = defaultChangedLinesMin): ChangedLineCoverage {
  const files = productFilesOf(change).map(file => ({ path: file.path, added: addedLinesOf(file), hits: report === null ? null : hitsOf(report, file.path) }));
  const counted = files.map(({ path, added, hits }) => {
    const executable = hits === null ? added.filter(({ text }) => isCodeLine(text)) : added.filter(({ line }) => hits.has(line));
    return { path, total: added.length, executable: executable.length, covered: executable.filter(({ line }) => (hits?.get(line) ?? 0) > 0).length, hasRecords: hits !== null };
  });
  const sum = (of: (each: (typeof counted)[number]) => number): number => counted.reduce((total, each) => total + of(each), 0);
  const [total, executable, covered] = [sum(each => each.total), sum(each => each.executable), sum(each => each.covered)];
  const ratio = executable === 0 ? null : covered / executable;
  const isApplicable = total > 0;
  return {
    total, executable, covered, ratio, min,
    ok: isApplicable ? report !== null && (ratio === null || ratio >= min) : 'not_applicable',
    without_records: counted.filter(each => !each.hasRecords && each.executable > 0).map(({ path }) => path),
  };
}
