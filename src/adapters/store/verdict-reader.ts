/** Reads the verdict files of any folder, Jury's own or that of another tool. */
import { join, resolve } from 'node:path';
import { listVerdict, type VerdictRow } from '../../core/run-files/verdict-file.ts';
import type { Disk } from '../../core/ports/disk.ts';
import { readOrWhy } from './atomic-write.ts';
import { listNamed } from './file-names.ts';

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
  const isMissing = (await disk.status(dir).catch(() => undefined)) === null;
  const names = isMissing ? [] : await listNamed(disk, dir, 'the verdict files');
  const files = names
    .filter(name => name.endsWith('.json') && !name.startsWith('.'))
    .sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  const rows: VerdictRow[] = [];
  const lost = new Set<string>();
  for (const file of files) {
    const read = await readOrWhy(disk, join(dir, file), mostBytes);
    const row = listVerdict(
      typeof read === 'string'
        ? { file, problem: read.replace(/^is /, '') }
        : { file, text: new TextDecoder().decode(read) },
    );
    rows.push(row);
    if (!(await hasDetail(disk, dir, row))) lost.add(row.agent);
  }
  return { dir, isMissing, rows, lost };
}

/** A relative path may be meant from the folder or from where the caller stands; an agent may have written what no file can be called. */
async function hasDetail(disk: Disk, dir: string, { detailPath, verdict }: VerdictRow) {
  if (detailPath === null || !verdict) return detailPath !== null;
  const places = [resolve(dir, detailPath), resolve(detailPath)];
  const found = await Promise.all(places.map(place => disk.status(place).catch(() => null)));
  return found.some(status => status !== null);
}
