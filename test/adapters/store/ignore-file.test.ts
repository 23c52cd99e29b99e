import { lstat, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureIgnored } from '../../../src/adapters/store/ignore-file.ts';
import { makeTemporary } from './temporary.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';

describe('the line in .gitignore', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporary>>;
  let file: string;
  beforeEach(async () => {
    temporary = await makeTemporary();
    file = join(temporary.folder, '.gitignore');
  });
  afterEach(() => temporary.remove());

  it.each([
    [null, '.jury/\n'],
    ['', '.jury/\n'],
    ['node_modules\n', 'node_modules\n.jury/\n'],
    ['node_modules', 'node_modules\n.jury/\n'],
    ['a\r\nb\r\n', 'a\r\nb\r\n.jury/\r\n'],
    ['# .jury/\n!.jury/\n', '# .jury/\n!.jury/\n.jury/\n'],
  ])('is added once to %j', async (before, after) => {
    if (before !== null) await writeFile(file, before);
    expect(await ensureIgnored(systemStorage, temporary.folder)).toBe(true);
    expect(await ensureIgnored(systemStorage, temporary.folder)).toBe(false);
    expect(await readFile(file, 'utf8')).toBe(after);
  });

  it.each(['.jury/', '/.jury', 'a\r\n.jury\r\nb', '.jury/  \n'])(
    'is not added to %j, which ignores it already',
    async text => {
      await writeFile(file, text);
      expect(await ensureIgnored(systemStorage, temporary.folder)).toBe(false);
      expect(await readFile(file, 'utf8')).toBe(text);
    },
  );

  it('keeps the rights of the file', async () => {
    await writeFile(file, '', { mode: 0o640 });
    await ensureIgnored(systemStorage, temporary.folder);
    expect((await stat(file)).mode & 0o777).toBe(0o640);
  });

  it('is not written through a link, nor outside a repository', async () => {
    const target = join(temporary.folder, 'target');
    await writeFile(target, 'untouched');
    await symlink(target, file);
    expect(await ensureIgnored(systemStorage, temporary.folder)).toBe(false);
    expect(await readFile(target, 'utf8')).toBe('untouched');
    expect((await lstat(file)).isSymbolicLink()).toBe(true);
    expect(await ensureIgnored(systemStorage, null)).toBe(false);
  });

  it('is not written where a folder has the name', async () => {
    await mkdir(file);
    expect(await ensureIgnored(systemStorage, temporary.folder)).toBe(false);
  });
});
