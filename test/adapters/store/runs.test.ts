import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { createRunFolder, runsFolder } from '../../../src/adapters/store/run-folder.ts';
import {
  findRun,
  listRuns,
  removeAllRuns,
  removeOldRuns,
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
