/** The folders this server works in, chosen by name: a caller never gives a path that could lead elsewhere. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { inputError, usageError } from '../core/errors.ts';

export interface Root {
  readonly name: string;
  /** Absolute, with links resolved. */
  readonly folder: string;
}

/** The first one is the default. */
export type Roots = readonly [Root, ...Root[]];

/** Throws `UserError` (kind `usage`) with the names there are. */
export function rootNamed(roots: Roots, name: string | undefined): Root {
  const found = name === undefined ? roots[0] : roots.find(root => root.name === name);
  if (found === undefined)
    throw usageError(
      'root: there is no root of this name.',
      `Known: ${roots.map(root => root.name).join(', ')}.`,
    );
  return found;
}

/**
 * A file or folder below the root, as a relative path. Throws `UserError` for an absolute one, for one with `..`, and for
 * one that a link leads out of the root.
 */
export async function pathIn({ folder }: Root, given: string): Promise<string> {
  const names = given.split(/[\\/]/);
  if (
    path.isAbsolute(given) ||
    path.win32.isAbsolute(given) ||
    names.includes('..') ||
    given.includes('\0')
  )
    throw usageError('subject: it must be a path below the root, without "..".');
  const real = await realpath(path.join(folder, given)).catch(() => null);
  if (real === null) throw inputError('subject: there is no such file below the root.');
  if (real !== folder && !real.startsWith(folder + path.sep))
    throw inputError('subject: it leads out of the root.');
  return path.relative(folder, real) || '.';
}
