/** What the store needs of the machine, and where a project keeps its state with it. */
import path from 'node:path';
import { inputError } from '../../core/errors.ts';
import type { Clock, Disk, OpenFile, Processes } from '../../core/ports/runner.ts';
import { systemClock } from '../system/clock.ts';
import { systemDisk, whyShared } from '../system/disk.ts';
import { systemProcesses } from '../system/processes.ts';

/** Tells a person in one sentence what became of what is kept. */
export type Note = (message: string) => void;

export interface Storage {
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Pick<Clock, 'sleep'>;
}

export interface StateFolder extends Storage {
  /** Absolute folder that holds the runs, the memory, the index. Outside of what is reviewed. */
  readonly root: string;
  /** Absolute folder of the project that the state is about: the top of its repository, or the working folder where there is none. */
  readonly project: string;
  /** Paths relative to the project, with slashes, that its version control knows: they are its own. Absent: it has none. */
  readonly tracked?: (() => Promise<readonly string[]>) | undefined;
}

/** This machine's own: for what belongs to the project, and for folders that a person names. */
export const systemStorage: Storage = {
  disk: systemDisk,
  processes: systemProcesses,
  clock: systemClock,
};

// A disk that believes of a state folder only what this user alone could have written: whatever is opened there to be read or gone
// on with is looked at first, so that no reader of state has to think of it. Outside of the folder it is the disk it was.

/** The same object for the same disk and folder: what a disk keeps in memory hangs on it. */
const guarded = new WeakMap<Disk, Map<string, Disk>>();

/** `open` throws `UserError` (kind `input`) for a file below `root` that another user owns or others can read or write. */
export function guardDisk({ disk, processes }: Pick<Storage, 'disk' | 'processes'>, root: string) {
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
