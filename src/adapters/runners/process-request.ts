/** What is asked of a process and what comes back. */
import type { Turn } from '../../core/ports.ts';
import type { PassedDeadline } from './process-deadlines.ts';

export interface ProcessRequest {
  /** Absolute path. Never a shell. */
  readonly file: string;
  readonly args: readonly string[];
  /** Written to standard input, which is then closed. */
  readonly input: string;
  /** The whole environment. `JURY_ATTEMPT`, unique to the attempt, marks the tree; one is made up when it is missing. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly deadlines: Turn['deadlines'];
  /** Ends the tree like an abort does, for another reason: `enough`. What it wrote until then is an answer. */
  readonly enough?: AbortSignal;
  /** Bytes. Beyond `stdoutBytes` (4 MiB) or `stderrBytes` (1 MiB) the tree is killed: `flood`. */
  readonly limits?: { readonly stdoutBytes?: number; readonly stderrBytes?: number };
  /** Standard output goes to this new file, which is read while it grows. */
  readonly stdoutFile?: string;
  /** Standard output as it comes, as text; `stop` ends the tree for a reason of the caller's own: `capped`. */
  readonly onOutput?: (chunk: string, stop: () => void) => void;
}

export type StopReason = PassedDeadline | 'flood' | 'cancelled' | 'capped' | 'enough';

export interface ProcessResult {
  /** Null when a signal ended it, or when it had to be left behind. */
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** After a flood only its first 64 KiB. */
  readonly stdout: string;
  /** False when `stdout` holds replacement characters for bytes that are not UTF-8. */
  readonly stdoutIsUtf8: boolean;
  /** The last 64 KiB. */
  readonly stderr: string;
  /** Why Jury ended it. Not null means failed, whatever the exit code: some clients exit 0 on SIGTERM. */
  readonly stopped: StopReason | null;
  /** Set when nothing was started: `ENOENT` (no program, or no `cwd`), `EACCES`, `E2BIG`, … */
  readonly spawnError: SpawnError | null;
  readonly durationMs: number;
  /** False when the program closed its standard input before it had taken the whole prompt. */
  readonly inputDelivered: boolean;
}

export interface SpawnError {
  readonly code: string;
  readonly message: string;
}
