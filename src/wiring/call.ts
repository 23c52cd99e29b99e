/** What every function of the library takes from its caller besides the request. */
import { tmpdir } from 'node:os';
import type { OnEvent } from '../core/events.ts';

export interface Call {
  /** Absolute folder that relative paths and the repository are looked for from. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborting ends the run as INCOMPLETE with everything saved. */
  readonly signal?: AbortSignal;
  readonly onEvent?: OnEvent;
  /** Everything on standard input, for requests that name `-`. */
  readonly readInput?: () => string | Promise<string>;
}

/** Folder for what lives as long as a call does. Never below a repository. */
export function temporaryFolderOf({ environment }: Call): string {
  return environment.JURY_TMPDIR ?? tmpdir();
}
