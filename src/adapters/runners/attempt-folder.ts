/**
 * One fresh folder per attempt: a home, a temporary folder and an empty working directory, outside every repository,
 * with an environment built from an allow-list. It is deleted whatever happens; what a killed Jury left is swept.
 */
import { lstat, mkdir, realpath } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Seat } from '../../core/words/config.ts';
import type { NotAnswered } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../system/temporary-folder.ts';
import { readSearchPath } from './executable.ts';
import { attemptMarker } from './process-tree.ts';
import type { RunnerWorld } from './runner-world.ts';
import { sweepStaleFolders } from './stale-folders.ts';

export interface AttemptFolder {
  /** Absolute, mode 0700. Room for files of the adapter's own: `system.md`, `mcp.json`, a standard output file. */
  readonly root: string;
  readonly home: string;
  readonly temp: string;
  /** Empty. */
  readonly cwd: string;
  /** The allow-list, plus the variables that the seat asks for by name. An adapter adds its own switches and the key. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs `use` in a fresh folder and deletes the folder. A folder that cannot be had is a failed answer: `isolation` when
 * the temporary folder lies inside a repository, `spawn` for a full or read-only disk.
 */
export async function withAttemptFolder<Result>(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
  use: (folder: AttemptFolder) => Promise<Result>,
): Promise<Result | NotAnswered> {
  let made: TemporaryFolder | null = null;
  let folder: AttemptFolder;
  try {
    const base = await realpath(world.temporaryFolder);
    const repository = await repositoryAbove(base);
    if (repository !== null)
      return failedAnswer(
        'isolation',
        `The temporary folder lies inside the repository ${repository}; set TMPDIR to a folder outside it.`,
      );
    await sweepStaleFolders(base, world.note);
    made = await makeTemporaryFolder(base, 'attempt');
    const root = made.path;
    const [home, temp, cwd] = [join(root, 'home'), join(root, 'temp'), join(root, 'cwd')];
    for (const folder of [home, temp, cwd]) await mkdir(folder, { mode: 0o700 });
    const environment = await buildEnvironment(world, seat, { root, home, temp });
    folder = { root, home, temp, cwd, environment };
  } catch (error) {
    await made?.remove();
    const why = error instanceof Error ? error.message : String(error);
    return failedAnswer('spawn', `No folder for the attempt: ${why}`);
  }
  try {
    return await use(folder);
  } finally {
    await made.remove();
  }
}

async function buildEnvironment(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
  { root, home, temp }: Pick<AttemptFolder, 'root' | 'home' | 'temp'>,
) {
  const asked = seat.environment.flatMap(name => {
    const value = world.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(asked),
    PATH: (await readSearchPath(world)).folders.join(delimiter),
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    // Git must neither find a repository above the folder nor trust a bare one inside it.
    GIT_CEILING_DIRECTORIES: root,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.bareRepository',
    GIT_CONFIG_VALUE_0: 'explicit',
    JURY_REVIEWER: seat.id,
    // The name of the folder: while it is there, whoever finds it can tell what belongs to the attempt.
    [attemptMarker]: basename(root),
  };
}

/** The nearest folder, upwards, that holds a `.git`; clients look there for instructions and configuration. */
async function repositoryAbove(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => null)) return at;
    if (dirname(at) === at) return null;
  }
}
