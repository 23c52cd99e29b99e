/** Finds a program once and names it by its absolute path, so that nothing looks it up again later. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { NotAnswered } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import { isExecutable } from '../system/disk.ts';
import { isInside } from '../system/state-folder.ts';
import type { RunnerWorld } from './runner-world.ts';

/** Absolute path; else a failed answer of cause `not-found`, which names refused PATH entries, when there are any. */
type Executable = string | NotAnswered;

/**
 * `name`: a bare name is looked up on the trusted part of PATH; an absolute path, one that starts with `~/`, or one that starts with
 * `./` or `../` (relative to `home`), was written down by the operator and only has to be executable. Other relative paths are refused.
 */
export async function findExecutable(
  name: string,
  world: RunnerWorld,
  home: string | null = null,
  platform: NodeJS.Platform = process.platform,
): Promise<Executable> {
  const { folders, refused } = await readSearchPath(world);
  const named = explicitPath(name, home);
  if (named !== null)
    return isExecutable(named)
      ? throughShim(named, folders, world)
      : notFound(`${named} is not an executable file.`);
  if (name.includes('/') || name.includes(sep))
    return notFound(
      `"${name}" is neither a name, nor absolute, nor relative to the configuration file.`,
    );

  for (const folder of folders) {
    for (const program of programNames(name, platform)) {
      const candidate = join(folder, program);
      if (isExecutable(candidate)) return throughShim(candidate, folders, world);
    }
  }
  return notFound([`No program "${name}" on PATH.`, ...refused].join(' '));
}

/** npm puts a script for another shell beside each `.cmd`, without an ending, which Windows cannot start either. */
function programNames(name: string, platform: NodeJS.Platform) {
  return platform !== 'win32' || /\.(?:exe|com|cmd|bat)$/i.test(name)
    ? [name]
    : ['.exe', '.com', '.cmd', '.bat'].map(ending => name + ending);
}

/**
 * What was found, unless only a shell could start it, and there is none: arguments of a script for the command line of Windows are a
 * program to that shell. Cause `not-found`.
 */
export function withoutShell(found: Executable, platform = process.platform): Executable {
  return typeof found === 'string' && platform === 'win32' && /\.(?:cmd|bat)$/i.test(found)
    ? notFound(
        `${found} can only be started by a shell, and Jury starts none: name the program behind it, such as [node, its .js file].`,
      )
    : found;
}

/** The absolute form of a word that names a file by `~/`, `./`, `../` or absolutely; null for every other word. */
export function explicitPath(word: string, home: string | null) {
  if (isAbsolute(word)) return word;
  if (word.startsWith('~/')) return join(homedir(), word.slice(2));
  return home !== null && /^\.\.?[/\\]/.test(word) ? resolve(home, word) : null;
}

function notFound(message: string) {
  return failedAnswer('not-found', message);
}

// Which folders of PATH may be trusted: a program planted by the change under review must not be found.

/** Refuses entries that are empty, relative, writable by everybody or inside the checkout. */
export async function readSearchPath(world: RunnerWorld) {
  const checkout = await resolveFolder(world.checkout ?? null);
  const folders: string[] = [];
  const refused: string[] = [];
  for (const entry of (world.environment.PATH ?? '').split(delimiter)) {
    const fault = await faultOf(entry, checkout);
    if (fault === null) folders.push(entry);
    else if (fault !== 'missing') refused.push(`The PATH entry "${entry}" is ${fault}.`);
  }
  return { folders: [...new Set(folders)], refused };
}

async function faultOf(entry: string, checkout: string | null): Promise<string | null> {
  if (entry === '') return 'empty';
  if (!isAbsolute(entry)) return 'relative';
  const real = await resolveFolder(entry);
  if (real === null) return 'missing';
  if (checkout !== null && isInside(checkout, real)) return 'inside the checkout';
  const { mode } = await stat(real);
  // The sticky bit keeps others from replacing a program; it does not keep them from adding one.
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) return 'writable by everybody';
  return null;
}

/** The real path; null when there is none. */
async function resolveFolder(path: string | null) {
  if (path === null) return null;
  return realpath(path).catch(() => null);
}

// Version managers put one small program in the place of many. It looks its own folders up by the home, which a reviewer does not see.

const shims = new Map<string, Promise<string>>();

/**
 * The program that a shim of pyenv, rbenv, nodenv, asdf or mise starts; any other program as it is. Its manager is asked once, and
 * found in its own folder or in these.
 */
function throughShim(program: string, folders: readonly string[], { environment }: RunnerWorld) {
  if (basename(dirname(program)) !== 'shims') return Promise.resolve(program);
  const root = dirname(dirname(program));
  const places = [join(root, 'bin'), join(root, 'libexec'), ...folders];
  const asked =
    shims.get(program) ?? ask(program, { ...environment, PATH: places.join(delimiter) });
  shims.set(program, asked);
  return asked;
}

async function ask(program: string, env: NodeJS.ProcessEnv) {
  const real = await realpath(program);
  const name = basename(program);
  // A shim that is a link leads to its manager; else its folder is called like that.
  const manager =
    basename(real) === name ? basename(dirname(dirname(program))).replace(/^\./, '') : real;
  // The folder of the caller may choose another version.
  const options = { cwd: homedir(), env, timeout: 5_000 };
  const said = await new Promise<string>(resolve => {
    execFile(manager, ['which', name], options, (_, stdout) => resolve(stdout.trim()));
  });
  return isAbsolute(said) && existsSync(said) ? said : program;
}
