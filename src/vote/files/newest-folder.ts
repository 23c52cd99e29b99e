/** Finds what a person means that names nothing: the latest of the folders that votes are read from, or written to. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { byCodePoint } from '../motion.ts';

/** Below `base`; `momentOf` gives null, or fails, for a folder that is none of those. Null: there is none. */
export async function findNewest<Moment extends number | string>(
  base: string,
  momentOf: (folder: string) => Promise<Moment | null>,
): Promise<{ readonly folder: string; readonly moment: Moment } | null> {
  let newest: { readonly folder: string; readonly moment: Moment } | null = null;
  const names = await readdir(base).catch(() => []);
  for (const folder of names.sort(byCodePoint).map(name => path.join(base, name))) {
    const moment = await momentOf(folder).catch(() => null);
    if (moment !== null && (newest === null || moment >= newest.moment))
      newest = { folder, moment };
  }
  return newest;
}
