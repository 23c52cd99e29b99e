/** Where this user's own state lies: outside of every project, so that nothing a repository brings decides. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { usageError } from '../../core/errors.ts';
import type { FileStatus } from '../../core/ports/machine.ts';

/**
 * Absolute path of the folder, which need not exist. `JURY_STATE` decides; without it what is usual on this system: `XDG_STATE_HOME`
 * or `~/.local/state`, `~/Library/Application Support`, `%LOCALAPPDATA%`, each with a folder `jury`. Throws `UserError` (kind `usage`)
 * for a `JURY_STATE` that is relative.
 */
export function userStateFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
) {
  const { JURY_STATE: own, XDG_STATE_HOME: usual, LOCALAPPDATA: local } = environment;
  if (own !== undefined && own !== '') {
    if (path.isAbsolute(own)) return path.normalize(own);
    throw usageError(
      `JURY_STATE names no absolute path: ${own}.`,
      'Give the whole path of a folder outside of every repository.',
    );
  }
  const home = (environment.HOME ?? '') || homedir();
  // By its own convention, a relative XDG_STATE_HOME is no answer.
  if (usual !== undefined && path.isAbsolute(usual)) return path.join(usual, 'jury');
  if (platform === 'win32') return path.join(local ?? path.join(home, 'AppData', 'Local'), 'jury');
  return platform === 'darwin'
    ? path.join(home, 'Library', 'Application Support', 'jury')
    : path.join(home, '.local', 'state', 'jury');
}

/**
 * Whoever writes the project would write what decides about it. Throws `UserError` (kind `usage`) for a folder in `project`,
 * links resolved.
 */
export async function refuseInside(folder: string, project: string) {
  if (!isInside(await realOf(project), await realOf(folder))) return;
  throw usageError(
    `The state folder ${folder} lies inside the repository under review.`,
    'Name a folder outside of it with JURY_STATE.',
  );
}

/**
 * Why something of the state is not this user's alone, to stand behind its name; null where it is, and where the system knows no owners.
 * `user`: who Jury runs as; `others`: what nobody else may be allowed.
 */
export function whyShared(
  { owner, mode }: Pick<FileStatus, 'owner' | 'mode'>,
  user: number | null,
  others = 0o077,
): { readonly kind: 'foreign' | 'open'; readonly what: string } | null {
  if (owner === null || user === null) return null;
  if (owner !== user) return { kind: 'foreign', what: 'belongs to another user' };
  return (mode & others) === 0
    ? null
    : {
        kind: 'open',
        what: `can be read or written by others (mode ${(mode & 0o777).toString(8)})`,
      };
}

// Paths as they are once the links on the way are resolved, and which of them lie in others.

/** The same folder is inside as well. */
export function isInside(folder: string, file: string) {
  const way = path.relative(folder, file);
  return way === '' || (way !== '..' && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way));
}

/** With the links on the way to it resolved, also where its end is not there yet. */
export async function realOf(file: string): Promise<string> {
  const real = await realpath(file).catch(() => null);
  const above = path.dirname(file);
  if (real !== null || above === file) return real ?? file;
  return path.join(await realOf(above), path.basename(file));
}
