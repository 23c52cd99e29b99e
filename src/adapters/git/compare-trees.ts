/** Reads the change between two trees: what changed, of what kind it is, and its hunks where it is text. */
import { isUtf8 } from 'node:buffer';
import { isElsewhere } from '../../core/change/unshown.ts';
import { isNotebook, notebookLines } from '../../core/languages/embedded-code.ts';
import { groupsBy } from '../../core/groups.ts';
import type { ChangedFile, FileStatus, Hunk } from '../../core/words/change.ts';
import {
  type OpenedGit,
  decodeName,
  hashObject,
  missingObject,
  noticeLink,
  readSizes,
  showName,
  splitZero,
} from './object-reader.ts';
import type { Shadow } from './git-folder.ts';
import { measureChange } from './trees.ts';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { inputError } from '../../core/errors.ts';
import { askGit, firstLine, runGit } from './git-process.ts';
import { lengthOf, parsePatch } from './patch.ts';

interface CompareOptions extends OpenedGit {
  maxFileBytes: number;
}

type Kind = 'none' | 'text' | 'binary' | 'submodule' | 'symlink' | 'too-large';

/** What is to be known of a regular blob or a link before it is compared. */
interface Blob {
  kind: Kind;
  /** Bytes. */
  size: number;
  isUtf8: boolean;
  /** Of links and notebooks alone. */
  text: string | null;
}

type Blobs = ReadonlyMap<string, Blob>;

interface Sided {
  entry: RawEntry;
  old: Kind;
  new: Kind;
}

/** Commits or trees by full id. Throws `UserError` for missing and for forged objects. */
export async function compareTrees(options: CompareOptions, base: string, head: string) {
  // What a forged folder lists is not to be relied on, and git does not look when it compares them.
  await measureChange(options, base, head);
  const entries = (await listChanges(options.shadow, base, head)).flatMap(apart);
  const blobs = await readBlobs(options, entries);
  const sided = entries.map((entry): Sided => ({
    entry,
    old: kindOf(entry.oldMode, entry.oldId, blobs),
    new: kindOf(entry.newMode, entry.newId, blobs),
  }));

  const shown = new Set(
    sided.filter(
      file =>
        hasLines(contentOf(file)) &&
        (file.entry.oldId !== file.entry.newId || isElsewhere(file.entry)),
    ),
  );
  const diffOf = await diffShown(options.shadow, [...shown], blobs);
  const files = sided.map((file): ChangedFile => {
    const { hunks, additions, deletions } = diffOf.get(file) ?? none;
    const { path, oldId, newId } = file.entry;
    const [oldText = null, newText = null] = [blobs.get(oldId)?.text, blobs.get(newId)?.text];
    const notebook = notebookLines(path, oldText, newText);
    return {
      ...file.entry,
      content: shown.has(file) && !diffOf.has(file) ? 'too-large' : contentOf(file),
      additions,
      deletions,
      hunks,
      ...(blobs.get(newId)?.isUtf8 === false && { damaged: true }),
      ...(notebook && { notebook }),
    };
  });
  const links = sided
    .filter(file => file.new === 'symlink')
    .map(({ entry }) =>
      noticeLink(entry.path, blobs.get(entry.newId)?.text ?? 'a name too long to show'),
    );
  return { files, warnings: [...links, ...sided.flatMap(noticeReplaced)] };
}

const none: TextDiff = { hunks: [], additions: 0, deletions: 0, length: 0 };

/** Nobody reads more, and what is made of it takes many times the room. */
const mostShown = 8 * 1024 * 1024;

/** Small files go first, equal ones are compared once; those for which there is no room are absent. */
async function diffShown(shadow: Shadow, shown: readonly Sided[], blobs: Blobs) {
  const paired = shown.map(file => ({ file, pair: toPair(file, blobs) }));
  const groups = groupsBy(paired, ({ pair }) => `${pair.oldId} ${pair.newId}`);
  groups.sort(([one], [other]) => one.pair.size - other.pair.size);
  const kept = new Map<Sided, TextDiff>();
  let [room, isFull] = [mostShown, false];
  for (let at = 0; at < groups.length && !isFull;) {
    const some: typeof groups = [];
    for (let size = 0, next; size <= mostAtOnce && (next = groups[at]); at += 1) {
      some.push(next);
      size += next[0].pair.size;
    }
    const pairs = some.map(([{ pair }]) => pair);
    for (const [index, diff] of (await diffSome(shadow, pairs)).entries())
      for (const { file } of some[index] ?? []) {
        isFull ||= diff.length > room;
        if (diff.length > room) continue;
        room -= diff.length;
        kept.set(file, diff);
      }
  }
  return kept;
}

/**
 * What is something else by its new name is a new file: all of it is shown, and whoever looks at files sees it come and the old one
 * go.
 */
function apart(entry: RawEntry): RawEntry[] {
  const { oldPath, oldId } = entry;
  if (oldPath === null || entry.status !== 'renamed' || !isElsewhere(entry)) return [entry];
  const zero = '0'.repeat(oldId.length);
  return [
    { ...entry, path: oldPath, oldPath: null, status: 'deleted', newMode: '000000', newId: zero },
    { ...entry, oldPath: null, status: 'added', oldMode: '000000', oldId: zero },
  ];
}

