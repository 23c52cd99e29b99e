/** `run-memory/<task>.json`: the packs that the roles of a task share, a file per task so that tasks do not meet. */
import { join } from 'node:path';
import { z } from 'zod';
import {
  defaultTimeToLiveMs,
  isAlive,
  RunMemoryEntry,
  runMemoryKey,
} from '../../core/context/run-memory.ts';
import type { Clock } from '../../core/ports/clock.ts';
import { explained } from './atomic-write.ts';
import { namesIn, namesOf } from './file-names.ts';
import { readRecord, writeRecord } from './record-file.ts';
import type { StateFolder } from './storage.ts';

interface RunMemory {
  /** The pack of a role; null when there is none or its time is over: then a new one is built. A look-up counts as use. */
  recall(agent: string): Promise<string | null>;
  /** What abandoned tasks left is forgotten with it. */
  keep(agent: string, uri: string): Promise<void>;
  /** The packs of the other roles, by their names in lower case. A look-up counts as use. */
  ofOthers(agent: string): Promise<readonly { readonly agent: string; readonly uri: string }[]>;
  /** Forgets the task. Returns what was remembered, for the journal. */
  end(): Promise<readonly string[]>;
}

const Entries = z.record(z.string(), RunMemoryEntry);

export function openRunMemory(
  state: StateFolder,
  task: string,
  {
    clock,
    timeToLiveMs = defaultTimeToLiveMs,
  }: { readonly clock: Pick<Clock, 'now'>; readonly timeToLiveMs?: number },
): RunMemory {
  const [name] = namesOf(`${task}.json`);
  const folder = join(state.root, 'run-memory');
  const file = join(folder, name ?? '');
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Result>(work: () => Promise<Result>): Promise<Result> => {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  };
  const touch = async (agent: string, uri: string): Promise<void> => {
    const entry: RunMemoryEntry = { uri, usedAt: clock.now().getTime() };
    const entries = { ...(await entriesOf(state, file)), [runMemoryKey(task, agent)]: entry };
    await explained({ what: 'The memory of a task', path: file }, () =>
      writeRecord(state, ['run-memory', name ?? ''], entries),
    );
  };
  return {
    recall: agent =>
      inTurn(async () => {
        const entry = (await entriesOf(state, file))[runMemoryKey(task, agent)];
        if (entry === undefined || !isAlive(entry, clock.now().getTime(), timeToLiveMs))
          return null;
        await touch(agent, entry.uri);
        return entry.uri;
      }),
    keep: (agent, uri) =>
      inTurn(async () => {
        await touch(agent, uri);
        await removeDead(state, folder, clock.now().getTime(), timeToLiveMs);
      }),
    ofOthers: agent =>
      inTurn(async () => {
        const now = clock.now().getTime();
        const alive = Object.entries(await entriesOf(state, file)).flatMap(([key, entry]) => {
          const other = key.split('/').at(-2) ?? '';
          return other !== agent.toLowerCase() && isAlive(entry, now, timeToLiveMs)
            ? [{ agent: other, uri: entry.uri }]
            : [];
        });
        for (const other of alive) await touch(other.agent, other.uri);
        return alive.toSorted((one, other) => (one.agent < other.agent ? -1 : 1));
      }),
    end: () =>
      inTurn(async () => {
        const kept = Object.values(await entriesOf(state, file)).map(({ uri }) => uri);
        await state.disk.remove(file);
        await removeDead(state, folder, clock.now().getTime(), timeToLiveMs);
        return kept;
      }),
  };
}

/** Abandoned tasks leave nothing behind. */
async function removeDead(
  state: StateFolder,
  folder: string,
  now: number,
  timeToLiveMs: number,
): Promise<void> {
  for (const name of (await namesIn(state.disk, folder)).filter(each => each.endsWith('.json'))) {
    const file = join(folder, name);
    const entries = Object.values(await entriesOf(state, file));
    if (entries.every(entry => !isAlive(entry, now, timeToLiveMs))) await state.disk.remove(file);
  }
}

/** A damaged file remembers nothing: the packs are built again. */
async function entriesOf(
  { disk }: StateFolder,
  file: string,
): Promise<Record<string, RunMemoryEntry>> {
  return (await readRecord(disk, file, Entries)) ?? {};
}
