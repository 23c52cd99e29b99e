/**
 * One process at a time works on a run. The lock is a file that says who holds it; it is taken over only when that
 * process is provably gone, never by age: a laptop that slept for a night still holds its lock.
 */
import { randomBytes } from 'node:crypto';
import { readFile, readlink, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import {
  codeOf,
  createAtomically,
  explainDiskFailure,
  isAlive,
  removeTemporaries,
  renameAnew,
} from './atomic-write.ts';

const lockName = 'lock';

/** Long enough for another process that judged the same stale lock to have put its own in place. */
const settleMs = 50;

/** `release` may be called more than once. A process that ends without it leaves a lock the next one takes over. */
interface RunLock {
  release(): Promise<void>;
}

/**
 * Locks the run folder, and removes temporary files that a killed process left in it. Throws `UserError` of kind `usage`
 * that names the pid while another process holds it.
 */
export async function lockRun(folder: string): Promise<RunLock> {
  const path = join(folder, lockName);
  const own = `${JSON.stringify({ ...(await identify()), token: randomBytes(8).toString('hex') })}\n`;
  try {
    await acquire(path, own);
    await removeTemporaries(folder);
  } catch (error) {
    throw explainDiskFailure(error, { path: folder, again: 'try again' });
  }
  return { release: () => releaseOwn(path, own) };
}

/** True while a process that may be alive holds the lock. */
export async function isLocked(folder: string): Promise<boolean> {
  const text = await readText(join(folder, lockName));
  if (text === null) return false;
  const holder = parseHolder(text);
  return holder === null || !(await isGone(holder));
}

async function acquire(path: string, own: string): Promise<void> {
  let isTakeover = false;
  for (;;) {
    if (await createAtomically(path, own)) {
      if (isTakeover) await confirm(path, own);
      return;
    }
    const text = await readText(path);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder === null) throw unreadable(path);
    if (!(await isGone(holder))) throw heldBy(holder, path);
    await discard(path, text);
    isTakeover = true;
  }
}

/**
 * Removes a stale lock by renaming, so that only one of several processes removes it. If another one had already taken
 * the lock over, the rename caught its fresh lock: that one is put back.
 */
async function discard(path: string, stale: string): Promise<void> {
  const aside = `${path}.stale-${randomBytes(6).toString('hex')}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readText(aside)) !== stale && (await renameAnew(aside, path))) return;
  await rm(aside, { force: true });
}

async function confirm(path: string, own: string): Promise<void> {
  await sleep(settleMs);
  const text = await readText(path);
  if (text === own) return;
  const holder = text === null ? null : parseHolder(text);
  throw holder === null ? unreadable(path) : heldBy(holder, path);
}

async function releaseOwn(path: string, own: string): Promise<void> {
  if ((await readText(path)) === own) await rm(path, { force: true });
}

function heldBy(holder: Holder, path: string): UserError {
  return new UserError(
    `Process ${holder.pid} on ${holder.host} is working on this run (${path}).`,
    { kind: 'usage', hint: 'Wait until it ends, or stop it, then try again.' },
  );
}

function unreadable(path: string): UserError {
  return new UserError(`The lock ${basename(path)} does not say who holds it (${path}).`, {
    kind: 'usage',
    hint: 'If no jury works on this run, remove that file, then try again.',
  });
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}

// Who holds a lock, said so that another process can prove it gone: pids are reused, machines restart, folders are shared.

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
type Holder = z.infer<typeof Holder>;

/** This process. */
export async function identify(): Promise<Holder> {
  const [boot, namespace, record] = await Promise.all([
    bootId(),
    pidNamespace(),
    processRecord(process.pid),
  ]);
  return { pid: process.pid, host: hostname(), boot, namespace, started: record?.started ?? null };
}

/** Null when the text does not name a holder. */
function parseHolder(text: string): Holder | null {
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
async function processRecord(
  pid: number,
): Promise<{ readonly state: string; readonly started: string } | null> {
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
