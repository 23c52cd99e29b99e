/** Finds git by absolute path on a fixed list of folders, so that no PATH entry of the repository can stand in for it. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { runBareGit, safePath } from './git-process.ts';

/** First version that knows `--end-of-options` in every command used here. */
const oldest = [2, 30] as const;

const checked = new Map<string, Promise<void>>();

/** Absolute path of a git new enough. `folder` is where the version is asked for, once for a path. */
export async function findGit(folder: string, gitPath?: string): Promise<string> {
  const path = gitPath === undefined ? await searchGit() : await checkPath(gitPath);
  const check = checked.get(path) ?? checkVersion(path, folder);
  checked.set(path, check);
  await check.catch(error => {
    checked.delete(path);
    throw error;
  });
  return path;
}

async function checkVersion(path: string, folder: string): Promise<void> {
  const { stdout } = await runBareGit({ path, folder, timeoutMs: 20_000 }, ['version']);
  const version = /^git version (\d+)\.(\d+)/.exec(stdout.toString('utf8'));
  const [major, minor] = [Number(version?.[1] ?? 0), Number(version?.[2] ?? 0)];
  if (major > oldest[0] || (major === oldest[0] && minor >= oldest[1])) return;
  const found = version === null ? `${path} does not say its version` : `this is git ${major}.${minor}`;
  throw new UserError(`git ${oldest.join('.')} or newer is needed; ${found}.`, { kind: 'usage', hint: 'Install a newer git.' });
}

async function searchGit(): Promise<string> {
  for (const folder of safePath.split(':')) {
    const path = join(folder, 'git');
    if (await isExecutable(path)) return path;
  }
  throw new UserError('git was not found.', { kind: 'usage', hint: `Install git in one of ${safePath.replaceAll(':', ', ')}.` });
}

async function checkPath(path: string): Promise<string> {
  if (isAbsolute(path) && (await isExecutable(path))) return path;
  throw new UserError(`git was not found at ${path}.`, { kind: 'usage', hint: 'Give the absolute path of an executable file.' });
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(() => true, () => false);
}
