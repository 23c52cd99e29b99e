/** The names in a folder; none where there is no folder. */
import { readdir } from 'node:fs/promises';
import { codeOf } from './disk-failure.ts';

export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return [];
    throw error;
  }
}
