/** Reads a file that the caller named, or standard input. */
import path from 'node:path';
import { readGivenFile, readRegularFile, whyUnreadable } from '../adapters/system/given-file.ts';
import { UserError } from '../core/errors.ts';
import type { Call } from './call.ts';

/** `what` names the flag in the message. Throws `UserError` (exit 2) when it cannot be read, and the reason of the call's signal when that aborts. */
export async function readNamed(name: string, what: string, call: Call): Promise<string> {
  if (name === '-' && !call.readInput)
    throw new UserError(`${what}: there is no standard input to read here.`, { kind: 'usage' });
  const shown = name === '-' ? 'standard input' : path.resolve(call.cwd, name);
  try {
    return await readAny(name, shown, call);
  } catch (error) {
    call.signal?.throwIfAborted();
    throw new UserError(`${what}: ${shown} cannot be read: ${whyUnreadable(error)}.`, {
      kind: 'input',
      cause: error,
    });
  }
}

/** Only a caller that hands its standard input over hands its other open pipes over as well. */
async function readAny(name: string, file: string, { readInput, signal }: Call): Promise<string> {
  if (!readInput) return readRegularFile(file);
  return name === '-' || standardInputs.has(file) ? readInput() : readGivenFile(file, signal);
}

const standardInputs: ReadonlySet<string> = new Set(['/dev/stdin', '/dev/fd/0', '/proc/self/fd/0']);
