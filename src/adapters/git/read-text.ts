/** Text of one side of a changed file, or of a path at a revision. */
import type { ChangedFile } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import type { ObjectReader } from './object-reader.ts';
import { decodeName, splitZero } from './raw-diff.ts';
import { resolveCommit, verify } from './revision.ts';
import type { Session } from './session.ts';
import { firstLine } from './shadow.ts';
import { showName } from './show-name.ts';
import { applyHunks, wholeText } from './whole-text.ts';

/**
 * Null when the side is missing, binary, a submodule or too large. A link's text is its target. What the repository does
 * not have is put together from the hunks where they are enough: a whole file, or a patch on a file that is here.
 */
export async function readSide(session: Session, file: ChangedFile, side: 'old' | 'new'): Promise<string | null> {
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
export async function readFileAt(session: Session, revision: string, path: string): Promise<string | null> {
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
export async function readEntryAt(session: Session, revision: string, path: string): Promise<TreeEntry | null> {
  if (path === '' || path.includes('\0')) return null;
  const { shadow } = await session.open();
  // The base of a change may be a tree.
  const tree = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision) ? await verify(shadow, `${revision}^{tree}`) : await resolveCommit(shadow, revision);
  if (tree === null) throw new UserError(`Unknown revision "${showName(revision)}".`, { kind: 'input', code: 'unknown-revision' });
  const { code, stdout, stderr } = await runGit(shadow.program, ['ls-tree', '-z', '--full-tree', '--end-of-options', tree, path]);
  if (code !== 0) throw new UserError(`The files of ${showName(revision)} cannot be read: ${firstLine(stderr)}.`, { kind: 'input' });
  for (const record of splitZero(stdout).map(decodeName)) {
    const [, mode = '', id = '', name] = /^(\d{6}) \w+ ([0-9a-f]+)\t(.*)$/s.exec(record) ?? [];
    if (name === path) return { mode, id };
  }
  return null;
}

async function readBlob(session: Session, id: string): Promise<string | null> {
  if (session.folder === null || /^0+$/.test(id)) return null;
  const { objects } = await session.open();
  return toText(await objects.read(id, session.maxFileBytes));
}

function toText(object: Awaited<ReturnType<ObjectReader['read']>>): string | null {
  if (object?.type !== 'blob' || object.bytes === null || object.bytes.includes(0)) return null;
  return object.bytes.toString('utf8');
}
