/**
 * A process beside this one that outlives it. Nobody can clean up after himself when he is killed at once: the system's shell waits at
 * the end of a pipe whose other end only this process holds, and starts the program that cleans up when the pipe ends without a word.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { packageRoot } from './package-root.ts';

export type Reaper = ReturnType<typeof startReaper>;

/** Built from `src/adapters/runners/reap.ts`. */
const program = join(packageRoot, 'dist', 'reap.js');

/** What ends a whole terminal must not end it before its work is done. */
const script = `trap '' INT TERM HUP QUIT
read -r word || exec "$@"`;

/** Has none, and says so to nobody, where there is no such shell or no more processes can be had: the next start cleans up then. */
export function startReaper(base: string, owner: string) {
  if (process.platform === 'win32') return { dismiss(): void {} };
  const child = spawn(
    '/bin/sh',
    ['-c', script, 'jury-reaper', process.execPath, program, base, owner],
    { cwd: '/', detached: true, env: {}, stdio: ['pipe', 'ignore', 'ignore'] },
  );
  for (const source of [child, child.stdin]) source.on('error', () => {});
  child.unref();
  // A pipe is a socket to Node; neither it nor the shell keeps this process alive.
  if ('unref' in child.stdin && typeof child.stdin.unref === 'function') child.stdin.unref();
  return {
    /** There is nothing left to clean up. */
    dismiss(): void {
      child.stdin.end('done\n');
    },
  };
}
