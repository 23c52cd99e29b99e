import { mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, delimiter, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answered } from '../../../src/core/ports/runner.ts';
import { type AttemptFolder, withAttemptFolder } from '../../../src/adapters/runners/enclose.ts';
import { sweepStaleFolders } from '../../../src/adapters/runners/stale-folders.ts';
import type { RunnerWorld } from '../../../src/adapters/runners/executable.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import { always, freshFolder, freshWorld, seatOf } from './turns.ts';

/** What an attempt saw of its folder. */
async function look(world: RunnerWorld, seat: Partial<Seat> = {}): Promise<AttemptFolder> {
  let seen: AttemptFolder | null = null;
  const answer = await withAttemptFolder(world, seatOf(seat), folder => {
    seen = folder;
    return Promise.resolve(answered('ok'));
  });
  if (seen === null) throw new Error(JSON.stringify(answer));
  return seen;
}

describe('the folder of an attempt', () => {
  it('is private, has an empty working directory, and is gone afterwards', async () => {
    const world = await freshWorld();
    await withAttemptFolder(world, seatOf({}), async ({ root, home, temp, cwd }) => {
      expect((await readdir(root)).toSorted()).toEqual(['cwd', 'home', 'temp']);
      for (const folder of [root, home, temp, cwd])
        expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect(await readdir(cwd)).toEqual([]);
      await writeFile(join(home, 'left-behind'), 'x');
      return answered('ok');
    });
    expect(await readdir(world.temporaryFolder)).toEqual([]);
  });

  it('is gone after a fault as well', async () => {
    const world = await freshWorld();
    await expect(
      withAttemptFolder(world, seatOf({}), () => Promise.reject(new Error('a fault'))),
    ).rejects.toThrow('a fault');
    expect(await readdir(world.temporaryFolder)).toEqual([]);
  });

  it('is refused below a repository, where clients would look for instructions', async () => {
    const repository = await freshFolder();
    await mkdir(join(repository, '.git'));
    const temporaryFolder = join(repository, 'temp');
    await mkdir(temporaryFolder);
    const answer = await withAttemptFolder({ environment: {}, temporaryFolder }, seatOf({}), () =>
      Promise.resolve(answered('ok')),
    );
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'isolation' } });
  });

  it('that cannot be made is a failed answer', async () => {
    const answer = await withAttemptFolder(
      { environment: {}, temporaryFolder: '/no/such/folder' },
      seatOf({}),
      () => Promise.resolve(answered('ok')),
    );
    expect(answer).toMatchObject({ status: 'failed', failure: { cause: 'spawn' } });
  });

  it('of a Jury that was killed is swept, that of a living one is not', async () => {
    const world = await freshWorld();
    const own = basename((await look(world)).root).replace(/-[^-]*$/, '');
    const [, , namespace] = own.split('-');
    const stale = [
      `jury-attempt-${namespace}-4194399-77-abc`,
      `jury-attempt-${namespace}-${process.pid}-1-abc`,
    ];
    const kept = [`${own}-other`, 'jury-attempt-1-4194399-77-abc', 'somebody-elses'];
    for (const name of [...stale, ...kept]) await mkdir(join(world.temporaryFolder, name));
    // Looked for once for each folder: this is one by another name.
    await symlink(world.temporaryFolder, `${world.temporaryFolder}-again`);
    await sweepStaleFolders(`${world.temporaryFolder}-again`);
    expect((await readdir(world.temporaryFolder)).toSorted()).toEqual(kept.toSorted());
  });
});

describe('the environment of an attempt', () => {
  const secrets = {
    GITHUB_TOKEN: 'x',
    AWS_SECRET_ACCESS_KEY: 'x',
    NODE_OPTIONS: '--inspect',
    LD_PRELOAD: '/x.so',
    GIT_DIR: '/x',
    SSH_AUTH_SOCK: '/x',
    npm_config_registry: 'x',
    ANTHROPIC_BASE_URL: 'x',
    ANTHROPIC_API_KEY: 'x',
  };

  it('holds the allow-list and nothing else', async () => {
    const { environment } = await look(await freshWorld(secrets));
    expect(Object.keys(environment).toSorted()).toEqual(always);
  });

  it('points into the folder and names the reviewer', async () => {
    const { environment, root, home, temp } = await look(await freshWorld(), { id: 'beta' });
    expect(environment).toMatchObject({
      HOME: home,
      TMPDIR: temp,
      JURY_REVIEWER: 'beta',
      GIT_CEILING_DIRECTORIES: root,
      LC_ALL: 'C.UTF-8',
      TERM: 'dumb',
    });
    expect(environment.XDG_CONFIG_HOME?.startsWith(home)).toBe(true);
  });

  it('adds what the seat asks for by name, which cannot replace what is fixed', async () => {
    const { environment, home } = await look(await freshWorld({ ...secrets, HOME: '/root' }), {
      environment: ['GITHUB_TOKEN', 'HOME', 'NOT_SET'],
    });
    expect(environment).toMatchObject({ GITHUB_TOKEN: 'x', HOME: home });
    expect(environment).not.toHaveProperty('NOT_SET');
  });

  it('has only the trusted part of PATH', async () => {
    const [checkout, trusted] = [await freshFolder(), await freshFolder()];
    const world = {
      ...(await freshWorld()),
      environment: { PATH: ['.', checkout, trusted, ''].join(delimiter) },
      checkout,
    };
    expect((await look(world)).environment.PATH).toBe(trusted);
  });

  it('is another one for every attempt', async () => {
    const world = await freshWorld();
    const [one, other] = [await look(world), await look(world)];
    expect(one.environment.JURY_ATTEMPT).not.toBe(other.environment.JURY_ATTEMPT);
    expect(one.root).not.toBe(other.root);
  });
});
