/**
 * Writes the results of a vote: into a temporary folder beside the place, which then takes the place of what an earlier run
 * left. A reader sees the old results or the new ones, and never files of both.
 */
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { artifactNames, type Artifact } from '../../core/deliberation/artifacts.ts';
import { UserError } from '../../core/errors.ts';
import { isAlive } from '../store/process-alive.ts';

/** Throws `UserError` (kind `usage`) where results must not go: over the session itself, or over files that are no results. */
export async function checkResultFolder(folder: string, session: string): Promise<void> {
  const [target, source] = await Promise.all([resolveLinks(folder), resolveLinks(session)]);
  if (target === source || isInside(source, target)) throw new UserError(`Error: --out: the results would replace the session itself (${folder})`, { kind: 'usage' });
  const foreign = (await namesIn(folder)).filter(name => !artifactNames.has(name));
  if (foreign.length > 0) throw new UserError(`Error: --out: ${folder} holds files that are no results of a vote, such as ${foreign[0] ?? ''}.`, { kind: 'usage', hint: 'Name another folder.' });
}

/** Replaces whatever is in `folder`. Throws `UserError` (kind `input`) when it cannot be written; then the old results stay. */
export async function writeResultFolder(folder: string, artifacts: Iterable<Artifact>): Promise<void> {
  const base = path.dirname(folder);
  const mark = `${process.pid}-${randomBytes(4).toString('hex')}`;
  const [temporary, old] = [path.join(base, `.new-${mark}`), path.join(base, `.old-${mark}`)];
  try {
    await mkdir(base, { recursive: true });
    await removeLeftOvers(base);
    for (const artifact of artifacts) await writeArtifact(temporary, artifact);
    await swap({ folder, temporary, old });
  } catch (error) {
    // What stood in the way of writing may stand in the way of clearing up; the first reason is the one to tell.
    await rm(temporary, { recursive: true, force: true }).catch(() => {});
    throw explain(error, folder);
  }
  await rm(old, { recursive: true, force: true });
}

interface Swap {
  readonly folder: string;
  readonly temporary: string;
  readonly old: string;
}

async function swap({ folder, temporary, old }: Swap): Promise<void> {
  const hasOld = (await namesIn(folder)).length > 0;
  if (hasOld) await rename(folder, old);
  else await rm(folder, { recursive: true, force: true });
  try {
    await rename(temporary, folder);
  } catch (error) {
    if (hasOld) await rename(old, folder);
    throw error;
  }
}

async function writeArtifact(folder: string, { name, pieces }: Artifact): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  // Piece by piece: the rows of a large roster are longer than one string may be.
  await pipeline(Readable.from(pieces()), createWriteStream(file));
}

/** What processes that are gone left half done. */
async function removeLeftOvers(base: string): Promise<void> {
  for (const name of await namesIn(base)) {
    const pid = /^\.(?:new|old)-(\d+)-[0-9a-f]{8}$/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(path.join(base, name), { recursive: true, force: true });
  }
}

/** Empty when there is no such folder. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw explain(error, folder);
  });
}

function resolveLinks(folder: string): Promise<string> {
  return realpath(folder).catch(() => path.resolve(folder));
}

function isInside(inner: string, outer: string): boolean {
  const way = path.relative(outer, inner);
  return way !== '' && !way.startsWith('..') && !path.isAbsolute(way);
}

function explain(error: unknown, folder: string): unknown {
  const { code } = error as NodeJS.ErrnoException;
  if (code === undefined || error instanceof UserError) return error;
  const reason = { ENOSPC: 'no space left on device', EACCES: 'permission denied', EROFS: 'the file system is read-only', ENOTDIR: 'a file is in the way', EEXIST: 'a file is in the way' }[code] ?? code;
  return new UserError(`Error: ${folder} cannot be written: ${reason}`, { kind: 'input', cause: error });
}
