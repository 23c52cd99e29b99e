/** A repository with a bare remote beside it, in which the hooks that the built program installs are run by git itself. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createFolder, runGitIn } from '../adapters/git/sample-repository.ts';
import { jury, type Ended } from './jury.ts';

export interface Hooked {
  readonly root: string;
  readonly remote: string;
  /** As a person at a terminal does, who has the hooks run. */
  git(words: readonly string[], environment?: Readonly<Record<string, string>>): Ended;
  write(name: string, text: string): void;
  read(name: string): string;
}

export const clean = 'export const sum = (a, b) => a + b;\n';
export const defect =
  'import { exec } from "node:child_process";\nexport const list = request => exec("ls " + request.query.folder);\n';

/** What git takes from its surroundings, without the configuration of whoever runs the tests. */
export const surroundings: Readonly<Record<string, string>> = {
  HOME: '/nonexistent',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Ada',
  GIT_COMMITTER_EMAIL: 'ada@example.org',
  GIT_EDITOR: 'true',
  JURY_TRUST_CONFIG: '',
};

/** One commit is there and at the remote, and no hook yet. */
export function createHooked(name = 'repository'): Hooked {
  const folder = createFolder();
  const root = path.join(folder, name);
  const remote = path.join(folder, 'remote.git');
  runGitIn(folder, ['init', '-q', '--bare', '-b', 'main', remote]);
  mkdirSync(root);
  runGitIn(root, ['init', '-q', '-b', 'main']);
  runGitIn(root, ['remote', 'add', 'origin', remote]);
  const hooked = openHooked(root, remote);
  hooked.write('first.js', clean);
  runGitIn(root, ['add', '-A']);
  runGitIn(root, ['commit', '-q', '-m', 'first']);
  runGitIn(root, ['push', '-q', 'origin', 'main']);
  return hooked;
}

export function openHooked(root: string, remote: string): Hooked {
  return {
    root,
    remote,
    git(words, environment = {}) {
      const { status, stdout, stderr } = spawnSync('git', [...words], {
        cwd: root,
        encoding: 'utf8',
        env: { ...process.env, ...surroundings, ...environment },
      });
      return { code: status, stdout, stderr };
    },
    write(name, text) {
      mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
      writeFileSync(path.join(root, name), text);
    },
    read: name => readFileSync(path.join(root, name), 'utf8'),
  };
}

export function hook(hooked: Pick<Hooked, 'root'>, ...words: readonly string[]): Ended {
  return jury(hooked.root, ['hook', ...words], { environment: surroundings });
}

/** Subjects of the commits of a branch, newest first; none where it is not there. */
export function commitsOf(folder: string, branch: string): readonly string[] {
  try {
    return runGitIn(folder, ['log', '--format=%s', branch, '--']).split('\n');
  } catch {
    return [];
  }
}

export function writeProgram(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  chmodSync(file, 0o755);
}
