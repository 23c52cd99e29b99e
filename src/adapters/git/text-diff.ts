/**
 * Hunks of pairs of blobs, from git. The pairs go into two trees of the engine's own under numbers for names: no path,
 * attribute or rename of the repository can touch how they are compared or read.
 */
import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { ChangedFile, FileStatus, Hunk } from '../../core/words/change.ts';
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import { firstLine, type Shadow } from './shadow.ts';
import { missingObject } from './object-reader.ts';

/** Ids of regular blobs; null where the side has nothing to compare. */
export interface BlobPair {
  readonly oldId: string | null;
  readonly newId: string | null;
  /** Bytes of both. */
  readonly size: number;
}

interface TextDiff {
  readonly hunks: Hunk[];
  readonly additions: number;
  readonly deletions: number;
  /** Characters of its lines. */
  readonly length: number;
}

/** What is compared at a time: a patch is never held whole. */
const mostAtOnce = 8 * 1024 * 1024;

/** One result for each pair, in order, while there is room for it. Equal pairs are the caller's to tell. */
export async function diffBlobs(
  shadow: Shadow,
  pairs: readonly BlobPair[],
  room: number,
): Promise<TextDiff[]> {
  const diffs: TextDiff[] = [];
  for (let left = room; diffs.length < pairs.length && left >= 0;) {
    const some: BlobPair[] = [];
    for (let size = 0; size <= mostAtOnce;) {
      const pair = pairs[diffs.length + some.length];
      if (pair === undefined) break;
      some.push(pair);
      size += pair.size;
    }
    const found = await diffSome(shadow, some);
    diffs.push(...found);
    left -= found.reduce((sum, { length }) => sum + length, 0);
  }
  return diffs;
}

async function diffSome(shadow: Shadow, pairs: readonly BlobPair[]): Promise<TextDiff[]> {
  const [oldTree = '', newTree = ''] = await Promise.all(
    (['oldId', 'newId'] as const).map(side =>
      writeTree(
        shadow,
        pairs.map(pair => pair[side]),
      ),
    ),
  );
  const words = [
    'diff-tree',
    '-r',
    '--numstat',
    '-p',
    '-U3',
    '--no-renames',
    '--text',
    '--no-ext-diff',
    '--no-textconv',
    '--no-color',
    '--full-index',
    '--diff-algorithm=histogram',
    '--src-prefix=a/',
    '--dst-prefix=b/',
    '--no-relative',
    '--submodule=short',
    '--ignore-submodules=none',
    '--end-of-options',
    oldTree,
    newTree,
    '--',
  ];
  const { code, stdout, stderr } = await runGit(shadow.program, words);
  if (code !== 0)
    throw new UserError(`The change cannot be read: ${firstLine(stderr)}.`, { kind: 'input' });
  return parsePatch(stdout.toString('utf8').split('\n'), pairs.length);
}

/** As `git mktree` does, without a process for it; the names are in git's order as they are. */
async function writeTree(
  { program, format }: Shadow,
  ids: readonly (string | null)[],
): Promise<string> {
  const entries = ids.flatMap((id, index) =>
    id === null
      ? []
      : [Buffer.from(`100644 ${String(index).padStart(8, '0')}\0`), Buffer.from(id, 'hex')],
  );
  const body = Buffer.concat(entries);
  const object = Buffer.concat([Buffer.from(`tree ${body.length}\0`), body]);
  const id = createHash(format.algorithm).update(object).digest('hex');
  const folder = join(program.folder, 'shadow', 'objects', id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), deflateSync(object));
  return id;
}

function parsePatch(lines: readonly string[], count: number): TextDiff[] {
  const results = Array.from({ length: count }, (): TextDiff => ({
    hunks: [],
    additions: 0,
    deletions: 0,
    length: 0,
  }));
  const counts = readCounts(lines);
  for (let at = counts.size; at < lines.length; at++) {
    const index = /^diff --git a\/(\d{8}) b\/\d{8}$/.exec(lines[at] ?? '')?.[1];
    if (index === undefined) continue;
    while (at + 1 < lines.length && !/^(?:@@ |diff --git )/.test(lines[at + 1] ?? '')) at++;
    const { hunks, additions, deletions, next, complete } = readHunks(lines, at + 1);
    // Two countings of the same change: a patch that was misread must not look like a small one.
    if (!complete || counts.get(index) !== `${additions}\t${deletions}`)
      throw new Error(`The patch of pair ${index} does not add up.`);
    const length = hunks.flatMap(hunk => hunk.lines).reduce((sum, line) => sum + line.length, 0);
    results[Number(index)] = { hunks, additions, deletions, length };
    at = next - 1;
  }
  return results;
}

/** Lines `additions, tab, deletions, tab, name`, before the patch. */
function readCounts(lines: readonly string[]): Map<string, string> {
  const counts = new Map<string, string>();
  for (const line of lines) {
    const match = /^(\d+\t\d+)\t(\d{8})$/.exec(line);
    if (match?.[1] === undefined || match[2] === undefined) return counts;
    counts.set(match[2], match[1]);
  }
  return counts;
}

