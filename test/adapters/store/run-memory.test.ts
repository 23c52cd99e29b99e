import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunMemory } from '../../../src/adapters/store/run-memory.ts';
import { makeTemporary, stateIn } from './temporary.ts';

const uri = 'resources://runs/r1/context/Reviewer.lcp.json';

describe('the memory of a task', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporary>>;
  let minutes: number;
  const clock = { now: () => new Date(minutes * 60_000) };
  beforeEach(async () => {
    temporary = await makeTemporary();
    minutes = 0;
  });
  afterEach(() => temporary.remove());
  const keepFor = (task: string): Promise<void> =>
    openRunMemory(stateIn(temporary.folder), task, { clock }).keep('Planner', uri);
  const filesKept = (): Promise<string[]> => readdir(join(temporary.folder, 'run-memory'));

  it('knows the pack of a role, whatever the case of its name, in another process too', async () => {
    await openRunMemory(stateIn(temporary.folder), 'task-1', { clock }).keep('Reviewer', uri);
    expect(
      await openRunMemory(stateIn(temporary.folder), 'task-1', { clock }).recall('reviewer'),
    ).toBe(uri);
    expect(
      await openRunMemory(stateIn(temporary.folder), 'task-2', { clock }).recall('reviewer'),
    ).toBeNull();
  });

  it('forgets it 61 minutes after the last use, and not 60 minutes after', async () => {
    const memory = openRunMemory(stateIn(temporary.folder), 'task-1', { clock });
    await memory.keep('Reviewer', uri);
    minutes = 60;
    expect(await memory.recall('Reviewer')).toBe(uri);
    minutes = 120;
    expect(await memory.recall('Reviewer')).toBe(uri);
    minutes = 181;
    expect(await memory.recall('Reviewer')).toBeNull();
  });

  it('ends with the task, and takes abandoned tasks with it', async () => {
    await openRunMemory(stateIn(temporary.folder), 'abandoned', { clock }).keep('Planner', uri);
    minutes = 90;
    const memory = openRunMemory(stateIn(temporary.folder), 'task-1', { clock });
    await memory.keep('Reviewer', uri);
    expect(await memory.end()).toEqual([uri]);
    expect(await memory.recall('Reviewer')).toBeNull();
    expect(await readdir(join(temporary.folder, 'run-memory'))).toEqual([]);
  });

  it('is rid of what other tasks left an hour ago whenever a pack is kept, and of nothing younger', async () => {
    await keepFor('old');
    minutes = 30;
    await keepFor('younger');
    minutes = 61;
    await keepFor('new');
    expect((await filesKept()).toSorted()).toEqual(['new.json', 'younger.json']);
    minutes = 200;
    await keepFor('last');
    expect(await filesKept()).toEqual(['last.json']);
  });

  it('tells the packs of the other roles, and none whose time is over', async () => {
    const memory = openRunMemory(stateIn(temporary.folder), 'task-1', { clock });
    await memory.keep('Thinker', `${uri}-t`);
    minutes = 40;
    await memory.keep('Planner', `${uri}-p`);
    minutes = 61;
    expect(await memory.ofOthers('Planner')).toEqual([]);
    expect(await memory.ofOthers('Reviewer')).toEqual([{ agent: 'planner', uri: `${uri}-p` }]);
    // Being looked at is being used.
    minutes = 115;
    expect(await memory.ofOthers('Reviewer')).toHaveLength(1);
  });

  it('loses nothing when several roles write at once, and starts anew from a damaged file', async () => {
    const memory = openRunMemory(stateIn(temporary.folder), 'task-1', { clock });
    await Promise.all(
      ['Planner', 'Thinker', 'Reviewer'].map(agent => memory.keep(agent, `${uri}-${agent}`)),
    );
    expect(
      await Promise.all(['Planner', 'Thinker', 'Reviewer'].map(agent => memory.recall(agent))),
    ).toEqual(['Planner', 'Thinker', 'Reviewer'].map(agent => `${uri}-${agent}`));
    await writeFile(join(temporary.folder, 'run-memory', 'task-1.json'), '{"half');
    expect(await memory.recall('Planner')).toBeNull();
  });
});
