/**
 * One fresh folder per attempt: a home, a temporary folder and an empty working directory, outside every repository,
 * with an environment built from an allow-list. It is deleted whatever happens; what a killed Jury left is swept.
 */
import { lstat, mkdir, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Seat } from '../../core/words/config.ts';
import type { NotAnswered } from '../../core/ports.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import { pidNamespace, processIdentity, startTime } from '../system/process-identity.ts';
import { attemptMarker, type FoundProcess, sweepMarked } from './process-tree.ts';
import type { RunnerWorld } from './runner-world.ts';
import { readSearchPath } from './executable.ts';

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
  const made = await makeFolder(world, seat);
  if ('status' in made) return made;
  try {
    return await use(made);
  } finally {
    // A deletion that fails costs disk space, not the answer; the next sweep tries again.
    await rm(made.root, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
  }
}

async function makeFolder(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
): Promise<AttemptFolder | NotAnswered> {
  try {
    const base = await realpath(world.temporaryFolder);
    const repository = await repositoryAbove(base);
    if (repository !== null)
      return failedAnswer(
        'isolation',
        `The temporary folder lies inside the repository ${repository}; set TMPDIR to a folder outside it.`,
      );
    await sweepStaleFolders(base, world.note);
    const root = await mkdtemp(join(base, `${await folderPrefix()}-`));
    const [home, temp, cwd] = [join(root, 'home'), join(root, 'temp'), join(root, 'cwd')];
    for (const folder of [home, temp, cwd]) await mkdir(folder, { mode: 0o700 });
    return {
      root,
      home,
      temp,
      cwd,
      environment: await buildEnvironment(world, seat, { root, home, temp }),
    };
  } catch (error) {
    return failedAnswer(
      'spawn',
      `No folder for the attempt: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

async function buildEnvironment(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
  { root, home, temp }: Pick<AttemptFolder, 'root' | 'home' | 'temp'>,
): Promise<Record<string, string>> {
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

// Finds folders of attempts, and of git, whose Jury is provably gone, ends what still runs of those attempts, and removes them. Folders are
// named by process, never judged by their age, and processes are known by the marks that follow from that name.

const swept = new Map<string, Promise<void>>();

/** Tells whose folder it is. */
export async function folderPrefix(): Promise<string> {
  return `jury-attempt-${await processIdentity()}`;
}

type Note = (message: string) => void;

/** Once per process and folder. Tells by `note` which processes it ended. */
export function sweepStaleFolders(base: string, note: Note = () => {}): Promise<void> {
  const known = swept.get(base) ?? sweep(base, note);
  swept.set(base, known);
  return known;
}

async function sweep(base: string, note: Note): Promise<void> {
  const namespace = await pidNamespace();
  const stale: string[] = [];
  for (const name of await readdir(base).catch(() => [])) {
    const match = /^jury-(?:attempt|git)-(\d+)-(\d+)-(\d+)-/.exec(name);
    if (match?.[1] === namespace && (await isGone(Number(match[2]), match[3] ?? '')))
      stale.push(name);
  }
  const ended = (await Promise.all(stale.map(sweepMarked))).flat();
  if (ended.length > 0)
    note(`A jury that was killed had left ${describe(ended)} running; ended now.`);
  for (const name of stale)
    await rm(join(base, name), { recursive: true, force: true }).catch(() => {});
}

function describe(ended: readonly FoundProcess[]): string {
  const shown = ended.slice(0, 5).map(({ pid, name }) => `${pid} (${makeVisible(name)})`);
  const rest = ended.length - shown.length;
  return `${ended.length === 1 ? 'process' : 'processes'} ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

async function isGone(pid: number, startedAt: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return (await startTime(pid)) !== startedAt;
}
