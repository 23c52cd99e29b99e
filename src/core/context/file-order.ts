/** The order in which files are read and dealt to reviewers when tokens may run out: what matters most comes first. */
import { kindsOf, type ScopeFile } from '../languages/file-kinds.ts';

interface RankedFile extends ScopeFile {
  readonly sensitive: boolean;
}

const utilityPath =
  /(?:^|\/)(?:utils?|helpers?|common|shared|support|misc)(?:\/|[^/]*$)|(?:^|\/)[^/]*[-_.](?:utils?|helpers?)\.[^/]*$/i;

/** Security-sensitive, entry points, business logic, utilities, tests; ties by path. */
export function orderFiles<File extends RankedFile>(files: readonly File[]): File[] {
  return files
    .map(file => ({ file, rank: rankOf(file) }))
    .toSorted(
      (one, other) =>
        one.rank - other.rank ||
        (one.file.path < other.file.path ? -1 : Number(one.file.path > other.file.path)),
    )
    .map(({ file }) => file);
}

function rankOf(file: RankedFile): number {
  if (file.sensitive) return 0;
  const kinds = kindsOf(file);
  if (kinds.has('test')) return 4;
  if (kinds.has('entry-point')) return 1;
  return utilityPath.test(file.path) ? 3 : 2;
}

/**
 * Who reads which file first when tokens do not suffice for everybody to read everything: the files are dealt, so that
 * the panel together covers as much as its budgets allow. Every file is dealt to somebody before any is dealt twice.
 */
export interface DealtFile {
  readonly path: string;
  readonly tokens: number;
  readonly isSensitive: boolean;
  /** Reviewers that have read it, or read it in any case. */
  readonly readings: number;
}

export interface Dealer {
  readonly id: string;
  /** Tokens for files. */
  readonly budget: number;
  readonly isSecurity: boolean;
  /** What it may be asked about. */
  readonly files: ReadonlySet<string>;
}

/**
 * For each reader its files, in the order in which it reads them: those that nobody else reads, then second readings,
 * and so on, each in the order of `files`. A file goes to the reader with most left; a sensitive one to a security
 * reviewer while it has room. Of equals the first.
 */
export function dealFiles(
  files: readonly DealtFile[],
  readers: readonly Dealer[],
): ReadonlyMap<string, readonly string[]> {
  const hands = readers.map(reader => ({
    ...reader,
    left: reader.budget,
    paths: [] as string[],
    held: new Set<string>(),
  }));
  const readings = new Map(files.map(({ path, readings: count }) => [path, count]));
  const most = Math.max(0, ...readings.values()) + readers.length;
  for (let round = 0; round < most; round++) {
    for (const file of files) {
      if (readings.get(file.path) !== round) continue;
      const able = hands.filter(
        ({ files: own, held }) => own.has(file.path) && !held.has(file.path),
      );
      const hand =
        richest(
          able.filter(
            ({ isSecurity, left }) => file.isSensitive && isSecurity && left >= file.tokens,
          ),
        ) ?? richest(able);
      if (hand === undefined) continue;
      hand.left -= file.tokens;
      hand.paths.push(file.path);
      hand.held.add(file.path);
      readings.set(file.path, round + 1);
    }
  }
  return new Map(hands.map(({ id, paths }) => [id, paths]));
}

function richest<Hand extends { readonly left: number }>(hands: readonly Hand[]): Hand | undefined {
  return hands.reduce<Hand | undefined>(
    (best, hand) => (best === undefined || hand.left > best.left ? hand : best),
    undefined,
  );
}
