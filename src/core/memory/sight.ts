/** What a run has before it: the files of its change under their names of today, their code as prints, and the lines that were shown. */
import type { Change, ChangedFile } from '../change.ts';
import { findPrint, printFile, type CodePrint, type FilePrint } from './code-print.ts';

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

export interface SightRequest {
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
