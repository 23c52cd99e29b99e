/**
 * What one reviewer is shown of a change, in which order and in which question, and the list of what it is not shown.
 * Nothing is cut inside a file without being counted.
 */
import { z } from 'zod';
import { renderShown, unshownKindOf, unshownWords, withoutOutputs } from '../change/unshown.ts';
import { kindsOf, type ScopeFile, holdsPath } from '../languages/languages.ts';
import { makeVisible } from '../safety/visible-text.ts';
import { by, remember } from '../groups.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import type { Seat } from '../words/config.ts';
import type { FileReading } from '../words/review.ts';
import { ProgressiveMode } from './budget.ts';
import { numberedLines, readHunks, renderPatch } from '../change/patch.ts';
import { Flag, Rows, Text, Whole } from '../words/fields.ts';

// What was shown: the units of a change that stand in the text of a question as it was sent. Pure, linear, and the one source of
// what a reviewer can have read of a file.

/** A reading for each file whose patch stands in the question, by path: in full where each unit of it does and nothing is left. */
export function shownOf(
  question: string,
  { files }: Pick<Change, 'files'>,
): ReadonlyMap<string, FileReading> {
  const titles = new Map(files.map(file => [makeVisible(headOf(file)[0] ?? ''), file]));
  const lines = question.split('\n');
  const found = new Map<ChangedFile, Set<Place>>();
  for (const [index, title] of lines.entries()) {
    const file = titles.get(title);
    if (file === undefined) continue;
    const units = unitsOf(file);
    const shown = found.get(file) ?? new Set();
    found.set(file, shown);
    const rest = lines.slice(index + 1, index + 1 + mostHeadLines);
    const end = rest.findIndex(line => line.startsWith('@@ ') || titles.has(line));
    const head = [title, ...(end === -1 ? rest : rest.slice(0, end))];
    for (const line of head) if (units.has(line)) shown.add(line);
    for (const { mark, text, old, new: now } of readHunks(lines, index + head.length).hunks.flatMap(
      numberedLines,
    )) {
      const place = mark === '-' ? -old : now;
      const unit = units.get(place);
      if (mark !== ' ' && unit !== undefined && covers(mark + text, unit)) shown.add(place);
    }
  }
  return new Map([...found].map(([file, { size }]) => [file.path, readingOf(file, size)]));
}

/** Of what is no change: in full where the question shows each of its texts. */
export function readingOfTexts(
  question: string,
  path: string,
  texts: readonly string[],
): FileReading {
  return readingWith(
    path,
    texts.every(text => question.includes(makeVisible(text))) ? null : 'not all of it was shown',
  );
}

/** In full where nothing is in the way. */
function readingWith(path: string, why: string | null): FileReading {
  return { path, extent: why === null ? 'full' : 'partial', why };
}

function readingOf(file: ChangedFile, shown: number) {
  // Said with the reading, so that nobody is asked again about it; the judges hold it against readings that say otherwise.
  const kind = file.accepted === undefined ? unshownKindOf(file) : null;
  const isWhole = shown === unitsOf(file).size;
  const why = isWhole ? null : 'some of its changed lines were not shown';
  return readingWith(file.path, kind === null ? why : unshownWords[kind]);
}

/** The number of a new line, that of an old one below nought; what stands above the lines is a place of its own. */
type Place = number | string;

/** All that can be shown of a file, as it looks when it is: its lines, its name, its mode, what it is where it is no text. */
const unitsOf = remember((file: ChangedFile): ReadonlyMap<Place, string> => {
  const units = new Map<Place, string>(headOf(file).map(line => [shownAs(line), shownAs(line)]));
  for (const { mark, text, old, new: now } of withoutOutputs(file).hunks.flatMap(numberedLines))
    if (mark !== ' ') units.set(mark === '-' ? -old : now, shownAs(mark + text));
  return units;
}, new WeakMap());

/** Before a line feed a carriage return is no hidden character. */
function shownAs(line: string) {
  return line.endsWith('\r') ? makeVisible(`${line}\n`).slice(0, -1) : makeVisible(line);
}

function headOf(file: ChangedFile) {
  return renderPatch({ ...file, hunks: [] })
    .trimEnd()
    .split('\n');
}

/** What stands above the hunks of a file has no more. */
const mostHeadLines = 10;

/** As it is, or with a secret in it masked. */
function covers(shown: string, unit: string) {
  const [start = '', ...rest] = shown.split(/⟦SECRET:[a-z0-9-]+:\d+⟧/);
  const end = rest.pop();
  if (end === undefined) return shown === unit;
  if (!unit.startsWith(start)) return false;
  let at = start.length;
  for (const piece of rest) {
    const next = unit.indexOf(piece, at);
    if (next === -1) return false;
    at = next + piece.length;
  }
  return unit.length - end.length >= at && unit.endsWith(end);
}

