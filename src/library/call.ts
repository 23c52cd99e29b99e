/** What every function of the library takes from its caller besides the request: where it stands, and what of the world is its own. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type GitRepository, openRepository } from '../adapters/git/repository.ts';
import type { ReviewerFunction } from '../adapters/runners/function.ts';
import { systemClock } from '../adapters/system/clock.ts';
import { systemDisk } from '../adapters/system/disk.ts';
import { systemIds } from '../adapters/system/ids.ts';
import { packageRoot } from '../adapters/system/package-root.ts';
import { systemProcesses } from '../adapters/system/processes.ts';
import { readTelemetrySettings } from '../adapters/telemetry/settings.ts';
import type { RunEnding, Telemetry } from '../adapters/telemetry/telemetry.ts';
import { UserError, usageError } from '../core/errors.ts';
import type { Matcher } from '../core/ports/matcher.ts';
import type { Clock, Disk, Ids, Processes, Runner } from '../core/ports/runner.ts';
import type { ConfigInput } from '../core/words/config.ts';
import type { OnEvent } from '../core/words/review.ts';

export interface Call {
  /** Absolute folder that relative paths and the repository are looked for from. */
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Aborting ends the run as INCOMPLETE with everything saved. */
  readonly signal: AbortSignal;
  readonly onEvent: OnEvent;
  /** Does a person sit at the terminal that shows what comes of it? Default: no. */
  readonly isAttended?: boolean | undefined;
  /** Everything on standard input, for requests that name `-`. */
  readonly readInput?: (() => string | Promise<string>) | undefined;
  /** In place of a configuration that is found: an object as strict as the file, or a path. Paths in an object are relative to `cwd`. */
  readonly config?: ConfigInput | string | undefined;
  /** The configuration that decides may start, reach and read what it names, though nobody has allowed it with `jury trust`. */
  readonly trustConfig?: boolean | undefined;
  /** Runners of the caller's own by the name that a reviewer's key `runner` gives. Names of built-in ones are refused. */
  readonly runners?: Readonly<Record<string, ReviewerFunction | Runner>> | undefined;
  /** Matches findings in place of every strategy. */
  readonly matcher?: Matcher | undefined;
  /** Default: the clock of this machine. */
  readonly clock: Clock;
  /** Names of runs and nonces; default: random ones. */
  readonly ids: Ids;
  /** Where the state is kept: runs, memory, index, reports; default: the disk of this machine. The project is read from there anyway. */
  readonly disk: Disk;
  /** Which process holds a run, and whether it is gone; default: those of this machine. */
  readonly processes: Processes;
  /** False: no copies of reports in the project, whatever the configuration says. */
  readonly copies?: boolean | undefined;
  /**
   * Folder of the state: runs, memory, caches, index. Outside of the repository; default: one for each project below
   * `JURY_STATE`, else where the system keeps such things.
   */
  readonly state?: string | undefined;
}

/** As a caller gives it: what it leaves out is that of this machine. */
export type GivenCall = Pick<Call, 'cwd' | 'environment'> & {
  readonly [Key in keyof Call]?: Call[Key] | undefined;
};

/** A new object each time: what is looked up once, is looked up once for this object. */
export function fillCall(given: GivenCall): Call {
  return {
    ...given,
    signal: given.signal ?? new AbortController().signal,
    onEvent: given.onEvent ?? (() => {}),
    clock: given.clock ?? systemClock,
    ids: given.ids ?? systemIds,
    disk: given.disk ?? systemDisk,
    processes: given.processes ?? systemProcesses,
  };
}

/** Folder for what lives as long as a call does. Never below a repository. */
export function temporaryFolderOf({ environment }: Pick<Call, 'environment'>) {
  return (environment.JURY_TMPDIR ?? environment.TMPDIR) || tmpdir();
}

/** What lets GitHub be asked for what not everybody may read; null: nothing. Throws `UserError` for what can be no token. */
export function tokenOf({ environment }: Pick<Call, 'environment'>) {
  const token = environment.GITHUB_TOKEN?.trim() || environment.GH_TOKEN?.trim() || null;
  // What cannot stand in a header would be quoted by the error about it.
  if (token === null || /^[\x21-\x7e]+$/.test(token)) return token;
  throw usageError('GITHUB_TOKEN (or GH_TOKEN) holds what can be no token.');
}

/** Tells the caller in one sentence what it should know. */
export function noteTo({ onEvent }: Pick<Call, 'onEvent'>) {
  return (message: string) => onEvent({ type: 'note', message });
}

/** Null outside of a repository and in a bare one. */
export function repositoryRootOf(call: Call) {
  return withRepository(call, async repository => repository.root);
}

/** Opens the repository of the caller's folder for one piece of work. */
export async function withRepository<Result>(
  call: Pick<Call, 'cwd' | 'environment'>,
  work: (repository: GitRepository) => Promise<Result>,
) {
  const repository = await openRepository(call.cwd, {
    temporaryFolder: temporaryFolderOf(call),
    // For a change that is a pull request.
    token: () => tokenOf(call),
  });
  try {
    return await work(repository);
  } finally {
    await repository.close();
  }
}

const manifest = readFileSync(join(packageRoot, 'package.json'), 'utf8');

export const { version } = JSON.parse(manifest) as { readonly version: string };

// Does the work of a run so that OpenTelemetry is told of it, where the environment of the caller names an endpoint.

/** As whoever asks somebody in a run gets it. No caller of the library names one: only `watched` does. */
export interface WatchedCall extends Call {
  readonly telemetry?: Telemetry;
}

type Came = Omit<RunEnding, 'error'>;

/**
 * `process`: what was asked for. Where nothing is to be sent, nothing of OpenTelemetry is loaded. Whatever becomes of the sending, the
 * work ends as it does.
 */
export async function watched<Result>(
  { process, call }: { process: string; call: Call },
  work: (call: Call) => Promise<Result>,
  came: (result: Result) => Came,
) {
  const note = noteTo(call);
  const telemetry = await open(call, process, note);
  if (!telemetry) return work(call);
  let ending: RunEnding = { ...noRun, error: 'fault' };
  try {
    const watching: WatchedCall = {
      ...call,
      telemetry,
      onEvent(event) {
        telemetry.onEvent(event);
        call.onEvent(event);
      },
    };
    const result = await work(watching);
    ending = { ...came(result), error: null };
    return result;
  } catch (error) {
    if (error instanceof UserError) ending = { ...noRun, error: error.kind };
    else if (call.signal.aborted) ending = { ...noRun, error: 'cancelled' };
    throw error;
  } finally {
    const why = await telemetry.end(ending);
    if (why !== null) note(why);
  }
}

/** Null where none is wanted, and, which is said, where it cannot be had: that is no matter of the run. */
async function open({ environment }: Call, process: string, note: (message: string) => void) {
  const settings = readTelemetrySettings(environment);
  if (settings === null) return null;
  if (typeof settings === 'string') {
    note(settings);
    return null;
  }
  try {
    const { openTelemetry } = await import('../adapters/telemetry/telemetry.ts');
    return openTelemetry(settings, { process, version, id: randomUUID() });
  } catch {
    note('Telemetry could not be started, so none is sent.');
    return null;
  }
}

const noRun: Came = { run: null, outcome: null, claims: [] };
