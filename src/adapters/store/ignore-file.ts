/** Keeps the copies of runs out of version control: one line in the `.gitignore` at the top of the repository. */
import { join } from 'node:path';
import { explainDiskFailure, readPlainBytes, writeAtomically } from './atomic-write.ts';
import type { Storage } from './storage.ts';

/** Lines that keep `.jury/` out already. */
const equivalents: ReadonlySet<string> = new Set([
  '.jury/',
  '.jury',
  '/.jury/',
  '/.jury',
  '.jury/**',
  '/.jury/**',
]);

/** Is this text such a line, and no more? */
export function isIgnoreLine(text: string): boolean {
  return equivalents.has(text.trimEnd());
}

/**
 * Adds the line `.jury/` once, creating the file if absent. True when it was added. Does nothing outside a repository
 * (null), where `.gitignore` is a link or a folder (writing would change something else), and for a disk that git does not see.
 */
export async function ensureIgnored(
  storage: Storage,
  repositoryRoot: string | null,
): Promise<boolean> {
  if (repositoryRoot === null || storage.disk.localPath(repositoryRoot) === null) return false;
  const path = join(repositoryRoot, '.gitignore');
  try {
    const found = await storage.disk.status(path);
    if (found !== null && found.kind !== 'file') return false;
    const bytes = (await readPlainBytes(storage.disk, path, Infinity)) ?? new Uint8Array();
    const text = new TextDecoder().decode(bytes);
    if (text.split(/\r?\n/).some(isIgnoreLine)) return false;
    const newline = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = text === '' || text.endsWith('\n') ? '' : newline;
    await writeAtomically(
      storage,
      path,
      // Of whatever encoding it is: what stands there stays as it is.
      Buffer.concat([bytes, Buffer.from(`${gap}.jury/${newline}`)]),
      found === null ? 0o644 : found.mode & 0o777,
    );
    return true;
  } catch (error) {
    throw explainDiskFailure(error, { what: '.gitignore', path, again: 'try again' });
  }
}
