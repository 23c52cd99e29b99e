/** Who holds a lock, said so that another process can prove it gone: pids are reused, machines restart, folders are shared. */
import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { z } from 'zod';
import { isAlive } from './process-alive.ts';

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  /** Id of the current boot of the machine; null where the system does not tell. */
  boot: z.string().nullable(),
  /** Namespace the pid belongs to: containers on one machine count their processes apart. Null where there is none. */
  namespace: z.string().nullable(),
  /** Start of the process in clock ticks since boot; null where the system does not tell. */
  started: z.string().nullable(),
});
export type Holder = z.infer<typeof Holder>;

/** This process. */
export async function identify(): Promise<Holder> {
  const [boot, namespace, record] = await Promise.all([bootId(), pidNamespace(), processRecord(process.pid)]);
  return { pid: process.pid, host: hostname(), boot, namespace, started: record?.started ?? null };
}

/** Null when the text does not name a holder. */
export function parseHolder(text: string): Holder | null {
  try {
    return Holder.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

/** True only when proven: another boot, no such pid, or a pid that now belongs to a younger process. Doubt means alive. */
export async function isGone(holder: Holder): Promise<boolean> {
  if (holder.host !== hostname()) return false;
  const boot = await bootId();
  if (boot !== null && holder.boot !== null && boot !== holder.boot) return true;
  if (holder.namespace !== (await pidNamespace())) return false;
  if (!isAlive(holder.pid)) return true;
  const record = await processRecord(holder.pid);
  if (record === null) return false;
  // A zombie has ended; its parent has just not asked yet.
  return record.state === 'Z' || (holder.started !== null && record.started !== holder.started);
}

function bootId(): Promise<string | null> {
  return readSystem(() => readFile('/proc/sys/kernel/random/boot_id', 'utf8'));
}

function pidNamespace(): Promise<string | null> {
  return readSystem(() => readlink('/proc/self/ns/pid'));
}

/** State and start time: the third and the 22nd field. The second one is the program's name in brackets and may hold anything. */
async function processRecord(pid: number): Promise<{ readonly state: string; readonly started: string } | null> {
  const text = await readSystem(() => readFile(`/proc/${pid}/stat`, 'utf8'));
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state, started] = [fields?.[0], fields?.[19]];
  return state === undefined || started === undefined ? null : { state, started };
}

/** Systems without these files, or that hide them, simply do not tell. */
async function readSystem(read: () => Promise<string>): Promise<string | null> {
  try {
    return (await read()).trim();
  } catch {
    return null;
  }
}
