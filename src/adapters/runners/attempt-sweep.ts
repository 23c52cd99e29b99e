/** Finds attempt folders whose Jury is provably gone. Folders are named by process, never judged by their age. */
import { readFile, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';

const swept = new Map<string, Promise<void>>();

/** `jury-attempt-<pid namespace>-<pid>-<start time>`: the identity of this process, also across containers that share a disk. */
export async function folderPrefix(): Promise<string> {
  return `jury-attempt-${await pidNamespace()}-${process.pid}-${await startTime(process.pid)}`;
}

/** Once per process and folder. */
export function sweepStaleFolders(base: string): Promise<void> {
  const known = swept.get(base) ?? sweep(base);
  swept.set(base, known);
  return known;
}

async function sweep(base: string): Promise<void> {
  const namespace = await pidNamespace();
  for (const name of await readdir(base).catch(() => [])) {
    const match = /^jury-attempt-(\d+)-(\d+)-(\d+)-/.exec(name);
    if (match === null || match[1] !== namespace) continue;
    if (await isGone(Number(match[2]), match[3] ?? '')) await rm(join(base, name), { recursive: true, force: true }).catch(() => {});
  }
}

async function isGone(pid: number, startedAt: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
  return (await startTime(pid)) !== startedAt;
}

/** Zero where there is no `/proc`. */
async function pidNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

/** Clock ticks since boot, field 22 of `stat`; the second field may hold spaces and brackets. Zero without `/proc`. */
async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
}
