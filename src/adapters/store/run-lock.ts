/**
 * One process at a time works on a run. The lock is a file that says who holds it; it is taken over only when that
 * process is provably gone, never by age: a laptop that slept for a night still holds its lock.
 */
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../../core/json.ts';
import { usageError } from '../../core/errors.ts';
import type { ProcessIdentity } from '../../core/ports/machine.ts';
import { createAtomically, explained, readPlainText, removeTemporaries } from './atomic-write.ts';
import type { Storage } from './storage.ts';

const lockName = 'lock';

/** Tells two locks of one process apart. */
let tokens = 0;

/**
 * Locks the run folder, and removes temporary files that a killed process left in it. Throws `UserError` of kind `usage`
 * that names the pid while another process holds it. `release` may be called more than once; a process that ends without it leaves a
 * lock the next one takes over.
 */
export async function lockRun(storage: Storage, folder: string) {
  const path = join(folder, lockName);
  const own = `${JSON.stringify({ ...(await storage.processes.identify()), token: (tokens += 1) })}\n`;
  await explained({ path: folder }, async () => {
    await acquire(storage, path, own);
    await removeTemporaries(storage, folder);
  });
  return { release: () => releaseOwn(storage, path, own) };
}

/** True while a process that may be alive holds the lock. */
export async function isLocked(storage: Storage, folder: string) {
  const text = await readText(storage, join(folder, lockName));
  if (text === null) return false;
  const holder = parseHolder(text);
  return !holder || !(await storage.processes.isGone(holder));
}

async function acquire(storage: Storage, path: string, own: string) {
  while (!(await createAtomically(storage, path, own))) {
    const text = await readText(storage, path);
    if (text === null) continue;
    const holder = parseHolder(text);
    if (!holder) throw unreadable(path);
    if (!(await storage.processes.isGone(holder))) throw heldBy(holder, path);
    await discard(storage, path, { stale: text, own });
  }
}

/**
 * Removes a stale lock and never a fresh one, however long anybody takes. Whoever found it stale first claims it by a file of its own,
 * and only who then sees no other claim removes what still stands there: nobody else can have put another in its place meanwhile.
 */
async function discard(
  storage: Storage,
  path: string,
  { stale, own }: { readonly stale: string; readonly own: string },
) {
  const { pid, started } = await storage.processes.identify();
  const claim = `${path}.${pid}-${started}`;
  const isOwn = await createAtomically(storage, claim, own);
  try {
    if (!(await isAlone(storage, path, isOwn ? claim : null)))
      await storage.clock.sleep(1 + (pid % 20));
    else if (isOwn && (await readText(storage, path)) === stale) await storage.disk.remove(path);
  } finally {
    if (isOwn) await storage.disk.remove(claim);
  }
}

/** Claims that a killed process left are removed. */
async function isAlone(storage: Storage, lock: string, own: string | null) {
  const folder = dirname(lock);
  for (const { name } of await storage.disk.list(folder)) {
    const path = join(folder, name);
    if (!name.startsWith(`${lockName}.`) || path === own) continue;
    const holder = parseHolder((await readText(storage, path)) ?? '');
    if (!holder || !(await storage.processes.isGone(holder))) return false;
    await storage.disk.remove(path);
  }
  return true;
}

async function releaseOwn(storage: Storage, path: string, own: string) {
  await explained({ what: 'The lock of the run', path, again: 'remove it' }, async () => {
    if ((await readText(storage, path)) === own) await storage.disk.remove(path);
  });
}

function heldBy(holder: ProcessIdentity, path: string) {
  return usageError(
    `Process ${holder.pid} on ${holder.host} is working on this run (${path}).`,
    'Wait until it ends, or stop it, then try again.',
  );
}

function unreadable(path: string) {
  return usageError(
    `The lock ${basename(path)} does not say who holds it (${path}).`,
    'If no jury works on this run, remove that file, then try again.',
  );
}

/** Larger than any lock: what is, says nothing. */
const mostBytes = 4_096;

function readText({ disk }: Storage, path: string) {
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
  return Holder.safeParse(parseJson(text)).data ?? null;
}
