/**
 * The one place that starts git: absolute path, fixed environment, arguments as a list, bounded output and time.
 * Whatever still runs when this process exits is killed.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { inputError, usageError } from '../../core/errors.ts';
import { visibleName } from '../../core/safety/visible-text.ts';
import { type Environment, isExecutable } from '../system/disk.ts';
import { homedir } from 'node:os';
import path from 'node:path';

// Where git is looked for, by absolute path on a fixed list of folders, so that no PATH entry of a repository can stand in for
// it.

/** Git for Windows is found where its installer, for all or for one person, and Scoop put it. */
export function gitPlaces(platform: NodeJS.Platform = process.platform, home?: string) {
  const isWindows = platform === 'win32';
  const folders = isWindows
    ? windowsFolders(home ?? homedir())
    : '/usr/local/bin /usr/bin /bin /opt/homebrew/bin /opt/local/bin /run/current-system/sw/bin'.split(
        ' ',
      );
  return {
    /** Absolute, in order. */
    folders,
    program: isWindows ? 'git.exe' : 'git',
    /** The folders as git itself is to look for what it starts. */
    searchPath: folders.join(isWindows ? ';' : ':'),
  };
}

function windowsFolders(home: string) {
  const { join } = path.win32;
  return [
    join('C:\\', 'Program Files', 'Git', 'cmd'),
    join('C:\\', 'Program Files (x86)', 'Git', 'cmd'),
    join(home, 'AppData', 'Local', 'Programs', 'Git', 'cmd'),
    join(home, 'scoop', 'apps', 'git', 'current', 'cmd'),
  ];
}

export interface GitProgram {
  /** Absolute path of git. */
  readonly path: string;
  /** The engine's own folder: working directory of every call, with the git directory `shadow` in it. */
  readonly folder: string;
  /** Time for one command, and for one reply of a command that stays. */
  readonly timeoutMs: number;
}

interface GitOptions {
  input?: string | Buffer;
  /** Absolute path of the index to use instead of the shadow's own. */
  indexFile?: string;
  /** Top of the working tree, for the commands that read it. */
  workTree?: string;
  /** Paths are patterns; default: they are what they say. */
  patterns?: boolean;
  /** Output beyond this many bytes is a refusal. */
  maxBytes?: number;
  /** As somebody else runs it: for what git says of a configuration, and nothing that runs anything of it. */
  as?: GitPerson;
  /** Without the shadow git directory, in the folder of the program; so is what somebody else runs. */
  isBare?: true;
  /** The one server that this command may speak to; default: none over anything but https, and nothing asks for one. */
  server?: GitServer;
}

/** Where somebody stands who runs git, with the configuration that is theirs. */
export interface GitPerson {
  readonly cwd: string;
  readonly environment: Environment;
}

interface GitServer {
  protocol: 'https' | 'http';
  /** What the header `Authorization` says; null: nothing is said. It stands in no argument, which others could read. */
  authorization: string | null;
}

interface GitOutput {
  code: number;
  stdout: Buffer;
  /** At most 64 KiB. */
  stderr: string;
}

/** The only folders where programs are looked for, here and by git itself. */
const places = gitPlaces();

const defaultMaxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 65_536;

/** Resolves with any exit code; rejects only when git cannot start, prints too much or takes too long. */
export function runGit(
  program: GitProgram,
  words: readonly string[],
  options: GitOptions = {},
): Promise<GitOutput> {
  return finish(startGit(program, words, options), program, words, options);
}

/** What git prints. Throws `UserError` where it refuses: `failing` says what cannot be done, before the reason that it gives. */
export async function askGit(
  program: GitProgram,
  words: readonly string[],
  failing: string,
  { hint = null, ...options }: GitOptions & { readonly hint?: string | null } = {},
) {
  const { code, stdout, stderr } = await runGit(program, words, options);
  if (code === 0) return stdout;
  throw inputError(`${failing}: ${visibleName(firstLine(stderr))}.`, hint);
}

/** Without its full stop; at most 400 characters. */
export function firstLine(text: string) {
  return (text.trim().split('\n', 1)[0] ?? '').replace(/\.$/, '').slice(0, 400);
}

