/** Reads the verdict files of any folder, Jury's own or that of another tool. */
import { join, resolve } from 'node:path';
import { inputError, UserError } from '../../core/errors.ts';
import { listVerdict, type ReadFile, type VerdictRow } from '../../core/run-files/verdict-file.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { codeOf, withFile } from './atomic-write.ts';

/** No verdict file is larger; what is, is none. */
const mostBytes = 1_048_576;

export interface VerdictFolder {
  readonly dir: string;
  readonly isMissing: boolean;
  /** In byte order of the file names. */
  readonly rows: readonly VerdictRow[];
  /** Agents whose detail file does not exist. */
  readonly lost: ReadonlySet<string>;
}

/** Throws `UserError` (kind `input`) for a folder that cannot be read; one that is missing is empty. */
export async function readVerdicts(disk: Disk, dir: string): Promise<VerdictFolder> {
  const names = await namesIn(disk, dir);
  if (names === null) return { dir, isMissing: true, rows: [], lost: new Set() };
  const files = names
    .filter(name => name.endsWith('.json') && !name.startsWith('.'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const rows: VerdictRow[] = [];
  const lost = new Set<string>();
  for (const file of files) {
    const row = listVerdict(await readText(disk, dir, file));
    rows.push(row);
    if (!(await hasDetail(disk, dir, row))) lost.add(row.agent);
  }
  return { dir, isMissing: false, rows, lost };
}

async function namesIn(disk: Disk, dir: string): Promise<readonly string[] | null> {
  try {
    return (await disk.list(dir)).map(({ name }) => name);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw inputError(
      `The folder ${dir} cannot be read: ${codeOf(error) === 'ENOTDIR' ? 'it is a file' : String(codeOf(error))}.`,
      'Name the folder that holds the verdict files.',
      error,
    );
  }
}

/** Links and devices are not followed: a folder written by somebody else may hold any. */
async function readText(disk: Disk, dir: string, file: string): Promise<ReadFile> {
  try {
    return await withFile(await disk.open(join(dir, file), 'read'), async opened => {
      const { kind, size } = await opened.status();
      if (kind !== 'file') return { file, problem: 'not a regular file' };
      return size > mostBytes
        ? { file, problem: 'larger than 1 MiB' }
        : { file, text: new TextDecoder().decode(await opened.read()) };
    });
  } catch (error) {
    if (error instanceof UserError) throw error;
    return {
      file,
      problem:
        codeOf(error) === 'ELOOP'
          ? 'not a regular file'
          : `cannot be read (${String(codeOf(error))})`,
    };
  }
}

/** A relative path may be meant from the folder or from where the caller stands. */
async function hasDetail(
  disk: Disk,
  dir: string,
  { detailPath, verdict }: VerdictRow,
): Promise<boolean> {
  if (detailPath === null) return false;
  if (verdict === null) return true;
  const places = [resolve(dir, detailPath), resolve(detailPath)];
  const found = await Promise.all(places.map(place => isThere(disk, place)));
  return found.includes(true);
}

/** An agent may have written what no file can be called, or one that nobody here may look at: such a file is not there. */
async function isThere(disk: Disk, place: string): Promise<boolean> {
  try {
    return (await disk.status(place)) !== null;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return false;
  }
}
