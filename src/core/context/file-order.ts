/** The order in which files are read when tokens may run out: what matters most comes first. */
import { kindsOf, type ScopeFile } from '../languages/file-kinds.ts';

export interface RankedFile extends ScopeFile {
  readonly sensitive: boolean;
}

const utilityPath = /(?:^|\/)(?:utils?|helpers?|common|shared|support|misc)(?:\/|[^/]*$)|(?:^|\/)[^/]*[-_.](?:utils?|helpers?)\.[^/]*$/i;

/** Security-sensitive, entry points, business logic, utilities, tests; ties by path. */
export function orderFiles<File extends RankedFile>(files: readonly File[]): File[] {
  return files
    .map(file => ({ file, rank: rankOf(file) }))
    .toSorted((one, other) => one.rank - other.rank || (one.file.path < other.file.path ? -1 : Number(one.file.path > other.file.path)))
    .map(({ file }) => file);
}

function rankOf(file: RankedFile): number {
  if (file.sensitive) return 0;
  const kinds = kindsOf(file);
  if (kinds.has('test')) return 4;
  if (kinds.has('entry-point')) return 1;
  return utilityPath.test(file.path) ? 3 : 2;
}
