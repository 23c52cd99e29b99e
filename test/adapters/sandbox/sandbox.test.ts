/** What a program in a sandbox can reach. Where there is none, that is what is asserted: by name, never in silence. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { mkdir, realpath, symlink, writeFile, readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandRunner } from '../../../src/adapters/runners/command.ts';
import { openSandbox } from '../../../src/adapters/runners/enclose.ts';
import type { RunnerWorld } from '../../../src/adapters/runners/executable.ts';
import type { Turn } from '../../../src/core/ports/runner.ts';
import type { Seat } from '../../../src/core/words/config.ts';
import { SeatIsolation } from '../../../src/core/words/isolation.ts';
import { atFileEnd } from '../../file-end.ts';
import { freshFolder, freshWorld, neverAborted, turnOf } from '../runners/turns.ts';
import { listen } from '../../listening.ts';

const { mechanism } = await openSandbox({ temporaryFolder: '/tmp' });
const isThere = mechanism.by !== null;

interface Asking {
  readonly world?: RunnerWorld;
  readonly seat?: Partial<Seat>;
  readonly turn?: Partial<Turn>;
  readonly isolation?: Partial<SeatIsolation>;
}

/** A line for the shell of the system as a reviewer. */
async function ask(line: string, { world, seat = {}, turn = {}, isolation = {} }: Asking = {}) {
  return createCommandRunner(world ?? (await freshWorld())).ask(
    turnOf(
      {
        command: ['sh', '-c', `cat > /dev/null; ${line}`],
        isolation: SeatIsolation.parse(isolation),
        ...seat,
      },
      turn,
    ),
    neverAborted(),
  );
}

async function linesOf(line: string, asking: Asking = {}) {
  const answer = await ask(line, asking);
  if (answer.status !== 'answered')
    throw new Error(`${answer.failure.message}\n${answer.transcript}`);
  return answer.text.trim().split('\n');
}

/** Says for each path whether it can be read or listed. */
const reach = (...paths: readonly string[]) =>
  paths
    .map(
      path =>
        `if head -c1 '${path}' >/dev/null 2>&1 || ls '${path}' >/dev/null 2>&1; then echo yes; else echo no; fi`,
    )
    .join('; ');

/** Says for each path whether a file can be made there. */
const make = (...paths: readonly string[]) =>
  paths.map(path => `if (: > '${path}') 2>/dev/null; then echo yes; else echo no; fi`).join('; ');

describe.skipIf(isThere)('a machine without namespaces', () => {
  it('gives level L0, says why, and lets a program reach what its user can', async () => {
    const home = await freshFolder();
    await writeFile(join(home, 'secret'), 'x');
    const answer = await ask(reach(join(home, 'secret')));
    expect(answer).toMatchObject({
      text: 'yes\n',
      isolation: { level: 'L0', by: null, network: true, reason: expect.stringMatching(/./) },
    });
  });

  it('asks nobody who requires more', async () =>
    expect(await ask('echo None', { isolation: { require: 'L1' } })).toMatchObject({
      status: 'failed',
      failure: { cause: 'isolation' },
    }));
});

