import type { Processes } from '../../core/ports/processes.ts';

/** What a runner may take from the world. The composition root fills it in once; nothing below reads `process.env` itself. */
export interface RunnerWorld {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Absolute; attempt folders are made below it. Must not lie inside a repository. */
  readonly temporaryFolder: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Starts programs; default: on this machine. */
  readonly run?: Processes['run'];
  /** Absolute path of the checkout under review: programs inside it are never found on PATH. Null: there is none. */
  readonly checkout?: string | null;
  /** Absolute folders that no reviewer sees besides, wherever they lie: the state, other work trees. */
  readonly hidden?: () => Promise<readonly string[]>;
  /** Absolute path of the MCP program that clients start to have a reviewer's tools; default: the built one of this package. */
  readonly toolProgram?: string;
  /** What the person should know that belongs to no reviewer. */
  readonly note?: (message: string) => void;
}
