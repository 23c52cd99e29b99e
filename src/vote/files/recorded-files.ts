/** Reads the results of a vote that anybody may have written: bounded in size and depth, and only files that are files. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { readRegularFile, whyUnreadable } from '../../adapters/system/given-file.ts';

/** Names below the folder, with slashes and sorted; false for what is no file: a link can lead to another content tomorrow. */
export async function listFiles(folder: string): Promise<ReadonlyMap<string, boolean>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter(entry => !entry.isDirectory())
      .map(entry => {
        const file = path.relative(folder, path.join(entry.parentPath, entry.name));
        return [file.split(path.sep).join('/'), entry.isFile()] as const;
      })
      .toSorted(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** SHA-256 in hex of a text or a file that is too long to be held at once. */
export async function hashPieces(
  pieces: Iterable<string> | AsyncIterable<Uint8Array>,
): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Bytes of a file that is read at once, at most: about as long as a text may be. */
export const longestResult = 500 << 20;

/** Null when there is no such file. Throws `UserError` (kind `input`). */
export async function readResultText(file: string): Promise<string | null> {
  return readRegularFile(file, longestResult).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw unusable(`${file} cannot be read: ${whyUnreadable(error)}`, error);
  });
}

/** Lists and objects within one another; results go six deep. */
const deepest = 64;

/** Undefined when there is no such file. Throws `UserError` (kind `input`) with line and column. */
export async function readResultJson(file: string): Promise<unknown> {
  const text = await readResultText(file);
  return text === null ? undefined : parseResult(path.basename(file), text);
}

/** Throws `UserError` (kind `input`) with line and column. */
export function parseResult(name: string, text: string): unknown {
  const value = parseSessionJson(name, text);
  if (isDeeperThan(deepest, value))
    throw unusable(`${name} holds lists and objects more than ${deepest} deep`);
  return value;
}

function isDeeperThan(most: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (most === 0 || Object.values(value).some(inner => isDeeperThan(most - 1, inner)))
  );
}

function unusable(reason: string, cause?: unknown): UserError {
  return new UserError(`Error: ${reason}`, { kind: 'input', cause });
}