// Reads the hunks of a unified diff by their line counts, so that no content can pass for a header. Linear.

interface ReadHunks {
  readonly hunks: Hunk[];
  /** Index of the first line that belongs to no hunk. */
  readonly next: number;
  readonly additions: number;
  readonly deletions: number;
  /** False when the text ends, or another kind of line stands, before a hunk has all its lines. */
  readonly complete: boolean;
}

const header = /^@@ -(\d{1,10})(?:,(\d{1,10}))? \+(\d{1,10})(?:,(\d{1,10}))? @@(?: (.*))?$/s;

/** Reads as many hunks as stand at `start`. */
export function readHunks(lines: readonly string[], start: number): ReadHunks {
  const hunks: Hunk[] = [];
  const counted = { additions: 0, deletions: 0 };
  let next = start;
  for (;;) {
    const opened = openHunk(lines[next]);
    if (opened === null) return { hunks, next, ...counted, complete: true };
    const body = readBody(lines, next + 1, opened.oldLines, opened.newLines);
    hunks.push({ ...opened, lines: body.lines });
    counted.additions += body.additions;
    counted.deletions += body.deletions;
    next = body.next;
    if (!body.complete) return { hunks, next, ...counted, complete: false };
  }
}

function openHunk(line: string | undefined): Omit<Hunk, 'lines'> | null {
  const match = line?.startsWith('@@') === true ? header.exec(line) : null;
  if (match === null) return null;
  const [, oldStart, oldLines = '1', newStart, newLines = '1', heading = ''] = match;
  return {
    oldStart: Number(oldStart),
    oldLines: Number(oldLines),
    newStart: Number(newStart),
    newLines: Number(newLines),
    heading,
  };
}

function readBody(lines: readonly string[], start: number, oldLines: number, newLines: number) {
  const body: string[] = [];
  const left = { old: oldLines, new: newLines };
  let [additions, deletions, next] = [0, 0, start];
  for (; left.old > 0 || left.new > 0 || lines[next]?.startsWith('\\ ') === true; next++) {
    const line = lines[next];
    const kind = line === '' ? ' ' : line?.[0];
    if (kind === '+') additions++;
    else if (kind === '-') deletions++;
    // Mail programs strip the blank from an empty context line.
    if (kind === ' ' || kind === '-') left.old--;
    if (kind === ' ' || kind === '+') left.new--;
    const foreign =
      line === undefined || (kind !== ' ' && kind !== '+' && kind !== '-' && kind !== '\\');
    if (foreign || left.old < 0 || left.new < 0)
      return { lines: body, additions, deletions, next, complete: false };
    body.push(line === '' ? ' ' : line);
  }
  return { lines: body, additions, deletions, next, complete: true };
}

// The list of changed files, from `git diff-tree -z --raw`: the only source of file names.

export type RawEntry = Pick<
  ChangedFile,
  'status' | 'path' | 'oldPath' | 'oldMode' | 'newMode' | 'oldId' | 'newId'
>;

/** Commits or trees by full id, measured before. Throws `UserError` when a tree of either side is missing. */
export async function listChanges(
  { program, format }: Shadow,
  base: string,
  head: string,
): Promise<RawEntry[]> {
  const words = [
    'diff-tree',
    '-r',
    '-z',
    '--raw',
    '-M',
    '-l1000',
    '--no-abbrev',
    '--end-of-options',
    base,
    head,
    '--',
  ];
  const { code, stdout, stderr } = await runGit(program, words);
  if (code === 0) return parseRaw(stdout);
  const missing = /[0-9a-f]{40,64}/.exec(stderr)?.[0];
  if (missing !== undefined) throw missingObject(format, missing, 'which the change needs');
  throw new UserError(`The change cannot be listed: ${firstLine(stderr)}.`, { kind: 'input' });
}

/** Records `:mode mode id id status\0path\0`, with a second path for renames and copies. */
function parseRaw(output: Buffer): RawEntry[] {
  const fields = splitZero(output);
  const entries: RawEntry[] = [];
  for (let at = 0; at < fields.length;) {
    const record = decodeName(fields[at++]);
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(record);
    if (match === null)
      throw new Error(`git diff-tree printed an unknown record: ${JSON.stringify(record)}`);
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

const statuses: Readonly<Record<string, FileStatus>> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};

/** Pieces between NULs; the last one is ended by a NUL too. */
export function splitZero(output: Buffer): Buffer[] {
  const pieces: Buffer[] = [];
  for (let at = 0; at < output.length;) {
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
  for (let at = 0; at < bytes.length;) {
    const length = [1, 2, 3, 4].find(
      size => at + size <= bytes.length && isUtf8(bytes.subarray(at, at + size)),
    );
    text +=
      length === undefined
        ? `\\x${bytes.toString('hex', at, at + 1)}`
        : bytes.toString('utf8', at, at + length);
    at += length ?? 1;
  }
  return text;
}
