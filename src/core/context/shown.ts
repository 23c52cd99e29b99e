/**
 * What was shown: the units of a change that stand in the text of a question as it was sent. Pure, linear, and the one source of
 * what a reviewer can have read of a file.
 */
import { withoutOutputs } from '../change/notebook.ts';
import { renderPatch } from '../change/patch.ts';
import { unshownKindOf, unshownWords } from '../change/unshown.ts';
import { makeVisible } from '../safety/visible-text.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import type { FileReading } from '../words/review.ts';

/** A reading for each file whose patch stands in the question, by path: in full where each unit of it does and nothing is left. */
export function shownOf(
  question: string,
  { files }: Pick<Change, 'files'>,
): ReadonlyMap<string, FileReading> {
  const titles = new Map(files.map(file => [titleOf(file), file]));
  const found = new Map<ChangedFile, Set<Place>>();
  let units: Units = new Map();
  let shown = new Set<Place>();
  let placeOf = readPlaces();
  for (const line of question.split('\n')) {
    const file = titles.get(line);
    if (file !== undefined) {
      shown = found.get(file) ?? new Set();
      found.set(file, shown);
      units = unitsOf(file);
      placeOf = readPlaces();
    }
    const place = placeOf(line);
    const unit = place === null ? undefined : units.get(place);
    if (place !== null && unit !== undefined && (unit === line || covers(line, unit)))
      shown.add(place);
  }
  return new Map([...found].map(([file, { size }]) => [file.path, readingOf(file, size)]));
}

/** Of what is no change: in full where the question shows each of its texts. */
export function readingOfTexts(
  question: string,
  path: string,
  texts: readonly string[],
): FileReading {
  return texts.every(text => question.includes(makeVisible(text)))
    ? { path, extent: 'full', why: null }
    : { path, extent: 'partial', why: 'not all of it was shown' };
}

function readingOf(file: ChangedFile, shown: number): FileReading {
  const { path } = file;
  // Said with the reading, so that nobody is asked again about it; the judges hold it against readings that say otherwise.
  const kind = file.accepted === undefined ? unshownKindOf(file) : null;
  if (kind !== null) return { path, extent: 'partial', why: unshownWords[kind] };
  return shown === unitsOf(file).size
    ? { path, extent: 'full', why: null }
    : { path, extent: 'partial', why: 'some of its changed lines were not shown' };
}

/** The number of a new line, that of an old one below nought; what stands above the lines is a place of its own. */
type Place = number | string;

type Units = ReadonlyMap<Place, string>;

const remembered = new WeakMap<ChangedFile, Units>();

/** All that can be shown of a file, as it looks when it is: its lines, its name, its mode, what it is where it is no text. */
function unitsOf(file: ChangedFile): Units {
  const known = remembered.get(file);
  if (known !== undefined) return known;
  const units = new Map<Place, string>(headOf(file).map(line => [shownAs(line), shownAs(line)]));
  for (const { oldStart, newStart, lines } of withoutOutputs(file).hunks) {
    let [old, now] = [oldStart, newStart];
    for (const line of lines) {
      if (line.startsWith('+')) units.set(now, shownAs(line));
      if (line.startsWith('-')) units.set(-old, shownAs(line));
      if (/^[- ]/.test(line)) old += 1;
      if (/^[+ ]/.test(line)) now += 1;
    }
  }
  remembered.set(file, units);
  return units;
}

/** Before a line feed a carriage return is no hidden character. */
function shownAs(line: string): string {
  return makeVisible(`${line}\n`).slice(0, -1);
}

function headOf(file: ChangedFile): string[] {
  return renderPatch({ ...file, hunks: [] })
    .trimEnd()
    .split('\n');
}

function titleOf(file: ChangedFile): string {
  return makeVisible(headOf(file)[0] ?? '');
}

/** Tells the place of each line of a patch that is read to it one after the other; null for a line that is none of the change. */
function readPlaces(): (line: string) => Place | null {
  let isHead = true;
  let [old, now, oldLeft, newLeft] = [0, 0, 0, 0];
  return line => {
    if (oldLeft > 0 || newLeft > 0) {
      const place = line.startsWith('-') ? -old : line.startsWith('+') ? now : null;
      if (/^[- ]/.test(line)) [old, oldLeft] = [old + 1, oldLeft - 1];
      if (/^[+ ]/.test(line)) [now, newLeft] = [now + 1, newLeft - 1];
      return place;
    }
    const range = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (range === null) return isHead ? line : null;
    isHead = false;
    [old, oldLeft, now, newLeft] = range.slice(1).map(digits => Number(digits ?? 1)) as Counts;
    return null;
  };
}

type Counts = [number, number, number, number];

/** A masked secret was shown as masked. */
function covers(shown: string, unit: string): boolean {
  const [start = '', ...rest] = shown.split(/⟦SECRET:[a-z0-9-]+:\d+⟧/);
  const end = rest.pop();
  if (end === undefined || !unit.startsWith(start)) return false;
  let at = start.length;
  for (const piece of rest) {
    const next = unit.indexOf(piece, at);
    if (next === -1) return false;
    at = next + piece.length;
  }
  return unit.length - end.length >= at && unit.endsWith(end);
}
