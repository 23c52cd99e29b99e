/** Which folders of PATH may be trusted: a program planted by the change under review must not be found. */
import { realpath, stat } from 'node:fs/promises';
import { delimiter, isAbsolute, relative } from 'node:path';
import type { RunnerWorld } from './runner-world.ts';

export interface SearchPath {
  /** Absolute folders, in order. */
  readonly folders: readonly string[];
  /** One sentence for each entry that was refused. Entries that do not exist are dropped without a word. */
  readonly refused: readonly string[];
}

/** Refuses entries that are empty, relative, writable by everybody or inside the checkout. */
export async function readSearchPath(world: RunnerWorld): Promise<SearchPath> {
  const checkout = await resolveFolder(world.checkout ?? null);
  const folders: string[] = [];
  const refused: string[] = [];
  for (const entry of (world.environment.PATH ?? '').split(delimiter)) {
    const fault = await faultOf(entry, checkout);
    if (fault === null) folders.push(entry);
    else if (fault !== 'missing') refused.push(`The PATH entry "${entry}" is ${fault}.`);
  }
  return { folders: [...new Set(folders)], refused };
}

async function faultOf(entry: string, checkout: string | null): Promise<string | null> {
  if (entry === '') return 'empty';
  if (!isAbsolute(entry)) return 'relative';
  const real = await resolveFolder(entry);
  if (real === null) return 'missing';
  if (checkout !== null && isInside(checkout, real)) return 'inside the checkout';
  const { mode } = await stat(real);
  // The sticky bit keeps others from replacing a program; it does not keep them from adding one.
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) return 'writable by everybody';
  return null;
}

/** The real path; null when there is none. */
async function resolveFolder(path: string | null): Promise<string | null> {
  if (path === null) return null;
  return realpath(path).catch(() => null);
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}
