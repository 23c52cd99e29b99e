/** The roster that ships with Jury. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { packageRoot } from '../system/package-root.ts';

export async function readDefaultRoster(): Promise<unknown> {
  return JSON.parse(await readFile(path.join(packageRoot, 'rosters', 'archons.json'), 'utf8'));
}
