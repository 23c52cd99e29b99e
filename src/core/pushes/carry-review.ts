/**
 * What of a reviewer's review outlives a push: its reading of the files whose patch has not changed, and what it said of them. The
 * rest it is asked again, and told what it said then.
 */
import { reverseHunks } from '../change/patch.ts';
import { makesObject } from '../context/packing/code-view.ts';
import { holds, spanOf } from '../context/packing/line-range.ts';
import type { CodeIndex } from '../ports/repository.ts';
import { readClaimedVerdict } from '../verdict/panel-table.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import type { Finding, Location } from '../words/finding.ts';
import {
  type FileReading,
  type Review,
  type Spending,
  isShortOfTokens,
  noUsage,
} from '../words/review.ts';
import { type Since, differenceOf, sayRanges, shownLineNow } from './same-patch.ts';

export interface Carrying {
  /** The earlier run. */
  readonly run: string;
  readonly review: Review;
  /** When the run of the later state began, ISO time: reviews are told apart by it, and what each has cost. */
  readonly startedAt: string;
  readonly before: Change;
  readonly now: Change;
  /** As of `samePaths`. */
  readonly same: ReadonlySet<string>;
  /** What the reviewer would read of every file as the change is now, were all of it shown. */
  readonly readings: readonly FileReading[];
  /** Files that are read anew although their patch is the same, by path, and the file in which what they use is new since. */
  readonly dependants: ReadonlyMap<string, string>;
  /** Where a line stands now that no patch shows; null where it stands nowhere. */
  readonly lineNow: (
    path: string,
    place: Pick<Location, 'side'> & { line: number },
  ) => Promise<number | null>;
}

export interface CarriedReview {
  /** Costs nothing: what was paid is the earlier run's. Complete where nothing is left to ask. */
  readonly review: Review;
  readonly since: Since;
}

/**
 * Why a review is no ground to ask less; null where it is one. Whose tokens ended before the files has read those that usable answers
 * were about.
 */
export function whyWhole(review: Review) {
  const isShort = review.status === 'partial' && isShortOfTokens(review);
  if (review.status !== 'complete' && !isShort) return 'it had not completed';
  return readClaimedVerdict(review.statedVerdict) === 'VETO' ||
    (review.vetoReasons ?? []).length > 0
    ? 'it had claimed a veto'
    : null;
}

/** Paths of the files that need not be read again. */
export function keptPaths({
  review,
  same,
  readings,
  dependants = new Map(),
}: Pick<Carrying, 'review' | 'same' | 'readings'> & Partial<Carrying>): ReadonlySet<string> {
  if (whyWhole(review) !== null) return new Set();
  const read = new Map(review.coverage.map(({ path, extent }) => [path, extent]));
  return new Set(
    readings
      .filter(
        ({ path, extent }) =>
          isReading(extent) &&
          same.has(path) &&
          !dependants.has(path) &&
          (read.get(path) === 'full' || read.get(path) === extent),
      )
      .map(({ path }) => path),
  );
}

/** Null where nothing can be kept. */
export async function carryReview(carrying: Carrying): Promise<CarriedReview | null> {
  const { review, before, now, readings } = carrying;
  const kept = keptPaths(carrying);
  if (kept.size === 0) return null;
  const asked = readings.filter(({ path, extent }) => isReading(extent) && !kept.has(path));
  const files = new Set([...before.files, ...now.files].map(({ path }) => path));
  // What is said of no file of either change is said of the change: nobody is asked about all of it, so that it stays.
  const stays = ({ location }: Finding) =>
    !location || kept.has(location.path) || !files.has(location.path);
  const stay = review.findings.filter(stays);
  const again = review.findings.filter(finding => !stays(finding));
  const isAsked = new Set(asked.map(({ path }) => path));
  // Until it has read them again, what it said of these files is all that is known of them.
  const pending = again.filter(({ location }) => isAsked.has(location?.path ?? ''));
  const findings = await Promise.all(
    [...stay, ...pending].map(finding => keepFinding(finding, carrying)),
  );
  // What was odd about its answers stands in the run that got them.
  const { vetoReasons: _, extra: __, said: ___, ...rest } = review;
  return {
    review: {
      ...rest,
      ...uncharged,
      startedAt: carrying.startedAt,
      status: asked.length === 0 ? 'complete' : 'partial',
      findings,
      statedVerdict: stay.length > 0 || again.length === 0 ? review.statedVerdict : null,
      coverage: coverageOf(carrying, kept),
      ...spendingOf(review, findings),
    },
    since: {
      kept: kept.size,
      files: filesSince(carrying, isAsked),
      said: again
        .filter(({ location }) => now.files.some(({ path }) => path === location?.path))
        .map(({ label, text, location }) => ({
          label,
          text,
          path: location?.path ?? '',
          line: location?.line ?? null,
        })),
    },
  };
}

