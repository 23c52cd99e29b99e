/** Reads coverage reports in the lcov format: `SF:` names a file, `DA:line,hits` its executable lines. */

/** Hits of the executable lines of one file, by 1-based line. */
export type LineHits = ReadonlyMap<number, number>;

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
      if (number !== undefined && hits !== undefined) current?.set(Number(number), (current.get(Number(number)) ?? 0) + Number(hits));
    }
  }
  return files.size === 0 ? null : { files };
}

/** Reports write paths from the root of the disk, of the project or of a package: the longest that agrees is meant. */
export function hitsOf(report: CoverageReport, path: string): LineHits | null {
  const exact = report.files.get(path) ?? report.files.get(`./${path}`);
  if (exact) return exact;
  const longer = [...report.files].find(([named]) => named.endsWith(`/${path}`));
  const shorter = [...report.files].filter(([named]) => path.endsWith(`/${named.replace(/^\.\//, '')}`)).toSorted(([one], [other]) => other.length - one.length)[0];
  return (longer ?? shorter)?.[1] ?? null;
}
