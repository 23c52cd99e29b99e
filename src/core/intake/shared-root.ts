/**
 * One file under two names: some tools write paths from the root of the disk, others from the top of the project. Where a
 * source knows `src/a.ts` and another one `/home/me/app/src/a.ts`, the folder before it is the top of the project.
 */
import type { Entry } from './source.ts';

/** Longest paths looked at; their parts are all tried. */
const longestPath = 1000;

export function withSharedRoot<E extends Pick<Entry, 'finding'>>(entries: readonly E[]): E[] {
  const paths = [...new Set(entries.flatMap(({ finding }) => (finding.location === null ? [] : [finding.location.path])))];
  const root = rootAmong(paths);
  if (root === null) return [...entries];
  return entries.map(entry => {
    const { location } = entry.finding;
    if (location === null || !location.path.startsWith(root)) return entry;
    return { ...entry, finding: { ...entry.finding, location: { ...location, path: location.path.slice(root.length) } } };
  });
}

/** The folder most files are found under by both names, with a slash at its end; of equal ones the longest. */
function rootAmong(paths: readonly string[]): string | null {
  const relative = new Set(paths.filter(path => !isAbsolute(path)));
  if (relative.size === 0) return null;
  const votes = new Map<string, number>();
  for (const path of paths.filter(isAbsolute)) {
    const root = rootOf(path.slice(0, longestPath), relative);
    if (root !== null) votes.set(root, (votes.get(root) ?? 0) + 1);
  }
  return [...votes].toSorted(([one, ones], [other, others]) => others - ones || other.length - one.length)[0]?.[0] ?? null;
}

/** What stands before the longest end of the path that is a relative one. */
function rootOf(path: string, relative: ReadonlySet<string>): string | null {
  for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
    if (relative.has(path.slice(slash + 1))) return path.slice(0, slash + 1);
  }
  return null;
}

function isAbsolute(path: string): boolean {
  return /^(?:\/|[A-Za-z]:\/)/.test(path);
}
