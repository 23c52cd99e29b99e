/**
 * The words that Linux starts a reviewer with, where the system has them: `setpriv` has it killed when Jury is, `prlimit`
 * gives it the marks of its attempt. Both set one thing and then become the reviewer: same process, same streams, same
 * end. They come from the folders of the system alone, and reviewers start without them where they are missing.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { lockLimitsOf } from './process-marks.ts';
import type { LockLimits } from './process-marks.ts';
import type { SpawnError } from './process-request.ts';

const folders = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** Words to put before a program; empty where nothing can be had. */
export async function prefixFor(attempt: string): Promise<readonly string[]> {
  known ??= Promise.all([
    findWorking('setpriv', ['--pdeathsig', 'KILL']),
    findWorking('prlimit', [limitsWord(lockLimitsOf(attempt))]),
  ]);
  const [setpriv, prlimit] = await known;
  return [...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL']), ...(prlimit === null ? [] : [prlimit, limitsWord(lockLimitsOf(attempt))])];
}

let known: Promise<readonly [string | null, string | null]> | null = null;

/** A container may forbid what the program is for: it counts only if it has done it once. */
async function findWorking(name: string, words: readonly string[]): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  for (const folder of folders) {
    const file = `${folder}/${name}`;
    const works = await new Promise<boolean>(resolve => {
      execFile(file, [...words, file, '--version'], { env: {}, timeout: 2_000 }, error => resolve(error === null));
    });
    if (works) return file;
  }
  return null;
}

function limitsWord({ soft, hard }: LockLimits): string {
  return `--locks=${soft}:${hard}`;
}

/** With words before it a program that cannot be started ends like one that failed: what the system would have said is asked first. */
export function checkExecutable(file: string): void {
  accessSync(file, constants.X_OK);
}

/** The failed start behind such an end, of which the last check knew nothing: a script whose interpreter is missing. */
export function failedStart(exitCode: number | null, stderr: string): SpawnError | null {
  if (exitCode !== 126 && exitCode !== 127) return null;
  const reason = /^(?:setpriv|prlimit): failed to execute (.*)\n$/.exec(stderr)?.[1];
  if (reason === undefined) return null;
  const code = exitCode === 127 ? 'ENOENT' : reason.endsWith('Permission denied') ? 'EACCES' : 'UNKNOWN';
  return { code, message: `It cannot be started: ${reason}.` };
}
