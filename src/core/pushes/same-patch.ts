/**
 * Whether a file reads in a change as it did in an earlier state of it, and at the same place: what was shown of it is the same, and
 * whatever the base has gained since lies below it, or above all that heads it. Commits do not count.
 */
import { type ArrayChange, diffArrays } from 'diff';
import { z } from 'zod';
import { numberedLines, textsOf } from '../change/patch.ts';
import { holds, spanOf, toRuns } from '../context/packing/line-range.ts';
import { by, groupBy } from '../groups.ts';
import { delimit } from '../safety/visible-text.ts';
import { cut, toOneLine, countOf } from '../text.ts';
import type { Change, ChangedFile, Hunk } from '../words/change.ts';
import { type Finding, type Location, placeText } from '../words/finding.ts';
import type { Review } from '../words/review.ts';
import { Carried, type RunRecord } from '../words/run.ts';
import { Rows, Text, Whole } from '../words/fields.ts';

/** The old side of a changed file; null where nobody has it any more. */
type OldText = (file: ChangedFile) => Promise<string | null>;

/** By path: the files of a change of which a reading of then holds now. */
export async function samePaths(
  then: Change,
  now: Change,
  textOf: OldText,
): Promise<ReadonlySet<string>> {
  const before = new Map(then.files.map(file => [file.path, file]));
  const same = new Set<string>();
  for (const file of now.files) {
    const earlier = before.get(file.path);
    if (earlier && printOf(earlier) === printOf(file) && (await isInPlace(earlier, file, textOf)))
      same.add(file.path);
  }
  return same;
}

/** What is shown as hunks is the same whatever else its file holds; of the rest only the ids can tell. */
function printOf(file: ChangedFile) {
  const { path, oldPath, status, oldMode, newMode, content, hunks, oldId, newId } = file;
  return JSON.stringify([
    path,
    oldPath,
    status,
    oldMode,
    newMode,
    content,
    hunks.length > 0 ? hunks.map(({ heading, lines }) => [heading, lines]) : [oldId, newId],
  ]);
}

/** Of files whose hunks read alike. Blocks may be alike too: the text of a hunk does not tell where it stands. */
async function isInPlace(then: ChangedFile, now: ChangedFile, textOf: OldText) {
  const places = then.hunks.map((hunk, index) => [hunk, now.hunks[index] ?? hunk] as const);
  if (then.oldId === now.oldId && (/[^0]/.test(now.oldId) || now.oldMode === '000000'))
    return places.every(([before, after]) => before.oldStart === after.oldStart);
  const [before, after] = await Promise.all([textOf(then), textOf(now)]);
  if (before === null || after === null) return false;
  const bases = compareBases(before.split('\n'), after.split('\n'));
  return places.every(([hunk, { oldStart }]) => placeNow(hunk, bases) === oldStart);
}

/**
 * `lines`: of the earlier one. `head`: how many of them, from the first on, are the same in the later one. `inserted`: lines that the
 * later one has more, where it has the earlier one whole, in two pieces at most; else null.
 */
