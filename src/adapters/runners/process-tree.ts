/**
 * Ends whole trees of processes: first by their group, then, for those that left the group, by the marks that every child
 * inherits. Whatever became of a process, everything it is known again by follows from the name of its attempt, so that nothing
 * has to be written down while it runs: a variable in its environment, a resource limit that nothing else uses, and the private
 * folder of that name as working directory. Without `/proc` only the group holds (macOS), or who descends from it (Windows).
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

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
export async function sweepMarked(attempt: string): Promise<readonly FoundProcess[]> {
  const ended = new Map<number, FoundProcess>();
  for (let round = 0; round < mostRounds; round += 1) {
    const found = await killAllOf(attempt);
    if (found.length === 0) break;
    for (const one of found) ended.set(one.pid, one);
    await new Promise(resolve => setTimeout(resolve, pauseMs));
  }
  return [...ended.values()];
}

interface Wanted extends Marks {
  readonly found: FoundProcess[];
}

let upcoming: { readonly wanted: Map<string, Wanted>; readonly done: Promise<void> } | null = null;

/** After a look Jury rests from looking for as long as it took: a hundred reviewers that end together must not hold it up. */
let nextLookAt = 0;

/** Those who ask before the next look at all processes share it. */
async function killAllOf(attempt: string) {
  upcoming ??= openLook();
  const { wanted, done } = upcoming;
  const own = wanted.get(attempt) ?? { ...marksOf(attempt), found: [] };
  wanted.set(attempt, own);
  await done;
  return own.found;
}

function openLook(): NonNullable<typeof upcoming> {
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
  readonly soft: number;
  readonly hard: number;
}

/**
 * Linux has counted no file locks since version 2.4.25, but each process still hands its limit of them on: through `env -i`,
 * `setsid`, a changed folder and closed descriptors. Far below the largest integer that is exact, far above what a person sets.
 */
export function lockLimitsOf(attempt: string): LockLimits {
  const digest = createHash('sha256').update(attempt).digest();
  return { soft: 2 ** 48 + digest.readUIntBE(0, 6), hard: 2 ** 50 + digest.readUIntBE(6, 6) };
}

/** What distinguishes the processes of one attempt. */
interface Marks {
  readonly variable: Buffer;
  readonly limits: LockLimits;
  readonly folder: string;
}

function marksOf(attempt: string): Marks {
  return {
    variable: Buffer.from(`${attemptMarker}=${attempt}\0`),
    limits: lockLimitsOf(attempt),
    folder: attempt,
  };
}

export interface FoundProcess {
  readonly pid: number;
  /** As it calls itself; anything may stand in it. */
  readonly name: string;
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
    const traits = readTraits(pid);
    const marks = wanted.find(candidate => carries(traits, candidate));
    const found = marks && readStatus(pid);
    if (found && !found.isZombie && (found.isDetached || isMarked(traits, marks)))
      onFound({ pid, name: found.name }, marks);
  }
}

interface Traits {
  readonly environment: Buffer;
  readonly softLimit: number;
  readonly hardLimit: number;
  readonly cwd: string;
}

function readTraits(pid: number): Traits {
  const limits = /^Max file locks\s+(\d+)\s+(\d+)/m.exec(
    orElse('', () => readFileSync(`/proc/${pid}/limits`, 'latin1')),
  );
  return {
    environment: orElse(nothing, () => readFileSync(`/proc/${pid}/environ`)),
    softLimit: Number(limits?.[1]),
    hardLimit: Number(limits?.[2]),
    cwd: orElse('', () => readlinkSync(`/proc/${pid}/cwd`)),
  };
}

function carries(traits: Traits, marks: Marks) {
  return isMarked(traits, marks) || traits.cwd.split('/').includes(marks.folder);
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