function isReading(extent: FileReading['extent']) {
  return extent === 'full' || extent === 'partial';
}

async function keepFinding(finding: Finding, carrying: Carrying): Promise<Finding> {
  const { location } = finding;
  const from = finding.from ?? carrying.run;
  const [then, now] = [carrying.before, carrying.now].map(({ files }) =>
    files.find(({ path }) => path === location?.path),
  );
  if (!location || !then || !now || location.line === null) return { ...finding, from };
  const { line } = location;
  const place = { line, side: location.side };
  const [before, after] =
    location.side === 'new' ? [then.newId, now.newId] : [then.oldId, now.oldId];
  const at =
    before === after && /[^0]/.test(after)
      ? line
      : ((carrying.same.has(now.path) ? shownLineNow(then, now, place) : null) ??
        (await carrying.lineNow(location.path, place)));
  return { ...finding, from, location: moveTo({ ...location, line }, at) };
}

function moveTo(location: Location & { line: number }, line: number | null): Location {
  if (line === location.line) return location;
  const note =
    line === null
      ? `It was line ${location.line} then, and stands nowhere now.`
      : `It was line ${location.line} then.`;
  return {
    ...location,
    line,
    endLine:
      line === null || location.endLine === null ? null : location.endLine + line - location.line,
    note: [location.note, note].filter(part => part !== null).join(' '),
  };
}

function coverageOf({ run, review, readings }: Carrying, kept: ReadonlySet<string>): FileReading[] {
  const read = new Map(review.coverage.map(reading => [reading.path, reading]));
  return readings.map(reading => {
    const earlier = read.get(reading.path);
    if (kept.has(reading.path) && earlier) return { ...earlier, from: earlier.from ?? run };
    return isReading(reading.extent)
      ? { path: reading.path, extent: 'skipped', why: `not read since it changed after run ${run}` }
      : reading;
  });
}

const uncharged = {
  failure: null,
  usage: noUsage,
  attempts: 0,
  durationMs: 0,
  unparsed: [],
  dropped: { placeholder: 0, template: 0, prompt: 0 },
  repairs: [],
  notes: [],
};

/** What was left out for want of tokens is left out still. */
function spendingOf(
  { spending, findings: all }: Review,
  kept: readonly Finding[],
): { spending?: Spending } {
  if (!spending) return {};
  const ids = new Set(
    all.filter(({ id }) => kept.some(each => each.id === id)).map(({ id }) => id),
  );
  return {
    spending: {
      ...spending,
      mode: 'full',
      total: 0,
      used: 0,
      own: 0,
      questions: 0,
      terse: spending.terse.filter(id => ids.has(id)),
    },
  };
}

function filesSince({ before, now, same, dependants }: Carrying, asked: ReadonlySet<string>) {
  const known = new Map(before.files.map(file => [file.path, file]));
  return now.files
    .filter(({ path }) => asked.has(path))
    .map(file => {
      const earlier = known.get(file.path);
      if (!earlier) return { path: file.path, what: 'was not part of the change' };
      const used = dependants.get(file.path);
      if (used !== undefined) return { path: file.path, what: `uses what is new in ${used}` };
      if (same.has(file.path)) return { path: file.path, what: 'not read in full then' };
      const lines = sayRanges(differenceOf(earlier, file).lines);
      return { path: file.path, what: lines === '' ? 'other lines than then' : `lines ${lines}` };
    });
}