describe.skipIf(!isThere)('a program in a sandbox, where there are namespaces', () => {
  it.skipIf(!existsSync('/dev/shm'))(
    'runs where the temporary folder lies in memory, where there is /dev/shm',
    async () => {
      const temporaryFolder = mkdtempSync('/dev/shm/jury-test-');
      atFileEnd(() => rmSync(temporaryFolder, { recursive: true, force: true }));
      const other = mkdtempSync('/dev/shm/jury-test-');
      atFileEnd(() => rmSync(other, { recursive: true, force: true }));
      const world = { ...(await freshWorld()), temporaryFolder };
      const line = `pwd; ${make('./file', '/dev/shm/file')}; ${reach(other)}`;
      const [folder = '', ...found] = await linesOf(line, { world });
      expect([folder.startsWith(temporaryFolder), ...found]).toEqual([true, 'yes', 'yes', 'no']);
      expect(existsSync('/dev/shm/file')).toBe(false);
    },
  );

  it('says so in its answer', async () =>
    expect((await ask('echo None')).isolation).toEqual({
      level: 'L1',
      by: mechanism.by,
      network: false,
      reason: null,
    }));

  it('sees no home, no checkout and none of the folders beside its own', async () => {
    const [home, checkout, beside] = [
      await freshFolder(),
      await freshFolder(),
      await freshFolder(),
    ];
    for (const folder of [home, checkout, beside]) await writeFile(join(folder, 'secret'), 'x');
    const world = { ...(await freshWorld({ HOME: home })), checkout };
    const paths = [home, checkout, beside].flatMap(folder => [folder, join(folder, 'secret')]);
    expect(
      await linesOf(reach(...paths, '/root', '/home', '/var/lib', '/run', '/sys'), { world }),
    ).toEqual(Array.from({ length: paths.length + 5 }, () => 'no'));
  });

  it('writes in its own folders, and nowhere else', async () => {
    const [beside, home] = [await freshFolder(), await freshFolder()];
    expect(
      await linesOf(
        make(
          '/x',
          '/usr/x',
          '/etc/x',
          '/opt/x',
          '/proc/sys/kernel/core_pattern',
          `${beside}/x`,
          `${home}/x`,
        ),
        { world: await freshWorld({ HOME: home }) },
      ),
    ).toEqual(['no', 'no', 'no', 'no', 'no', 'no', 'no']);
    expect(
      await linesOf(
        `${make('/tmp/x', '/var/tmp/x')}; for f in . "$HOME" "$TMPDIR"; do echo x > "$f/x" && cat "$f/x"; done`,
      ),
    ).toEqual(['yes', 'yes', 'x', 'x', 'x']);
    expect([await readdir(beside), await readdir(home)]).toEqual([[], []]);
  });

  it('has a process table of its own, in which the environment of others cannot be read', async () =>
    expect(
      await linesOf(
        `ls /proc | grep -c '^[0-9]'; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n' | sort -u | ` +
          `grep -c '^JURY_REVIEWER'; [ -e /proc/${process.pid}/environ ] && [ ${process.pid} -gt 100 ] && ` +
          'echo seen; head -c1 /proc/1/environ 2>/dev/null || echo closed; cat /proc/1/root/etc/hostname ' +
          '2>/dev/null || echo closed',
      ),
    ).toEqual([expect.stringMatching(/^\d$/), '1', 'closed', 'closed']));

  it('has no power over its mounts, and none to make namespaces of its own', async () =>
    expect(
      await linesOf(
        `grep -h '^Cap[PEB]' /proc/self/status | tr -d '\\t'; mount -t tmpfs x /tmp 2>/dev/null || echo ` +
          'no; umount /proc 2>/dev/null || echo no; mount -o remount,rw /usr 2>/dev/null || echo no',
      ),
    ).toEqual([
      'CapPrm:0000000000000000',
      'CapEff:0000000000000000',
      expect.stringMatching(/^CapBnd:/),
      'no',
      'no',
      'no',
    ]));

  it('has the network only where its configuration says so', async () => {
    const server = createServer(socket => socket.end('open\n'));
    const port = await listen(server);
    const home = await freshFolder();
    await writeFile(
      join(home, 'dial.mjs'),
      `import { connect } from 'node:net'; connect(${port}, '127.0.0.1').on('data', text => ` +
        `process.stdout.write(text)).on('error', () => console.log('closed'));`,
    );
    const seat = { home, command: ['node', './dial.mjs'] };
    try {
      expect(await linesOf('', { seat })).toEqual(['closed']);
      const answer = await ask('', { seat, isolation: { network: true } });
      expect(answer).toMatchObject({ text: 'open\n', isolation: { level: 'L1', network: true } });
    } finally {
      server.close();
    }
  });

  it('ends with the signal that ended it', async () => {
    expect(await ask('kill -SEGV $$')).toMatchObject({
      failure: { cause: 'killed', message: expect.stringContaining('SIGSEGV') as string },
    });
    expect(await ask('exit 7')).toMatchObject({ failure: { cause: 'exit', exitCode: 7 } });
  });

  it('is still said to be missing when what its first line names is', async () => {
    const home = await freshFolder();
    await writeFile(join(home, 'reviewer'), '#!/no/such/interpreter\n', { mode: 0o755 });
    expect(await ask('', { seat: { home, command: ['./reviewer'] } })).toMatchObject({
      failure: { cause: 'not-found' },
    });
  });

  it('leaves nothing in the temporary folder', async () => {
    const world = await freshWorld();
    await ask('mkdir -p "$TMPDIR/a/b"; ln -s / "$TMPDIR/a/all"; echo None', { world });
    expect(await readdir(world.temporaryFolder)).toEqual([]);
  });
});

