/**
 * A machine of which everything is simulated that a run needs: its disk, its clock, its processes. What happens next is drawn from the
 * seed among all that could: no time passes in earnest, and a process may end at any step, with the power or without.
 */
import { setImmediate as immediate } from 'node:timers/promises';
import { normalize } from 'node:path';
import type { Clock, Disk, Ids, OpenFile, ProcessIdentity, Processes } from '../../src/index.ts';
import { createChance, hashOf, type Chance } from './chance.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

/** What becomes of a process, and at which of its steps. */
export interface Fate {
  /**
   * `power`: the machine goes with it, and with that what was not synced. `kill`: only the process. `interrupt`: Ctrl-C. `refusal`: the
   * disk refuses one write, once.
   */
  readonly kind: 'power' | 'kill' | 'interrupt' | 'refusal';
  /** Of all its steps, or of those that write the journal. */
  readonly step: number;
  readonly counted: 'all' | 'journal';
  /** Was what it was just doing done by then? A write may be done in part. */
  readonly side: 'before' | 'within' | 'after';
}

/** One process of Jury. When it is over, nothing that it waits for comes: its code goes on nowhere. */
export interface SimulatedProcess {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
  /** Resolves when it is killed. */
  readonly killed: Promise<void>;
  wasRefused(): boolean;
  wasInterrupted(): boolean;
  /** It ends by itself; `power`: and the machine goes right after it. */
  end(kind?: 'power' | 'kill'): void;
}

export interface Machine {
  /** Beside those that have not ended yet. */
  start(fate: Fate | null): SimulatedProcess;
  /** Lets one thing happen; false when nothing is left that could. Called when all code has come to wait. */
  step(): boolean;
  /** So many since the beginning. */
  steps(): number;
  /** Of all that has happened, in order: the same for the same seed. */
  trace(): number;
  disk(): MemoryDisk;
  /** The clock was set at no time: of two runs the later one has the later name. */
  isOnTime(): boolean;
}

interface Happening {
  readonly owner: Owner;
  /** Tells it from the others, however they were ordered when they came. */
  readonly name: string;
  /** Milliseconds of the machine. */
  readonly due: number;
  readonly isTimer?: boolean;
  happen(): void;
  /** A write: a part of it. */
  readonly happenInPart?: () => void;
  /** Absent: it cannot be refused. */
  readonly refuse?: () => void;
}

/** A process, as its machine sees it. */
interface Owner {
  readonly number: number;
  readonly pid: number;
  fate: Fate | null;
  stepsToFate: number;
  isOver: boolean;
  /** Of its steps until its clock is set. */
  stepsToJump: number;
  /** Milliseconds that people's time is ahead of the machine's. */
  shift: number;
  kill(): void;
  interrupt(): void;
  refused(): void;
}

const began = Date.UTC(2026, 2, 1, 12);

const hour = 3_600_000;

/** By a time server, by the law, after a night of sleep, by a battery that is empty. */
const jumps: readonly number[] = [
  10 * 60_000,
  hour,
  8 * hour,
  30 * 24 * hour,
  365 * 24 * hour,
].flatMap(ms => [ms, -ms]);

