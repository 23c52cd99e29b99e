/** Text of one side of a changed file, or of a path at a revision. */
import type { ChangedFile, Hunk } from '../../core/words/change.ts';
import type { ObjectReader } from './object-reader.ts';
import type { Session } from './session.ts';
import { readFolder, resolveTree } from './tree-size.ts';

/**
 * Null when the side is missing, binary, a submodule or too large. A link's text is its target. What the repository does
 * not have is put together from the hunks where they are enough: a whole file, or a patch on a file that is here.
 */
export async function readSide(
  session: Session,
  file: ChangedFile,
  side: 'old' | 'new',
): Promise<string | null> {
  const mode = side === 'old' ? file.oldMode : file.newMode;
  if (mode === '000000' || mode === '160000') return null;
  const stored = await readBlob(session, side === 'old' ? file.oldId : file.newId);
  if (stored !== null || file.content !== 'text') return stored;
  if (file.oldMode === '000000') return wholeText(file.hunks, '+');
  if (file.newMode === '000000') return wholeText(file.hunks, '-');
  const old = side === 'new' ? await readBlob(session, file.oldId) : null;
  return old === null ? null : applyHunks(old, file.hunks);
}

/** Null when there is no such regular file, or it is no text. Links are not followed. */
export async function readFileAt(
  session: Session,
  revision: string,
  path: string,
): Promise<string | null> {
  const entry = await readEntryAt(session, revision, path);
  return entry?.mode.startsWith('100') === true ? readBlob(session, entry.id) : null;
}

/** One name of a tree. */
export interface TreeEntry {
  /** As git writes it: `100644`, `040000` for a folder, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
  readonly id: string;
}

/** What a path names at a revision; null when nothing. Links are not followed. */
export async function readEntryAt(
  session: Session,
  revision: string,
  path: string,
): Promise<TreeEntry | null> {
  if (path === '' || path.includes('\0')) return null;
  const git = await session.open();
  let entry: TreeEntry = { mode: folderMode, id: await resolveTree(git, revision) };
  for (const name of Buffer.from(path).toString('latin1').split('/')) {
    if (entry.mode !== folderMode) return null;
    const entries = await readFolder(git, entry.id);
    const found = entries.get(name) ?? entries.get(`${name}/`);
    if (found === undefined) return null;
    entry = { mode: found.mode.padStart(folderMode.length, '0'), id: found.id };
  }
  return entry;
}

const folderMode = '040000';

async function readBlob(session: Session, id: string): Promise<string | null> {
  if (session.folder === null || /^0+$/.test(id)) return null;
  const { objects } = await session.open();
  return toText(await objects.read(id, session.maxFileBytes));
}

function toText(object: Awaited<ReturnType<ObjectReader['read']>>): string | null {
  if (object?.type !== 'blob' || object.bytes === null || object.bytes.includes(0)) return null;
  return object.bytes.toString('utf8');
}

// Texts and hunks of one side alone: a file that is new as a whole, or gone as a whole.

const noNewline = '\\ No newline at end of file';

/** One hunk that adds every line; none for an empty text. */
export function addedHunks(text: string): Hunk[] {
  if (text === '') return [];
  const lines = text.split('\n').map(line => `+${line}`);
  const count = text.endsWith('\n') ? lines.length - 1 : lines.length;
  if (text.endsWith('\n')) lines.pop();
  else lines.push(noNewline);
  return [{ oldStart: 0, oldLines: 0, newStart: 1, newLines: count, heading: '', lines }];
}

/** The text of hunks that hold nothing but lines of this sign. */
export function wholeText(hunks: readonly Hunk[], sign: '+' | '-'): string | null {
  const lines = hunks.flatMap(hunk => hunk.lines);
  if (lines.some(line => !line.startsWith(sign) && !line.startsWith('\\'))) return null;
  const text = lines
    .filter(line => line.startsWith(sign))
    .map(line => `${line.slice(1)}\n`)
    .join('');
  return lines.at(-1)?.startsWith('\\') === true ? text.slice(0, -1) : text;
}

/** The new text, when every hunk stands in the old one at its stated line, word for word; else null. */
export function applyHunks(oldText: string, hunks: readonly Hunk[]): string | null {
  const old = oldText.split('\n');
  const pieces: string[] = [];
  let at = 0;
  for (const hunk of hunks) {
    const start = hunk.oldLines === 0 ? hunk.oldStart : hunk.oldStart - 1;
    if (start < at || start > old.length) return null;
    for (; at < start; at++) pieces.push(`${old[at] ?? ''}\n`);
    for (const line of hunk.lines) {
      if (line.startsWith('\\')) continue;
      if (!line.startsWith('+') && old[at++] !== line.slice(1)) return null;
      if (!line.startsWith('-')) pieces.push(`${line.slice(1)}\n`);
    }
  }
  const reachesEnd = at >= old.length || (at === old.length - 1 && old[at] === '');
  if (!reachesEnd) return pieces.join('') + old.slice(at).join('\n');
  return endsWithoutNewline(hunks, oldText) ? pieces.join('').slice(0, -1) : pieces.join('');
}

/** The mark belongs to the line before it: a last line that was only taken away says nothing about the new text. */
function endsWithoutNewline(hunks: readonly Hunk[], oldText: string): boolean {
  const lines = hunks.at(-1)?.lines ?? [];
  const last = lines.findLastIndex(line => line.startsWith('+') || line.startsWith(' '));
  return last === -1 ? !oldText.endsWith('\n') : lines[last + 1]?.startsWith('\\') === true;
}
