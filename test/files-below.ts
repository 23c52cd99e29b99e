import { readdirSync } from 'node:fs';
import path from 'node:path';

/** Every file in a folder and below it, by its path, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => path.join(entry.parentPath, entry.name))
    .toSorted();
}
