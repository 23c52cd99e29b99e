import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { systemDisk } from '../../../src/adapters/system/disk.ts';
import { describeDisk } from '../../contracts/disk.ts';
import { createFolder } from '../git/sample-repository.ts';

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