describe.skipIf(!isThere)('what a program is made of, where there are namespaces', () => {
  it('is the folder of its script, unless that is the top of a checkout: then the script alone', async () => {
    const [checkout, tools] = [await freshFolder(), 'tools'];
    await mkdir(join(checkout, '.git'));
    await mkdir(join(checkout, tools));
    for (const folder of [checkout, join(checkout, tools)]) {
      await writeFile(join(folder, 'lib.mjs'), "export const word = 'LOW|None';");
      await writeFile(join(folder, 'alone.mjs'), "console.log('LOW|None');");
      await writeFile(
        join(folder, 'reviewer.mjs'),
        "import { word } from './lib.mjs'; console.log(word);",
      );
    }
    const world = { ...(await freshWorld()), checkout };
    const run = async (script: string, isolation = {}) =>
      (await ask('', { world, isolation, seat: { home: checkout, command: ['node', script] } }))
        .status;
    expect([
      await run('./alone.mjs'),
      await run('./reviewer.mjs'),
      await run('./reviewer.mjs', { read: ['./lib.mjs'] }),
      await run('./tools/reviewer.mjs'),
    ]).toEqual(['answered', 'failed', 'answered', 'answered']);
  });

  it('is the installation that a link on the search path leads to', async () => {
    const [home, link] = [await freshFolder(), await freshFolder()];
    const installed = join(home, 'tool-1.0');
    for (const folder of ['bin', 'lib']) await mkdir(join(installed, folder), { recursive: true });
    await writeFile(join(installed, 'lib/words'), 'LOW|None');
    await writeFile(
      join(installed, 'bin/tool'),
      `#!/bin/sh\ncat > /dev/null\ncat "$(dirname "$(readlink -f "$0")")/../lib/words"\n`,
      { mode: 0o755 },
    );
    await mkdir(join(link, 'bin'));
    await symlink(join(installed, 'bin/tool'), join(link, 'bin/tool'));
    await writeFile(join(home, 'secret'), 'x');
    const world = await freshWorld({
      HOME: home,
      PATH: `${join(link, 'bin')}:${process.env.PATH ?? ''}`,
    });
    expect(await linesOf('', { world, seat: { command: ['tool'] } })).toEqual(['LOW|None']);
  });

  it('is joined by what the configuration names, to read or to write', async () => {
    const home = await realpath(await freshFolder());
    for (const name of ['data', 'cache', 'other']) {
      await mkdir(join(home, name));
      await writeFile(join(home, name, 'file'), name);
    }
    const isolation = { read: ['./data', '~/other'], write: ['./cache'] };
    const world = await freshWorld({ HOME: home });
    expect(
      await linesOf(
        `${reach(`${home}/data/file`, `${home}/other/file`)}; ${make(`${home}/data/x`, `${home}/cache/x`)}; ls ${home}`,
        { world, isolation, seat: { home } },
      ),
    ).toEqual('yes yes no yes cache data other'.split(' '));
    expect(await readdir(join(home, 'cache'))).toEqual(['file', 'x']);
    for (const read of ['./nowhere', '/'])
      expect(
        await ask('echo None', { world, seat: { home }, isolation: { read: [read] } }),
      ).toMatchObject({
        failure: { cause: 'isolation' },
      });
  });

  it('keeps odd names: blanks, quotes, line ends, backslashes', async () => {
    const home = join(await freshFolder(), 'a b\t\'c"\n\\040 ü$(x)');
    await mkdir(home);
    await writeFile(join(home, 'reviewer.sh'), 'cat > /dev/null; echo "LOW|None"');
    expect(await linesOf('', { seat: { home, command: ['sh', './reviewer.sh'] } })).toEqual([
      'LOW|None',
    ]);
  });

  it('ends with the file it was told to write, and no other in its place', async () => {
    const [folder, secret] = [join(await freshFolder(), 'reviews'), await freshFolder()];
    await writeFile(join(secret, 'secret'), 'x');
    const turn = { outputFile: join(folder, 'alpha.md') };
    await ask(`echo said > ${folder}/alpha.md; echo other > ${folder}/beta.md; echo None`, {
      turn,
    });
    expect(await readdir(folder)).toEqual(['alpha.md']);
    expect(await readFile(turn.outputFile, 'utf8')).toBe('said\n');
    await ask(`ln -s ${secret}/secret ${folder}/alpha.md; echo None`, {
      turn,
      isolation: { read: [secret] },
    });
    expect(await readFile(turn.outputFile, 'utf8')).toBe('said\n');
  });
});

describe.skipIf(!isThere)('a required level, where there are namespaces', () => {
  it('that cannot be had is a reviewer that is not asked', async () => {
    const mark = join(await freshFolder(), 'asked');
    for (const isolation of [
      { require: 'L2' as const },
      { require: 'L1' as const, sandbox: false },
    ])
      expect(await ask(`: > ${mark}; echo None`, { isolation })).toMatchObject({
        status: 'failed',
        failure: { cause: 'isolation', message: expect.stringContaining('is required') as string },
      });
    await expect(readFile(mark)).rejects.toThrow('ENOENT');
  });

  it('is not needed to go without, which stands in the answer', async () =>
    expect((await ask('echo None', { isolation: { sandbox: false } })).isolation).toMatchObject({
      level: 'L0',
      network: true,
      reason: 'Its configuration asks for no sandbox.',
    }));
});
