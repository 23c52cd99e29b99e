/** Finds a program once and names it by its absolute path, so that nothing looks it up again later. */
import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { isAbsolute, join, resolve, sep } from 'node:path';
import type { Failure } from '../../core/review.ts';
import type { RunnerWorld } from './runner-world.ts';
import { readSearchPath } from './search-path.ts';

export type Executable =
  | { readonly found: true; readonly path: string }
  /** Cause `not-found`; the message names refused PATH entries, when there are any. */
  | { readonly found: false; readonly failure: Failure };

/**
 * `name`: a bare name is looked up on the trusted part of PATH; an absolute path, or one that starts with `./` or `../`
 * (relative to `home`), was written down by the operator and only has to be executable. Other relative paths are refused.
 */
export async function findExecutable(name: string, world: RunnerWorld, home: string | null = null): Promise<Executable> {
  const named = explicitPath(name, home);
  if (named !== null) return (await isExecutable(named)) ? { found: true, path: named } : notFound(`${named} is not an executable file.`);
  if (name.includes('/') || name.includes(sep)) return notFound(`"${name}" is neither a name, nor absolute, nor relative to the configuration file.`);

  const { folders, refused } = await readSearchPath(world);
  for (const folder of folders) {
    for (const suffix of suffixes) {
      const candidate = join(folder, name + suffix);
      if (await isExecutable(candidate)) return { found: true, path: candidate };
    }
  }
  return notFound([`No program "${name}" on PATH.`, ...refused].join(' '));
}

/** Only real programs: the `.cmd` shims of Windows need a shell, and there is none. */
const suffixes = process.platform === 'win32' ? ['.exe', ''] : [''];

/** The absolute form of a word that names a file by `./` or `../` or absolutely; null for every other word. */
export function explicitPath(word: string, home: string | null): string | null {
  if (isAbsolute(word)) return word;
  return home !== null && /^\.\.?[/\\]/.test(word) ? resolve(home, word) : null;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

function notFound(message: string): Executable {
  return { found: false, failure: { cause: 'not-found', message, exitCode: null, httpStatus: null } };
}
