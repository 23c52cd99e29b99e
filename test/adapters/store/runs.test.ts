import { mkdir, writeFile, readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunFolder, runsFolder } from '../../../src/adapters/store/run-folder.ts';
import {
  findRun,
  listRuns,
  removeAllRuns,
  removeOldRuns,
  keepPack,
  packsOfOthers,
  keepTokenObservations,
  readTokenObservations,
} from '../../../src/adapters/store/runs.ts';
import { lockRun } from '../../../src/adapters/store/journal.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from './temporary.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';

const [oldest, middle, newest] = [
  '20261101T000000Z-aaaaaa',
  '20261120T235959Z-abcdef',
  '20261121T101500Z-0a1b2c',
] as const;

describe('the runs of a root', () => {
  let root: string;
  beforeEach(async () => {
    root = createFolder();
    for (const id of [middle, newest, oldest]) await createRunFolder(stateIn(root), id);
  });

  it('are listed newest first, and nothing else is', async () => {
    await mkdir(join(runsFolder(stateIn(root)), 'notes'));
    await writeFile(join(runsFolder(stateIn(root)), '.removed-x'), '');
    expect(await listRuns(stateIn(root))).toEqual([newest, middle, oldest]);
    expect(await listRuns(stateIn(join(root, 'elsewhere')))).toEqual([]);
  });

  it('of one second are told apart by which came first', async () => {
    const ids = ['20261121T101501Z-ffffff', '20261121T101501Z-000000', '20261121T101501Z-888888'];
    for (const id of ids) {
      await createRunFolder(stateIn(root), id);
      await new Promise(resolve => setTimeout(resolve, 10));
    }
    expect((await listRuns(stateIn(root))).slice(0, 3)).toEqual(ids.toReversed());
  });

  it.each([
    [newest, newest],
    ['latest', newest],
    ['20261101', oldest],
    ['20261121t1015', newest],
    ['20261120T235959Z-ABC', middle],
  ])('are found by %s', async (wanted, id) =>
    expect(await findRun(stateIn(root), wanted)).toBe(id),
  );

  it.each([
    ['20261121T101500Z-0a1b2d', `"${newest}"`],
    ['2026-11-21', `"${newest}"`],
    ['20261199', `"${newest}"`],
    ['0a1b', `"${newest}"`],
    ['../../etc', '"jury runs" lists them.'],
    ['', '"jury runs" lists them.'],
    ['x'.repeat(100_000), '"jury runs" lists them.'],
  ])(
    'that are unknown, such as %.30s, are answered with the nearest where they are like an id',
    (wanted, hint) =>
      expect(findRun(stateIn(root), wanted)).rejects.toMatchObject({
        name: 'UserError',
        kind: 'input',
        message: expect.stringMatching(/^There is no run ".{0,70}"\.$/),
        hint: expect.stringContaining(hint),
      }),
  );

  it('that are meant by an ambiguous beginning are named', () =>
    expect(findRun(stateIn(root), '202611')).rejects.toMatchObject({
      message: '"202611" is the beginning of 3 runs.',
      hint: `Did you mean "${newest}" or "${middle}" or "${oldest}"?`,
    }));

  it('are not there before the first one', () =>
    expect(findRun(stateIn(join(root, 'elsewhere')), 'latest')).rejects.toMatchObject({
      kind: 'input',
      hint: 'Start one with "jury review".',
    }));

  it('are removed when they are older than asked, unless somebody works on them', async () => {
    const now = new Date('2026-11-21T12:00:00Z');
    const lock = await lockRun(systemStorage, join(runsFolder(stateIn(root)), oldest));
    expect(await removeOldRuns(stateIn(root), 7, now)).toEqual([]);
    await lock.release();
    expect(await removeOldRuns(stateIn(root), 7, now)).toEqual([oldest]);
    expect(await listRuns(stateIn(root))).toEqual([newest, middle]);
    expect(await removeAllRuns(stateIn(root))).toEqual([newest, middle]);
    expect(await listRuns(stateIn(root))).toEqual([]);
  });
});

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

const one = { family: 'anthropic', counted: 1000, reported: 1200 };
const other = { family: 'openai', counted: 500, reported: 510 };

describe('the token counts of a project', () => {
  let root: string;
  beforeEach(() => {
    root = createFolder();
  });
  const file = () => join(root, 'token-counts.json');

  it('are added to, and are none before', async () => {
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [other]);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one, other]);
  });

  it('of another encoding are none', async () => {
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readTokenObservations(stateIn(root), 'another')).toEqual([]);
  });

  it.each([
    '{"schema":',
    '[]',
    '{"schema":"jury.token-counts/1","counter":"o200k_base","observations":[{"family":"anthropic","counted":0,"reported":1}]}',
    ' '.repeat(1_048_577),
  ])('in a file that cannot be used start anew', async text => {
    await writeFile(file(), text);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([]);
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one]);
  });

  it('behind a link are neither read nor written there', async () => {
    await writeFile(join(root, 'elsewhere'), 'untouched');
    await symlink(join(root, 'elsewhere'), file());
    await keepTokenObservations(stateIn(root), 'o200k_base', [one]);
    expect(await readFile(join(root, 'elsewhere'), 'utf8')).toBe('untouched');
    expect(await readTokenObservations(stateIn(root), 'o200k_base')).toEqual([one]);
  });
});
