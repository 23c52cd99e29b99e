/** The list of changed files, from `git diff-tree -z --raw`: the only source of file names. */
import { isUtf8 } from 'node:buffer';
import type { FileStatus } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import { missingObject } from './unusable-object.ts';
import { firstLine, type Shadow } from './shadow.ts';

export interface RawEntry {
  readonly status: FileStatus;
  readonly path: string;
  readonly oldPath: string | null;
  readonly oldMode: string;
  readonly newMode: string;
  readonly oldId: string;
  readonly newId: string;
}

/** Commits or trees by full id; folders that differ are listed beside the files. Throws `UserError` when a tree of either side is missing. */
export async function listChanges({ program, format }: Shadow, base: string, head: string): Promise<RawEntry[]> {
  const words = ['diff-tree', '-r', '-t', '-z', '--raw', '-M', '-l1000', '--no-abbrev', '--end-of-options', base, head, '--'];
  const { code, stdout, stderr } = await runGit(program, words);
  if (code === 0) return parseRaw(stdout);
  const missing = /[0-9a-f]{40,64}/.exec(stderr)?.[0];
  if (missing !== undefined) throw missingObject(format, missing, 'which the change needs');
  throw new UserError(`The change cannot be listed: ${firstLine(stderr)}.`, { kind: 'input' });
}

/** Records `:mode mode id id status\0path\0`, with a second path for renames and copies. */
export function parseRaw(output: Buffer): RawEntry[] {
  const fields = splitZero(output);
  const entries: RawEntry[] = [];
  for (let at = 0; at < fields.length; ) {
    const record = decodeName(fields[at++]);
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(record);
    if (match === null) throw new Error(`git diff-tree printed an unknown record: ${JSON.stringify(record)}`);
    const [, oldMode = '', newMode = '', oldId = '', newId = '', letter = ''] = match;
    const first = decodeName(fields[at++]);
    const moved = letter === 'R' || letter === 'C';
    const path = moved ? decodeName(fields[at++]) : first;
    const status = letter === 'M' && oldId === newId ? 'mode-changed' : statuses[letter];
    if (status === undefined) throw new Error(`git diff-tree printed an unknown status: ${letter}`);
    entries.push({ status, path, oldPath: moved ? first : null, oldMode, newMode, oldId, newId });
  }
  return entries;
}

const statuses: Readonly<Record<string, FileStatus>> = { A: 'added', M: 'modified', D: 'deleted', R: 'renamed', C: 'copied', T: 'type-changed' };

/** Pieces between NULs; the last one is ended by a NUL too. */
export function splitZero(output: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(0, at);
    pieces.push(output.subarray(at, end === -1 ? output.length : end));
    at = end === -1 ? output.length : end + 1;
  }
  return pieces;
}

/** Bytes that are no UTF-8 become `\xNN`, so that names stay apart. */
export function decodeName(bytes: Buffer | undefined): string {
  if (bytes === undefined) throw new Error('git ended in the middle of a list.');
  const text = bytes.toString('utf8');
  if (!text.includes('\ufffd') || Buffer.from(text).equals(bytes)) return text;
  return decodeDamaged(bytes);
}

function decodeDamaged(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find(size => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)));
    text += length === undefined ? `\\x${bytes.toString('hex', at, at + 1)}` : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}
