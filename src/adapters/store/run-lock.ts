/**
 * One process at a time works on a run. The lock is a file that says who holds it; it is taken over only when that
 * process is provably gone, never by age: a laptop that slept for a night still holds its lock.
 */
import { basename, join } from 'node:path';
import { z } from 'zod';
import { UserError } from '../../core/errors.ts';
import type { ProcessIdentity } from '../../core/ports/processes.ts';
import {
  codeOf,
  createAtomically,
  explainDiskFailure,
  readPlainText,
  removeTemporaries,
  renameAnew,
} from './atomic-write.ts';
import type { Storage } from './storage.ts';

const lockName = 'lock';

/** Tells two locks of one process apart. */
let tokens = 0;

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
export async function lockRun(storage: Storage, folder: string): Promise<RunLock> {
  const path = join(folder, lockName);
  const own = `${JSON.stringify({ ...(await storage.processes.identify()), token: (tokens += 1) })}\n`;
  try {
    await acquire(storage, path, own);
    await removeTemporaries(storage, folder);
  } catch (error) {
    throw explainDiskFailure(error, { path: folder, again: 'try again' });
  }
  return { release: () => releaseOwn(storage, path, own) };
}

/** True while a process that may be alive holds the lock. */
export async function isLocked(storage: Storage, folder: string): Promise<boolean> {
  const text = await readText(storage, join(folder, lockName));
  if (text === null) return false;
  const holder = parseHolder(text);
  return holder === null || !(await storage.processes.isGone(holder));
}

async function acquire(storage: Storage, path: string, own: string): Promise<void> {
  let isTakeover = false;
  for (;;) {
    if (await createAtomically(storage, path, own)) {
      if (isTakeover) await confirm(storage, path, own);
      return;
    }
    const text = await readText(storage, path);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (holder === null) throw unreadable(path);
    if (!(await storage.processes.isGone(holder))) throw heldBy(holder, path);
    await discard(storage, path, text);
    isTakeover = true;
  }
}

/**
 * Removes a stale lock by renaming, so that only one of several processes removes it. If another one had already taken
 * the lock over, the rename caught its fresh lock: that one is put back.
 */
async function discard(storage: Storage, path: string, stale: string): Promise<void> {
  const aside = `${path}.stale-${storage.processes.pid}-${(tokens += 1)}`;
  try {
    await storage.disk.rename(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  if ((await readText(storage, aside)) !== stale && (await renameAnew(storage.disk, aside, path)))
    return;
  await storage.disk.remove(aside);
}

async function confirm(storage: Storage, path: string, own: string): Promise<void> {
  await storage.clock.sleep(settleMs);
  const text = await readText(storage, path);
  if (text === own) return;
  const holder = text === null ? null : parseHolder(text);
  throw holder === null ? unreadable(path) : heldBy(holder, path);
}

async function releaseOwn(storage: Storage, path: string, own: string): Promise<void> {
  try {
    if ((await readText(storage, path)) === own) await storage.disk.remove(path);
  } catch (error) {
    throw explainDiskFailure(error, { what: 'The lock of the run', path, again: 'remove it' });
  }
}

function heldBy(holder: ProcessIdentity, path: string): UserError {
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

/** Larger than any lock: what is, says nothing. */
const mostBytes = 4_096;

function readText({ disk }: Storage, path: string): Promise<string | null> {
  return readPlainText(disk, path, mostBytes);
}

// Who holds a lock, said so that another process can prove it gone.

const Holder = z.object({
  pid: z.int().positive(),
  host: z.string(),
  boot: z.string().nullable(),
  namespace: z.string().nullable(),
  started: z.string().nullable(),
}) satisfies z.ZodType<ProcessIdentity>;

/** Null when the text does not name a holder. */
function parseHolder(text: string): ProcessIdentity | null {
  try {
    return Holder.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
