/**
 * Ends whole trees of processes: first by their group, then, for those that left the group, by the marks that every
 * child inherits. Without `/proc` (macOS, Windows) only the first half holds.
 */
import { findMarked, marksOf, type FoundProcess, type Marks } from './process-marks.ts';

const live = new Map<number, string>();
let guarded = false;

/** Remembers a group and its attempt, so that both die with Jury: a detached group does not get the terminal's Ctrl-C. */
export function trackGroup(pid: number, attempt: string): void {
  if (!guarded) {
    guarded = true;
    process.on('exit', () => {
      for (const group of live.keys()) signalGroup(group, 'SIGKILL');
      findMarked([...live.values()].map(marksOf), kill);
    });
  }
  live.set(pid, attempt);
}

export function untrackGroup(pid: number): void {
  live.delete(pid);
}

export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  send(process.platform === 'win32' ? pid : -pid, signal);
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
async function killAllOf(attempt: string): Promise<readonly FoundProcess[]> {
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

async function lookLater(wanted: ReadonlyMap<string, Wanted>): Promise<void> {
  await new Promise<void>(resolve => setTimeout(resolve, nextLookAt - performance.now()));
  upcoming = null;
  const startedAt = performance.now();
  findMarked([...wanted.values()], (found, marks) => {
    kill(found);
    marks.found.push(found);
  });
  const endedAt = performance.now();
  nextLookAt = endedAt + (endedAt - startedAt);
}

function kill({ pid }: FoundProcess): void {
  send(pid, 'SIGKILL');
}

function send(target: number, signal: NodeJS.Signals): void {
  try {
    process.kill(target, signal);
  } catch {
    // Already gone, which is what was wanted.
  }
}
