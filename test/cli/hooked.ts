/** A repository with a bare remote beside it, in which the hooks that the built program installs are run by git itself. */
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createFolder,
  createSampleRepository,
  runGitIn,
} from '../adapters/git/sample-repository.ts';
import { runCommand } from '../beside.ts';
import { atFileEnd } from '../file-end.ts';
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
  template ??= makeTemplate();
  const folder = createFolder();
  const [root, remote] = [path.join(folder, name), path.join(folder, 'remote.git')];
  const options = { recursive: true, preserveTimestamps: true };
  cpSync(path.join(template, 'repository'), root, options);
  cpSync(path.join(template, 'remote.git'), remote, options);
  const config = path.join(root, '.git/config');
  writeFileSync(config, readFileSync(config, 'utf8').replace(template, folder));
  return openHooked(root, remote);
}

/** Once in a file of tests: git takes longer to make it than a copy does. */
let template: string | undefined;

function makeTemplate() {
  const { root, git, write, commit } = createSampleRepository();
  atFileEnd(() => (template = undefined));
  const folder = path.dirname(root);
  const remote = path.join(folder, 'remote.git');
  runGitIn(folder, ['init', '-q', '--bare', '-b', 'main', remote]);
  git('remote', 'add', 'origin', remote);
  write('first.js', clean);
  commit('first');
  git('push', '-q', 'origin', 'main');
  return folder;
}

export function openHooked(root: string, remote: string): Hooked {
  return {
    root,
    remote,
    git(words, environment = {}) {
      return runCommand({
        command: 'git',
        args: words,
        cwd: root,
        environment: { ...process.env, ...surroundings, ...environment },
        input: '',
      });
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
