/** The change as the memory sees it: files under their names of today, their code as fingerprints, and the lines that were shown. */
import { addedLinesOf } from '../integrity/added-lines.ts';
import type { Change, ChangedFile } from '../words/change.ts';
import {
  type CodeFingerprint,
  type FileFingerprint,
  findFingerprint,
  fingerprintFile,
} from './code-fingerprint.ts';

export interface Snapshot {
  /** The path that a remembered one has in this change; null when the change does not hold it. */
  currentPath(path: string, code: CodeFingerprint | null): string | null;
  /** Null when the new side is no text or was not asked for. */
  fingerprint(path: string): FileFingerprint | null;
  /** Was this line of the new side in what reviewers got? */
  isShown(path: string, line: number): boolean;
  /** Did the change bring this line of the new side? Of whole files: all. */
  isAdded(path: string, line: number): boolean;
  isDeleted(path: string): boolean;
  readonly paths: readonly string[];
}

interface SnapshotRequest {
  readonly change: Change;
  readonly read: (file: ChangedFile, side: 'new') => Promise<string | null>;
  /** SHA-256 of a text, in hex. */
  readonly hash: (text: string) => string;
  /** Paths, of today or of before a rename, that claims are about. */
  readonly paths: ReadonlySet<string>;
}

/** Reads only files that are asked about, and new or moved ones, where a remembered file may have gone. */
export async function takeSnapshot({
  change,
  read,
  hash,
  paths,
}: SnapshotRequest): Promise<Snapshot> {
  const files = new Map(change.files.map(file => [file.path, file]));
  const byOldPath = new Map(
    change.files
      .filter(file => file.status === 'renamed' && file.oldPath !== null)
      .map(file => [file.oldPath ?? '', file.path]),
  );
  const isWanted = (file: ChangedFile): boolean =>
    paths.has(file.path) || paths.has(file.oldPath ?? file.path);
  const isLost = [...paths].some(path => !files.has(path) && !byOldPath.has(path));
  const fingerprints = new Map<string, FileFingerprint>();
  for (const file of change.files.filter(file => isWanted(file) || (isLost && isNew(file)))) {
    const text = await read(file, 'new');
    if (text !== null) fingerprints.set(file.path, fingerprintFile(text, hash));
  }
  const arrivals = change.files.filter(isNew).map(file => file.path);
  return {
    currentPath: (path, code) =>
      files.has(path) ? path : (byOldPath.get(path) ?? moveOf(code, arrivals, fingerprints)),
    fingerprint: path => fingerprints.get(path) ?? null,
    isShown: (path, line) =>
      files
        .get(path)
        ?.hunks.some(({ newStart, newLines }) => line >= newStart && line < newStart + newLines) ??
      false,
    isAdded: (path, line) =>
      change.source === 'files' ||
      addedLinesOf(files.get(path) ?? { path, hunks: [] }).some(added => added.line === line),
    isDeleted: path => files.get(path)?.status === 'deleted',
    paths: [...files.keys()],
  };
}

function isNew({ status }: ChangedFile): boolean {
  return status === 'added' || status === 'renamed' || status === 'copied';
}

/** A file that was renamed between two runs is a new file to both: it is known by the code of the claim, if only one has it. */
function moveOf(
  code: CodeFingerprint | null,
  arrivals: readonly string[],
  fingerprints: ReadonlyMap<string, FileFingerprint>,
): string | null {
  if (code === null || code.split(' ').filter(fingerprint => !fingerprint.includes('~')).length < 2)
    return null;
  const holders = arrivals.filter(path => {
    const fingerprint = fingerprints.get(path);
    return fingerprint !== undefined && findFingerprint(fingerprint, code, null)?.isWhole === true;
  });
  return holders.length === 1 ? (holders[0] ?? null) : null;
}
