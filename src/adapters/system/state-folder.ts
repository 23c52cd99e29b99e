/** Where this user's own state lies: outside of every project, so that nothing a repository brings decides. */
import { homedir } from 'node:os';
import path from 'node:path';
import { UserError } from '../../core/errors.ts';

/**
 * Absolute path of the folder, which need not exist. `JURY_STATE` decides; without it what is usual on this system: `XDG_STATE_HOME`
 * or `~/.local/state`, `~/Library/Application Support`, `%LOCALAPPDATA%`, each with a folder `jury`. Throws `UserError` (kind `usage`)
 * for a `JURY_STATE` that is relative.
 */
export function userStateFolder(
  environment: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const { JURY_STATE: own, XDG_STATE_HOME: usual, LOCALAPPDATA: local } = environment;
  if (own !== undefined && own !== '') {
    if (path.isAbsolute(own)) return path.normalize(own);
    throw new UserError(`JURY_STATE names no absolute path: ${own}.`, {
      kind: 'usage',
      hint: 'Give the whole path of a folder outside of every repository.',
    });
  }
  const home = (environment.HOME ?? '') || homedir();
  // By its own convention, a relative XDG_STATE_HOME is no answer.
  if (usual !== undefined && path.isAbsolute(usual)) return path.join(usual, 'jury');
  if (platform === 'win32') return path.join(local ?? path.join(home, 'AppData', 'Local'), 'jury');
  return platform === 'darwin'
    ? path.join(home, 'Library', 'Application Support', 'jury')
    : path.join(home, '.local', 'state', 'jury');
}
