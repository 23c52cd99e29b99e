/**
 * A disk that believes of a state folder only what this user alone could have written: whatever is opened there to be read or gone on
 * with is looked at first, so that no reader of state has to think of it. Outside of the folder it is the disk it was.
 */
import path from 'node:path';
import { inputError } from '../../core/errors.ts';
import type { Disk, OpenFile } from '../../core/ports/disk.ts';
import { whyShared } from '../system/state-folder.ts';
import type { Storage } from './storage.ts';

/** The same object for the same disk and folder: what a disk keeps in memory hangs on it. */
const guarded = new WeakMap<Disk, Map<string, Disk>>();

/** `open` throws `UserError` (kind `input`) for a file below `root` that another user owns or others can read or write. */
export function guardDisk(
  { disk, processes }: Pick<Storage, 'disk' | 'processes'>,
  root: string,
): Disk {
  const known = guarded.get(disk) ?? new Map<string, Disk>();
  guarded.set(disk, known);
  const guard = known.get(root) ?? {
    ...disk,
    async open(file: string, access: 'read' | 'append' | 'create', mode?: number) {
      const opened = await disk.open(file, access, mode);
      if (access === 'create' || !file.startsWith(root + path.sep)) return opened;
      await refuseShared(opened, file, processes.user);
      return opened;
    },
  };
  known.set(root, guard);
  return guard;
}

async function refuseShared(opened: OpenFile, file: string, user: number | null) {
  const shared = whyShared(await opened.status(), user);
  if (!shared) return;
  await opened.close();
  throw inputError(
    `${file} ${shared.what}, and is not believed.`,
    shared.kind === 'foreign'
      ? 'Remove it, or name another state folder with JURY_STATE.'
      : 'Remove it, or take that from them with "chmod 600" if nobody has touched it.',
  );
}
