/** A temporary folder for one test. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemStorage, type StateFolder } from '../../../src/adapters/store/storage.ts';

export async function makeTemporary(): Promise<{
  readonly folder: string;
  readonly remove: () => Promise<void>;
}> {
  const folder = await mkdtemp(join(tmpdir(), 'jury-store-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** A folder on the disk of this machine, as the store takes it. */
export function stateIn(root: string): StateFolder {
  return { root, project: root, ...systemStorage };
}
