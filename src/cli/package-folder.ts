/** Where the package lies, for the files that the terminal shows or names. The programs are bundles: no file knows its own place. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const packageFolder = findFolder(path.dirname(fileURLToPath(import.meta.url)));

function findFolder(folder: string): string {
  return existsSync(path.join(folder, 'package.json')) && existsSync(path.join(folder, 'personas'))
    ? folder
    : folder === path.dirname(folder)
      ? folder
      : findFolder(path.dirname(folder));
}
