import { readdir, readFile, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { isLocked, lockRun } from '../../../src/adapters/store/journal.ts';
import { bundle, run, start } from './bundled.ts';
import { createFolder } from '../git/sample-repository.ts';
import { systemStorage } from '../../../src/adapters/store/storage.ts';

/** No process has this pid: it lies above the largest a Linux kernel gives. */
const nobody = 4_194_305;

describe('the lock of a run', () => {
  let folder: string;
  beforeEach(() => void (folder = createFolder()));

  const writeLock = async (change: object) =>
    writeFile(
      join(folder, 'lock'),
      JSON.stringify({ ...(await systemStorage.processes.identify()), ...change }),
    );

  it('is held once, released, and held again', async () => {
    const lock = await lockRun(systemStorage, folder);
    await expect(lockRun(systemStorage, folder)).rejects.toMatchObject({
      name: 'UserError',
      kind: 'usage',
      message: expect.stringContaining(
        `Process ${process.pid} on ${hostname()} is working on this run`,
      ),
    });
    await lock.release();
    await lock.release();
    expect(await isLocked(systemStorage, folder)).toBe(false);
    const again = await lockRun(systemStorage, folder);
    expect(await isLocked(systemStorage, folder)).toBe(true);
    await again.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it.each([
    ['its process is gone', { pid: nobody }],
    ['the machine has restarted since', { boot: '00000000-0000-0000-0000-000000000000' }],
    ['its pid belongs to a younger process', { started: '1' }],
  ])('is taken over when %s', async (_, change) => {
    await writeLock(change);
    const lock = await lockRun(systemStorage, folder);
    expect(JSON.parse(await readFile(join(folder, 'lock'), 'utf8'))).toMatchObject(
      await systemStorage.processes.identify(),
    );
    await lock.release();
  });

  it.each([
    ['it belongs to another machine', { pid: nobody, host: 'elsewhere' }],
    ['it belongs to another container', { pid: nobody, namespace: 'pid:[1]' }],
    ['its process is alive', {}],
  ])('is respected when %s', async (_, change) => {
    await writeLock(change);
    await expect(lockRun(systemStorage, folder)).rejects.toMatchObject({ kind: 'usage' });
    expect(await isLocked(systemStorage, folder)).toBe(true);
  });

  it.each(['', '{}', '{"pid":"1"}', 'garbage'])('is respected when it says %j', async text => {
    await writeFile(join(folder, 'lock'), text);
    await expect(lockRun(systemStorage, folder)).rejects.toMatchObject({
      kind: 'usage',
      message: expect.stringContaining('does not say who holds it'),
    });
  });

  it('is taken over from a process that was killed, with its temporary files', async () => {
    const script = await bundle(`
      import { lockRun } from 'src/adapters/store/journal.ts';
      import { systemStorage } from 'src/adapters/store/storage.ts';
      import { writeFileSync } from 'node:fs';
      await lockRun(systemStorage, process.argv[2]);
      writeFileSync(process.argv[2] + '/.tmp-${nobody}-0123456789ab', 'half');
      console.log('held');
      setInterval(() => {}, 1000);
    `);
    const { child, ended } = start(process.execPath, [script, folder]);
    await new Promise(resolve => child.stdout?.once('data', resolve));
    await expect(lockRun(systemStorage, folder)).rejects.toThrow(`Process ${child.pid}`);
    child.kill('SIGKILL');
    await ended;
    const lock = await lockRun(systemStorage, folder);
    expect(await readdir(folder)).toEqual(['lock']);
    await lock.release();
  });

  it('is not taken from the next one by who found it stale before, and then was slow', async () => {
    await writeLock({ pid: nobody });
    const { disk, processes } = systemStorage;
    const path = join(folder, 'lock');
    let [judge, take] = [() => {}, () => {}];
    const judged = new Promise<void>(resolve => (judge = resolve));
    const taken = new Promise<void>(resolve => (take = resolve));
    const intruders: string[] = [];
    const late = lockRun(
      {
        ...systemStorage,
        processes: {
          ...processes,
          isGone: async holder => {
            const isGone = await processes.isGone(holder);
            judge();
            await taken;
            return isGone;
          },
        },
        disk: {
          ...disk,
          rename: async (from, to) => {
            await disk.rename(from, to);
            if (from !== path) return;
            await lockRun(systemStorage, folder);
            intruders.push(to);
          },
        },
      },
      folder,
    );
    late.catch(() => {});
    await judged;
    const lock = await lockRun(systemStorage, folder);
    take();
    await expect(late).rejects.toThrow('is working on this run');
    expect(intruders).toEqual([]);
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
  });

  it('is held by one of several processes at any time, also when they find a stale one', async () => {
    const script = await bundle(`
      import { lockRun } from 'src/adapters/store/journal.ts';
      import { systemStorage } from 'src/adapters/store/storage.ts';
      import { appendFileSync } from 'node:fs';
      const [, , folder, log] = process.argv;
      for (let round = 0; round < 12; round += 1) {
        try {
          const lock = await lockRun(systemStorage, folder);
          appendFileSync(log, 'in ' + process.pid + '\\n');
          await new Promise(resolve => setTimeout(resolve, 3));
          appendFileSync(log, 'out ' + process.pid + '\\n');
          // Every other one is left behind as if its process had been killed.
          if (round % 2) await lock.release();
          else (await import('node:fs')).writeFileSync(folder + '/lock', JSON.stringify({ ...JSON.parse((await import('node:fs')).readFileSync(folder + '/lock')), pid: ${nobody} }));
        } catch (error) {
          if (error.kind !== 'usage') throw error;
          await new Promise(resolve => setTimeout(resolve, Math.random() * 10));
        }
      }
    `);
    const log = `${script}.log`;
    await writeFile(log, '');
    const ended = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, [script, folder, log])),
    );
    expect(ended.map(({ code, stderr }) => `${code} ${stderr}`)).toEqual(ended.map(() => '0 '));
    const lines = (await readFile(log, 'utf8')).trim().split('\n');
    expect(lines.length).toBeGreaterThan(4);
    for (let index = 0; index < lines.length; index += 2)
      expect(lines[index + 1]).toBe(lines[index]?.replace('in ', 'out '));
  });
});
