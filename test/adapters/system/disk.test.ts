import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk, userStateFolder, renamePatiently } from '../../../src/adapters/system/disk.ts';
import { describeDisk } from '../../contracts/disk.ts';
import { createFolder } from '../git/sample-repository.ts';
import { homedir } from 'node:os';
import { UserError } from '../../../src/core/errors.ts';

describeDisk('this machine', () =>
  Promise.resolve({
    disk: systemDisk,
    folder: createFolder(),
    remove: () => Promise.resolve(),
  }),
);

describe('the disk of this machine', () => {
  it('follows no link', async () => {
    const folder = createFolder();
    await writeFile(join(folder, 'file'), 'text');
    await symlink('file', join(folder, 'link'));
    await mkdir(join(folder, 'folder'));
    expect(await systemDisk.status(join(folder, 'link'))).toMatchObject({ kind: 'link' });
    await expect(systemDisk.open(join(folder, 'link'), 'read')).rejects.toMatchObject({
      code: 'ELOOP',
    });
  });
});

/** Where the state of a user lies, by variable and by system. */
it.each([
  ['its own variable first', { JURY_STATE: '/s', XDG_STATE_HOME: '/x' }, 'linux', '/s'],
  ['the usual variable next', { XDG_STATE_HOME: '/x', HOME: '/h' }, 'linux', '/x/jury'],
  ['the home otherwise', { HOME: '/h' }, 'linux', '/h/.local/state/jury'],
  [
    'a relative variable counts as none',
    { XDG_STATE_HOME: 'x', HOME: '/h' },
    'linux',
    '/h/.local/state/jury',
  ],
  [
    'empty variables count as none',
    { JURY_STATE: '', XDG_STATE_HOME: '', HOME: '' },
    'linux',
    path.join(homedir(), '.local/state/jury'),
  ],
  ['macOS', { HOME: '/h' }, 'darwin', '/h/Library/Application Support/jury'],
  ['Windows', { LOCALAPPDATA: '/l' }, 'win32', '/l/jury'],
] as const)('%s', (_, environment, platform, folder) =>
  expect(userStateFolder(environment, platform)).toBe(folder),
);

it('refuses a folder that depends on where one stands', () =>
  expect(() => userStateFolder({ JURY_STATE: 'state' })).toThrow(UserError));

/** Fails with the codes, one after the other, then succeeds. */
function mover(...codes: readonly string[]) {
  const left = [...codes];
  const calls: string[] = [];
  return {
    calls,
    async move(from: string, to: string) {
      calls.push(`${from} ${to}`);
      const code = left.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
    },
  };
}

it('Windows is asked again while somebody else has the file open', async () => {
  const { calls, move } = mover('EPERM', 'EBUSY', 'EACCES');
  await renamePatiently('a', 'b', { move, platform: 'win32' });
  expect(calls).toEqual(['a b', 'a b', 'a b', 'a b']);
});

it('any other refusal is final, and elsewhere every one is', async () => {
  const missing = mover('ENOENT');
  await expect(
    renamePatiently('a', 'b', { move: missing.move, platform: 'win32' }),
  ).rejects.toThrow('ENOENT');
  const forbidden = mover('EPERM');
  await expect(
    renamePatiently('a', 'b', { move: forbidden.move, platform: 'linux' }),
  ).rejects.toThrow('EPERM');
  expect([missing.calls.length, forbidden.calls.length]).toEqual([1, 1]);
});
