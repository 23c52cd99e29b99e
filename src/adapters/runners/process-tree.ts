/**
 * Ends whole trees of processes: first by their group, then, for those that left the group, by the marks that every child
 * inherits. Whatever became of a process, everything it is known again by follows from the name of its attempt, so that nothing
 * has to be written down while it runs: a variable in its environment, a resource limit that nothing else uses, and the private
 * folder of that name as working directory. Without `/proc` only the group holds (macOS), or who descends from it (Windows).
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import pLimit from 'p-limit';
import type { ProcessRequest } from '../../core/ports/runner.ts';
import { faultOfStart, findProgram } from '../sandbox/sandbox.ts';

const live = new Map<number, string>();
let guarded = false;

/** Remembers a group and its attempt, so that both die with Jury: a detached group does not get the terminal's Ctrl-C. */
export function trackGroup(pid: number, attempt: string) {
  if (!guarded) {
    guarded = true;
    process.on('exit', () => {
      for (const group of live.keys()) signalGroup(group, 'SIGKILL');
      findMarked([...live.values()].map(marksOf), kill);
    });
  }
  live.set(pid, attempt);
}

export function untrackGroup(pid: number) {
  live.delete(pid);
}

export function signalGroup(
  pid: number,
  signal: NodeJS.Signals,
  platform: NodeJS.Platform = process.platform,
) {
  if (platform === 'win32') endTree(pid);
  else send(-pid, signal);
}

/** Windows knows neither groups nor signals: a process ends at once, and with it those that it started, as long as it is their parent. */
function endTree(pid: number) {
  const words = ['/pid', String(pid), '/t', '/f'];
  const { status } = spawnSync('C:\\Windows\\System32\\taskkill.exe', words, {
    stdio: 'ignore',
    windowsHide: true,
    timeout: 5_000,
  });
  if (status !== 0) send(pid, 'SIGKILL');
}

const mostRounds = 25;
const pauseMs = 20;

