/**
 * Ends whole trees of processes: first by their group, then, for those that left the group, by the marker that every
 * child inherits in its environment. Without `/proc` (macOS, Windows) only the first half holds.
 */
import { readFile, readdir } from 'node:fs/promises';

/** Environment variable whose value is unique to one attempt. */
export const attemptMarker = 'JURY_ATTEMPT';

const live = new Set<number>();
let guarded = false;

/** Remembers a group, so that it dies with Jury: a detached group does not get the terminal's Ctrl-C. */
export function trackGroup(pid: number): void {
  if (!guarded) {
    guarded = true;
    process.on('exit', () => {
      for (const group of live) signalGroup(group, 'SIGKILL');
    });
  }
  live.add(pid);
}

export function untrackGroup(pid: number): void {
  live.delete(pid);
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(process.platform === 'win32' ? pid : -pid, signal);
}

/** Kills every process whose environment carries the marker with this value; repeats while new ones turn up. */
export async function sweepMarked(value: string): Promise<void> {
  const needle = Buffer.from(`${attemptMarker}=${value}\0`);
  for (let round = 0; round < 5; round += 1) {
    const environments = await readEnvironments();
    const found = [...environments].filter(([, environment]) => environment.includes(needle));
    if (found.length === 0) return;
    for (const [pid] of found) send(pid, 'SIGKILL');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

type Environments = ReadonlyMap<number, Buffer>;

let current: Promise<unknown> = Promise.resolve();
let upcoming: Promise<Environments> | null = null;

/** Shared by all who ask while a look is under way: theirs is the next one, which sees all they did before. */
function readEnvironments(): Promise<Environments> {
  upcoming ??= current.then(() => {
    upcoming = null;
    const look = lookAround();
    current = look;
    return look;
  });
  return upcoming;
}

/** Processes of other people and those that are gone cannot be read, and are left out. */
async function lookAround(): Promise<Environments> {
  const names = await readdir('/proc').catch(() => []);
  const environments = new Map<number, Buffer>();
  await Promise.all(names.map(async name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return;
    const environment = await readFile(`/proc/${name}/environ`).catch(() => null);
    if (environment !== null) environments.set(Number(name), environment);
  }));
  return environments;
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Already gone, which is what was wanted.
  }
}
