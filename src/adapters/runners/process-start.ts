/**
 * Starts a program in a process group of its own, one in each turn of the event loop, behind the words that Linux starts a
 * reviewer with where the system has them: `setpriv` has it killed when Jury is, `prlimit` gives it the marks of its attempt. Both
 * set one thing and then become the reviewer: same process, same streams, same end. They come from the folders of the system
 * alone, and reviewers start without them where they are missing. What can go wrong at the start is a value, not an exception.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
} from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { ProcessRequest, ProcessResult } from '../../core/ports/machine.ts';
import { faultOfStart, findProgram } from '../sandbox/sandbox.ts';
import { attemptMarker, lockLimitsOf } from './process-tree.ts';

type SpawnError = NonNullable<ProcessResult['spawnError']>;

/** A child that did start: it has an id and, by `stdio`, these two streams. */
export type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stderr: Readable;
};

export async function launch(request: ProcessRequest, marker: string): Promise<Child | SpawnError> {
  try {
    const [file = request.file, ...args] = [...(await prefixed(request, marker)), ...request.args];
    const stdout =
      request.stdoutFile === undefined ? 'pipe' : openSync(request.stdoutFile, 'wx', 0o600);
    const sealed = sealDescriptors();
    try {
      const child = spawn(file, args, {
        shell: false,
        detached: true,
        windowsHide: true,
        cwd: request.cwd,
        stdio: ['pipe', stdout, 'pipe', ...sealed.stdio],
        env: { ...request.environment, [attemptMarker]: marker },
      });
      if (child.pid !== undefined) return withoutCrash(child as Child);
      return spawnErrorOf(await new Promise(resolve => child.once('error', resolve)));
    } finally {
      if (stdout !== 'pipe') closeSync(stdout);
      sealed.close();
    }
  } catch (error) {
    // An argument above 128 KiB or with a NUL makes `spawn` throw instead of emitting an error.
    return spawnErrorOf(error);
  }
}

/**
 * Descriptors that Jury itself was started with would be handed on, and one of a folder leads out of every sandbox. The child gets
 * `/dev/null` in their place: what Node and Jury open ends with their start.
 */
function sealDescriptors() {
  const handedOn = existsSync('/proc/self/fdinfo') ? listHandedOn() : [];
  if (handedOn.length === 0) return { stdio: [], close: () => {} };
  const nothing = openSync('/dev/null', 'r');
  return {
    stdio: Array.from({ length: Math.max(...handedOn) - 2 }, (_, index) =>
      handedOn.includes(index + 3) ? nothing : 'ignore',
    ),
    close: () => closeSync(nothing),
  };
}

/** By the flag of each that it is to be closed where another program begins. */
function listHandedOn() {
  return readdirSync('/proc/self/fdinfo')
    .map(Number)
    .filter(descriptor => {
      try {
        const text = readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1');
        const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(text)?.[1] ?? '0', 8);
        return descriptor > 2 && (flags & closeOnExec) === 0;
      } catch {
        // The one that the list was read by.
        return false;
      }
    });
}

const closeOnExec = 0o2000000;

async function prefixed({ file, within }: ProcessRequest, marker: string) {
  const prefix = [...(await prefixFor(marker)), ...(within?.words ?? [])];
  // With words before it a program that cannot be started ends like one that failed: what the system would have said is asked first.
  if (prefix.length > 0) accessSync(file, constants.X_OK);
  return [...prefix, file];
}

/** An error event without a listener would end Jury. What it means is read from the exit and from `inputDelivered`. */
function withoutCrash(child: Child) {
  for (const source of [child, child.stdin, child.stderr, child.stdout])
    source?.on('error', () => {});
  return child;
}

function spawnErrorOf(error: unknown): SpawnError {
  const { code } = error as { readonly code?: unknown };
  return {
    code: typeof code === 'string' ? code : 'UNKNOWN',
    message: error instanceof Error ? error.message : String(error),
  };
}

/** Finds out what every start needs to know while there is other work to do: the first one need not wait for it. */
export function prepareStarts() {
  void findPrograms();
}

/** Words to put before a program; empty where nothing can be had. */
export async function prefixFor(attempt: string) {
  return (await findPrograms()).flatMap(wordsFor => wordsFor(attempt));
}

type WordsFor = (attempt: string) => readonly string[];

let known: Promise<readonly WordsFor[]> | null = null;

function findPrograms() {
  return (known ??= findWorking([
    ...programOf('setpriv', () => ['--pdeathsig', 'KILL']),
    ...programOf('prlimit', attempt => {
      const { soft, hard } = lockLimitsOf(attempt);
      return [`--locks=${soft}:${hard}`];
    }),
  ]));
}

function programOf(name: string, wordsFor: WordsFor): WordsFor[] {
  const file = process.platform === 'linux' ? findProgram(name) : null;
  return file === null ? [] : [attempt => [file, ...wordsFor(attempt)]];
}

/** They count only if they have done once what they are for: all in one start, or else the first that does it alone. */
async function findWorking(found: readonly WordsFor[]) {
  for (const some of [found, ...found.map(each => [each])]) {
    const words = some.flatMap(wordsFor => wordsFor(randomUUID()));
    if ((await faultOfStart([...words, '/bin/sh', '-c', ':'])) === null) return some;
  }
  return [];
}

/** Code of a start that failed because what was to enclose the program could not be had. */
export const notEnclosed = 'ENCLOSURE';

/** The failed start behind such an end, of which the last check knew nothing: a script whose interpreter is missing. */
export function failedStart(exitCode: number | null, stderr: string): SpawnError | null {
  if (exitCode === 125 && /^jury-sandbox: /m.test(stderr))
    return { code: notEnclosed, message: `The sandbox could not be made: ${stderr.trim()}` };
  const ofBubblewrap = /^bwrap: (?:execvp (.*)|(.*))\n$/.exec(stderr);
  if (exitCode === 1 && ofBubblewrap)
    return ofBubblewrap[1] === undefined
      ? { code: notEnclosed, message: `The sandbox could not be made: ${ofBubblewrap[2] ?? ''}` }
      : { code: 'ENOENT', message: `It cannot be started: ${ofBubblewrap[1]}.` };
  if (exitCode !== 126 && exitCode !== 127) return null;
  const reason = /^(?:setpriv|prlimit|unshare): failed to execute (.*)\n$/.exec(stderr)?.[1];
  if (reason === undefined) return null;
  const code =
    exitCode === 127 ? 'ENOENT' : reason.endsWith('Permission denied') ? 'EACCES' : 'UNKNOWN';
  return { code, message: `It cannot be started: ${reason}.` };
}

let lastStart: Promise<void> = Promise.resolve();

/** Resolves when one more process may start: each start blocks the event loop for as long as the system takes. First come, first served. */
export function startSlot() {
  lastStart = lastStart.then(() => new Promise(resolve => setImmediate(resolve)));
  return lastStart;
}
