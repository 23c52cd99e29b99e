/** A patch as a change: files named once, and their ids looked up where a repository is at hand. */
import { createHash } from 'node:crypto';
import type { ChangedFile } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { noticeLink } from './notices.ts';
import { completeIds } from './object-sizes.ts';
import { parsePatch } from './patch-text.ts';
import type { OpenedGit, Session } from './session.ts';
import { showName } from './show-name.ts';
import { applyHunks, wholeText } from './whole-text.ts';

export interface PatchChange {
  readonly files: ChangedFile[];
  readonly warnings: string[];
}

/** Throws `UserError` for a damaged patch and for a combined one. */
export async function readPatch(session: Session, text: string): Promise<PatchChange> {
  const { files, repeated } = mergeByPath(parsePatch(text));
  const links = files.filter(file => file.content === 'symlink' && file.newMode === '120000').map(file => noticeLink(file.path, targetOf(file)));
  return {
    files: (await checkIds(session, files)).map(file => limit(file, session.maxFileBytes)),
    warnings: [...links, ...repeated.map(path => `${showName(path)} is changed several times; line numbers are those of each step.`)],
  };
}

/** Several commits in one patch touch the same file more than once; a type change is a deletion and an addition. */
function mergeByPath(parsed: readonly ChangedFile[]): { readonly files: ChangedFile[]; readonly repeated: string[] } {
  const files = new Map<string, ChangedFile>();
  const repeated = new Set<string>();
  for (const file of parsed) {
    const earlier = files.get(file.path);
    if (earlier === undefined) files.set(file.path, file);
    else if (earlier.status === 'deleted' && file.status === 'added') files.set(file.path, { ...file, status: 'type-changed', oldMode: earlier.oldMode, oldId: earlier.oldId });
    else {
      files.set(file.path, join(earlier, file));
      repeated.add(file.path);
    }
  }
  return { files: [...files.values()], repeated: [...repeated] };
}

function join(earlier: ChangedFile, later: ChangedFile): ChangedFile {
  const status = earlier.status === 'added' && later.status !== 'deleted' ? 'added' : later.status === 'deleted' ? 'deleted' : earlier.status;
  const content = earlier.content === 'text' ? later.content : earlier.content;
  const hunks = [...earlier.hunks, ...later.hunks];
  const counts = { additions: earlier.additions + later.additions, deletions: earlier.deletions + later.deletions };
  return { ...later, oldPath: earlier.oldPath ?? later.oldPath, status, oldMode: earlier.oldMode, oldId: earlier.oldId, content, ...counts, hunks };
}

/**
 * A patch may name any object of the repository it is read in, and so bring a private file before the reviewers. An old
 * side is believed only when the patch's own hunks fit it, a new side only when it is what they make of the old one.
 */
async function checkIds(session: Session, files: readonly ChangedFile[]): Promise<ChangedFile[]> {
  const git = session.folder === null ? null : await session.open().catch(ignoreRefusal);
  if (git === null) return files.map(file => ({ ...file, oldId: fullOrZero(file.oldId), newId: fullOrZero(file.newId) }));

  const named = files.map(file => file.oldId).filter(id => id.length >= 7 && !/^0+$/.test(id));
  const ids = await completeIds(git.shadow, [...new Set(named)]);
  return Promise.all(files.map(async file => {
    if (file.content === 'submodule') return file;
    const oldId = ids.get(file.oldId) ?? zero;
    const newText = file.oldMode === '000000' ? wholeText(file.hunks, '+') : await patched(git, oldId, file, session.maxFileBytes);
    const newId = newText === null ? zero : blobId(git.shadow.format.algorithm, newText);
    const isBelieved = newText !== null && file.content === 'text';
    return { ...file, oldId: isBelieved ? oldId : zero, newId: isBelieved && file.newMode !== '000000' && newId.startsWith(file.newId) ? newId : zero };
  }));
}

async function patched({ objects }: OpenedGit, oldId: string, { hunks }: ChangedFile, maxBytes: number): Promise<string | null> {
  const old = oldId === zero || hunks.length === 0 ? null : await objects.read(oldId, maxBytes);
  return old?.bytes ? applyHunks(old.bytes.toString('utf8'), hunks) : null;
}

function blobId(algorithm: string, text: string): string {
  return createHash(algorithm).update(`blob ${Buffer.byteLength(text)}\0${text}`).digest('hex');
}

/** A patch can be read beside a repository that cannot. */
function ignoreRefusal(error: unknown): null {
  if (error instanceof UserError) return null;
  throw error;
}

const zero = '0'.repeat(40);

function fullOrZero(id: string): string {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : zero;
}

function limit(file: ChangedFile, maxFileBytes: number): ChangedFile {
  const length = file.hunks.reduce((sum, hunk) => sum + hunk.lines.reduce((bytes, line) => bytes + line.length, 0), 0);
  return length > maxFileBytes ? { ...file, content: 'too-large', additions: 0, deletions: 0, hunks: [] } : file;
}

function targetOf({ hunks }: ChangedFile): string {
  return hunks.flatMap(hunk => hunk.lines).find(line => line.startsWith('+'))?.slice(1) ?? 'an unknown place';
}
