/** What git brought into a folder: every name below it in the last commit or the index of a repository around it. */
import { realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, relative, sep } from 'node:path';
import { gitFolderAt } from './git-folder.ts';
import { copyIndex, listIndex, listTree } from './index-copy.ts';
import { createShadow, type Shadow } from './shadow.ts';
import { headOrEmpty } from './working-trees.ts';

/**
 * Paths relative to the top of the repository that tracks them, each with the path of `folder` relative to the same top. All
 * repositories around it count: one that lies among the tracked files of another must not hide that they came with it.
 * Throws `UserError` for a repository that cannot be read safely.
 */
export async function listTracked(
  folder: string,
  temporaryFolder = tmpdir(),
): Promise<readonly TrackedIn[]> {
  const start = await realpath(folder);
  const found: TrackedIn[] = [];
  for (let top = start; ; top = dirname(top)) {
    const source = await gitFolderAt(top);
    if (source !== null) {
      const shadow = await createShadow(source, { temporaryFolder, timeoutMs: 120_000 });
      try {
        found.push({
          folder: relative(top, start).split(sep).join('/'),
          names: await listNames(shadow),
        });
      } finally {
        await shadow.close();
      }
    }
    if (dirname(top) === top) return found;
  }
}

export interface TrackedIn {
  /** The folder that was asked about, below the top of the repository; empty for the top itself. */
  readonly folder: string;
  readonly names: readonly string[];
}

async function listNames(shadow: Shadow): Promise<string[]> {
  const index = await copyIndex(shadow);
  const entries = [
    ...(await listTree(shadow, headOrEmpty(shadow))),
    ...(index === null ? [] : await listIndex(shadow, index)),
  ];
  return entries.map(({ name }) => Buffer.from(name, 'latin1').toString('utf8'));
}
