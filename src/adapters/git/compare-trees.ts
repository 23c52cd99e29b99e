/** Reads the change between two trees: what changed, of what kind it is, and its hunks where it is text. */
import { isUtf8 } from 'node:buffer';
import { notebookLines } from '../../core/change/notebook.ts';
import { isElsewhere } from '../../core/change/unshown.ts';
import { isNotebook } from '../../core/languages/embedded-code.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { noticeLink } from './notices.ts';
import { missingObject, type OpenedGit, readSizes } from './object-reader.ts';
import { type BlobPair, diffBlobs, listChanges, type RawEntry } from './text-diff.ts';
import type { Shadow } from './shadow.ts';
import { showName } from './revision.ts';
import { measureChange } from './trees.ts';

export interface Comparison {
  readonly files: ChangedFile[];
  readonly warnings: string[];
}

interface CompareOptions extends OpenedGit {
  readonly maxFileBytes: number;
}

type Kind = 'none' | 'text' | 'binary' | 'submodule' | 'symlink' | 'too-large';

interface Sided {
  readonly entry: RawEntry;
  readonly old: Kind;
  readonly new: Kind;
}

/** Commits or trees by full id. Throws `UserError` for missing and for forged objects. */
export async function compareTrees(
  options: CompareOptions,
  base: string,
  head: string,
): Promise<Comparison> {
  // What a forged folder lists is not to be relied on, and git does not look when it compares them.
  await measureChange(options, base, head);
  const entries = (await listChanges(options.shadow, base, head)).flatMap(apart);
  const { kinds, strange, targets, notebooks, sizes } = await classify(options, entries);
  const sided = entries.map((entry): Sided => ({
    entry,
    old: kindOf(entry.oldMode, entry.oldId, kinds),
    new: kindOf(entry.newMode, entry.newId, kinds),
  }));

  const shown = sided.filter(
    file =>
      hasLines(contentOf(file)) &&
      (file.entry.oldId !== file.entry.newId || isElsewhere(file.entry)),
  );
  const withLines = new Set(shown);
  const diffOf = await diffShown(options.shadow, shown, sizes);
  const files = sided.map((file): ChangedFile => {
    const isLeftOut = withLines.has(file) && !diffOf.has(file);
    const { hunks, additions, deletions } = diffOf.get(file) ?? none;
    const { path, oldId, newId } = file.entry;
    const [oldText = null, newText = null] = [notebooks.get(oldId), notebooks.get(newId)];
    const notebook = notebookLines(path, oldText, newText);
    return {
      ...file.entry,
      content: isLeftOut ? 'too-large' : contentOf(file),
      additions,
      deletions,
      hunks,
      ...(notebook && { notebook }),
    };
  });
  const links = sided
    .filter(file => file.new === 'symlink')
    .map(({ entry }) =>
      noticeLink(entry.path, targets.get(entry.newId) ?? 'a name too long to show'),
    );
  const damaged = shown
    .filter(({ entry }) => strange.has(entry.newId))
    .map(
      ({ entry }) =>
        `${showName(entry.path)} is not valid UTF-8: bytes that are not are shown as U+FFFD.`,
    );
  return { files, warnings: [...links, ...damaged, ...sided.flatMap(noticeReplaced)] };
}

const none = { hunks: [], additions: 0, deletions: 0 };

type Diff = Pick<ChangedFile, 'hunks' | 'additions' | 'deletions'>;

/** Nobody reads more, and what is made of it takes many times the room. */
const mostShown = 8 * 1024 * 1024;

