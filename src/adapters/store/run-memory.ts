/** `run-memory/<task>.json`: the packs that the roles of a task share, a file per task so that tasks do not meet. */
import { join } from 'node:path';
import { z } from 'zod';
import { isAlive, RunMemoryEntry, runMemoryKey } from '../../core/context/run-memory.ts';
import { explained } from './atomic-write.ts';
import { namesIn, namesOf } from './file-names.ts';
import { readRecord, writeRecord } from './runs.ts';
import type { StateFolder } from './storage.ts';

const Entries = z.record(z.string(), RunMemoryEntry);
type Entries = z.infer<typeof Entries>;

const folderName = 'run-memory';

/** Several roles may be given their packs at once. */
let last: Promise<unknown> = Promise.resolve();

function inTurn<Result>(work: () => Promise<Result>) {
  const next = last.then(work);
  last = next.catch(() => undefined);
  return next;
}

/** Remembers the pack of a role. What abandoned tasks left is forgotten with it. */
export async function keepPack(
  state: StateFolder,
  task: string,
  { agent, uri, now }: { readonly agent: string; readonly uri: string; readonly now: Date },
) {
  const usedAt = now.getTime();
  return inTurn(async () => {
    const known = await entriesOf(state, fileOf(task));
    await write(state, task, { ...known, [runMemoryKey(task, agent)]: { uri, usedAt } });
    const folder = join(state.root, folderName);
    for (const name of (await namesIn(state.disk, folder)).filter(each => each.endsWith('.json'))) {
      const entries = Object.values(await entriesOf(state, name));
      if (entries.every(entry => !isAlive(entry, usedAt)))
        await state.disk.remove(join(folder, name));
    }
  });
}

/** The packs of the other roles, by their names in lower case. A look-up counts as use. */
export async function packsOfOthers(
  state: StateFolder,
  task: string,
  { agent, now }: { readonly agent: string; readonly now: Date },
): Promise<readonly { readonly agent: string; readonly uri: string }[]> {
  const usedAt = now.getTime();
  return inTurn(async () => {
    const known = await entriesOf(state, fileOf(task));
    const others = Object.entries(known)
      .map(([key, entry]) => ({ key, agent: key.split('/').at(-2) ?? '', ...entry }))
      .filter(other => other.agent !== agent.toLowerCase() && isAlive(other, usedAt))
      .toSorted((one, other) => (one.agent < other.agent ? -1 : 1));
    const used = others.map(({ key, uri }) => [key, { uri, usedAt }] as const);
    if (used.length > 0) await write(state, task, { ...known, ...Object.fromEntries(used) });
    return others.map(({ agent: other, uri }) => ({ agent: other, uri }));
  });
}

function fileOf(task: string) {
  return namesOf(`${task}.json`)[0] ?? '';
}

async function write(state: StateFolder, task: string, entries: Entries) {
  const path = join(state.root, folderName, fileOf(task));
  await explained({ what: 'The memory of a task', path }, () =>
    writeRecord(state, [folderName, fileOf(task)], entries),
  );
}

/** A damaged file remembers nothing: the packs are built again. */
async function entriesOf({ disk, root }: StateFolder, name: string) {
  return (await readRecord(disk, join(root, folderName, name), Entries)) ?? {};
}
