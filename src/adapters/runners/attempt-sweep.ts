/**
 * Finds attempt folders whose Jury is provably gone, ends what still runs of those attempts, and removes them. Folders are
 * named by process, never judged by their age, and processes are known by the marks that follow from that name.
 */
import { readFile, readdir, readlink, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeVisible } from '../../core/visible-text.ts';
import { sweepMarked, type FoundProcess } from './process-tree.ts';

const swept = new Map<string, Promise<void>>();

/** `jury-attempt-<pid namespace>-<pid>-<start time>`: the identity of this process, also across containers that share a disk. */
export async function folderPrefix(): Promise<string> {
  return `jury-attempt-${await pidNamespace()}-${process.pid}-${await startTime(process.pid)}`;
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
    const match = /^jury-attempt-(\d+)-(\d+)-(\d+)-/.exec(name);
    if (match?.[1] === namespace && (await isGone(Number(match[2]), match[3] ?? ''))) stale.push(name);
  }
  const ended = (await Promise.all(stale.map(sweepMarked))).flat();
  if (ended.length > 0) note(`A jury that was killed had left ${describe(ended)} running; ended now.`);
  for (const name of stale) await rm(join(base, name), { recursive: true, force: true }).catch(() => {});
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