/** Small files go first, equal ones are compared once; those for which there is no room are absent. */
async function diffShown(
  shadow: Shadow,
  shown: readonly Sided[],
  sizes: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<Sided, Diff>> {
  const keyed = shown.map(file => {
    const pair = toPair(file, sizes);
    return { file, pair, key: `${pair.oldId} ${pair.newId}` };
  });
  keyed.sort((one, other) => one.pair.size - other.pair.size);
  const pairs = new Map(keyed.map(({ key, pair }) => [key, pair]));
  const found = await diffBlobs(shadow, [...pairs.values()], mostShown);
  const diffs = new Map([...pairs.keys()].map((key, index) => [key, found[index]]));
  const kept = new Map<Sided, Diff>();
  let room = mostShown;
  for (const { file, key } of keyed) {
    const diff = diffs.get(key);
    if (diff === undefined || diff.length > room) continue;
    room -= diff.length;
    kept.set(file, diff);
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

/** Kind and size of every regular blob of the change, the ids of those that are no UTF-8, the targets of links and the texts of notebooks. */
async function classify(
  { shadow, objects, maxFileBytes }: CompareOptions,
  entries: readonly RawEntry[],
) {
  const sides = entries.flatMap(({ path, oldPath, oldMode, oldId, newMode, newId }) => [
    { mode: oldMode, id: oldId, what: `the old side of ${showName(oldPath ?? path)}` },
    { mode: newMode, id: newId, what: `the new side of ${showName(path)}` },
  ]);
  const needed = new Map(
    sides.filter(({ mode }) => /^1[02]0/.test(mode)).map(side => [side.id, side]),
  );
  const sizes = await readSizes(shadow, [...needed.keys()]);
  const kinds = new Map<string, Kind>();
  const strange = new Set<string>();
  const targets = new Map<string, string>();
  const notebooks = new Map<string, string>();
  const isOfNotebook = new Set(
    entries.filter(({ path }) => isNotebook(path)).flatMap(({ oldId, newId }) => [oldId, newId]),
  );
  await Promise.all(
    [...needed.values()].map(async ({ id, mode, what }) => {
      const size = sizes.get(id);
      if (size === undefined) throw missingObject(shadow.format, id, what);
      if (size > maxFileBytes) return kinds.set(id, 'too-large');
      const bytes = (await objects.read(id, maxFileBytes))?.bytes;
      if (!bytes) throw missingObject(shadow.format, id, what);
      if (!isUtf8(bytes)) strange.add(id);
      if (mode === '120000') targets.set(id, bytes.toString('utf8'));
      if (isOfNotebook.has(id)) notebooks.set(id, bytes.toString('utf8'));
      return kinds.set(id, bytes.includes(0) ? 'binary' : 'text');
    }),
  );
  return { kinds, strange, targets, notebooks, sizes };
}

function kindOf(mode: string, id: string, kinds: ReadonlyMap<string, Kind>): Kind {
  if (mode === '000000') return 'none';
  if (mode === '160000') return 'submodule';
  return mode === '120000' ? 'symlink' : (kinds.get(id) ?? 'none');
}

/** What there is now decides; what was there counts only for a deletion. So no old side can hide a new text. */
function contentOf(file: Sided): ChangedFile['content'] {
  const kind = file.new === 'none' ? file.old : file.new;
  return kind === 'none' ? 'text' : kind;
}

/** A side that is no text, or was something else, has no lines to compare with: the other one is shown whole. */
function toPair({ entry, ...kinds }: Sided, sizes: ReadonlyMap<string, number>): BlobPair {
  const oldId = hasLines(kinds.old) && !isElsewhere(entry) ? entry.oldId : null;
  const newId = hasLines(kinds.new) ? entry.newId : null;
  return { oldId, newId, size: (sizes.get(oldId ?? '') ?? 0) + (sizes.get(newId ?? '') ?? 0) };
}

/** The text of a link is its target. */
function hasLines(kind: Kind): boolean {
  return kind === 'text' || kind === 'symlink';
}

function noticeReplaced(file: Sided): string[] {
  if (!hasLines(contentOf(file)) || hasLines(file.old) || file.old === 'none') return [];
  return [
    `The old side of ${showName(file.entry.path)} is not shown (${file.old}); the new side is shown whole.`,
  ];
}