export interface Pack {
  readonly reviewer: string;
  readonly instructions: string;
  readonly prompt: string;
  /** One entry for every file of the subject, in its order. */
  readonly readings: readonly FileReading[];
  /** The same as smaller questions, for a model that does not take it. Absent: it cannot be split. */
  readonly split?: () => readonly Pack[];
}

export type Selection = ReturnType<typeof selectFiles>;

/** What of a change a persona is to read. `refusalFor`: why a file may not be shown to it; null where it may. */
export function selectFiles(
  change: Change,
  persona: Pick<Seat['persona'], 'files'>,
  refusalFor: (file: ChangedFile) => string | null = () => null,
) {
  const inDomain = (path: string) => holdsPath(persona.files, path);
  const readable = change.files.filter(file => inDomain(file.path) && refusalFor(file) === null);
  const whole = shownWhole(change);
  const read = new Set(readable);
  return {
    /** Files to be read, in the order of the change; whether one prompt holds them all is another question. */
    readable,
    /** What a question that shows all of them would show of every file. */
    readings: change.files.map((file): FileReading => {
      const { path } = file;
      if (!inDomain(path)) return { path, extent: 'outside', why: outsideDomain };
      return (
        (read.has(file) ? whole.get(path) : undefined) ?? {
          path,
          extent: 'skipped',
          why: refusalFor(file),
        }
      );
    }),
  };
}

const shownWhole = remember(
  (change: Change) => shownOf(makeVisible(change.files.map(renderShown).join('')), change),
  new WeakMap(),
);

export const outsideDomain = 'not in the domain of the persona';

// The order in which files are read and dealt to reviewers when tokens may run out: what matters most comes first.

interface RankedFile extends ScopeFile {
  readonly sensitive: boolean;
}

const utilityPath =
  /(?:^|\/)(?:utils?|helpers?|common|shared|support|misc)(?:\/|[^/]*$)|(?:^|\/)[^/]*[-_.](?:utils?|helpers?)\.[^/]*$/i;

/** Security-sensitive, entry points, business logic, utilities, tests; ties by path. */
export function orderFiles<File extends RankedFile>(files: readonly File[]) {
  return files.toSorted(by(remember(rankOf), ({ path }) => path));
}

function rankOf(file: RankedFile) {
  if (file.sensitive) return 0;
  const kinds = kindsOf(file);
  if (kinds.has('test')) return 4;
  if (kinds.has('entry-point')) return 1;
  return utilityPath.test(file.path) ? 3 : 2;
}

// Which files of a change go into the next question of a reviewer that cannot be asked about all of them at once.

/** One question of a review, as a journal keeps it. */
export const StepChoice = z.object({
  files: Rows({ path: Text, /** Shown as its changed lines alone. */ isReduced: Flag }),
  mode: ProgressiveMode,
  /** Of instructions and prompt; 0 where nobody counts. */
  tokens: Whole,
  /** Files that fit in no way. */
  skipped: Rows({ path: Text, why: Text }),
});
export type StepChoice = z.infer<typeof StepChoice>;

export interface StepCandidate {
  readonly path: string;
  readonly tokens: number;
  readonly bytes: number;
  /** The changed lines alone; null when that is the same text. */
  readonly reduced: { readonly tokens: number; readonly bytes: number } | null;
  /** Files of one turn are worth the same to the panel: where the next does not fit, another of its turn may be taken. */
  readonly turn: number;
}

interface StepRoom {
  /** Tokens that this step may take for its files. */
  readonly tokens: number;
  /** Tokens that are left for files at all: one file may take them alone. At least `tokens`. */
  readonly left: number;
  /** Bytes of files that one prompt takes. */
  readonly bytes: number;
  /** Is the step to end where its tokens end? Then files are chosen so that little of them is left over. */
  readonly isCut: boolean;
}

export type StepFile = StepChoice['files'][number];

export type NextStep = ReturnType<typeof takeStep>;

/**
 * Takes files in their order until the next one does not fit. What fits in no way by now is said to be skipped: it is the
 * caller's to offer it again when there is more room.
 */
