import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { keepPack, packsOfOthers } from '../../../src/adapters/store/runs.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from './temporary.ts';

const uri = 'resources://runs/r1/context/Reviewer.lcp.json';

describe('the memory of a task', () => {
  let folder: string;
  let minutes: number;
  beforeEach(() => {
    folder = createFolder();
    minutes = 0;
  });
  const now = () => new Date(minutes * 60_000);
  const keep = (task: string, agent = 'Planner') =>
    keepPack(stateIn(folder), task, { agent, uri: `${uri}-${agent}`, now: now() });
  const othersOf = async (agent: string, task = 'task-1') =>
    (await packsOfOthers(stateIn(folder), task, { agent, now: now() })).map(
      other => `${other.agent} ${other.uri.split('-').at(-1) ?? ''}`,
    );
  const filesKept = () => readdir(join(folder, 'run-memory'));

  it('tells the packs of the other roles, whatever the case of their names, and of no other task', async () => {
    await keep('task-1', 'Thinker');
    await keep('task-1');
    expect(await othersOf('planner')).toEqual(['thinker Thinker']);
    expect(await othersOf('Reviewer')).toEqual(['planner Planner', 'thinker Thinker']);
    expect(await othersOf('Reviewer', 'task-2')).toEqual([]);
  });

  it('forgets one 61 minutes after the last use, and not 60 minutes after', async () => {
    await keep('task-1');
    minutes = 60;
    expect(await othersOf('Reviewer')).toHaveLength(1);
    // Being looked at is being used.
    minutes = 120;
    expect(await othersOf('Reviewer')).toHaveLength(1);
    minutes = 181;
    expect(await othersOf('Reviewer')).toEqual([]);
  });

  it('is rid of what other tasks left an hour ago whenever a pack is kept, and of nothing younger', async () => {
    await keep('old');
    minutes = 30;
    await keep('younger');
    minutes = 61;
    await keep('new');
    expect((await filesKept()).toSorted()).toEqual(['new.json', 'younger.json']);
    minutes = 200;
    await keep('last');
    expect(await filesKept()).toEqual(['last.json']);
  });

  it('loses nothing when several roles write at once, and starts anew from a damaged file', async () => {
    await Promise.all(['Planner', 'Thinker', 'Reviewer'].map(agent => keep('task-1', agent)));
    expect(await othersOf('Verifier')).toHaveLength(3);
    await writeFile(join(folder, 'run-memory', 'task-1.json'), '{"half');
    expect(await othersOf('Verifier')).toEqual([]);
  });
});