function shadowFlags({ folder }: GitProgram, { workTree, patterns, isBare, as }: GitOptions) {
  if (isBare || as) return [];
  const settings = [
    ...'core.commitGraph=false core.hooksPath=/dev/null core.fsmonitor=false core.quotePath=true gc.auto=0 maintenance.auto=false'.split(
      ' ',
    ),
    ...(workTree === undefined ? [] : ['core.bare=false', 'core.compression=0']),
  ];
  return [
    '--no-pager',
    '--no-replace-objects',
    ...(patterns ? [] : ['--literal-pathspecs']),
    `--git-dir=${folder}/shadow`,
    ...settings.flatMap(setting => ['-c', setting]),
    ...(workTree === undefined ? [] : [`--work-tree=${workTree}`]),
  ];
}

function environment({ folder }: GitProgram, options: GitOptions) {
  return {
    PATH: places.searchPath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: options.server?.protocol ?? 'https',
    GIT_CEILING_DIRECTORIES: dirname(folder),
    ...(options.indexFile !== undefined && { GIT_INDEX_FILE: options.indexFile }),
    ...(typeof options.server?.authorization === 'string' && {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'http.extraHeader',
      GIT_CONFIG_VALUE_0: `Authorization: ${options.server.authorization}`,
    }),
  };
}

/** What names another repository than the one that lies there is taken out. */
function personal({ environment: own }: GitPerson) {
  const elsewhere = /^GIT_(?:DIR|WORK_TREE|COMMON_DIR|INDEX_FILE|OBJECT_DIRECTORY|PREFIX)$/;
  return {
    ...Object.fromEntries(Object.entries(own).filter(([name]) => !elsewhere.test(name))),
    LC_ALL: 'C',
    GIT_TERMINAL_PROMPT: '0',
  };
}

const running = new Set<ChildProcessWithoutNullStreams>();

/** A git process whose pipes the caller serves. */
export function startGit(program: GitProgram, words: readonly string[], options: GitOptions = {}) {
  if (running.size === 0) process.once('exit', killRunning);
  // Its own process group: Ctrl-C in the terminal is for Jury, which then decides what ends when.
  const child = spawn(program.path, [...shadowFlags(program, options), ...words], {
    cwd: options.as?.cwd ?? program.folder,
    env: options.as ? personal(options.as) : environment(program, options),
    shell: false,
    detached: true,
    // On Windows each detached process would open a window.
    windowsHide: true,
    stdio: 'pipe',
  });
  running.add(child);
  watchMemory(child);
  child.once('close', () => forget(child));
  child.once('error', () => forget(child));
  // Git may end before it has read everything; the exit code tells why, not the broken pipe.
  child.stdin.on('error', () => undefined);
  return child;
}

const mostMemory = 512 * 1024 * 1024;
const lookEveryMs = 200;
const overweight = new WeakSet<ChildProcessWithoutNullStreams>();

/**
 * What is asked of git is measured before; this is for what nobody thought of. Linux alone says what a process holds, the files not
 * counted that it has mapped.
 */
function watchMemory(child: ChildProcessWithoutNullStreams) {
  if (process.platform !== 'linux' || child.pid === undefined) return;
  const file = `/proc/${child.pid}/status`;
  const timer = setInterval(() => {
    if (anonymousBytes(file) <= mostMemory) return;
    overweight.add(child);
    child.kill('SIGKILL');
  }, lookEveryMs).unref();
  const stop = () => clearInterval(timer);
  child.once('exit', stop);
  child.once('error', stop);
}