/** `isClockSet`: its clock is set now and then, also while a process runs. */
export function createMachine(chance: Chance, isClockSet: boolean): Machine {
  let disk = createMemoryDisk({ owner: 1_000 });
  let [now, boot, started, steps, trace] = [0, 1, 0, 0, 0];
  let waiting: Happening[] = [];
  let isOnTime = true;
  const alive = new Set<Owner>();

  const drop = (happening: Happening): void => {
    waiting = waiting.filter(each => each !== happening);
  };
  const take = (): Happening | null => {
    // How often it is looked in vain must change nothing.
    if (waiting.length === 0) return null;
    // Now and then the disk is slow, and the clock overtakes it.
    const isOvertaken = chance.isTrue(0.01);
    const ready = waiting.filter(({ isTimer }) => isTimer !== true);
    const [timer] = waiting
      .filter(({ isTimer }) => isTimer === true)
      .toSorted((one, other) => one.due - other.due || one.owner.number - other.owner.number);
    if (timer !== undefined && (ready.length === 0 || isOvertaken || timer.due <= now)) {
      now = Math.max(now, timer.due);
      return timer;
    }
    if (ready.length < 2) return ready[0] ?? null;
    const sorted = ready.toSorted(
      (one, other) => compare(one.name, other.name) || one.owner.number - other.owner.number,
    );
    return sorted[chance.below(sorted.length)] ?? null;
  };

  const end = (kind: Fate['kind'], owner: Owner): void => {
    const ended = kind === 'power' ? [...alive] : [owner];
    for (const each of ended) {
      alive.delete(each);
      each.isOver = true;
    }
    waiting = waiting.filter(each => !each.owner.isOver);
    if (kind === 'power') {
      boot += 1;
      disk = disk.crash(() => chance.next(), chance.isTrue(0.5));
    } else if (alive.size === 0) disk = disk.handOver();
    for (const each of ended) each.kill();
  };

  const step = (): boolean => {
    const next = take();
    if (next === null) return false;
    drop(next);
    steps += 1;
    now += 0.1;
    trace = hashOf(next.name, trace);
    const { owner } = next;
    owner.stepsToJump -= 1;
    if (owner.stepsToJump === 0) {
      owner.shift += chance.pick(jumps);
      isOnTime = false;
    }
    const { fate } = owner;
    if (fate?.counted === 'all' || next.name.endsWith('/journal.jsonl')) owner.stepsToFate -= 1;
    if (fate === null || owner.stepsToFate >= 0) next.happen();
    else if (fate.kind === 'interrupt') {
      owner.fate = null;
      owner.interrupt();
      next.happen();
    } else if (fate.kind === 'refusal') {
      if (next.refuse === undefined) next.happen();
      else {
        owner.fate = null;
        owner.refused();
        next.refuse();
      }
    } else {
      owner.fate = null;
      if (fate.side === 'after') next.happen();
      if (fate.side === 'within') next.happenInPart?.();
      end(fate.kind, owner);
    }
    return true;
  };

  return {
    step,
    steps: () => steps,
    trace: () => trace,
    disk: () => disk,
    isOnTime: () => isOnTime,
    start(fate) {
      started += 1;
      // Of its own: what is drawn in the code of two processes is drawn in any order.
      const own = createChance(chance.below(2 ** 31), 'process');
      const isSetNow = isClockSet && own.isTrue(0.2);
      const isSetLater = isClockSet && own.isTrue(0.2);
      const interrupt = new AbortController();
      let [wasRefused, wasInterrupted] = [false, false];
      let resolveKilled = nothing;
      const killed = new Promise<void>(resolve => {
        resolveKilled = resolve;
      });
      const state: Owner = {
        number: started,
        pid: 4_000 + (started % 2),
        fate,
        stepsToFate: fate?.step ?? 0,
        isOver: false,
        stepsToJump: isSetLater ? 1 + own.below(300) : 0,
        shift: isSetNow ? own.pick(jumps) : 0,
        kill: () => resolveKilled(),
        interrupt: () => {
          wasInterrupted = true;
          interrupt.abort();
        },
        refused: () => {
          wasRefused = true;
        },
      };
      alive.add(state);
      if (isSetNow) isOnTime = false;
      const enqueue = (happening: Omit<Happening, 'owner'>): Happening => {
        const whole = { ...happening, owner: state };
        if (!state.isOver) waiting.push(whole);
        return whole;
      };
      const { pid } = state;
      const startedAt = String(started);
      const bootId = `boot-${boot}`;
      return {
        disk: slowDisk(() => disk, { enqueue, chance, now: () => now, isOver: () => state.isOver }),
        clock: createClock({ enqueue, drop, now: () => now, shift: () => state.shift }),
        ids: createIds(own),
        processes: {
          pid,
          user: 1_000,
          identify: (): Promise<ProcessIdentity> =>
            Promise.resolve({
              pid,
              host: 'simulated',
              boot: bootId,
              namespace: 'simulated',
              started: startedAt,
            }),
          isGone: identity =>
            Promise.resolve(
              identity.boot !== bootId ||
                [...alive].every(({ number }) => identity.started !== String(number)),
            ),
          isAlive: other => [...alive].some(each => each.pid === other),
        },
        signal: interrupt.signal,
        killed,
        wasRefused: () => wasRefused,
        wasInterrupted: () => wasInterrupted,
        end: (kind = 'kill') => {
          if (!state.isOver) end(kind, state);
        },
      };
    },
  };
}

/** Resolves when all code of this process waits for something that is simulated. */
export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < quietTurns; quiet += 1) {
    await immediate();
    if (isReading()) quiet = -1;
  }
}

