/** Version managers put one small program in the place of many. It looks its own folders up by the home, which a reviewer does not see. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { RunnerWorld } from './runner-world.ts';

const known = new Map<string, Promise<string>>();

/**
 * The program that a shim of pyenv, rbenv, nodenv, asdf or mise starts; any other program as it is. Its manager is asked once, and
 * found in its own folder or in these.
 */
export function throughShim(
  program: string,
  folders: readonly string[],
  { environment }: RunnerWorld,
): Promise<string> {
  if (basename(dirname(program)) !== 'shims') return Promise.resolve(program);
  const root = dirname(dirname(program));
  const places = [join(root, 'bin'), join(root, 'libexec'), ...folders];
  const asked =
    known.get(program) ?? ask(program, { ...environment, PATH: places.join(delimiter) });
  known.set(program, asked);
  return asked;
}

async function ask(program: string, env: NodeJS.ProcessEnv): Promise<string> {
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
