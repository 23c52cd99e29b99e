/** Paths as they are once the links on the way are resolved, and which of them lie in others. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

/** The same folder is inside as well. */
export function isInside(folder: string, file: string) {
  const way = path.relative(folder, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** With the links on the way to it resolved, also where its end is not there yet. */
export async function realOf(file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const above = path.dirname(file);
  if (real !== null || above === file) return real ?? file;
  return path.join(await realOf(above), path.basename(file));
}
