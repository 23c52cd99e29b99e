import { randomBytes } from 'node:crypto';
import {
  appendFile,
  copyFile,
  mkdir,
  open,
  readdir,
  readFile,
  stat,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openJournal } from '../../../src/adapters/store/journal.ts';
import { openDatabase } from '../../../src/adapters/store/sqlite.ts';
import { describeSteps } from '../../contracts/steps.ts';
import { compileStore, run, start, type Compiled } from './compiled.ts';
import { makeTemporary } from './temporary.ts';

describeSteps('a journal file', async () => {
  const { folder, remove } = await makeTemporary();
  return { open: () => openJournal(join(folder, 'journal.sqlite')), remove };
});

describe('a journal', () => {
  let temporary: Awaited<ReturnType<typeof makeTemporary>>;
  let file: string;
  let compiled: Compiled;
  beforeAll(async () => void (compiled = await compileStore()));
  afterAll(() => compiled.remove());
  beforeEach(async () => {
    temporary = await makeTemporary();
    file = join(temporary.folder, 'journal.sqlite');
  });
  afterEach(() => temporary.remove());

  const fill = async (count: number): Promise<void> => {
    const steps = await openJournal(file);
    for (let number = 0; number < count; number += 1)
      await steps.step(`step ${number}`, async () => ({ number, text: 'x'.repeat(400) }));
    steps.close();
  };
  const reopen = async (
    count: number,
  ): Promise<{
    readonly found: number;
    readonly wrong: number;
    readonly notes: readonly string[];
  }> => {
    const notes: string[] = [];
    const steps = await openJournal(file, note => notes.push(note));
    const results = Array.from({ length: count }, (_, number) => ({
      number,
      result: steps.recall(`step ${number}`) as { readonly number: number } | undefined,
    }));
    steps.close();
    const found = results.filter(({ result }) => result !== undefined);
    return {
      found: found.length,
      wrong: found.filter(({ number, result }) => result?.number !== number).length,
      notes,
    };
  };

  it('is readable by its owner only', async () => {
    const steps = await openJournal(file);
    await steps.step('a', async () => 1);
    const modes = await Promise.all(
      (await readdir(temporary.folder)).map(
        async name => (await stat(join(temporary.folder, name))).mode & 0o777,
      ),
    );
    expect(new Set(modes)).toEqual(new Set([0o600]));
    steps.close();
  });

  it(
    'repeats only the steps in flight when its process is killed',
    { timeout: 60_000 },
    async () => {
      const script = await compiled.script(
        'work.js',
        `
      import { openJournal } from './src/adapters/store/journal.js';
      import { appendFileSync } from 'node:fs';
      const [, , folder] = process.argv;
      const steps = await openJournal(folder + '/journal.sqlite');
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
      steps.close();
      console.log('done');
    `,
      );
      const acknowledged = new Set<string>();
      let isDone = false;
      for (let kills = 0; !isDone && kills < 40; kills += 1) {
        const before = new Set(acknowledged);
        await writeFile(join(temporary.folder, 'calls'), '');
        const { child, ended } = start(process.execPath, [script, temporary.folder]);
        const limit =
          kills < 12 ? setTimeout(() => child.kill('SIGKILL'), 90 + Math.random() * 60) : undefined;
        const { stdout, stderr } = await ended;
        clearTimeout(limit);
        expect(stderr).toBe('');
        isDone = stdout === 'done\n';
        const called: string[] = [];
        const lines = (await readFile(join(temporary.folder, 'calls'), 'utf8')).trim().split('\n');
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
    const script = await compiled.script(
      'quiet.js',
      `
      import { openJournal } from './src/adapters/store/journal.js';
      const steps = await openJournal(process.argv[2]);
      await steps.step('a', async () => 1);
    `,
    );
    expect(await run(process.execPath, [script, file])).toEqual({
      code: 0,
      signal: null,
      stdout: '',
      stderr: '',
    });
  });

  it('names a damaged record, keeps it aside and runs that step again', async () => {
    await fill(3);
    const database = await openDatabase(file);
    database.exec(`UPDATE step SET result = '{"number":7}' WHERE key = 'step 1'`);
    database.close();
    const notes: string[] = [];
    const steps = await openJournal(file, note => notes.push(note));
    expect(notes).toEqual([
      "The journal's record of step step 1 is damaged; the step counts as not done.",
    ]);
    expect([steps.recall('step 0'), steps.recall('step 1')]).toEqual([
      expect.objectContaining({ number: 0 }),
      undefined,
    ]);
    expect(await steps.step('step 1', async () => 'again')).toBe('again');
    steps.close();
    const after = await openDatabase(file);
    expect(after.prepare('SELECT key, result FROM damaged').get()).toEqual({
      key: 'step 1',
      result: '{"number":7}',
    });
    after.close();
  });

  it.each([
    ['a text file', 0],
    ['a cut file', 0],
    ['a zeroed page', 36],
  ])('saves what is readable of %s and keeps the damaged file', async (damage, least) => {
    await fill(60);
    const sound = file;
    file = join(temporary.folder, 'damaged.sqlite');
    await copyFile(sound, file);
    const { size } = await stat(file);
    if (damage === 'a text file') await writeFile(file, 'this is no database\n'.repeat(100));
    if (damage === 'a cut file') await truncate(file, Math.floor(size / 8192) * 4096);
    if (damage === 'a zeroed page')
      await overwrite(file, Math.floor(size / 8192) * 4096, Buffer.alloc(4096));
    const damaged = await readFile(file);
    const { found, wrong, notes } = await reopen(60);
    expect(wrong).toBe(0);
    expect(notes).toEqual([
      expect.stringMatching(
        /^The journal was damaged: \d+ finished steps could be read from it; the damaged file is kept as .*1-damaged\.sqlite\.$/,
      ),
    ]);
    expect(found).toBeGreaterThanOrEqual(least);
    expect(
      (await readFile(join(temporary.folder, 'quarantine', '1-damaged.sqlite'))).equals(damaged),
    ).toBe(true);
    expect((await reopen(60)).notes).toEqual([]);
    expect((await reopen(60)).found).toBe(found);
  });

  it('never returns a wrong result, whichever bytes are hit, and names what it lost', async () => {
    await fill(20);
    const sound = `${file}.sound`;
    await copyFile(file, sound);
    const { size } = await stat(sound);
    for (let round = 0; round < 40; round += 1) {
      file = join(temporary.folder, `journal-${round}.sqlite`);
      await copyFile(sound, file);
      await overwrite(file, Math.floor((size * round) / 40), randomBytes(1 + (round % 16)));
      const { found, wrong, notes } = await reopen(20);
      expect(wrong).toBe(0);
      expect(found === 20 || notes.length > 0).toBe(true);
    }
  });

  it('survives a write-ahead log with a torn tail', async () => {
    const steps = await openJournal(file);
    for (const key of ['a', 'b']) await steps.step(key, async () => key);
    const copy = join(temporary.folder, 'copy');
    await mkdir(copy);
    for (const suffix of ['', '-wal'])
      await copyFile(file + suffix, join(copy, `journal.sqlite${suffix}`));
    steps.close();
    await appendFile(join(copy, 'journal.sqlite-wal'), randomBytes(3000));
    const again = await openJournal(join(copy, 'journal.sqlite'));
    expect([again.recall('a'), again.recall('b')]).toEqual(['a', 'b']);
    again.close();
  });

  it('refuses a journal of a newer format', async () => {
    await fill(1);
    const database = await openDatabase(file);
    database.exec('PRAGMA user_version=99');
    database.close();
    await expect(openJournal(file)).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: `The journal was written by a newer Jury (${file}).`,
    });
  });

  it('says why a file cannot be opened', async () => {
    await mkdir(file);
    await expect(openJournal(file)).rejects.toThrow('EISDIR');
  });

  it('waits for another process that is writing', async () => {
    const steps = await openJournal(file);
    const other = await openDatabase(file);
    other.exec('BEGIN IMMEDIATE');
    const done = steps.step('a', async () => 'waited');
    setTimeout(() => other.exec('COMMIT'), 150);
    expect(await done).toBe('waited');
    other.close();
    steps.close();
  });
});

async function overwrite(path: string, position: number, bytes: Uint8Array): Promise<void> {
  const handle = await open(path, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
  await handle.close();
}
