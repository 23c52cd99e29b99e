/**
 * The one place that starts git: absolute path, fixed environment, arguments as a list, bounded output and time.
 * Whatever still runs when this process exits is killed.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { dirname } from 'node:path';
import { UserError } from '../../core/errors.ts';

export interface GitProgram {
  /** Absolute path of git. */
  readonly path: string;
  /** The engine's own folder: working directory of every call, with the git directory `shadow` in it. */
  readonly folder: string;
  /** Time for one command, and for one reply of a command that stays. */
  readonly timeoutMs: number;
}

export interface GitOptions {
  readonly input?: string | Buffer;
  /** Absolute path of the index to use instead of the shadow's own. */
  readonly indexFile?: string;
  /** Top of the working tree, for the commands that read it. */
  readonly workTree?: string;
  /** Output beyond this many bytes is a refusal. */
  readonly maxBytes?: number;
}

export interface GitOutput {
  readonly code: number;
  readonly stdout: Buffer;
  /** At most 64 KiB. */
  readonly stderr: string;
}

/** The only folders where programs are looked for, here and by git itself. */
export const safePath = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin:/opt/local/bin:/run/current-system/sw/bin';

const defaultMaxBytes = 64 * 1024 * 1024;
const maxErrorBytes = 65_536;

/** Before the shadow git directory exists. */
export function runBareGit(program: GitProgram, words: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return finish(start(program, words, options), program, { ...options, command: words[0] ?? '' });
}

/** Resolves with any exit code; rejects only when git cannot start, prints too much or takes too long. */
export function runGit(program: GitProgram, words: readonly string[], options: GitOptions = {}): Promise<GitOutput> {
  return finish(startGit(program, words, options), program, { ...options, command: words[0] ?? '' });
}

/** A git process on the shadow directory whose pipes the caller serves. */
export function startGit(program: GitProgram, words: readonly string[], options: GitOptions = {}): ChildProcessWithoutNullStreams {
  return start(program, [...shadowFlags(program, options), ...words], options);
}

function shadowFlags({ folder }: GitProgram, { workTree }: GitOptions): string[] {
  return [
    '--no-pager', '--no-replace-objects', '--literal-pathspecs', `--git-dir=${folder}/shadow`,
    '-c', 'core.commitGraph=false', '-c', 'core.hooksPath=/dev/null', '-c', 'core.fsmonitor=false',
    '-c', 'core.quotePath=true', '-c', 'gc.auto=0', '-c', 'maintenance.auto=false',
    ...(workTree === undefined ? [] : ['-c', 'core.bare=false', '-c', 'core.compression=0', `--work-tree=${workTree}`]),
  ];
}

function environment({ folder }: GitProgram, options: GitOptions): Record<string, string> {
  return {
    PATH: safePath,
    HOME: '/nonexistent',
    LC_ALL: 'C',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_ATTR_NOSYSTEM: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_NO_LAZY_FETCH: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_ALLOW_PROTOCOL: 'https',
    GIT_CEILING_DIRECTORIES: dirname(folder),
    ...(options.indexFile === undefined ? {} : { GIT_INDEX_FILE: options.indexFile }),
  };
}

const running = new Set<ChildProcessWithoutNullStreams>();

function start(program: GitProgram, words: readonly string[], options: GitOptions): ChildProcessWithoutNullStreams {
  if (running.size === 0) process.once('exit', killRunning);
  // Its own process group: Ctrl-C in the terminal is for Jury, which then decides what ends when.
  const child = spawn(program.path, words, { cwd: program.folder, env: environment(program, options), shell: false, detached: true, stdio: 'pipe' });
  running.add(child);
  child.once('close', () => forget(child));
  child.once('error', () => forget(child));
  // Git may end before it has read everything; the exit code tells why, not the broken pipe.
  child.stdin.on('error', () => undefined);
  return child;
}

function forget(child: ChildProcessWithoutNullStreams): void {
  running.delete(child);
  if (running.size === 0) process.off('exit', killRunning);
}

function killRunning(): void {
  for (const child of running) child.kill('SIGKILL');
}

function finish(child: ChildProcessWithoutNullStreams, { timeoutMs }: GitProgram, options: GitOptions & { readonly command: string }): Promise<GitOutput> {
  const { maxBytes = defaultMaxBytes, command } = options;
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    const complaints: Buffer[] = [];
    const size = { output: 0, complaints: 0 };
    const refuse = (message: string): void => {
      child.kill('SIGKILL');
      reject(new UserError(message, { kind: 'input' }));
    };
    const timer = setTimeout(() => refuse(`git ${command} did not finish within ${timeoutMs / 1000} seconds.`), timeoutMs);
    child.stdout.on('data', (piece: Buffer) => {
      size.output += piece.length;
      if (size.output > maxBytes) refuse(`The change is too large: git ${command} printed more than ${Math.floor(maxBytes / 1_048_576)} MiB.`);
      else output.push(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      if (size.complaints < maxErrorBytes) complaints.push(piece);
      size.complaints += piece.length;
    });
    child.once('error', cause => {
      clearTimeout(timer);
      reject(new UserError('git could not be started.', { kind: 'input', cause }));
    });
    child.once('close', code => {
      clearTimeout(timer);
      resolve({ code: code ?? 128, stdout: Buffer.concat(output), stderr: Buffer.concat(complaints).subarray(0, maxErrorBytes).toString('utf8') });
    });
    child.stdin.end(options.input ?? '');
  });
}
