import { describe, expect, it } from 'vitest';
import { describeDisk } from '../contracts/disk.ts';
import { createMemoryDisk, type MemoryDisk } from './memory-disk.ts';

describeDisk('the simulation', async () => {
  const disk = createMemoryDisk();
  await disk.makeFolder('/folder');
  return { disk, folder: '/folder', remove: () => Promise.resolve() };
});

describe('a crash', () => {
  it('keeps what was synced, and a beginning of what was not', async () => {
    const left = new Set<string | undefined>();
    for (let chance = 0; chance < 1; chance += 0.1) {
      const disk = createMemoryDisk();
      await write(disk, 'durable', true);
      await disk.syncFolder('/');
      await write(disk, ' rest', false);
      left.add(
        disk
          .crash(() => chance)
          .files()
          .get('/file'),
      );
    }
    expect(left).toEqual(
      new Set(['durable', 'durable ', 'durable r', 'durable re', 'durable res', 'durable rest']),
    );
  });

  it('loses a name that was not synced, whatever it held', async () => {
    const disk = createMemoryDisk();
    await write(disk, 'durable', true);
    expect(disk.crash(() => 0.9).files().size).toBe(0);
  });

  it('puts an unsynced rename back', async () => {
    const disk = createMemoryDisk();
    await write(disk, 'text', true);
    await disk.syncFolder('/');
    await disk.rename('/file', '/other');
    expect([
      ...disk
        .crash(() => 0.9)
        .files()
        .keys(),
    ]).toEqual(['/file']);
  });

  it('may leave holes in what was not synced, and nowhere else', async () => {
    const disk = createMemoryDisk();
    await write(disk, 'd'.repeat(100), true);
    await disk.syncFolder('/');
    await write(disk, 'r'.repeat(400), false);
    // Whole; then for each block what becomes of it, and where in it.
    const chances = [0.1, 0.1, 0, 0.9, 0, 0.1, 0, 0.25, 0.5];
    const left = disk.crash(() => chances.shift() ?? 0.9, true).textOf('/file');
    const hole = '\0'.repeat(64);
    const rest = 400 - 3 * 64;
    expect(left).toBe(
      `${'d'.repeat(100)}${hole}${'r'.repeat(64)}${hole}${'r'.repeat(32)}s${'r'.repeat(rest - 33)}`,
    );
  });

  it('of the process alone loses nothing', async () => {
    const disk = createMemoryDisk();
    await write(disk, 'rest', false);
    expect([...disk.handOver().files()]).toEqual([['/file', 'rest']]);
    await expect(disk.list('/')).rejects.toMatchObject({ code: 'EIO' });
  });

  it('fails whoever goes on with the disk of before', async () => {
    const disk = createMemoryDisk();
    const file = await disk.open('/file', 'append');
    disk.crash(() => 0);
    await expect(file.write(Buffer.from('late'))).rejects.toMatchObject({ code: 'EIO' });
    await expect(disk.open('/file', 'append')).rejects.toMatchObject({ code: 'EIO' });
  });
});

async function write(disk: MemoryDisk, text: string, isSynced: boolean) {
  const file = await disk.open('/file', 'append');
  await file.write(Buffer.from(text));
  if (isSynced) await file.sync();
  await file.close();
}
