/** The lines a change adds, with their numbers on the new side, and how much of them tests ran. */
import { z } from 'zod';
import { numberedLines } from '../change/patch.ts';
import { kindsOf } from '../languages/languages.ts';
import type { Change, ChangedFile } from '../words/change.ts';

export interface AddedLine {
  readonly path: string;
  /** 1-based, on the new side. */
  readonly line: number;
  readonly text: string;
}

/** In order. */
export function addedLinesOf({ path, hunks }: Pick<ChangedFile, 'path' | 'hunks'>): AddedLine[] {
  return hunks
    .flatMap(numberedLines)
    .flatMap(({ mark, text, new: line }) => (mark === '+' ? { path, line, text } : []));
}

/** Runs of lines that follow one another without a gap. */
export function blocksOf(lines: readonly AddedLine[]): AddedLine[][] {
  const blocks: AddedLine[][] = [];
  for (const line of lines) {
    const last = blocks.at(-1);
    if (last?.at(-1)?.line === line.line - 1) last.push(line);
    else blocks.push([line]);
  }
  return blocks;
}

/** Code that runs in the product: no test, nothing deleted. */
export function productFilesOf(change: Change): ChangedFile[] {
  return change.files.filter(file => {
    const kinds = kindsOf(file);
    return (
      file.status !== 'deleted' &&
      file.content === 'text' &&
      kinds.has('code') &&
      !kinds.has('test') &&
      !/\.(?:html?|css|scss|sql|tf)$/i.test(file.path)
    );
  });
}

/** Neither blank nor a comment by itself. */
export function isCodeLine(text: string) {
  const bare = text.trim();
  return (
    bare !== '' &&
    !/^(?:\/\/|#(?!\[|include|define|if|else|end)|\*|\/\*|--\s|"""|'''|<!--)/.test(bare)
  );
}

/** How much of what a change adds was run by tests, by an lcov report: covered ÷ executable among the added lines. */
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
export function coverChangedLines(
  change: Change,
  report: CoverageReport | null,
  min: number = defaultChangedLinesMin,
): ChangedLineCoverage {
  const files = productFilesOf(change).map(file => ({
    path: file.path,
    added: addedLinesOf(file),
    hits: report && hitsOf(report, file.path),
  }));
  const counted = files.map(({ path, added, hits }) => {
    const executable = added.filter(({ line, text }) => hits?.has(line) ?? isCodeLine(text));
    return {
      path,
      total: added.length,
      executable: executable.length,
      covered: executable.filter(({ line }) => (hits?.get(line) ?? 0) > 0).length,
      hasRecords: hits !== null,
    };
  });
  const sum = (key: 'total' | 'executable' | 'covered') =>
    counted.reduce((count, each) => count + each[key], 0);
  const [total, executable, covered] = [sum('total'), sum('executable'), sum('covered')];
  const ratio = executable === 0 ? null : covered / executable;
  return {
    total,
    executable,
    covered,
    ratio,
    min,
    ok: total > 0 ? report !== null && (ratio === null || ratio >= min) : 'not_applicable',
    without_records: counted
      .filter(each => !each.hasRecords && each.executable > 0)
      .map(({ path }) => path),
  };
}

// Reads coverage reports in the lcov format: `SF:` names a file, `DA:line,hits` its executable lines.

/** Hits of the executable lines of one file, by 1-based line. */
type LineHits = ReadonlyMap<number, number>;

export interface CoverageReport {
  /** By the path as the report writes it, with slashes. */
  readonly files: ReadonlyMap<string, LineHits>;
}

/** Null when the text holds no record of any file: that is no lcov report. Records of one file are added up. */
export function readLcov(text: string): CoverageReport | null {
  const files = new Map<string, Map<number, number>>();
  let current: Map<number, number> | null = null;
  for (const line of text.split(/\r?\n/)) {
    if (line.startsWith('SF:')) {
      const path = line.slice(3).trim().replaceAll('\\', '/');
      current = files.get(path) ?? new Map();
      files.set(path, current);
    } else if (line === 'end_of_record') {
      current = null;
    } else {
      const [, number, hits] = /^DA:(\d+),(\d+)/.exec(line) ?? [];
      if (number !== undefined && hits !== undefined)
        current?.set(Number(number), (current.get(Number(number)) ?? 0) + Number(hits));
    }
  }
  return files.size === 0 ? null : { files };
}

/** Reports write paths from the root of the disk, of the project or of a package: the longest that agrees is meant. */
function hitsOf(report: CoverageReport, path: string) {
  const exact = report.files.get(path) ?? report.files.get(`./${path}`);
  if (exact) return exact;
  const longer = [...report.files].find(([named]) => named.endsWith(`/${path}`));
  const shorter = [...report.files]
    .filter(([named]) => path.endsWith(`/${named.replace(/^\.\//, '')}`))
    .toSorted(([one], [other]) => other.length - one.length)[0];
  return (longer ?? shorter)?.[1] ?? null;
}