/** Every regular blob and link of the change. */
async function readBlobs(
  { shadow, objects, maxFileBytes }: CompareOptions,
  entries: readonly RawEntry[],
): Promise<Blobs> {
  const sides = entries.flatMap(({ path, oldPath, oldMode, oldId, newMode, newId }) => [
    { path, mode: oldMode, id: oldId, what: `the old side of ${showName(oldPath ?? path)}` },
    { path, mode: newMode, id: newId, what: `the new side of ${showName(path)}` },
  ]);
  const needed = new Map(
    sides.filter(({ mode }) => /^1[02]0/.test(mode)).map(side => [side.id, side]),
  );
  const withText = new Set(
    sides.filter(({ path, mode }) => mode === '120000' || isNotebook(path)).map(({ id }) => id),
  );
  const sizes = await readSizes(shadow, [...needed.keys()]);
  const blobs = [...needed.values()].map(async ({ id, what }): Promise<[string, Blob]> => {
    const size = sizes.get(id);
    if (size === undefined) throw missingObject(shadow.format, id, what);
    if (size > maxFileBytes) return [id, { kind: 'too-large', size, isUtf8: true, text: null }];
    const bytes = (await objects.read(id, maxFileBytes))?.bytes;
    if (!bytes) throw missingObject(shadow.format, id, what);
    const kind = bytes.includes(0) ? 'binary' : 'text';
    const text = withText.has(id) ? bytes.toString('utf8') : null;
    return [id, { kind, size, isUtf8: isUtf8(bytes), text }];
  });
  return new Map(await Promise.all(blobs));
}

function kindOf(mode: string, id: string, blobs: Blobs) {
  if (mode === '000000') return 'none';
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'symlink' : (blobs.get(id)?.kind ?? 'none');
}

/** What there is now decides; what was there counts only for a deletion. So no old side can hide a new text. */
function contentOf(file: Sided) {
  const kind = file.new === 'none' ? file.old : file.new;
  return kind === 'none' ? 'text' : kind;
}

/**
 * A side that is no text, or was something else, has no lines to compare with: the other one is shown whole. `size`: bytes of both.
 */
function toPair({ entry, ...kinds }: Sided, blobs: Blobs) {
  const oldId = hasLines(kinds.old) && !isElsewhere(entry) ? entry.oldId : null;
  const newId = hasLines(kinds.new) ? entry.newId : null;
  const sizeOf = (id: string | null) => blobs.get(id ?? '')?.size ?? 0;
  return { oldId, newId, size: sizeOf(oldId) + sizeOf(newId) };
}

/** The text of a link is its target. */
function hasLines(kind: Kind) {
  return kind === 'text' || kind === 'symlink';
}

function noticeReplaced(file: Sided) {
  if (!hasLines(contentOf(file)) || hasLines(file.old) || file.old === 'none') return [];
  return [
    `The old side of ${showName(file.entry.path)} is not shown (${file.old}); the new side is shown whole.`,
  ];
}

// Hunks of pairs of blobs, from git. The pairs go into two trees of the engine's own under numbers for names: no path, attribute
// or rename of the repository can touch how they are compared or read.

/** Ids of regular blobs; null where the side has nothing to compare. */
type BlobPair = ReturnType<typeof toPair>;

interface TextDiff {
  hunks: Hunk[];
  additions: number;
  deletions: number;
  /** Characters of its lines. */
  length: number;
}

/** What is compared at a time: a patch is never held whole. */
const mostAtOnce = 8 * 1024 * 1024;

async function diffSome(shadow: Shadow, pairs: readonly BlobPair[]) {
  const [oldTree = '', newTree = ''] = await Promise.all(
    (['oldId', 'newId'] as const).map(side =>
      writeTree(
        shadow,
        pairs.map(pair => pair[side]),
      ),
    ),
  );
  const words = [
    ...(
      'diff-tree -r --numstat -p -U3 --no-renames --text --no-ext-diff --no-textconv --no-color ' +
      '--full-index --diff-algorithm=histogram --src-prefix=a/ --dst-prefix=b/ --no-relative ' +
      '--submodule=short --ignore-submodules=none --end-of-options'
    ).split(' '),
    oldTree,
    newTree,
    '--',
  ];
  const patch = await askGit(shadow.program, words, 'The change cannot be read');
  return readDiffs(patch.toString('utf8'), pairs.length);
}

/** As `git mktree` does, without a process for it; the names are in git's order as they are. */
async function writeTree({ program, format }: Shadow, ids: readonly (string | null)[]) {
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

function readDiffs(text: string, count: number) {
  const diffs = Array.from({ length: count }, () => none);
  // Lines `additions, tab, deletions, tab, name` stand before the patch.
  const end = text.search(/^diff --git /m);
  const counts = new Set(text.slice(0, Math.max(0, end)).split('\n'));
  for (const { path, hunks, additions, deletions } of parsePatch(text)) {
    // Two countings of the same change: a patch that was misread must not look like a small one.
    if (!counts.delete(`${additions}\t${deletions}\t${path}`))
      throw new Error(`The patch of pair ${path} does not add up.`);
    diffs[Number(path)] = { hunks, additions, deletions, length: lengthOf(hunks) };
  }
  return diffs;
}

// The list of changed files, from `git diff-tree -z --raw`: the only source of file names.

type RawEntry = Pick<
  ChangedFile,
  'status' | 'path' | 'oldPath' | 'oldMode' | 'newMode' | 'oldId' | 'newId'
>;

/** Commits or trees by full id, measured before. Throws `UserError` when a tree of either side is missing. */
async function listChanges({ program, format }: Shadow, base: string, head: string) {
  const words = [
    ...'diff-tree -r -z --raw -M -l1000 --no-abbrev --end-of-options'.split(' '),
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
function parseRaw(output: Buffer) {
  const fields = splitZero(output);
  const entries: RawEntry[] = [];
  for (let at = 0; at < fields.length;) {
    const record = decodeName(fields[at++]);
    const match = /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) ([A-Z])\d*$/.exec(record);
    if (!match)
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

const statuses: Record<string, FileStatus> = {
  A: 'added',
  M: 'modified',
  D: 'deleted',
  R: 'renamed',
  C: 'copied',
  T: 'type-changed',
};
