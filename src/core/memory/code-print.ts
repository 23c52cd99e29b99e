/**
 * Prints of code: what stands at a place, one short hash for each line, without line numbers and white space. A place is
 * found again by its print when lines above it come and go, and files under their names of today.
 */
import type { Change, ChangedFile } from '../change.ts';

/** The lines of a place with one line above and one below, blank ones left out: `1f…8 >9a…0 ~77…c`. `>` marks the place itself, `~` a line of hardly more than brackets. */
type CodePrint = string;

export const codePrintPattern = /^>?~?[0-9a-f]{8}(?: >?~?[0-9a-f]{8})*$/;

interface FilePrint {
  /** One for each line that is not blank. */
  readonly prints: readonly string[];
  /** Their line numbers, 1-based. */
  readonly lines: readonly number[];
}

/** Lines of a place that are printed, at most: a claim about a whole file is no place. */
const longestPlace = 10;

/** `hash` yields hex digits. */
export function printFile(text: string, hash: (text: string) => string): FilePrint {
  const printed = text.split('\n').map((line, index) => ({ bare: line.replace(/\s+/g, ''), line: index + 1 })).filter(({ bare }) => bare !== '');
  return { prints: printed.map(({ bare }) => `${isTelling(bare) ? '' : '~'}${hash(bare).slice(0, 8)}`), lines: printed.map(({ line }) => line) };
}

/** Null for an empty file. A place on a blank line is the line below it. */
export function printPlace({ prints, lines }: FilePrint, line: number, endLine: number | null): CodePrint | null {
  const first = Math.min(firstAtLeast(lines, line), prints.length - 1);
  if (first < 0) return null;
  const end = Math.min(Math.max(first + 1, firstAtLeast(lines, (endLine ?? line) + 1)), first + longestPlace);
  return prints.slice(Math.max(0, first - 1), end + 1).map((print, index) => (isWithin(index + Math.max(0, first - 1), first, end) ? `>${print}` : print)).join(' ');
}

interface Standing {
  /** Line of the place now. */
  readonly line: number;
  /** The lines above and below stand there too. */
  readonly isWhole: boolean;
}

/** Where a print stands in a file; of several places the one nearest to `near`. Null when its own lines stand nowhere in this order. */
export function findPrint(file: FilePrint, code: CodePrint, near: number | null): Standing | null {
  const marked = code.split(' ');
  const own = marked.findIndex(print => print.startsWith('>'));
  const all = marked.map(print => print.replace('>', ''));
  const whole = findRun(file, all).map(start => start + own);
  const found = whole.length > 0 ? whole : findRun(file, all.filter((_, index) => marked[index]?.startsWith('>')));
  const lines = found.map(start => file.lines[start] ?? 0).sort((one, other) => Math.abs(one - (near ?? 0)) - Math.abs(other - (near ?? 0)) || one - other);
  return lines[0] === undefined ? null : { line: lines[0], isWhole: whole.length > 0 };
}

/** No line of the print that tells anything stands in the file any more. False when none of its lines does tell. */
export function isGone(file: FilePrint, code: CodePrint): boolean {
  return tellingOf(code).size > 0 && linesLeft(file, code).length === 0;
}

/** Lines of the file at which a telling line of the print stands, wherever that is. */
export function linesLeft({ prints, lines }: FilePrint, code: CodePrint): number[] {
  const telling = tellingOf(code);
  return lines.filter((_, index) => telling.has(prints[index] ?? ''));
}

function tellingOf(code: CodePrint): ReadonlySet<string> {
  return new Set(code.split(' ').map(print => print.replace('>', '')).filter(print => !print.startsWith('~')));
}

/** Positions at which the prints stand one after another. */
function findRun({ prints }: FilePrint, wanted: readonly string[]): number[] {
  const starts: number[] = [];
  for (let start = prints.indexOf(wanted[0] ?? ''); start !== -1; start = prints.indexOf(wanted[0] ?? '', start + 1)) {
    if (wanted.every((print, offset) => prints[start + offset] === print)) starts.push(start);
  }
  return starts;
}

function isTelling(bare: string): boolean {
  return /[\p{L}\p{Nd}].*[\p{L}\p{Nd}]/u.test(bare);
}

function isWithin(index: number, first: number, end: number): boolean {
  return index >= first && index < end;
}

function firstAtLeast(lines: readonly number[], line: number): number {
  let [low, high] = [0, lines.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] ?? 0) < line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** What a run has before it: the files of its change under their names of today, their code as prints, and the lines that were shown. */
export interface Sight {
  /** The path that a remembered one has in this change; null when the change does not hold it. */
  currentPath(path: string, code: CodePrint | null): string | null;
  /** Null when the new side is no text or was not asked for. */
  print(path: string): FilePrint | null;
  /** Was this line of the new side in what reviewers got? */
  isShown(path: string, line: number): boolean;
  isDeleted(path: string): boolean;
  readonly paths: readonly string[];
}

interface SightRequest {
  readonly change: Change;
  readonly read: (file: ChangedFile, side: 'new') => Promise<string | null>;
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
  /** Paths, of today or of before a rename, that somebody has something to say about. */
  readonly paths: ReadonlySet<string>;
}

/** Reads only files that are asked about, and new or moved ones, where a remembered file may have gone. */
export async function takeSight({ change, read, hash, paths }: SightRequest): Promise<Sight> {
  const files = new Map(change.files.map(file => [file.path, file]));
  const byOldPath = new Map(change.files.filter(file => file.status === 'renamed' && file.oldPath !== null).map(file => [file.oldPath ?? '', file.path]));
  const isWanted = (file: ChangedFile): boolean => paths.has(file.path) || paths.has(file.oldPath ?? file.path);
  const isLost = [...paths].some(path => !files.has(path) && !byOldPath.has(path));
  const prints = new Map<string, FilePrint>();
  for (const file of change.files.filter(file => isWanted(file) || (isLost && isNew(file)))) {
    const text = await read(file, 'new');
    if (text !== null) prints.set(file.path, printFile(text, hash));
  }
  const arrivals = change.files.filter(isNew).map(file => file.path);
  return {
    currentPath: (path, code) => (files.has(path) ? path : (byOldPath.get(path) ?? moveOf(code, arrivals, prints))),
    print: path => prints.get(path) ?? null,
    isShown: (path, line) => files.get(path)?.hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines) ?? false,
    isDeleted: path => files.get(path)?.status === 'deleted',
    paths: [...files.keys()],
  };
}

function isNew({ status }: ChangedFile): boolean {
  return status === 'added' || status === 'renamed' || status === 'copied';
}

/** A file that was renamed between two runs is a new file to both: it is known by the code of the claim, if only one has it. */
function moveOf(code: CodePrint | null, arrivals: readonly string[], prints: ReadonlyMap<string, FilePrint>): string | null {
  if (code === null || code.split(' ').filter(print => !print.includes('~')).length < 2) return null;
  const holders = arrivals.filter(path => {
    const print = prints.get(path);
    return print !== undefined && findPrint(print, code, null)?.isWhole === true;
  });
  return holders.length === 1 ? (holders[0] ?? null) : null;
}
