/** A patch as a change: files named once, and their ids looked up where a repository is at hand. */
import { textsOf } from '../../core/change/patch.ts';
import { ifUserError } from '../../core/errors.ts';
import type { ChangedFile } from '../../core/words/change.ts';
import { type Session, noticeLink } from './list-files.ts';
import { completeIds, hashObject, type OpenedGit } from './object-reader.ts';
import { applyHunks, lengthOf, parsePatch, unshown, zero } from './patch.ts';
import { showName } from './revision.ts';

/** Throws `UserError` for a damaged patch and for a combined one. */
export async function readPatch(session: Session, text: string) {
  const { files, repeated } = mergeByPath(parsePatch(text).map(asBinary));
  const links = files
    .filter(file => file.content === 'symlink' && file.newMode === '120000')
    .map(file => noticeLink(file.path, targetOf(file)));
  return {
    files: (await checkIds(session, files)).map(file => limit(file, session.maxFileBytes)),
    warnings: [
      ...links,
      ...[...repeated].map(
        path => `${showName(path)} is changed several times; line numbers are those of each step.`,
      ),
    ],
  };
}

/** Several commits in one patch touch the same file more than once; a type change is a deletion and an addition. */
function mergeByPath(parsed: readonly ChangedFile[]): {
  readonly files: ChangedFile[];
  readonly repeated: ReadonlySet<string>;
} {
  const files = new Map<string, ChangedFile>();
  const repeated = new Set<string>();
  for (const file of parsed) {
    const earlier = files.get(file.path);
    const isTypeChange = earlier?.status === 'deleted' && file.status === 'added';
    if (earlier && !isTypeChange) repeated.add(file.path);
    const { oldMode, oldId } = earlier ?? file;
    files.set(
      file.path,
      !earlier
        ? file
        : isTypeChange
          ? { ...file, status: 'type-changed', oldMode, oldId }
          : {
              ...file,
              oldPath: earlier.oldPath ?? file.oldPath,
              status: file.status === 'deleted' ? 'deleted' : earlier.status,
              oldMode,
              oldId,
              content: earlier.content === 'text' ? file.content : earlier.content,
              additions: earlier.additions + file.additions,
              deletions: earlier.deletions + file.deletions,
              hunks: [...earlier.hunks, ...file.hunks],
            },
    );
  }
  return { files: [...files.values()], repeated };
}

/**
 * A patch may name any object of the repository it is read in, and so bring a private file before the reviewers. An old
 * side is believed only when the patch's own hunks fit it, a new side only when it is what they make of the old one.
 */
async function checkIds(session: Session, files: readonly ChangedFile[]) {
  // A patch can be read beside a repository that cannot.
  const git = session.folder && (await session.open().catch(ifUserError(null)));
  if (!git)
    return files.map(file => ({
      ...file,
      oldId: fullOrZero(file.oldId),
      newId: fullOrZero(file.newId),
    }));

  const named = files.map(file => file.oldId).filter(id => id.length >= 7 && !/^0+$/.test(id));
  const ids = await completeIds(git.shadow, [...new Set(named)]);
  return Promise.all(
    files.map(async file => {
      if (file.content === 'submodule') return file;
      const oldId = ids.get(file.oldId) ?? zero;
      const newText =
        file.oldMode === '000000'
          ? applyHunks('', file.hunks)
          : await patched(git, oldId, file, session.maxFileBytes);
      const newId =
        newText === null
          ? zero
          : hashObject(git.shadow.format.algorithm, 'blob', Buffer.from(newText));
      const isBelieved = newText !== null && file.content === 'text';
      return {
        ...file,
        oldId: isBelieved ? oldId : zero,
        newId:
          isBelieved && file.newMode !== '000000' && newId.startsWith(file.newId) ? newId : zero,
      };
    }),
  );
}

async function patched(
  { objects }: OpenedGit,
  oldId: string,
  { hunks }: ChangedFile,
  maxBytes: number,
) {
  const old = oldId === zero || hunks.length === 0 ? null : await objects.read(oldId, maxBytes);
  return old?.bytes ? applyHunks(old.bytes.toString('utf8'), hunks) : null;
}

function fullOrZero(id: string) {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(id) ? id : zero;
}

/** What holds a NUL is no text, whatever its header says. */
function asBinary(file: ChangedFile): ChangedFile {
  return file.content === 'text' && holds(file, '\0')
    ? { ...file, content: 'binary', ...unshown }
    : file;
}

function holds({ hunks }: ChangedFile, character: string) {
  return hunks.some(({ lines }) => lines.join('').includes(character));
}

function limit(file: ChangedFile, maxFileBytes: number): ChangedFile {
  if (lengthOf(file.hunks) > maxFileBytes) return { ...file, content: 'too-large', ...unshown };
  return holds(file, '\uFFFD') ? { ...file, damaged: true } : file;
}

function targetOf({ hunks }: ChangedFile) {
  return textsOf(hunks, '+')[0] ?? 'an unknown place';
}
