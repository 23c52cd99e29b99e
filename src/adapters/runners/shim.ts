/** Version managers put one small program in the place of many. It looks its own folders up by the home, which a reviewer does not see. */
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join } from 'node:path';
import type { RunnerWorld } from './runner-world.ts';

const known = new Map<string, Promise<string>>();

/** The program that a shim of pyenv, rbenv, nodenv, asdf or mise starts; any other program as it is. Its manager is asked once. */
export function throughShim(program: string, world: RunnerWorld): Promise<string> {
  if (basename(dirname(program)) !== 'shims') return Promise.resolve(program);
  const asked = known.get(program) ?? lookThrough(program, world);
  known.set(program, asked);
  return asked;
}

async function lookThrough(program: string, { environment }: RunnerWorld): Promise<string> {
  const root = dirname(dirname(program));
  const name = basename(root).replace(/^\./, '');
  const real = await realpath(program).catch(() => program);
  // A shim that is a link leads to its manager.
  const places = [
    ...(basename(real) === basename(program) ? [] : [real]),
    ...['bin', 'libexec'].map(folder => join(root, folder, name)),
    ...(environment.PATH ?? '').split(':').map(folder => join(folder, name)),
  ];
  for (const manager of places) {
    if (!isAbsolute(manager) || !(await canStart(manager))) continue;
    const said = await new Promise<string>(resolve => {
      execFile(
        manager,
        ['which', basename(program)],
        // The folder of the caller may choose another version.
        { cwd: homedir(), env: environment, timeout: 5_000 },
        (_, stdout) => resolve(stdout.split('\n')[0]?.trim() ?? ''),
      );
    });
    return isAbsolute(said) && (await canStart(said)) ? said : program;
  }
  return program;
}

function canStart(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