/** What was read from the disk of this machine may be followed by more. */
function isReading(): boolean {
  return process
    .getActiveResourcesInfo()
    .some(name => name.startsWith('FSReq') || name === 'CloseReq');
}

/** Code that waits for the next turn of the loop comes to its end in two, and may then wait for another. */
const quietTurns = 5;

interface Waiting {
  enqueue(happening: Omit<Happening, 'owner'>): Happening;
  now(): number;
}

interface DiskWaiting extends Waiting {
  readonly chance: Chance;
  isOver(): boolean;
}

type DiskOperation = 'open' | 'write' | 'sync' | 'name';

/** What changes the disk happens when its turn comes; a look at it happens at once. */
function slowDisk(inner: () => MemoryDisk, { enqueue, now, chance, isOver }: DiskWaiting): Disk {
  const later = <Result>(
    kind: DiskOperation,
    path: string,
    change: () => Promise<Result>,
    happenInPart: () => void = nothing,
  ): Promise<Result> =>
    new Promise((resolve, reject) => {
      enqueue({
        name: `${kind} ${normalize(path).replace(/(\.tmp|\.stale)-[\w-]+/, '$1')}`,
        due: now(),
        happenInPart,
        happen: () => {
          change().then(
            result => void (isOver() || resolve(result)),
            (error: unknown) => void (isOver() || reject(toError(error))),
          );
        },
        refuse: () => {
          happenInPart();
          reject(refusalOf(kind, path));
        },
      });
    });
  const look = <Result>(read: () => Promise<Result>): Promise<Result> =>
    isOver() ? new Promise(() => {}) : read();
  const slow = (file: OpenFile, path: string): OpenFile => ({
    status: () => look(() => file.status()),
    read: () => look(() => file.read()),
    close: () => look(() => file.close()),
    write: bytes =>
      later(
        'write',
        path,
        () => file.write(bytes),
        () => {
          void file.write(bytes.subarray(0, chance.below(bytes.length + 1)));
        },
      ),
    truncate: size => later('write', path, () => file.truncate(size)),
    sync: () => later('sync', path, () => file.sync()),
  });
  return {
    open: async (path, access, mode) =>
      slow(
        access === 'read'
          ? await look(() => inner().open(path, access, mode))
          : await later('open', path, () => inner().open(path, access, mode)),
        path,
      ),
    status: path => look(() => inner().status(path)),
    list: folder => look(() => inner().list(folder)),
    makeFolder: path => later('name', path, () => inner().makeFolder(path)),
    rename: (from, to) => later('name', to, () => inner().rename(from, to)),
    link: (from, to) => later('name', to, () => inner().link(from, to)),
    remove: path => later('name', path, () => inner().remove(path)),
    syncFolder: folder => later('sync', folder, () => inner().syncFolder(folder)),
    localPath: () => null,
  };
}

function refusalOf(kind: DiskOperation, path: string): Error {
  const code = kind === 'sync' ? 'EIO' : 'ENOSPC';
  return Object.assign(new Error(`${code}: ${path}`), {
    code,
    path,
    ...(kind === 'sync' && { syscall: 'fsync' }),
  });
}

interface Timers extends Waiting {
  drop(happening: Happening): void;
  /** As of its process. */
  shift(): number;
}

function createClock({ enqueue, drop, now, shift }: Timers): Clock {
  const wait = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) {
        reject(abortError());
        return;
      }
      const aborted = (): void => {
        drop(timer);
        reject(abortError());
      };
      signal?.addEventListener('abort', aborted, { once: true });
      const timer = enqueue({
        name: 'time',
        isTimer: true,
        due: now() + Math.max(ms, 0.01),
        happen: () => {
          signal?.removeEventListener('abort', aborted);
          resolve();
        },
      });
    });
  return {
    now: () => new Date(began + shift() + now()),
    monotonicMs: now,
    sleep: wait,
    deadline: wait,
  };
}

function createIds(chance: Chance): Ids {
  const digits = (count: number): string =>
    Array.from({ length: count }, () => chance.below(16).toString(16)).join('');
  return {
    run: at =>
      `${at
        .toISOString()
        .replace(/[-:]/g, '')
        .replace(/\.\d+Z$/, 'Z')}-${digits(6)}`,
    nonce: () => digits(32),
  };
}

function abortError(): Error {
  return new DOMException('The wait was aborted.', 'AbortError');
}

function nothing(): void {}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
