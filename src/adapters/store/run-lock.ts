/**
 * One process at a time works on a run. The lock is a file that says who holds it; it is taken over only when that
 * process is provably gone, never by age: a laptop that slept for a night still holds its lock.
 */
import { randomBytes } from 'node:crypto';
import { readFile, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { UserError } from '../../core/errors.ts';
import { createAtomically, removeTemporaries, renameAnew } from './atomic-write.ts';
import { codeOf, explainDiskFailure } from './disk-failure.ts';
import { identify, isGone, parseHolder, type Holder } from './lock-holder.ts';

const lockName = 'lock';

/** Long enough for another process that judged the same stale lock to have put its own in place. */
const settleMs = 50;

/** `release` may be called more than once. A process that ends without it leaves a lock the next one takes over. */
export interface RunLock {
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
  return new UserError(`Process ${holder.pid} on ${holder.host} is working on this run (${path}).`, { kind: 'usage', hint: 'Wait until it ends, or stop it, then try again.' });
}

function unreadable(path: string): UserError {
  return new UserError(`The lock ${basename(path)} does not say who holds it (${path}).`, { kind: 'usage', hint: 'If no jury works on this run, remove that file, then try again.' });
}

async function readText(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw error;
  }
}
