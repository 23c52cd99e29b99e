/** Text of one side of a changed file, or of a path at a revision. */
import type { ChangedFile } from '../../core/change.ts';
import { UserError } from '../../core/errors.ts';
import { runGit } from './git-process.ts';
import type { ObjectReader } from './object-reader.ts';
import { decodeName, splitZero } from './raw-diff.ts';
import { resolveCommit, verify } from './revision.ts';
import { firstLine, type Shadow } from './shadow.ts';

/** Null when the side is missing, binary, a submodule or too large. A link's text is its target. */
export async function readSide(objects: ObjectReader, file: ChangedFile, side: 'old' | 'new', maxBytes: number): Promise<string | null> {
  const [mode, id] = side === 'old' ? [file.oldMode, file.oldId] : [file.newMode, file.newId];
  if (mode === '000000' || mode === '160000' || /^0+$/.test(id)) return null;
  return toText(await objects.read(id, maxBytes));
}

/** Null when there is no such regular file, or it is no text. Links are not followed. */
export async function readFileAt(shadow: Shadow, objects: ObjectReader, { revision, path, maxFileBytes }: { readonly revision: string; readonly path: string; readonly maxFileBytes: number }): Promise<string | null> {
  if (path === '' || path.includes('\0')) return null;
  const tree = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(revision) ? await verify(shadow, `${revision}^{tree}`) : await resolveCommit(shadow, revision);
  if (tree === null) throw new UserError(`Unknown revision "${revision}".`, { kind: 'input' });
  const { code, stdout, stderr } = await runGit(shadow.program, ['ls-tree', '-z', '--full-tree', '--end-of-options', tree, path]);
  if (code !== 0) throw new UserError(`The tree of ${revision} cannot be read: ${firstLine(stderr)}.`, { kind: 'input' });
  for (const record of splitZero(stdout).map(decodeName)) {
    const match = /^100\d{3} blob ([0-9a-f]+)\t(.*)$/s.exec(record);
    if (match?.[1] !== undefined && match[2] === path) return toText(await objects.read(match[1], maxFileBytes));
  }
  return null;
}

function toText(object: Awaited<ReturnType<ObjectReader['read']>>): string | null {
  if (object?.type !== 'blob' || object.bytes === null || object.bytes.includes(0)) return null;
  return object.bytes.toString('utf8');
}
