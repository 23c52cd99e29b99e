/** Reads a file that the caller named, or standard input. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../core/errors.ts';
import type { Call } from './call.ts';

/** `what` names the flag in the message. Throws `UserError` (exit 2) when it cannot be read. */
export async function readNamed(name: string, what: string, call: Call): Promise<string> {
  if (name === '-') {
    if (!call.readInput) throw new UserError(`${what}: there is no standard input to read here.`, { kind: 'usage' });
    return call.readInput();
  }
  const file = path.resolve(call.cwd, name);
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const reason = { ENOENT: 'there is no such file', EISDIR: 'it is a folder', EACCES: 'permission denied' }[code] ?? code;
    throw new UserError(`${what}: ${file} cannot be read: ${reason}.`, { kind: 'input', cause: error });
  }
}