/** Kills every process that carries the marks of the attempt; repeats while new ones turn up. Tells what it ended. */
export async function sweepMarked(attempt: string) {
  const ended = new Map<number, FoundProcess>();
  for (let round = 0; round < mostRounds; round += 1) {
    // Those who ask before the next look at all processes share it.
    upcoming ??= openLook();
    const { wanted, done } = upcoming;
    const own = wanted.get(attempt) ?? { ...marksOf(attempt), found: [] };
    wanted.set(attempt, own);
    await done;
    const { found } = own;
    if (found.length === 0) break;
    for (const one of found) ended.set(one.pid, one);
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  return [...ended.values()];
}

interface Wanted extends Marks {
  found: FoundProcess[];
}

let upcoming: { wanted: Map<string, Wanted>; done: Promise<void> } | null = null;

/** After a look Jury rests from looking for as long as it took: a hundred reviewers that end together must not hold it up. */
let nextLookAt = 0;

function openLook() {
  const wanted = new Map<string, Wanted>();
  return { wanted, done: lookLater(wanted) };
}

async function lookLater(wanted: ReadonlyMap<string, Wanted>) {
  await new Promise<void>(resolve =>
    setTimeout(resolve, Math.max(0, nextLookAt - performance.now())),
  );
  upcoming = null;
  const startedAt = performance.now();
  findMarked([...wanted.values()], (found, marks) => {
    kill(found);
    marks.found.push(found);
  });
  const endedAt = performance.now();
  nextLookAt = endedAt + (endedAt - startedAt);
}

function kill({ pid }: FoundProcess) {
  send(pid, 'SIGKILL');
}

function send(target: number, signal: NodeJS.Signals) {
  try {
    process.kill(target, signal);
  } catch {
    // Already gone, which is what was wanted.
  }
}

/** Environment variable whose value, the name of the attempt, is unique to it. */
export const attemptMarker = 'JURY_ATTEMPT';

interface LockLimits {
  soft: number;
  hard: number;
}

/**
 * Linux has counted no file locks since version 2.4.25, but each process still hands its limit of them on: through `env -i`,
 * `setsid`, a changed folder and closed descriptors. Far below the largest integer that is exact, far above what a person sets.
 */
function lockLimitsOf(attempt: string): LockLimits {
  const digest = createHash('sha256').update(attempt).digest();
  return { soft: 2 ** 48 + digest.readUIntBE(0, 6), hard: 2 ** 50 + digest.readUIntBE(6, 6) };
}

/** What distinguishes the processes of one attempt. */
type Marks = ReturnType<typeof marksOf>;

function marksOf(attempt: string) {
  return {
    variable: Buffer.from(`${attemptMarker}=${attempt}\0`),
    limits: lockLimitsOf(attempt),
    folder: attempt,
  };
}

interface FoundProcess {
  pid: number;
  /** As it calls itself; anything may stand in it. */
  name: string;
}

/**
 * Calls `onFound` for each living process that carries marks, in the moment it is seen: a pid that is remembered for
 * longer may be another's. Synchronous for the same reason, and because it is several times faster that way. Finds
 * nothing where there is no `/proc`. Processes of other people and those that are gone cannot be read, and are left out.
 */
function findMarked<Wanted extends Marks>(
  wanted: readonly Wanted[],
  onFound: (process: FoundProcess, marks: Wanted) => void,
) {
  for (const pid of wanted.length === 0 ? [] : listProcesses()) {
    if (pid === process.pid) continue;
    const limits = /^Max file locks\s+(\d+)\s+(\d+)/m.exec(
      orElse('', () => readFileSync(`/proc/${pid}/limits`, 'latin1')),
    );
    const traits = {
      environment: orElse(nothing, () => readFileSync(`/proc/${pid}/environ`)),
      softLimit: Number(limits?.[1]),
      hardLimit: Number(limits?.[2]),
      cwd: orElse('', () => readlinkSync(`/proc/${pid}/cwd`)),
    };
    const marks = wanted.find(
      candidate => isMarked(traits, candidate) || traits.cwd.split('/').includes(candidate.folder),
    );
    const found = marks && readStatus(pid);
    if (found && !found.isZombie && (found.isDetached || isMarked(traits, marks)))
      onFound({ pid, name: found.name }, marks);
  }
}

interface Traits {
  environment: Buffer;
  softLimit: number;
  hardLimit: number;
  cwd: string;
}

function isMarked({ environment, softLimit, hardLimit }: Traits, { variable, limits }: Marks) {
  return softLimit === limits.soft || hardLimit === limits.hard || environment.includes(variable);
}

/** The second field is the program's name in brackets and may hold anything, brackets too. */
function readStatus(pid: number) {
  const text = orElse('', () => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  const [state, , , , terminal] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === undefined || terminal === undefined) return null;
  return {
    name: text.slice(text.indexOf('(') + 1, text.lastIndexOf(')')),
    isZombie: state === 'Z' || state === 'X',
    isDetached: terminal === '0',
  };
}

/** The newest first: one that forks and ends all the time is met before it has moved on. */
function listProcesses() {
  const names = orElse<string[]>([], () => readdirSync('/proc'));
  return names
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .toSorted((one, other) => other - one);
}

const nothing = Buffer.alloc(0);

function orElse<Value>(otherwise: Value, read: () => Value) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

// Starts a program in a process group of its own, one in each turn of the event loop, behind the words that Linux starts a
// reviewer with where the system has them: `setpriv` has it killed when Jury is, `prlimit` gives it the marks of its attempt. Both
// set one thing and then become the reviewer: same process, same streams, same end. They come from the folders of the system
// alone, and reviewers start without them where they are missing. What can go wrong at the start is a value, not an exception.

/** A child that did start: it has an id and, by `stdio`, these two streams. */
export type Child = ChildProcess & {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stderr: Readable;
};

export async function launch(request: ProcessRequest, marker: string) {
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

function spawnErrorOf(error: unknown) {
  const { code } = error as { code?: unknown };
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
export function failedStart(exitCode: number | null, stderr: string) {
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

const inTurn = pLimit(1);

/** Resolves when one more process may start: each start blocks the event loop for as long as the system takes. First come, first served. */
export function startSlot() {
  return inTurn(() => new Promise(setImmediate));
}
