import { createHash, randomBytes } from 'node:crypto';
import {
  appendFile,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { journalsOf, openJournal, readJournal } from '../../../src/adapters/store/journal.ts';
import { createMemoryDisk } from '../../simulation/memory-disk.ts';
import { createPassingSteps } from '../../../src/core/ports/steps.ts';
import { describeSteps, describeStepsOfRuns } from '../../contracts/steps.ts';
import { bundle, run, start } from './bundled.ts';
import { createFolder } from '../git/sample-repository.ts';
import { systemStorage, type Storage } from '../../../src/adapters/store/storage.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';

const remove = (): Promise<void> => Promise.resolve();

describeSteps('a journal file', async () => {
  const folder = createFolder();
  return { open: () => openJournal(systemStorage, join(folder, 'journal.jsonl')), remove };
});

describeSteps('a process', () => {
  const known = new Map<string, unknown>();
  return Promise.resolve({
    open: () => Promise.resolve(createPassingSteps(known)),
    remove,
  });
});

describeStepsOfRuns('a state folder', async () => {
  const folder = createFolder();
  const run = '20260101T000000Z-abcdef';
  await mkdir(join(folder, 'runs', run), { recursive: true });
  const state = { ...systemStorage, root: folder, project: folder };
  return { open: () => journalsOf(state), run, remove };
});

describe('a journal', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = createFolder();
    file = join(folder, 'journal.jsonl');
  });

  const fill = async (count: number): Promise<void> => {
    const steps = await openJournal(systemStorage, file);
    for (let number = 0; number < count; number += 1)
      await steps.step(`step ${number}`, async () => ({ number, text: 'x'.repeat(400) }));
  };
  const reopen = async (
    count: number,
  ): Promise<{
    readonly found: number;
    readonly wrong: number;
    readonly notes: readonly string[];
  }> => {
    const notes: string[] = [];
    const steps = await openJournal(systemStorage, file, note => notes.push(note));
    const results = await Promise.all(
      Array.from({ length: count }, async (_, number) => ({
        number,
        result: await steps.recall<{ readonly number: number }>(`step ${number}`),
      })),
    );
    const found = results.filter(({ result }) => result !== undefined);
    return {
      found: found.length,
      wrong: found.filter(({ number, result }) => result?.number !== number).length,
      notes,
    };
  };

  it('is readable by its owner only', async () => {
    const steps = await openJournal(systemStorage, file);
    await steps.step('a', async () => 1);
    const modes = await Promise.all(
      (await readdir(folder)).map(async name => (await stat(join(folder, name))).mode & 0o777),
    );
    expect(new Set(modes)).toEqual(new Set([0o600]));
  });

  it(
    'repeats only the steps in flight when its process is killed',
    { timeout: 60_000 },
    async () => {
      const script = await bundle(`
      import { openJournal } from 'src/adapters/store/journal.ts';
      import { systemStorage } from 'src/adapters/store/storage.ts';
      import { appendFileSync } from 'node:fs';
      const [, , folder] = process.argv;
      const steps = await openJournal(systemStorage, folder + '/journal.jsonl');
      const queue = Array.from({ length: 200 }, (_, number) => number);
      const worker = async () => {
        for (let number = queue.shift(); number !== undefined; number = queue.shift()) {
          const value = await steps.step('step ' + number, async () => {
            appendFileSync(folder + '/calls', 'call ' + number + '\\n');
            await new Promise(resolve => setTimeout(resolve, 1));
            return { number };
          });
          if (value.number !== number) throw new Error('wrong result');
          appendFileSync(folder + '/calls', 'acknowledged ' + number + '\\n');
        }
      };
      await Promise.all([worker(), worker(), worker(), worker(), worker()]);
      console.log('done');
    `);
      const acknowledged = new Set<string>();
      let isDone = false;
      for (let kills = 0; !isDone && kills < 40; kills += 1) {
        const before = new Set(acknowledged);
        await writeFile(join(folder, 'calls'), '');
        const { child, ended } = start(process.execPath, [script, folder]);
        const limit =
          kills < 12 ? setTimeout(() => child.kill('SIGKILL'), 90 + Math.random() * 60) : undefined;
        const { stdout, stderr } = await ended;
        clearTimeout(limit);
        expect(stderr).toBe('');
        isDone = stdout === 'done\n';
        const called: string[] = [];
        const lines = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
        for (const line of lines) {
          const [what, number = ''] = line.split(' ');
          if (what === 'call') called.push(number);
          if (what === 'acknowledged') acknowledged.add(number);
        }
        expect(called.filter(number => before.has(number))).toEqual([]);
      }
      expect(isDone).toBe(true);
      expect(acknowledged.size).toBe(200);
    },
  );

  it('says nothing on standard error and keeps no process alive', async () => {
    const script = await bundle(`
      import { openJournal } from 'src/adapters/store/journal.ts';
      import { systemStorage } from 'src/adapters/store/storage.ts';
      const steps = await openJournal(systemStorage, process.argv[2]);
      await steps.step('a', async () => 1);
    `);
    expect(await run(process.execPath, [script, file])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  });

  it('keeps a file with a damaged record aside and runs that step again', async () => {
    await fill(3);
    const damaged = (await readFile(file, 'utf8')).replace('"number":1', '"number":7');
    await writeFile(file, damaged);
    const notes: string[] = [];
    const steps = await openJournal(systemStorage, file, note => notes.push(note));
    const aside = join(folder, 'quarantine', '1-journal.jsonl');
    expect(notes).toEqual([
      `The journal was damaged: 2 finished steps could be read from it; the damaged file is kept as ${aside}.`,
    ]);
    expect(await readFile(aside, 'utf8')).toBe(damaged);
    const recalled = ['step 0', 'step 1', 'step 2'].map(key => steps.recall(key));
    expect(await Promise.all(recalled)).toEqual([
      expect.objectContaining({ number: 0 }),
      undefined,
      expect.objectContaining({ number: 2 }),
    ]);
    expect(await steps.step('step 1', async () => 'again')).toBe('again');
    expect((await reopen(3)).notes).toEqual([]);
  });

  it.each([
    ['missing', (lines: string[]) => lines.toSpliced(2, 1), 3],
    ['repeated', (lines: string[]) => lines.toSpliced(2, 0, lines[2] ?? ''), 4],
    ['moved', (lines: string[]) => lines.toSpliced(1, 2, lines[2] ?? '', lines[1] ?? ''), 4],
  ] as const)('notices a record that is %s', async (_, change, left) => {
    await fill(4);
    await writeFile(file, change((await readFile(file, 'utf8')).split('\n')).join('\n'));
    const { found, wrong, notes } = await reopen(4);
    expect([found, wrong, notes.length]).toEqual([left, 0, 1]);
    expect((await reopen(4)).notes).toEqual([]);
  });

  it('is cut after its last whole record, wherever its end was torn', async () => {
    await fill(3);
    const whole = await readFile(file);
    const ends = whole.reduce<number[]>(
      (all, byte, at) => (byte === 10 ? [...all, at + 1] : all),
      [],
    );
    for (let size = 0; size < whole.length; size += 7) {
      await writeFile(file, whole.subarray(0, size));
      const { found, wrong, notes } = await reopen(3);
      // The first line names the format.
      expect(found).toBe(Math.max(0, ends.filter(end => end <= size).length - 1));
      expect([wrong, notes.length]).toEqual([0, size === 0 || ends.includes(size) ? 0 : 1]);
    }
  });

  it.each([
    ['a text file', 0],
    ['a zeroed page', 36],
    ['a zeroed beginning', 36],
  ])('saves what is readable of %s and keeps the damaged file', async (damage, least) => {
    await fill(60);
    const sound = file;
    file = join(folder, 'damaged.jsonl');
    await copyFile(sound, file);
    const { size } = await stat(file);
    if (damage === 'a text file') await writeFile(file, 'this is no database\n'.repeat(100));
    if (damage === 'a zeroed beginning') await overwrite(file, 0, Buffer.alloc(4096));
    if (damage === 'a zeroed page')
      await overwrite(file, Math.floor(size / 8192) * 4096, Buffer.alloc(4096));
    const damaged = await readFile(file);
    const { found, wrong, notes } = await reopen(60);
    expect(wrong).toBe(0);
    expect(notes).toEqual([
      expect.stringMatching(
        /^The journal was damaged: \d+ finished steps could be read from it; the damaged file is kept as .*1-damaged\.jsonl\.$/,
      ),
    ]);
    expect(found).toBeGreaterThanOrEqual(least);
    expect((await readFile(join(folder, 'quarantine', '1-damaged.jsonl'))).equals(damaged)).toBe(
      true,
    );
    expect((await reopen(60)).notes).toEqual([]);
    expect((await reopen(60)).found).toBe(found);
  });

  it('never returns a wrong result, whichever bytes are hit, and names what it lost', async () => {
    await fill(20);
    const sound = `${file}.sound`;
    await copyFile(file, sound);
    const { size } = await stat(sound);
    for (let round = 0; round < 40; round += 1) {
      file = join(folder, `journal-${round}.jsonl`);
      await copyFile(sound, file);
      await overwrite(file, Math.floor((size * round) / 40), randomBytes(1 + (round % 16)));
      const { found, wrong, notes } = await reopen(20);
      expect(wrong).toBe(0);
      expect(found === 20 || notes.length > 0).toBe(true);
    }
  });

  it('can be read while somebody writes it', async () => {
    const steps = await openJournal(systemStorage, file);
    await steps.step('a', async () => 'first');
    await appendFile(file, 'half a record');
    expect(await (await readJournal(systemStorage, file)).recall('a')).toBe('first');
    expect(await readFile(file, 'utf8')).toMatch(/half a record$/);
    expect(await (await readJournal(systemStorage, `${file}.none`)).recall('a')).toBeUndefined();
  });

  it('is refused where it is gone and something was said', async () => {
    await fill(1);
    await mkdir(join(folder, 'raw'));
    await writeFile(join(folder, 'raw/alpha.txt'), 'None');
    await writeFile(file, '');
    await expect(openJournal(systemStorage, file)).rejects.toThrow('is gone');
  });

  it('refuses another format', async () => {
    const body = '{"schema":"jury.journal/99"}';
    const head = `0 ${body.length} ${'0'.repeat(64)}`;
    const checksum = createHash('sha256').update(`${head} ${body}`).digest('hex');
    await writeFile(file, `${head} ${checksum} ${body}\n`);
    await expect(openJournal(systemStorage, file)).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: `The journal was written by another version of Jury (${file}).`,
    });
  });

  it('says why a file cannot be opened', async () => {
    await mkdir(file);
    await expect(openJournal(systemStorage, file)).rejects.toThrow('EISDIR');
  });

  it('writes nothing behind the back of another writer', async () => {
    const [one, other] = [
      await openJournal(systemStorage, file),
      await openJournal(systemStorage, file),
    ];
    await one.step('a', async () => 'first');
    await expect(other.step('b', async () => 'second')).rejects.toMatchObject({
      name: 'UserError',
      message: `Another process is writing the journal (${file}).`,
    });
    expect((await reopen(0)).notes).toEqual([]);
  });

  it.each(['ENOSPC', 'EROFS'])('names %s and keeps what was acknowledged', async code => {
    const refused = Object.assign(new Error(code), { code });
    const steps = await openJournal(failing('write', refused, 2), file);
    await steps.step('a', async () => 'first');
    await expect(steps.step('b', async () => 'second')).rejects.toMatchObject({
      kind: 'machine',
    });
    expect(await (await readJournal(systemStorage, file)).recall('a')).toBe('first');
  });

  it('records nothing more after a sync that failed', async () => {
    const refused = Object.assign(new Error('EIO'), { code: 'EIO', syscall: 'fsync' });
    const steps = await openJournal(failing('sync', refused, 2), file);
    await steps.step('a', async () => 'first');
    for (const key of ['b', 'c'])
      await expect(steps.step(key, async () => key)).rejects.toThrow(
        'The disk could not confirm a write',
      );
    expect(await steps.recall('b')).toBeUndefined();
  });

  it('keeps every acknowledged step through power cuts, whatever else is lost', async () => {
    let lost = 0;
    let unacknowledged = 0;
    for (let seed = 1; seed <= 300; seed += 1) {
      const chance = seeded(seed);
      let disk = createMemoryDisk();
      await disk.makeFolder('/run');
      await disk.syncFolder('/');
      const acknowledged = new Map<string, number>();
      for (let life = 0; life < 3; life += 1) {
        const steps = await openJournal({ ...systemStorage, disk }, '/run/journal.jsonl');
        for (const [key, value] of acknowledged) if ((await steps.recall(key)) !== value) lost += 1;
        const work = [0, 1, 2, 3].map(async number => {
          await turns(Math.floor(chance() * 12));
          await steps.step(`step ${life} ${number}`, async () => number);
          acknowledged.set(`step ${life} ${number}`, number);
        });
        await turns(Math.floor(chance() * 16));
        disk = disk.crash(chance);
        const ends = await Promise.allSettled(work);
        unacknowledged += ends.filter(({ status }) => status === 'rejected').length;
      }
    }
    expect(lost).toBe(0);
    expect(unacknowledged).toBeGreaterThan(100);
  });

  it.each([0, 0.9])('loses nothing that it recalled of a process that was killed', async chance => {
    const first = createMemoryDisk();
    await first.makeFolder('/run');
    await first.syncFolder('/');
    // Killed when its record was written and not yet confirmed.
    const killed = await openOn({
      ...first,
      open: async (...asked) => ({
        ...(await first.open(...asked)),
        sync: () => new Promise(() => {}),
      }),
    });
    void killed.step('a', async () => 'paid');
    await turns(5);
    const second = first.handOver();
    expect(await (await openOn(second)).recall('a')).toBe('paid');
    expect(await (await openOn(second.crash(() => chance))).recall('a')).toBe('paid');
  });
});

function openOn(disk: Storage['disk']): ReturnType<typeof openJournal> {
  return openJournal({ ...systemStorage, disk }, '/run/journal.jsonl');
}

/** A disk that refuses each write from the `first` on, or each sync. */
function failing(method: 'write' | 'sync', error: Error, first: number): Storage {
  let calls = 0;
  return {
    ...systemStorage,
    disk: {
      ...systemDisk,
      async open(...asked) {
        const file = await systemDisk.open(...asked);
        return {
          ...file,
          [method]: async (bytes: Uint8Array) => {
            calls += 1;
            if (calls >= first) throw error;
            await file[method](bytes);
          },
        };
      },
    },
  };
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(resolve => setImmediate(resolve));
}

/** The same figures for the same seed (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function overwrite(path: string, position: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}
