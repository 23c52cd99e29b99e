/** Keeps the runs out of version control: one line in the `.gitignore` at the top of the repository. */
import { lstat, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { codeOf, explainDiskFailure, writeAtomically } from './atomic-write.ts';

/** Lines that keep `.jury/` out already. */
const equivalents: ReadonlySet<string> = new Set([
  '.jury/',
  '.jury',
  '/.jury/',
  '/.jury',
  '.jury/**',
  '/.jury/**',
]);

/**
 * Adds the line `.jury/` once, creating the file if absent. True when it was added. Does nothing outside a repository
 * (null) and where `.gitignore` is a link or a folder: writing would change something else.
 */
export async function ensureIgnored(repositoryRoot: string | null): Promise<boolean> {
  if (repositoryRoot === null) return false;
  const path = join(repositoryRoot, '.gitignore');
  try {
    if (!(await isPlainOrAbsent(path))) return false;
    const text = await readText(path);
    if (text.split(/\r?\n/).some(line => equivalents.has(line.trimEnd()))) return false;
    const newline = text.includes('\r\n') ? '\r\n' : '\n';
    const gap = text === '' || text.endsWith('\n') ? '' : newline;
    await writeAtomically(path, `${text}${gap}.jury/${newline}`, await modeOf(path));
    return true;
  } catch (error) {
    throw explainDiskFailure(error, { path, again: 'try again' });
  }
}

async function isPlainOrAbsent(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isFile();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return true;
    throw error;
  }
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return '';
    throw error;
  }
}

async function modeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0o644;
    throw error;
  }
}
