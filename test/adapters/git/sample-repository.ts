/** Builds real repositories in temporary folders with plain git, with fixed dates and identity, and removes them afterwards. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCommand } from '../../beside.ts';
import { atFileEnd } from '../../file-end.ts';
import { commitPlainly } from './plain-commit.ts';

export interface SampleRepository {
  readonly root: string;
  /** Runs git in the repository and returns what it printed, trimmed. */
  git(...words: readonly string[]): string;
  write(path: string, content: string | Buffer): void;
  remove(path: string): void;
  /** Stages everything and commits it; returns the commit id. */
  commit(message: string): string;
}

/** A new empty folder, removed when the test file ends. */
export function createFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'jury-test-')));
  atFileEnd(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function createSampleRepository(...initWords: readonly string[]): SampleRepository {
  if (initWords.length === 0) return copySample((empty ??= makeEmpty()));
  const root = join(createFolder(), 'repository');
  mkdirSync(root);
  runGitIn(root, ['init', '-q', '-b', 'main', ...initWords]);
  return openSample(root);
}

let empty: SampleRepository | undefined;
/** Configuration of a repository that git has just made. */
let settings: string | undefined;

/** Once in a worker: git takes longer to make one than a copy does. */
function makeEmpty() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'jury-test-')));
  process.once('exit', () => rmSync(root, { recursive: true, force: true }));
  runGitIn(root, ['init', '-q', '-b', 'main']);
  settings = readFileSync(join(root, '.git', 'config'), 'utf8');
  const hooks = join(root, '.git', 'hooks');
  for (const name of readdirSync(hooks)) rmSync(join(hooks, name));
  return openSample(root);
}

/** Files by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** A commit called "before" and one called "after", which writes over it. */
export function createHistory(before: Files, after: Files): SampleRepository {
  const sample = createSampleRepository();
  for (const [message, files] of Object.entries({ before, after })) {
    for (const [path, content] of Object.entries(files)) sample.write(path, content);
    sample.commit(message);
  }
  return sample;
}

export function openSample(root: string): SampleRepository {
  const git = (...words: readonly string[]) => runGitIn(root, words);
  return {
    root,
    git,
    write(path, content) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), content);
    },
    remove: path => rmSync(join(root, path), { recursive: true }),
    commit(message) {
      const plain = commitPlainly(root, message, settings);
      if (plain !== null) return plain;
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return readHead(root) ?? git('rev-parse', 'HEAD');
    },
  };
}

/** Where the commit lies as git writes it by default: spares a process. Null for anything unusual. */
function readHead(root: string) {
  try {
    const branch = /^ref: (.*)\n$/.exec(readFileSync(join(root, '.git', 'HEAD'), 'utf8'))?.[1];
    return branch === undefined ? null : readFileSync(join(root, '.git', branch), 'utf8').trim();
  } catch {
    return null;
  }
}

/** The same repository again, without git having to make it again. */
export function copySample(template: SampleRepository): SampleRepository {
  const root = join(createFolder(), 'repository');
  cpSync(template.root, root, { recursive: true, preserveTimestamps: true });
  return openSample(root);
}

export function runGitIn(folder: string, words: readonly string[], input = ''): string {
  const environment = {
    PATH: process.env['PATH'],
    HOME: '/nonexistent',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Ada',
    GIT_AUTHOR_EMAIL: 'ada@example.org',
    GIT_AUTHOR_DATE: '2024-01-02T03:04:05Z',
    GIT_COMMITTER_NAME: 'Ada',
    GIT_COMMITTER_EMAIL: 'ada@example.org',
    GIT_COMMITTER_DATE: '2024-01-02T03:04:05Z',
  };
  const ended = runCommand({
    command: 'git',
    // Without the look for something to tidy up, a commit takes half the time.
    args: ['-c', 'protocol.file.allow=always', '-c', 'maintenance.auto=false', ...words],
    cwd: folder,
    environment,
    input,
  });
  if (ended.code !== 0) throw new Error(`Command failed: git ${words.join(' ')}: ${ended.stderr}`);
  return ended.stdout.trimEnd();
}