/** Zero for a process that has gone. */
function anonymousBytes(file: string) {
  try {
    return Number(/^RssAnon:\s+(\d+) kB$/m.exec(readFileSync(file, 'latin1'))?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** Why a process was ended that took more memory than it may; null for another. */
export function refusalOfWeight(child: ChildProcessWithoutNullStreams, command: string) {
  if (!overweight.has(child)) return null;
  return inputError(
    `git ${command} took more than ${mostMemory / 1_048_576} MiB of memory for what the repository holds, and was ended.`,
    'Review a smaller range, or single files with --files.',
  );
}

function forget(child: ChildProcessWithoutNullStreams) {
  running.delete(child);
  if (running.size === 0) process.off('exit', killRunning);
}

function killRunning() {
  for (const child of running) child.kill('SIGKILL');
}

function finish(
  child: ChildProcessWithoutNullStreams,
  { timeoutMs }: GitProgram,
  [command = '']: readonly string[],
  { maxBytes = defaultMaxBytes, input = '' }: GitOptions,
): Promise<GitOutput> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    const size = { output: 0, complaints: 0 };
    const refuse = (message: string) => {
      child.kill('SIGKILL');
      reject(inputError(message));
    };
    const timer = setTimeout(
      () => refuse(`git ${command} did not finish within ${timeoutMs / 1000} seconds.`),
      timeoutMs,
    );
    child.stdout.on('data', (piece: Buffer) => {
      size.output += piece.length;
      if (size.output > maxBytes)
        refuse(
          `The change is too large: git ${command} printed more than ${Math.floor(maxBytes / 1_048_576)} MiB.`,
        );
      else output.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (size.complaints < maxErrorBytes) complaints.push(piece);
      size.complaints += piece.length;
    });
    child.once('error', cause => {
      clearTimeout(timer);
      reject(inputError('git could not be started.', null, cause));
    });
    child.once('close', code => {
      clearTimeout(timer);
      const weight = refusalOfWeight(child, command);
      if (weight) return reject(weight);
      const stderr = Buffer.concat(complaints).subarray(0, maxErrorBytes).toString('utf8');
      // It goes on without what it may not read; not to read its own settings does no harm.
      const denied = /^(?!warning: unable to access ).*: Permission denied$/m.exec(stderr);
      if (code === 0 && denied)
        return reject(inputError(`Not all can be read: ${visibleName(denied[0])}.`));
      return resolve({
        code: code ?? 128,
        stdout: Buffer.concat(output),
        stderr,
      });
    });
    child.stdin.end(input);
  });
}

// Reads a section of a git configuration text: just enough for a few plain values. Includes are not followed.

/** Keys in lower case; quotes around a value are taken off. The last of equal keys wins. */
export function readSection(configuration: string, name: string) {
  const values = new Map<string, string>();
  let inside = false;
  for (const line of configuration.split('\n')) {
    const header = /^\s*\[([^\]]*)\](.*)$/.exec(line);
    if (header) inside = header[1]?.trim().toLowerCase() === name;
    if (!inside) continue;
    const text = header?.[2] ?? line;
    const equals = text.indexOf('=');
    const key = (equals === -1 ? text : text.slice(0, equals)).trim().toLowerCase();
    if (key !== '')
      values.set(
        key,
        equals === -1
          ? 'true'
          : text
              .slice(equals + 1)
              .trim()
              .replaceAll('"', ''),
      );
  }
  return values;
}

/** First version that knows `--end-of-options` in every command used here. */
const oldest = '2.30';

/** Paths. */
const checked = new Set<string>();

/** Absolute path of a git new enough. `folder` is where the version is asked for, once for a path. */
export async function findGit(folder: string, gitPath?: string) {
  const candidates =
    gitPath === undefined
      ? places.folders.map(each => join(each, places.program))
      : [gitPath].filter(isAbsolute);
  const path = candidates.find(isExecutable);
  if (path === undefined)
    throw gitPath === undefined
      ? usageError('git was not found.', `Install git in one of ${places.folders.join(', ')}.`)
      : usageError(
          `git was not found at ${gitPath}.`,
          'Give the absolute path of an executable file.',
        );
  if (!checked.has(path)) await checkVersion(path, folder);
  checked.add(path);
  return path;
}

async function checkVersion(path: string, folder: string) {
  const program = { path, folder, timeoutMs: 20_000 };
  const { stdout } = await runGit(program, ['version'], { isBare: true });
  const version = /^git version (\d+\.\d+)/.exec(stdout.toString('utf8'))?.[1] ?? '';
  if (version.localeCompare(oldest, 'en', { numeric: true }) >= 0) return;
  const found = version === '' ? `${path} does not say its version` : `this is git ${version}`;
  throw usageError(`git ${oldest} or newer is needed; ${found}.`, 'Install a newer git.');
}
