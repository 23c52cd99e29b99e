/**
 * Folders for what lives as long as this process at most. Their names tell whose they are, so that they can be told from those of a
 * living process; a reaper removes what is left of them when this process is killed, and the next start what is left of both.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from '../../core/ports/runner.ts';
import { systemProcesses } from './processes.ts';
import { spawn } from 'node:child_process';
import { packageRoot } from './package-root.ts';

const purposes = ['attempt', 'git', 'index', 'demo'] as const;
export interface TemporaryFolder {
  /** Absolute, mode 0700. */
  readonly path: string;
  /** Never fails: what cannot be deleted costs disk space and no answer; the next start tries again. */
  remove(): Promise<void>;
}

/** A fresh folder in `base`, whose real path it is. Throws what the system says where none can be made. */
export async function makeTemporaryFolder(
  base: string,
  purpose: (typeof purposes)[number],
): Promise<TemporaryFolder> {
  const owner = await ownName();
  const place = enter(base, owner);
  try {
    const path = await mkdtemp(join(base, `jury-${purpose}-${owner}-`));
    place.folders.add(path);
    return {
      path,
      async remove() {
        await rm(path, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
        if (place.folders.delete(path)) leave(base, place);
      },
    };
  } catch (error) {
    leave(base, place);
    throw error;
  }
}

const ofPurpose = new RegExp(`^jury-(?:${purposes.join('|')})-(\\d+-\\d+-\\d+)-`);

/** Names of such folders in `base` whose process is provably gone; never judged by their age. */
export async function listStaleFolders(base: string) {
  const names = await readdir(base).catch(() => []);
  const own = await ownName();
  const found = names.flatMap(name => {
    const owner = ofPurpose.exec(name)?.[1];
    return owner === undefined || owner === own ? [] : [{ name, owner }];
  });
  const gone = await Promise.all(found.map(({ owner }) => isGone(owner)));
  return found.filter((_, index) => gone[index]).map(({ name }) => name);
}

/** Whether the process that is called so has ended; false while nobody can know. */
export async function isGone(owner: string) {
  const [namespace, pid, started] = owner.split('-');
  const own = await identify();
  return systemProcesses.isGone({
    ...own,
    pid: Number(pid),
    namespace: namespace === '0' ? null : `pid:[${namespace}]`,
    started: started === '0' ? null : (started ?? null),
  });
}

/**
 * `<pid namespace>-<pid>-<start time>` of this process, also across containers that share a disk; zero for what the system does
 * not tell.
 */
async function ownName() {
  const { namespace, pid, started } = await identify();
  return `${/\d+/.exec(namespace ?? '')?.[0] ?? '0'}-${pid}-${started ?? '0'}`;
}

let identity: Promise<ProcessIdentity> | null = null;

function identify() {
  return (identity ??= systemProcesses.identify());
}

/** A folder in which this process has folders of its own. */
interface Place {
  folders: Set<string>;
  reaper: ReturnType<typeof startReaper>;
  /** Those that are there and those that are being made. */
  amount: number;
}

const places = new Map<string, Place>();

/** The reaper is there before the folder is. */
function enter(base: string, owner: string) {
  if (places.size === 0) process.once('exit', removeAll);
  const place = places.get(base) ?? {
    folders: new Set(),
    reaper: startReaper(base, owner),
    amount: 0,
  };
  place.amount += 1;
  places.set(base, place);
  return place;
}

function leave(base: string, place: Place) {
  place.amount -= 1;
  if (place.amount > 0) return;
  places.delete(base);
  place.reaper.dismiss();
  if (places.size === 0) process.off('exit', removeAll);
}

/** Whatever is written there meanwhile is left to the reapers, which nobody has dismissed. */
function removeAll() {
  for (const folder of [...places.values()].flatMap(({ folders }) => [...folders]))
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // As above.
    }
}

// A process beside this one that outlives it. Nobody can clean up after himself when he is killed at once: the system's shell
// waits at the end of a pipe whose other end only this process holds, and starts the program that cleans up when the pipe ends
// without a word.

/** Built from `src/adapters/runners/reap.ts`. */
const program = join(packageRoot, 'dist', 'reap.js');

/** What ends a whole terminal must not end it before its work is done. */
const script = `trap '' INT TERM HUP QUIT
read -r word || exec "$@"`;

/** Has none, and says so to nobody, where there is no such shell or no more processes can be had: the next start cleans up then. */
function startReaper(base: string, owner: string) {
  if (process.platform === 'win32') return { dismiss() {} };
  const child = spawn(
    '/bin/sh',
    ['-c', script, 'jury-reaper', process.execPath, program, base, owner],
    { cwd: '/', detached: true, env: {}, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  for (const source of [child, child.stdin]) source.on('error', () => {});
  child.unref();
  // A pipe is a socket to Node; neither it nor the shell keeps this process alive.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    /** There is nothing left to clean up. */
    dismiss() {
      child.stdin.end('done\n');
    },
  };
}
