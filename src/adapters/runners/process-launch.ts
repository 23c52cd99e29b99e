/** Starts a program in a process group of its own. What can go wrong at the start is a value, not an exception. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { attemptMarker } from './process-marks.ts';
import { checkExecutable, prefixFor } from './process-prefix.ts';
import type { ProcessRequest, SpawnError } from './process-request.ts';

/** A child that did start: it has an id and, by `stdio`, these two streams. */
export type Child = ChildProcess & { readonly pid: number; readonly stdin: Writable; readonly stderr: Readable };

export async function launch(request: ProcessRequest, marker: string): Promise<Child | SpawnError> {
  try {
    const [file = request.file, ...args] = [...(await prefixed(request.file, marker)), ...request.args];
    const stdout = request.stdoutFile === undefined ? 'pipe' : openSync(request.stdoutFile, 'wx', 0o600);
    try {
      const child = spawn(file, args, {
        shell: false, detached: true, windowsHide: true, cwd: request.cwd, stdio: ['pipe', stdout, 'pipe'],
        env: { ...request.environment, [attemptMarker]: marker },
      });
      if (child.pid !== undefined) return withoutCrash(child as Child);
      return spawnErrorOf(await new Promise(resolve => child.once('error', resolve)));
    } finally {
      if (stdout !== 'pipe') closeSync(stdout);
    }
  } catch (error) {
    // An argument above 128 KiB or with a NUL makes `spawn` throw instead of emitting an error.
    return spawnErrorOf(error);
  }
}

async function prefixed(file: string, marker: string): Promise<readonly string[]> {
  const prefix = await prefixFor(marker);
  if (prefix.length > 0) checkExecutable(file);
  return [...prefix, file];
}

/** An error event without a listener would end Jury. What it means is read from the exit and from `inputDelivered`. */
function withoutCrash(child: Child): Child {
  for (const source of [child, child.stdin, child.stderr, child.stdout]) source?.on('error', () => {});
  return child;
}

function spawnErrorOf(error: unknown): SpawnError {
  const { code } = error as { readonly code?: unknown };
  return { code: typeof code === 'string' ? code : 'UNKNOWN', message: error instanceof Error ? error.message : String(error) };
}
