/** Puts all sources together: every finding gets its index and a path below one root, every reviewer its place on one panel. */
import type { Claim } from '../../core/words/claim.ts';
import type { Finding } from '../../core/words/finding.ts';
import type { Matcher } from '../../core/ports/matcher.ts';
import type { Review } from '../../core/words/review.ts';
import type { Entry, Source } from './source.ts';

export interface TakenFinding extends Omit<Entry, 'finding'> {
  /** Counted from 0 over all sources in the order they were given, left-out findings included. */
  readonly index: number;
  /** Name of the source. */
  readonly source: string;
  readonly finding: Finding;
  /** The check of a static analyser that found it; null for everybody else. */
  readonly check: Check | null;
}

export interface Intake {
  readonly findings: readonly TakenFinding[];
  /** Names of the reviewers, in the order of appearance. */
  readonly panel: readonly string[];
  readonly reviews: readonly Review[];
  readonly warnings: readonly string[];
}

export function gatherSources(sources: readonly Source[]): Intake {
  const named = sources.flatMap(({ name: source, entries }) =>
    entries.map(entry => ({ ...entry, source })),
  );
  const reviews = withKnownFiles(withoutOvertaken(sources.flatMap(source => source.reviews)));
  return {
    findings: withSharedRoot(withChecks(named)).map((entry, index) => ({
      ...entry,
      index,
      // Two sources may use the same ids; the index tells them apart.
      finding: { ...entry.finding, id: `${entry.finding.reviewer}/#${index}` },
    })),
    panel: [...new Set(reviews.map(({ reviewer }) => reviewer))],
    reviews,
    warnings: sources.flatMap(({ warnings }) => warnings),
  };
}

/** A failed review does not count where another review of the same reviewer has something to say. */
function withoutOvertaken(reviews: readonly Review[]): Review[] {
  const heard = new Set(
    reviews.filter(({ status }) => status !== 'failed').map(({ reviewer }) => reviewer),
  );
  return reviews.filter(({ status, reviewer }) => status !== 'failed' || !heard.has(reviewer));
}

/** Of a tool we only know that it ran: it counts for every file that a run beside it names. */
function withKnownFiles(reviews: readonly Review[]): Review[] {
  const paths = new Set(reviews.flatMap(({ coverage }) => coverage.map(({ path }) => path)));
  const coverage = [...paths].map(path => ({ path, extent: 'full' as const, why: null }));
  return reviews.map(review =>
    review.coverage.length === 0 && review.status === 'complete' ? { ...review, coverage } : review,
  );
}

/** What comes of findings that were produced elsewhere: what was taken in, and the claims it forms. */
export interface Consensus extends Intake {
  readonly strategy: Pick<Matcher, 'name' | 'threshold' | 'version'>;
  /** Every finding of the intake that is not left out is in exactly one. */
  readonly claims: readonly Claim[];
}

/** Longest paths looked at; their parts are all tried. */
const longestPath = 1000;

/**
 * One file under two names: some tools write paths from the root of the disk, others from the top of the project. Where a
 * source knows `src/a.ts` and another one `/home/me/app/src/a.ts`, the folder before it is the top of the project.
 */
export function withSharedRoot<E extends Pick<Entry, 'finding'>>(entries: readonly E[]): E[] {
  const paths = [
    ...new Set(
      entries.flatMap(({ finding }) => (finding.location === null ? [] : [finding.location.path])),
    ),
  ];
  const root = rootAmong(paths);
  if (root === null) return [...entries];
  return entries.map(entry => {
    const { location } = entry.finding;
    if (location === null || !location.path.startsWith(root)) return entry;
    return {
      ...entry,
      finding: {
        ...entry.finding,
        location: { ...location, path: location.path.slice(root.length) },
      },
    };
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
  return (
    [...votes].toSorted(
      ([one, ones], [other, others]) => others - ones || other.length - one.length,
    )[0]?.[0] ?? null
  );
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

/**
 * Which check of a static analyser found what. Analysers call one check by one name more often than they describe it in
 * like words; a name that two of them know tells more than any wording.
 */
export interface Check {
  /** Without prefix, in one style of writing. */
  readonly name: string;
  /** Do several tools of the input know it? */
  readonly isShared: boolean;
}

/** Null for everything that was not found by a rule. A shared check is a category as well, unless one was stated. */
function withChecks<Named extends Entry>(
  entries: readonly Named[],
): (Named & { readonly check: Check | null })[] {
  const users = new Map<string, Set<string>>();
  const named = entries.map(entry => ({ entry, name: shortNameOf(entry.rule ?? '') }));
  for (const { entry, name } of named)
    users.set(name, (users.get(name) ?? new Set()).add(entry.finding.reviewer));
  return named.map(({ entry, name }) => {
    if (entry.rule === null) return { ...entry, check: null };
    const isShared = (users.get(name)?.size ?? 0) > 1;
    const category = entry.finding.category ?? (isShared ? name : null);
    return { ...entry, finding: { ...entry.finding, category }, check: { name, isShared } };
  });
}

/** `eslint(no-undef)`, `@typescript-eslint/no-undef` and `lint/suspicious/noUndef` are one name. */
function shortNameOf(rule: string): string {
  const inside = /\(([^()]{1,200})\)$/.exec(rule)?.[1] ?? rule;
  return inside.replace(/^.*\/|[-_]/gs, '').toLowerCase();
}
