import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openSpendingLedger, readSpending } from '../../../src/adapters/store/sqlite.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';
import { nothingIn } from '../../../src/core/spending/month.ts';
import { keepsSpending } from '../../contracts/spending-ledger.ts';
import { createMemoryDisk } from '../../simulation/memory-disk.ts';
import { createFolder } from '../git/sample-repository.ts';

const nothing = () => Promise.resolve(null);
let root = '';
beforeEach(() => {
  root = path.join(createFolder(), 'state');
});

describe('on this machine', () => {
  keepsSpending(() => openSpendingLedger({ disk: systemDisk, root }, nothing));
});

describe('on a disk that SQLite cannot reach', () => {
  let disk = createMemoryDisk();
  beforeEach(() => {
    disk = createMemoryDisk();
  });
  keepsSpending(() => openSpendingLedger({ disk, root: '/state' }, nothing));
});

it('is private to its user, and a look makes none', async () => {
  const state = { disk: systemDisk, root };
  expect(await readSpending(state, '2026-11')).toBeNull();
  (await openSpendingLedger(state, nothing)).close();
  expect(statSync(path.join(root, 'spending.sqlite')).mode & 0o777).toBe(0o600);
  expect(await readSpending(state, '2026-11')).toEqual(nothingIn('2026-11'));
});

it('begins with what was spent before there was one, once', async () => {
  const state = { disk: systemDisk, root };
  const before = { ...nothingIn('2026-11'), calls: 3, cost: 1.5 };
  for (let times = 0; times < 2; times++)
    (await openSpendingLedger(state, () => Promise.resolve(before))).close();
  expect(await readSpending(state, '2026-11')).toEqual(before);
});

it('that is damaged is said, is left as it is, and is no empty one', async () => {
  const state = { disk: systemDisk, root };
  const file = path.join(root, 'spending.sqlite');
  mkdirSync(root, { recursive: true, mode: 0o700 });
  writeFileSync(file, 'this is no database, and has more bytes than a header of one has got in it');
  await expect(openSpendingLedger(state, nothing)).rejects.toMatchObject({
    name: 'UserError',
    kind: 'input',
    message: expect.stringContaining('spending.sqlite is damaged') as string,
  });
  await expect(readSpending(state, '2026-11')).rejects.toThrow('is damaged');
  expect(readFileSync(file, 'utf8')).toContain('this is no database');
});

it('of a newer version is not touched', async () => {
  const state = { disk: systemDisk, root };
  (await openSpendingLedger(state, nothing)).close();
  const file = path.join(root, 'spending.sqlite');
  const bytes = readFileSync(file);
  bytes.writeUInt32BE(99, 60);
  writeFileSync(file, bytes);
  await expect(openSpendingLedger(state, nothing)).rejects.toThrow('newer Jury');
});
