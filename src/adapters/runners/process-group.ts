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
    const found = await findMarked(needle);
    if (found.length === 0) return;
    for (const pid of found) send(pid, 'SIGKILL');
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

async function findMarked(needle: Buffer): Promise<number[]> {
  const entries = await readdir('/proc').catch(() => []);
  const pids = entries.filter(name => /^\d+$/.test(name)).map(Number).filter(pid => pid !== process.pid);
  const marked = await Promise.all(pids.map(pid => carries(pid, needle)));
  return pids.filter((_, index) => marked[index]);
}

/** False for processes of other people and for those that are gone. */
async function carries(pid: number, needle: Buffer): Promise<boolean> {
  try {
    return (await readFile(`/proc/${pid}/environ`)).includes(needle);
  } catch {
    return false;
  }
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Already gone, which is what was wanted.
  }
}
