/**
 * Where the package lies on this disk. The built programs are bundled into few files, so that no file may look for
 * another by its own place.
 */
import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(import.meta.url);

/** Absolute folder of `package.json`, `personas/` and `schema/`. */
export const packageRoot: string = findRoot(dirname(here));

/** Absolute folder of the code that is running: `src` or `dist`. */
export const codeRoot: string = join(packageRoot, relative(packageRoot, here).split(sep)[0] ?? '');

function findRoot(folder: string) {
  if (existsSync(join(folder, 'package.json')) && existsSync(join(folder, 'personas')))
    return folder;
  if (folder === dirname(folder)) throw new Error(`No package lies above ${here}.`);
  return findRoot(dirname(folder));
}
