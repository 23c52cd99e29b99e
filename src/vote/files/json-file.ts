/** Reads what anybody may have written, of a session or of results: bounded in size and depth, and only files that are files. */
import path from 'node:path';
import { inputError, UserError } from '../../core/errors.ts';
import { parseSessionJson } from '../../core/given-json.ts';
import { readRegularBytes, whyUnreadable } from '../../adapters/system/given-file.ts';

/** Null when there is no such file. `shown`: as messages name it. Throws `UserError` (kind `input`). */
export async function readBytes(file: string, shown = file, most?: number): Promise<Buffer | null> {
  return readRegularBytes(file, most).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    const reason = `Error: ${shown} cannot be read: ${whyUnreadable(error)}`;
    throw new UserError(reason, { kind: 'input', cause: error });
  });
}

/** Bytes of results that are read at once, at most: about as long as a text may be. */
export const longestResult = 500 << 20;

/** Undefined when there is no such file. Throws the same, with line and column. */
export async function readResult(file: string): Promise<unknown> {
  const bytes = await readBytes(file, file, longestResult);
  return bytes === null ? undefined : parseResult(path.basename(file), bytes.toString('utf8'));
}

/** Lists and objects within one another; results go six deep. */
const deepest = 64;

export function parseResult(name: string, text: string): unknown {
  const value = parseSessionJson(name, text);
  if (isDeeperThan(deepest, value))
    throw inputError(`Error: ${name} holds lists and objects more than ${deepest} deep`);
  return value;
}

function isDeeperThan(most: number, value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (most === 0 || Object.values(value).some(inner => isDeeperThan(most - 1, inner)))
  );
}