function compareBases(lines: readonly string[], after: readonly string[]) {
  const least = Math.min(lines.length, after.length);
  let [head, tail] = [0, 0];
  while (head < least && lines[head] === after[head]) head++;
  while (tail < least && lines.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const inserted = head + tail < lines.length ? null : after.length - lines.length;
  return { lines, head, inserted };
}

/** Line of the later base at which a hunk of the earlier one starts; null where nobody can tell for certain. */
function placeNow(
  { oldStart, oldLines, heading }: Hunk,
  { lines, head, inserted }: ReturnType<typeof compareBases>,
) {
  const start = oldLines === 0 ? oldStart : oldStart - 1;
  if (start + oldLines <= head) return oldStart;
  const above = lines.slice(0, start);
  // Git names behind the second @@ the nearest line above that it takes for a heading.
  const headed = heading === '' ? 0 : above.findLastIndex(line => line.startsWith(heading));
  // A line that git takes for none may name the block: it stands where the block begins.
  return inserted !== null && Math.min(headed, above.lastIndexOf('') + 1) >= head
    ? oldStart + inserted
    : null;
}

/** Where a line of a file with the same patch stands now; null when the patch does not show it. */
export function shownLineNow(
  then: ChangedFile,
  now: ChangedFile,
  { line, side }: Pick<Location, 'side'> & { line: number },
) {
  const at = then.hunks.findIndex(hunk => holds(spanOf(hunk, side), line));
  const [before, after] = [then.hunks[at], now.hunks[at]];
  if (!before || !after) return null;
  return line + spanOf(after, side).start - spanOf(before, side).start;
}

/**
 * What is new since of a file, as the two states of its patch show it. `lines`: of the new side that were added. `places`: these, and
 * those between which others were taken back; where no line is new all that are added: the same ones stand elsewhere. `gone`: texts
 * of lines that were shown as they stood then and are not now, and of those that are removed now and were not.
 */
export function differenceOf(then: ChangedFile | undefined, now: ChangedFile) {
  const [before, after] = [then ? newSide(then) : [], newSide(now)];
  // Each as often: the same line may be removed in a second place now.
  const removed = groupBy(textsOf(then?.hunks ?? [], '-'), text => text);
  const gone = textsOf(now.hunks, '-').filter(text => removed.get(text)?.pop() === undefined);
  const [lines, around]: [number[], number[]] = [[], []];
  let [from, at] = [0, 0];
  for (const part of compare(before, after)) {
    if (part.removed) {
      const taken = before.slice(from, from + part.count);
      gone.push(...taken.map(({ text }) => text));
      if (addedIn(taken).length > 0)
        around.push(...after.slice(Math.max(0, at - 1), at + 1).map(line => line.new));
    } else if (part.added) lines.push(...addedIn(after.slice(at, at + part.count)));
    if (!part.added) from += part.count;
    if (!part.removed) at += part.count;
  }
  const places = [...new Set([...lines, ...around])].toSorted(by(Number));
  return { lines, places: places.length > 0 ? places : addedIn(after), gone };
}

/** Beyond that many changed lines the shortest way from one to the other is not looked for. */
const mostChanges = 2000;

function compare(
  before: readonly SideLine[],
  after: readonly SideLine[],
): readonly Pick<ArrayChange<SideLine>, 'added' | 'removed' | 'count'>[] {
  return (
    diffArrays([...before], [...after], {
      comparator: (one, { text }) => one.text === text,
      maxEditLength: mostChanges,
    }) ?? [
      { removed: true, added: false, count: before.length },
      { removed: false, added: true, count: after.length },
    ]
  );
}

function addedIn(side: readonly SideLine[]) {
  return side.flatMap(line => (line.mark === '+' ? line.new : []));
}

type SideLine = ReturnType<typeof newSide>[number];

/** Lines of the new side that are shown. */
function newSide({ hunks }: ChangedFile) {
  return hunks.flatMap(numberedLines).filter(({ mark }) => mark !== '-');
}

const mostRanges = 12;

/** `3-5, 9`; empty when there are none. */
export function sayRanges(lines: readonly number[]) {
  const ranges = toRuns(lines);
  const said = ranges
    .slice(0, mostRanges)
    .map(({ start, end }) => (start === end ? String(start) : `${start}-${end}`));
  return [...said, ...(ranges.length > mostRanges ? ['…'] : [])].join(', ');
}

// What a reviewer is told who reads a later state of a change: what is new since, and what it said then of the files it is asked
// about.

/** As a journal keeps it. */
export const Since = z.object({
  /** Files that it is not asked about again. */
  kept: Whole,
  /** Those it is asked about, and what is new in them. */
  files: Rows({ path: Text, what: Text }),
  /** What it said of them then. Untrusted. */
  said: Rows({
    label: Text,
    text: Text,
    path: Text,
    line: Whole.nullable(),
  }),
});
export type Since = z.infer<typeof Since>;

/** At most, so that a question stays about what it shows. */
const most = { files: 40, said: 20, text: 300 };

/** `paths`: the files of the question. */
export function renderSince(
  { kept, files, said }: Since,
  paths: ReadonlySet<string>,
  fence: string,
) {
  const shown = files.filter(({ path }) => paths.has(path));
  const own = said.filter(({ path }) => paths.has(path));
  return [
    `**Second Review:** you have read this change before. ${kept === 1 ? 'One of its files is' : `${kept} of its files are`} ` +
      'as you read them then and not shown again. Judge the files above as they stand now. New since then:\n' +
      delimit(
        listed(
          shown.map(({ path, what }) => `- ${toOneLine(path)}: ${what}`),
          most.files,
        ),
        fence,
      ),
    ...(own.length === 0
      ? []
      : [
          'What you said of these files then:\n' +
            delimit(listed(own.map(sayFinding), most.said), fence),
          'Say again, with the place where it stands now, what of it still holds. What is put right, leave out.',
        ]),
  ].join('\n\n');
}

function listed(lines: readonly string[], limit: number) {
  return [
    ...lines.slice(0, limit),
    ...(lines.length > limit ? [`and ${lines.length - limit} more`] : []),
  ].join('\n');
}

function sayFinding({ label, text, ...place }: Since['said'][number]) {
  return `- ${toOneLine(placeText(place))} (${toOneLine(label)}): ${cut(toOneLine(text), most.text)}`;
}

/** As a journal keeps it, from before anybody is asked. */
export const CarriedFrom = Carried.pick({ run: true, whole: true });
export type CarriedFrom = z.infer<typeof CarriedFrom>;

/** Null where nobody kept anything. */
export function describeCarried(
  { run, whole }: CarriedFrom,
  reviews: readonly Pick<Review, 'reviewer' | 'coverage'>[],
  since: ReadonlyMap<string, Since>,
) {
  const own = reviews.flatMap(({ reviewer, coverage }) => {
    const told = since.get(reviewer);
    return told
      ? [
          {
            reviewer,
            asked: told.files.map(({ path }) => path),
            kept: coverage.filter(({ from }) => from !== undefined).map(({ path }) => path),
          },
        ]
      : [];
  });
  if (own.length === 0) return null;
  const asked = new Set(own.flatMap(each => each.asked));
  const files = new Set(own.flatMap(each => [...each.asked, ...each.kept]));
  return {
    run,
    files: files.size,
    asked: asked.size,
    kept: files.size - asked.size,
    reviewers: own.map(each => ({
      reviewer: each.reviewer,
      asked: each.asked.length,
      kept: each.kept.length,
    })),
    whole: [...whole],
  };
}

/** One line: how much of the change was asked about, and where the rest comes from. */
export function sayCarried({ run, files, asked, kept, whole }: NonNullable<RunRecord['carried']>) {
  const others = whole.map(({ reviewer }) => reviewer);
  return (
    `Second review: ${asked === 0 ? 'none' : asked} of ${countOf(files, 'file')} asked, ` +
    `${kept} kept from run ${run}` +
    (others.length === 0 ? '' : `; asked about all of it: ${others.join(', ')}`)
  );
}

/** What was kept of files that have been read again since, and only of those, goes: it was said again, or it holds no more. */
export function withoutReadAgain(earlier: Review, { status, coverage }: Review): Review {
  const then = new Map(earlier.coverage.map(({ path, extent }) => [path, extent]));
  const again = new Set(
    coverage
      .filter(
        ({ path, extent }) =>
          then.get(path) === 'skipped' &&
          (extent === 'full' || (extent === 'partial' && status === 'complete')),
      )
      .map(({ path }) => path),
  );
  const isKept = ({ from, location }: Finding) =>
    from === undefined || !location || !again.has(location.path);
  return status === 'failed' ? earlier : { ...earlier, findings: earlier.findings.filter(isKept) };
}
