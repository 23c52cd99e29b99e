import { spawnSync } from 'node:child_process';
import { mkdir, readdir, readFile, stat, symlink, writeFile, appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  createRunFolder,
  openRunFolder,
  runsFolder,
} from '../../../src/adapters/store/run-folder.ts';
import { describeRunStore } from '../../contracts/run-store.ts';
import { bundle, run } from './bundled.ts';
import { createFolder } from '../git/sample-repository.ts';
import { stateIn } from './temporary.ts';

const runId = '20261121T101500Z-0a1b2c';

/** A real full disk needs a mount of its own, which not every system lets a person make. */
const namespaces = 'unshare';
const canMount =
  spawnSync(namespaces, ['-rUm', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;

describeRunStore('a folder', async () => {
  const folder = createFolder();
  await createRunFolder(stateIn(folder), runId);
  return { open: () => openRunFolder(stateIn(folder), runId), remove: () => Promise.resolve() };
});

describe('a run folder', () => {
  let folder: string;
  beforeEach(() => void (folder = createFolder()));

  it('lets only its owner read it', async () => {
    const store = await createRunFolder(stateIn(folder), runId);
    await store.write('reviews/alpha.md', 'text');
    await store.append('events.jsonl', '{}');
    const modes = await Promise.all(
      ['', 'reviews', 'reviews/alpha.md', 'events.jsonl'].map(
        async path => (await stat(join(store.folder, path))).mode & 0o777,
      ),
    );
    expect(modes).toEqual([0o700, 0o700, 0o600, 0o600]);
    expect(store.folder).toBe(join(folder, 'runs', runId));
  });

  it('leaves no temporary file behind', async () => {
    const store = await createRunFolder(stateIn(folder), runId);
    await store.write('run.json', '{}');
    expect(await readdir(store.folder)).toEqual(['run.json']);
  });

  it('does not take over the folder of an earlier run', async () => {
    await createRunFolder(stateIn(folder), runId);
    await expect(createRunFolder(stateIn(folder), runId)).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: `Run ${runId} exists already.`,
    });
  });

  it.each(['latest', '../20261121T101500Z-0a1b2c', '20261121T101500Z-0A1B2C', ''])(
    'refuses %j as the id of a run',
    async id => {
      await expect(createRunFolder(stateIn(folder), id)).rejects.toMatchObject({
        name: 'UserError',
      });
      await expect(openRunFolder(stateIn(folder), id)).rejects.toMatchObject({
        name: 'UserError',
      });
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it.each(['runs', `runs/${runId}`])('does not write through a link at %s', async place => {
    const outside = join(folder, 'outside');
    await mkdir(outside);
    if (place.includes('/')) await mkdir(join(folder, 'runs'));
    await symlink(outside, join(folder, place));
    await expect(createRunFolder(stateIn(folder), runId)).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: expect.stringContaining('is a link or a file'),
    });
    expect(await readdir(outside)).toEqual([]);
  });

  it('does not read through a link', async () => {
    const store = await createRunFolder(stateIn(folder), runId);
    await writeFile(join(folder, 'secret'), 'secret');
    await symlink(join(folder, 'secret'), join(store.folder, 'run.json'));
    await expect(store.read('run.json')).rejects.toThrow(/ELOOP/);
    expect(await store.list('')).toEqual([]);
  });

  it('puts a line torn by a crash aside before it appends', async () => {
    const store = await createRunFolder(stateIn(folder), runId);
    await store.append('events.jsonl', '{"event":1}');
    await appendFile(join(store.folder, 'events.jsonl'), '{"event":2');
    await (await openRunFolder(stateIn(folder), runId)).append('events.jsonl', '{"event":3}');
    expect(await store.read('events.jsonl')).toBe('{"event":1}\n{"event":3}\n');
    const [torn] = await readdir(join(store.folder, 'quarantine'));
    expect(await readFile(join(store.folder, 'quarantine', torn ?? ''), 'utf8')).toBe('{"event":2');
  });

  it('says that a run is unknown', async () => {
    await mkdir(runsFolder(stateIn(folder)), { recursive: true });
    await expect(openRunFolder(stateIn(folder), runId)).rejects.toMatchObject({
      kind: 'input',
      message: `There is no run ${runId}.`,
    });
  });
});

describe('a disk that refuses', () => {
  let folder: string;
  beforeEach(() => void (folder = createFolder()));

  it('names missing file descriptors, the folder and the mend', async () => {
    const script = await bundle(writerOf('for (;;) opened.push(await open("/dev/null"))'));
    const { stdout } = await run('sh', [
      '-c',
      `ulimit -n 200; exec ${process.execPath} ${script} ${folder}`,
    ]);
    expect(JSON.parse(stdout)).toEqual({
      name: 'UserError',
      message: `The run folder cannot be written: too many open files (${join(runsFolder(stateIn(folder)), runId)}).`,
      hint: `Raise the limit of open files (ulimit -n), then run "jury resume ${runId}".`,
      files: ['run.json'],
      text: 'acknowledged',
    });
  });

  it.runIf(canMount)(
    'names a full disk and keeps what was acknowledged, where a disk may be mounted',
    async () => {
      const script = await bundle(writerOf('', 'x'.repeat(400_000)));
      const mount =
        `mount -t tmpfs -o size=64k,nr_inodes=64 none ${folder} && exec ${process.execPath} ` +
        `${script} ${folder}`;
      const { stdout } = await run(namespaces, ['-rUm', 'sh', '-c', mount]);
      expect(JSON.parse(stdout)).toMatchObject({
        message: `The run folder cannot be written: no space left on device (${join(runsFolder(stateIn(folder)), runId)}).`,
        hint: `Free some space, then run "jury resume ${runId}".`,
        files: ['run.json'],
        text: 'acknowledged',
      });
    },
  );

  it('keeps the acknowledged version of a file that outgrows what the disk takes', async () => {
    const script = await bundle(writerOf('process.on("SIGXFSZ", () => {})', 'x'.repeat(400_000)));
    const { stdout } = await run('sh', [
      '-c',
      `ulimit -f 100; exec ${process.execPath} ${script} ${folder}`,
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      name: 'UserError',
      message: expect.stringContaining('the file would be larger than the limit'),
      files: ['run.json'],
      text: 'acknowledged',
    });
  });
});

/** Acknowledges a first write, brings the trouble about, and tells what became of the second. */
function writerOf(trouble: string, second = 'never written') {
  return `
    import { createRunFolder } from 'src/adapters/store/run-folder.ts';
    import { systemStorage } from 'src/adapters/store/storage.ts';
    import { readdirSync, readFileSync } from 'node:fs';
    import { open } from 'node:fs/promises';
    const store = await createRunFolder({ root: process.argv[2], project: process.argv[2], ...systemStorage }, ${JSON.stringify(runId)});
    await store.write('run.json', 'acknowledged');
    const opened = [];
    try { ${trouble} } catch {}
    let failure;
    try { await store.write('run.json', ${JSON.stringify(second)}); } catch (error) { failure = error; }
    for (const handle of opened) await handle.close();
    console.log(JSON.stringify({ name: failure?.name, message: failure?.message, hint: failure?.hint, files: readdirSync(store.folder), text: readFileSync(store.folder + '/run.json', 'utf8') }));
    process.exit(0);
  `;
}