// Files that a push leaves as they were and that are to be read again all the same: lines of theirs that reviewers are shown use
// what is new since in another file of the change.

type Index = Pick<CodeIndex, 'definitionsIn' | 'definitionsOf' | 'importsOf' | 'referencesTo'>;

/** Each with the file that holds what it uses, or held it; `same` as of `samePaths`. */
export function dependantsOf(
  then: Change,
  now: Change,
  same: ReadonlySet<string>,
  index: Index,
): ReadonlyMap<string, string> {
  const quiet = new Map(
    now.files.filter(({ path }) => same.has(path)).map(file => [file.path, file]),
  );
  const dependants = new Map<string, string>();
  if (quiet.size === 0) return dependants;
  const [before, after] = [then, now].map(({ files }) => new Map(files.map(f => [f.path, f])));
  const others = [...new Set([...now.files, ...then.files].map(({ path }) => path))];
  for (const path of others.filter(each => !same.has(each))) {
    const [earlier, file] = [before?.get(path), after?.get(path)];
    const left = file ?? (earlier && takenBack(earlier));
    if (!left) continue;
    const { places, gone } = differenceOf(earlier, left);
    const names = [...namesAt(places, left, index), ...namesGone(gone, left, index)];
    const isThere = index.definitionsIn(path).length > 0;
    // A name that several files define means the one that is imported. An import of a file that is gone leads nowhere.
    const isMeant = (name: string, user: string) =>
      index.definitionsOf(name).every(definition => definition.path === path) ||
      index
        .importsOf(user)
        .some(({ targets }) => targets.includes(path) || (!isThere && targets.length === 0));
    for (const name of new Set(names.filter(each => each.length > 2)))
      for (const { path: user, line } of index.referencesTo(name)) {
        const isShown = quiet.get(user)?.hunks.some(hunk => holds(spanOf(hunk, 'new'), line));
        if (isShown && isMeant(name, user)) dependants.set(user, path);
      }
  }
  return dependants;
}

/** A file that is no part of the change any more reads as its base does: what was added to it is gone, and what was removed is back. */
function takenBack(then: ChangedFile): ChangedFile {
  return {
    ...then,
    status: then.status === 'added' ? 'deleted' : 'modified',
    hunks: reverseHunks(then.hunks),
  };
}

/** What is defined around the places that are new since; who builds a thing is called by its owner's name. */
function namesAt(places: readonly number[], { path, content, status }: ChangedFile, index: Index) {
  if (content !== 'text' || status === 'deleted') return [];
  return places.flatMap(line => {
    const around = index
      .definitionsIn(path)
      .filter(one => one.kind !== 'field' && one.startLine <= line && line <= one.endLine)
      .map(({ name }) => name);
    const [owner, inner] = [around.at(-2), around.at(-1)];
    if (inner === undefined) return [];
    return owner !== undefined && makesObject.test(inner) ? [owner] : [inner];
  });
}

/** What the file seems to have defined on lines that are gone since, and does not define any more: who uses it has nothing to use. */
function namesGone(gone: readonly string[], { path }: ChangedFile, index: Index) {
  const left = new Set(index.definitionsIn(path).map(({ name }) => name));
  return gone
    .filter(line => line.length <= longestLine)
    .flatMap(line =>
      [...line.matchAll(definitions)].map(([, word, called]) => word ?? called ?? ''),
    )
    .filter(name => !left.has(name));
}

/** Nobody defines by hand what stands on a longer line, and a text of one line must not take long to look through. */
const longestLine = 400;

/** A word that says what comes, and its name; or a name with what it takes, at the end of a line that opens a body. */
const definitions = new RegExp(
  String.raw`\b(?:function\*?|class|def|fun|fn|func(?:\s*\([^)]*\))?|const|let|var|val|interface|type|struct|enum|trait|module|record|` +
    String.raw`macro_rules!)\s+([\p{L}_$][\p{L}\p{N}_$]*)|([\p{L}_$][\p{L}\p{N}_$]*)\s*\([^()]*\)[^()]*[{:]\s*$`,
  'gu',
);
