/** Reads the verdict files of any folder, Jury's own or that of another tool. */
import { constants } from 'node:fs';
import { access, open, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { listVerdict, type ReadFile, type VerdictRow } from '../../core/run-files/verdict-file.ts';
import { codeOf } from './atomic-write.ts';

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
export async function readVerdicts(dir: string): Promise<VerdictFolder> {
  const names = await namesIn(dir);
  if (names === null) return { dir, isMissing: true, rows: [], lost: new Set() };
  const files = names
    .filter(name => name.endsWith('.json') && !name.startsWith('.'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const rows: VerdictRow[] = [];
  const lost = new Set<string>();
  for (const file of files) {
    const row = listVerdict(await readText(dir, file));
    rows.push(row);
    if (!(await hasDetail(dir, row))) lost.add(row.agent);
  }
  return { dir, isMissing: false, rows, lost };
}

async function namesIn(dir: string): Promise<readonly string[] | null> {
  try {
    return await readdir(dir);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new UserError(
      `The folder ${dir} cannot be read: ${codeOf(error) === 'ENOTDIR' ? 'it is a file' : String(codeOf(error))}.`,
      { kind: 'input', hint: 'Name the folder that holds the verdict files.', cause: error },
    );
  }
}

/** Links and devices are not followed: a folder written by somebody else may hold any. */
async function readText(dir: string, file: string): Promise<ReadFile> {
  try {
    const handle = await open(
      join(dir, file),
      constants.O_RDONLY | constants.O_NONBLOCK | (constants.O_NOFOLLOW ?? 0),
    );
    try {
      const stat = await handle.stat();
      if (!stat.isFile()) return { file, problem: 'not a regular file' };
      return stat.size > mostBytes
        ? { file, problem: 'larger than 1 MiB' }
        : { file, text: (await handle.readFile('utf8')).replace(/^\uFEFF/, '') };
    } finally {
      await handle.close();
    }
  } catch (error) {
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
async function hasDetail(dir: string, { detailPath, verdict }: VerdictRow): Promise<boolean> {
  if (detailPath === null) return false;
  if (verdict === null) return true;
  const places = [resolve(dir, detailPath), resolve(detailPath)];
  const found = await Promise.all(
    places.map(place =>
      access(place).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}
