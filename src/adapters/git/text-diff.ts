/**
 * Hunks of pairs of blobs, from git. The pairs go into two trees of the engine's own under numbers for names: no path,
 * attribute or rename of the repository can touch how they are compared or read.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { ChangedFile, FileStatus, Hunk } from '../../core/words/change.ts';
import { inputError } from '../../core/errors.ts';
import { askGit, firstLine, runGit } from './git-process.ts';
import { decodeName, splitZero } from './names.ts';
import { hashObject, missingObject } from './object-reader.ts';
import { parsePatch } from './patch.ts';
import type { Shadow } from './shadow.ts';

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
  const patch = await askGit(shadow.program, words, 'The change cannot be read');
  return readDiffs(patch.toString('utf8'), pairs.length);
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
  const id = hashObject(format.algorithm, 'tree', body);
  const folder = join(program.folder, 'shadow', 'objects', id.slice(0, 2));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, id.slice(2)), deflateSync(object));
  return id;
}

function readDiffs(text: string, count: number): TextDiff[] {
  const diffs = Array.from({ length: count }, (): TextDiff => ({
    hunks: [],
    additions: 0,
    deletions: 0,
    length: 0,
  }));
  // Lines `additions, tab, deletions, tab, name` stand before the patch.
  const end = text.search(/^diff --git /m);
  const counts = new Set(text.slice(0, Math.max(0, end)).split('\n'));
  for (const { path, hunks, additions, deletions } of parsePatch(text)) {
    // Two countings of the same change: a patch that was misread must not look like a small one.
    if (!counts.delete(`${additions}\t${deletions}\t${path}`))
      throw new Error(`The patch of pair ${path} does not add up.`);
    const length = hunks.flatMap(hunk => hunk.lines).reduce((sum, line) => sum + line.length, 0);
    diffs[Number(path)] = { hunks, additions, deletions, length };
  }
  return diffs;
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
  throw inputError(`The change cannot be listed: ${firstLine(stderr)}.`);
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