export function takeStep(candidates: readonly StepCandidate[], room: StepRoom) {
  const first = candidates.findIndex(candidate => takeAlone(candidate, room) !== null);
  const open = first === -1 ? [] : candidates.slice(first);
  const together = takeTogether(open, room);
  const files =
    together.length > 0
      ? together.map(({ path }) => ({ path, isReduced: false }))
      : takeFirst(open, room);
  const taken = new Set(files.map(({ path }) => path));
  return {
    /** Empty when nothing that is pending fits. */
    files,
    skipped: candidates.slice(0, first === -1 ? candidates.length : first).map(candidate => ({
      path: candidate.path,
      why:
        Math.min(candidate.bytes, candidate.reduced?.bytes ?? candidate.bytes) > room.bytes
          ? outOfPrompt
          : outOfBudget,
    })),
    pending: open.filter(({ path }) => !taken.has(path)),
  };
}

export const outOfBudget = 'does not fit what is left of the budget';
export const outOfPrompt = 'does not fit the prompt';

/** Behind the first that does not fit, a step that is cut to size takes others of the same turn. */
function takeTogether(open: readonly StepCandidate[], room: StepRoom) {
  const taken: StepCandidate[] = [];
  let [tokens, bytes] = [0, 0];
  let turn: number | null = null;
  for (const candidate of open) {
    if (turn !== null && candidate.turn !== turn) break;
    if (tokens + candidate.tokens <= room.tokens && bytes + candidate.bytes <= room.bytes) {
      taken.push(candidate);
      tokens += candidate.tokens;
      bytes += candidate.bytes;
    } else if (room.isCut && taken.length > 0) ({ turn } = candidate);
    else break;
  }
  return room.isCut && turn !== null
    ? fillUp(open, taken, { tokens: room.tokens - tokens, bytes: room.bytes - bytes })
    : taken;
}

/** The last that were taken give way to those of their turn, of the next in order, that leave least over. */
function fillUp(
  open: readonly StepCandidate[],
  taken: readonly StepCandidate[],
  over: { tokens: number; bytes: number },
) {
  const turn = taken.at(-1)?.turn;
  const given = taken.slice(-mostGiven).filter(candidate => candidate.turn === turn);
  const kept = taken.slice(0, taken.length - given.length);
  const pool = open
    .filter(candidate => candidate.turn === turn && !kept.includes(candidate))
    .slice(0, mostChosenFrom);
  const chosen = fullest(pool, over.tokens + sumOf(given, 'tokens'));
  const isBetter =
    sumOf(chosen, 'tokens') > sumOf(given, 'tokens') &&
    sumOf(chosen, 'bytes') <= over.bytes + sumOf(given, 'bytes');
  return [...kept, ...(isBetter ? chosen : given)];
}

/** With so many, some of them come to very nearly what there is room for. */
const mostGiven = 3;
const mostChosenFrom = 40;
/** Of choices that are looked at: beyond it the first files have made sums enough. */
const mostSums = 4_000;

function sumOf(files: readonly StepCandidate[], unit: 'tokens' | 'bytes') {
  return files.reduce((sum, { [unit]: size }) => sum + size, 0);
}

/** The files that together come nearest to `room`, and not beyond it; of several such choices that of the first files. */
function fullest(pool: readonly StepCandidate[], room: number) {
  // For each sum the file that first made it possible; those below it make the rest.
  const by = new Map<number, { file: StepCandidate | null; before: number }>([
    [0, { file: null, before: 0 }],
  ]);
  for (const file of pool) {
    const reached = Array.from(by.keys());
    for (const before of reached) {
      const sum = before + file.tokens;
      if (sum <= room && by.size < mostSums && !by.has(sum)) by.set(sum, { file, before });
    }
  }
  const files = new Set<StepCandidate>();
  let at = by.get(Math.max(...by.keys()));
  for (; at !== undefined && at.file !== null; at = by.get(at.before)) files.add(at.file);
  return pool.filter(file => files.has(file));
}

/** One alone, of all that is left: the next, or where the step should have ended by now the one that goes least beyond. */
function takeFirst(open: readonly StepCandidate[], room: StepRoom) {
  const [next] = open;
  if (next === undefined) return [];
  const least = open
    .filter(({ turn, bytes }) => turn === next.turn && bytes <= room.bytes)
    .reduce((best, candidate) => (candidate.tokens < best.tokens ? candidate : best), next);
  const alone = takeAlone(room.isCut ? least : next, room);
  return alone === null ? [] : [alone];
}

/** Whole if that fits, else its changed lines. */
function takeAlone({ path, tokens, bytes, reduced }: StepCandidate, room: StepRoom) {
  if (tokens <= room.left && bytes <= room.bytes) return { path, isReduced: false };
  return reduced !== null && reduced.tokens <= room.left && reduced.bytes <= room.bytes
    ? { path, isReduced: true }
    : null;
}
