import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMemoryFile } from '../../../src/adapters/memory/memory-file.ts';
import { openDatabase } from '../../../src/adapters/store/sqlite.ts';
import type { Disposition, KnownClaim } from '../../../src/core/words/run.ts';
import { sampleDisposition, sampleKnownClaim } from '../../core/sample.ts';
import { bundle, run } from '../store/bundled.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from '../store/temporary.ts';
import { systemDisk } from '../../../src/adapters/system/disk.ts';

let folder: string;
let notes: string[];

beforeEach(() => {
  folder = createFolder();
  notes = [];
});

const open = () => openMemoryFile(stateIn(folder), message => notes.push(message));
const fileOf = () => path.join(folder, 'memory.sqlite');

function known(number: number, text = `claim ${number}`) {
  return sampleKnownClaim({
    id: `c-${String(number).padStart(10, '0')}`,
    text,
    path: 'a.ts',
    line: 1,
    files: ['a.ts'],
    history: [{ run: 'r', at: '2026-11-21T00:00:00Z', state: 'new', confidence: null }],
  });
}

function decided(number: number, reason = 'why') {
  return sampleDisposition({ claim: known(number).id, reason, path: 'a.ts', text: 'x' });
}

const keep = (
  file: ReturnType<typeof open>,
  claims: KnownClaim[],
  dispositions: Disposition[] = [],
) => file.update(() => Promise.resolve({ claims, dispositions, result: null }));

describe('the memory of a project', () => {
  it('is empty, and not created, before anything is remembered', async () => {
    expect(await open().read()).toEqual({ claims: [], dispositions: [] });
    expect(await readdir(folder)).toEqual([]);
  });

  it('keeps claims by id and decisions with the latest first, readable by the user only', async () => {
    await keep(open(), [known(1), known(2)], [decided(1, 'first')]);
    await keep(open(), [known(2, 'in other words')], [decided(1, 'second')]);
    const { claims, dispositions } = await open().read();
    expect(claims).toEqual([known(1), known(2, 'in other words')]);
    expect(dispositions.map(({ reason }) => reason)).toEqual(['second', 'first']);
    expect((await stat(fileOf())).mode & 0o077).toBe(0);
  });

  it('asks again when another one wrote in between, so that nothing is lost', async () => {
    const seen: number[] = [];
    await open().update(async ({ claims }) => {
      seen.push(claims.length);
      if (seen.length === 1) await keep(open(), [known(1)]);
      return { claims: [known(2)], dispositions: [], result: null };
    });
    expect(seen).toEqual([0, 1]);
    expect((await open().read()).claims).toHaveLength(2);
  });

  it('loses nothing to many processes at once', async () => {
    const script = await bundle(`import { systemStorage } from 'src/adapters/store/storage.ts';
      import { openMemoryFile } from 'src/adapters/memory/memory-file.ts';
      const file = openMemoryFile({ root: process.argv[2], ...systemStorage });
      for (let turn = 0; turn < 10; turn += 1) await file.update(async ({ claims }) => {
        const own = claims.find(claim => claim.id === 'c-0000000000');
        const wordings = [...(own?.wordings ?? []), { reviewer: 'r', text: process.argv[3] + '/' + turn, category: null, run: 'r' }];
        return { claims: [{ ...${JSON.stringify(known(0))}, wordings }], dispositions: [], result: null };
      });`);
    const ends = await Promise.all(
      [1, 2, 3, 4].map(number => run(process.execPath, [script, folder, String(number)])),
    );
    expect(ends.map(({ code, stderr }) => [code, stderr])).toEqual([1, 2, 3, 4].map(() => [0, '']));
    const texts = (await open().read()).claims[0]?.wordings.map(({ text }) => text);
    expect(new Set(texts).size).toBe(40);
    expect(texts).toHaveLength(40);
  });

  it('that is no database is kept aside and begun anew, and says so', async () => {
    await writeFile(fileOf(), 'this is not a database, whatever its name says'.repeat(100));
    expect(await open().read()).toEqual({ claims: [], dispositions: [] });
    expect(notes).toEqual([
      expect.stringMatching(
        /^The memory of this project was damaged: 0 claims and 0 decisions could be read from it; the damaged file is kept as .*memory-damaged-\d+\.sqlite\.$/,
      ),
    ]);
    await keep(open(), [known(1)]);
    expect((await open().read()).claims).toEqual([known(1)]);
    expect((await readdir(folder)).filter(name => name.startsWith('memory-damaged'))).toHaveLength(
      1,
    );
  });

  it('with a damaged page gives what can still be read', async () => {
    await keep(
      open(),
      Array.from({ length: 400 }, (_, index) =>
        known(index, `claim ${index} ${'long '.repeat(50)}`),
      ),
      [decided(1)],
    );
    const bytes = await readFile(fileOf());
    bytes.fill(0xff, bytes.length - 8192, bytes.length - 4096);
    await writeFile(fileOf(), bytes);
    const { claims } = await open().read();
    expect(notes[0]).toContain('damaged');
    expect(claims.length).toBeLessThan(400);
    expect(claims.every(claim => claim.text.startsWith('claim '))).toBe(true);
  });

  it('leaves a row that it cannot read alone and says so', async () => {
    await keep(open(), [known(1), known(2)]);
    const database = await openDatabase(systemDisk, fileOf());
    database.exec(`UPDATE claim SET body = '{"id":' WHERE id = 'c-0000000001'`);
    database.close();
    expect((await open().read()).claims).toEqual([known(2)]);
    expect(notes).toEqual([
      '1 entries of the memory of this project cannot be read and are left alone.',
    ]);
  });

  it('of a newer Jury is refused in one sentence', async () => {
    await keep(open(), [known(1)]);
    const database = await openDatabase(systemDisk, fileOf());
    database.exec('PRAGMA user_version=99');
    database.close();
    await expect(open().read()).rejects.toThrow('was written by a newer Jury');
  });

  it('refuses a link where its folder should be', async () => {
    const file = path.join(folder, 'file');
    await writeFile(file, 'a file');
    const memory = openMemoryFile(stateIn(file));
    expect(await memory.read()).toEqual({ claims: [], dispositions: [] });
    await expect(keep(memory, [known(1)])).rejects.toThrow('is a link or a file');
  });
});
