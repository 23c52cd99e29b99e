/** What the store needs of the machine, and where a project keeps its state with it. */
import type { Clock } from '../../core/ports/clock.ts';
import type { Disk } from '../../core/ports/disk.ts';
import type { Processes } from '../../core/ports/processes.ts';
import { systemClock } from '../system/clock.ts';
import { systemDisk } from '../system/disk.ts';
import { systemProcesses } from '../system/processes.ts';

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
