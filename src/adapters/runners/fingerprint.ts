/** Hashes of what decides an answer besides the turn: an edited script is another reviewer. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** SHA-256 of a JSON value, in hex. Equal values give equal hashes: pass records with a fixed order of keys. */
export function hashValue(value: unknown) {
  return createHash('sha256')
    .update(JSON.stringify(value) ?? 'undefined')
    .digest('hex');
}

const known = new Map<string, Promise<string | null>>();

/** SHA-256 of a file, in hex; null when it is no readable file. Remembered while size and times stay: clients are large. */
export async function hashFile(path: string) {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (!found || !found.isFile()) return null;
  const key = `${path}\0${found.ino}\0${found.size}\0${found.mtimeNs}\0${found.ctimeNs}`;
  const hash = known.get(key) ?? readHash(path);
  known.set(key, hash);
  return hash;
}

async function readHash(path: string) {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}

const hashedBytes = 16 * 1024 * 1024;

/**
 * Names the content of a file: its hash, or for one above 16 MiB (an interpreter) its size and times. Null when there
 * is no such file.
 */
export async function identifyFile(path: string) {
  const found = await stat(path).catch(() => null);
  if (!found || !found.isFile()) return null;
  return found.size > hashedBytes ? `${found.size} bytes of ${found.mtimeMs}` : hashFile(path);
}
