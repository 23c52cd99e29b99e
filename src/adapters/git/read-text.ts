/** Text of one side of a changed file, or of a path at a revision. */
import type { ChangedFile } from '../../core/words/change.ts';
import { reverseHunks } from '../../core/change/patch.ts';
import { applyHunks } from './patch.ts';
import type { Session } from './list-files.ts';
import { type Entry, readFolder, resolveTree } from './trees.ts';

/**
 * Null when the side is missing, binary, a submodule or too large. A link's text is its target. What the repository does
 * not have is put together from the hunks where they are enough: a whole file, or a patch on a file that is here.
 */
export async function readSide(session: Session, file: ChangedFile, side: 'old' | 'new') {
  const mode = side === 'old' ? file.oldMode : file.newMode;
  if (mode === '000000' || mode === '160000') return null;
  const stored = await readBlob(session, side === 'old' ? file.oldId : file.newId);
  if (stored !== null || file.content !== 'text') return stored;
  if (file.oldMode === '000000') return applyHunks('', file.hunks);
  if (file.newMode === '000000') return applyHunks('', reverseHunks(file.hunks));
  const old = side === 'new' ? await readBlob(session, file.oldId) : null;
  return old === null ? null : applyHunks(old, file.hunks);
}

/** Null when there is no such regular file, or it is no text. Links are not followed. */
export async function readFileAt(session: Session, revision: string, path: string) {
  const entry = await readEntryAt(session, revision, path);
  return entry?.mode.startsWith('100') ? readBlob(session, entry.id) : null;
}

/** What a path names at a revision; null when nothing. Links are not followed. The mode of a folder is `040000`. */
export async function readEntryAt(
  session: Session,
  revision: string,
  path: string,
): Promise<Entry | null> {
  if (path === '' || path.includes('\0')) return null;
  const git = await session.open();
  let entry: Entry = { mode: folderMode, id: await resolveTree(git, revision) };
  for (const name of Buffer.from(path).toString('latin1').split('/')) {
    if (entry.mode !== folderMode) return null;
    const entries = await readFolder(git, entry.id);
    const found = entries.get(name) ?? entries.get(`${name}/`);
    if (!found) return null;
    entry = { mode: found.mode.padStart(folderMode.length, '0'), id: found.id };
  }
  return entry;
}

const folderMode = '040000';

async function readBlob(session: Session, id: string): Promise<string | null> {
  if (!session.folder || /^0+$/.test(id)) return null;
  const object = await (await session.open()).objects.read(id, session.maxFileBytes);
  if (object?.type !== 'blob' || !object.bytes || object.bytes.includes(0)) return null;
  return object.bytes.toString('utf8');
}
