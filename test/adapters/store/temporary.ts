import { systemStorage, type StateFolder } from '../../../src/adapters/store/storage.ts';

/** A folder on the disk of this machine, as the store takes it. */
export function stateIn(root: string): StateFolder {
  return { root, project: root, ...systemStorage };
}
