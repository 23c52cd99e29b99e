/** By what a process is known again, so that what it left on disk is not taken for that of a living one. */
import { readFile, readlink } from 'node:fs/promises';

/** `<pid namespace>-<pid>-<start time>` of this process, also across containers that share a disk: part of the names of its folders. */
export async function processIdentity(): Promise<string> {
  return `${await pidNamespace()}-${process.pid}-${await startTime(process.pid)}`;
}

/** Zero where there is no `/proc`. */
export async function pidNamespace(): Promise<string> {
  const link = await readlink('/proc/self/ns/pid').catch(() => '');
  return /\d+/.exec(link)?.[0] ?? '0';
}

/** Clock ticks since boot, field 22 of `stat`; the second field may hold spaces and brackets. Zero without `/proc`. */
export async function startTime(pid: number): Promise<string> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '0';
}
