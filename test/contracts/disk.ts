/** What every implementation of `Disk` keeps to. `folder` is an empty one that may be filled. */
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Disk } from '../../src/core/ports/runner.ts';

export interface DiskFixture {
  readonly disk: Disk;
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

export function describeDisk(name: string, create: () => Promise<DiskFixture>): void {
  describe(`the disk of ${name}`, () => {
    let fixture: DiskFixture;
    let disk: Disk;
    beforeEach(async () => {
      fixture = await create();
      disk = fixture.disk;
    });
    afterEach(() => fixture.remove());
    const at = (...names: readonly string[]) => join(fixture.folder, ...names);
    const write = async (path: string, text: string) => {
      const file = await disk.open(path, 'append');
      await file.write(Buffer.from(text));
      await file.sync();
      await file.close();
    };
    const read = async (path: string) => {
      const file = await disk.open(path, 'read');
      const bytes = await file.read();
      await file.close();
      return Buffer.from(bytes).toString('utf8');
    };

    it('appends to a file that it makes, private to the user', async () => {
      await write(at('file'), 'one ');
      await write(at('file'), 'two');
      expect(await read(at('file'))).toBe('one two');
      expect(await disk.status(at('file'))).toMatchObject({ kind: 'file', size: 7, mode: 0o600 });
    });

    it('creates a file once, with the mode that is asked for', async () => {
      await (await disk.open(at('file'), 'create', 0o644)).close();
      expect(await disk.status(at('file'))).toMatchObject({ size: 0, mode: 0o644 });
      await expect(disk.open(at('file'), 'create')).rejects.toMatchObject({ code: 'EEXIST' });
    });

    it('reads the whole file again after a write, and cuts it', async () => {
      const file = await disk.open(at('file'), 'append');
      await file.write(Buffer.from('whole'));
      expect(Buffer.from(await file.read()).toString()).toBe('whole');
      await file.truncate(2);
      await file.write(Buffer.from('ere'));
      expect(Buffer.from(await file.read()).toString()).toBe('where');
      expect((await file.status()).size).toBe(5);
      await file.close();
    });

    it('says by its code what is not there', async () => {
      expect(await disk.status(at('file'))).toBeNull();
      expect(await disk.status(at('folder', 'file'))).toBeNull();
      await expect(disk.open(at('file'), 'read')).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(disk.open(at('folder', 'file'), 'append')).rejects.toMatchObject({
        code: 'ENOENT',
      });
      await expect(disk.list(at('folder'))).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(disk.makeFolder(at('folder', 'deep'))).rejects.toMatchObject({ code: 'ENOENT' });
      await expect(disk.rename(at('file'), at('other'))).rejects.toMatchObject({ code: 'ENOENT' });
      await disk.remove(at('file'));
    });

    it('says by its code what is of another kind', async () => {
      await write(at('file'), 'text');
      await disk.makeFolder(at('folder'));
      await expect(disk.open(at('folder'), 'append')).rejects.toMatchObject({ code: 'EISDIR' });
      await expect(disk.list(at('file'))).rejects.toMatchObject({ code: 'ENOTDIR' });
      await expect(disk.open(at('file', 'below'), 'read')).rejects.toMatchObject({
        code: 'ENOTDIR',
      });
      await expect(disk.makeFolder(at('file'))).rejects.toMatchObject({ code: 'EEXIST' });
      const opened = await disk.open(at('folder'), 'read');
      expect((await opened.status()).kind).toBe('folder');
      await opened.close();
    });

    it('lists names with their kinds', async () => {
      await disk.makeFolder(at('folder'));
      await write(at('file'), 'text');
      await write(at('folder', 'deep'), 'text');
      expect(
        (await disk.list(fixture.folder)).toSorted((one, other) =>
          one.name < other.name ? -1 : 1,
        ),
      ).toEqual([
        { name: 'file', kind: 'file' },
        { name: 'folder', kind: 'folder' },
      ]);
      expect((await disk.status(at('folder')))?.mode).toBe(0o700);
    });

    it('renames over a file, and keeps an open one readable', async () => {
      await write(at('old'), 'old');
      await write(at('new'), 'new');
      const before = await disk.open(at('old'), 'read');
      await disk.rename(at('new'), at('old'));
      await disk.syncFolder(fixture.folder);
      expect(await read(at('old'))).toBe('new');
      expect(Buffer.from(await before.read()).toString()).toBe('old');
      await before.close();
      expect(await disk.status(at('new'))).toBeNull();
    });

    it('gives a file a second name only where that is free', async () => {
      await write(at('one'), 'text');
      await disk.link(at('one'), at('two'));
      await expect(disk.link(at('one'), at('two'))).rejects.toMatchObject({ code: 'EEXIST' });
      expect((await disk.status(at('two')))?.id).toBe((await disk.status(at('one')))?.id);
      await disk.remove(at('one'));
      expect(await read(at('two'))).toBe('text');
    });

    it('removes a folder with everything in it', async () => {
      await disk.makeFolder(at('folder'));
      await disk.makeFolder(at('folder', 'deep'));
      await write(at('folder', 'deep', 'file'), 'text');
      await disk.remove(at('folder'));
      expect(await disk.list(fixture.folder)).toEqual([]);
    });
  });
}
