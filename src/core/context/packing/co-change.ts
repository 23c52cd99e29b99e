/** Files that used to change together with those of a change, by the history before it. */

/** A commit that touched one of the changed files. */
export interface PastChange {
  /** All files it touched. */
  readonly files: readonly string[];
}

export interface CoChanged {
  readonly path: string;
  /** Commits that touched it and one of the changed files. */
  readonly times: number;
  /** Commits that touched one of the changed files. */
  readonly of: number;
}

const mostPaths = 10;
/** After so many commits a memory counts half. */
const halfLife = 60;

/** `past`: latest first. A file that seldom changes says more by changing with another, a large commit says less. */
export function rankCoChanged(
  past: readonly PastChange[],
  changed: ReadonlySet<string>,
  isKnown: (path: string) => boolean,
): CoChanged[] {
  const touched = new Map<string, number>();
  for (const path of past.flatMap(({ files }) => files.filter(file => changed.has(file))))
    touched.set(path, (touched.get(path) ?? 0) + 1);
  const scores = new Map<string, { score: number; times: number }>();
  for (const [index, { files }] of past.entries()) {
    const own = files.filter(file => changed.has(file));
    const weight =
      (own.reduce((sum, file) => sum + 1 / Math.sqrt(touched.get(file) ?? 1), 0) *
        0.5 ** (index / halfLife)) /
      Math.sqrt(files.length);
    for (const path of files.filter(file => !changed.has(file) && isKnown(file))) {
      const known = scores.get(path) ?? { score: 0, times: 0 };
      scores.set(path, { score: known.score + weight, times: known.times + 1 });
    }
  }
  return [...scores]
    .toSorted(
      ([path, one], [otherPath, other]) =>
        other.score - one.score || (path < otherPath ? -1 : Number(path > otherPath)),
    )
    .slice(0, mostPaths)
    .map(([path, { times }]) => ({ path, times, of: past.length }));
}
