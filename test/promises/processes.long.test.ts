/** Nothing that a reviewer starts outlives its review, nor the Jury that asked it, and nobody else is touched. */
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomInt } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  createChangedRepository,
  jury,
  juryJson,
  program,
  startJury,
  writePanel,
} from '../cli/jury.ts';

/** Times that nothing else on this machine sleeps for: what sleeps so is known by it. */
const used = new Set<string>();

function freshSleep(): string {
  const seconds = String(randomInt(10_000_000, 99_999_999));
  used.add(seconds);
  return seconds;
}

/** Ids of the processes that are `sleep SECONDS`, zombies left out. */
function sleepersOf(seconds: string): number[] {
  return readdirSync('/proc')
    .filter(
      name =>
        /^\d+$/.test(name) &&
        // Not what a sandbox starts it with, whose last words are the same.
        readQuietly(`/proc/${name}/cmdline`).replace(/^[^\0]*[/]/, '') === `sleep\0${seconds}\0`,
    )
    .map(Number);
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const pid of [...used].flatMap(sleepersOf)) process.kill(pid, 'SIGKILL');
  used.clear();
});

/** What a process does to get away, as words of a shell before `sleep SECONDS`. */
const escapes = {
  'stays in its group': seconds => `sleep ${seconds} &`,
  'opens a session of its own': seconds => `setsid sleep ${seconds} &`,
  'empties its environment in a session of its own': seconds =>
    `(env -i setsid sleep ${seconds} &)`,
  'leaves folder, environment, session and descriptors behind': seconds =>
    `(cd / && env -i setsid sleep ${seconds} </dev/null >/dev/null 2>&1 &)`,
  'forks twice, and each time leaves a little more': seconds =>
    `(env -i setsid sh -c 'cd /; exec 0<&- 1>&- 2>&-; (setsid sleep ${seconds} &) &' &)`,
} satisfies Record<string, (seconds: string) => string>;

interface Runaways {
  readonly config: string;
  readonly sleeps: readonly string[];
}

/** Without a sandbox, and with the one that this machine has. */
const levels = { L0: 'sandbox: false', L1: 'write: [..]' };

/** One reviewer that starts every kind of runaway, waits until they are up, and then does as told. */
function seatRunaways(
  sample: SampleRepository,
  ending: 'answers' | 'hangs',
  { settings = '', level = 'L0' }: { settings?: string; level?: keyof typeof levels } = {},
): Runaways {
  const runaways = Object.values(escapes).map(escape => ({ escape, seconds: freshSleep() }));
  // The brackets keep the search from finding itself.
  const up = runaways.map(
    ({ seconds }) =>
      `while ! grep -qsxz '[${seconds.slice(0, 1)}]${seconds.slice(1)}' /proc/[0-9]*/cmdline; do sleep 0.05; done`,
  );
  const folder = path.join(sample.root, '../panel');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'runaways.sh'),
    [
      ...runaways.map(({ escape, seconds }) => escape(seconds)),
      ...up,
      `: > ${path.join(sample.root, '../up')}`,
      ending === 'answers' ? "printf 'None\\nVERDICT: safe\\n'" : 'sleep 600',
      '',
    ].join('\n'),
  );
  const config = path.join(folder, 'jury.config.yaml');
  writeFileSync(
    config,
    `reviewers:\n  - { id: alpha, runner: command, command: [sh, ./runaways.sh], isolation: { ${levels[level]} }${settings} }\n`,
  );
  return { config, sleeps: runaways.map(({ seconds }) => seconds) };
}

/** Of this test alone: other tests that run meanwhile neither find what it leaves nor leave anything here. */
function ownSurroundings(sample: SampleRepository): { readonly JURY_TMPDIR: string } {
  const folder = path.join(sample.root, '../temporary');
  mkdirSync(folder, { recursive: true });
  return { JURY_TMPDIR: folder };
}

function start(sample: SampleRepository, args: readonly string[]): ChildProcess {
  const child = startJury(sample.root, args, ownSurroundings(sample));
  child.stdout?.resume();
  child.stderr?.resume();
  started.push(child);
  return child;
}

const runAwayOf = (sleeps: readonly string[]): readonly number[] =>
  sleeps.map(seconds => sleepersOf(seconds).length);
const allUp = (sleeps: readonly string[]): readonly number[] => sleeps.map(() => 1);
const allGone = (sleeps: readonly string[]): readonly number[] => sleeps.map(() => 0);

async function untilUp(sample: SampleRepository, sleeps: readonly string[]): Promise<void> {
  await expect
    .poll(() => existsSync(path.join(sample.root, '../up')), { timeout: 30_000 })
    .toBe(true);
  expect(runAwayOf(sleeps)).toEqual(allUp(sleeps));
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Ids of the processes that wait for the end of a Jury to clean up after it. */
function reapersOf(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => {
      const words = readQuietly(`/proc/${name}/cmdline`).split('\0');
      return words.includes('jury-reaper') && words.includes(folder);
    })
    .map(Number);
}

/** An own panel, so that the next start has nothing to do with the one before. */
function startsAgain(sample: SampleRepository): {
  readonly code: number | null;
  readonly stderr: string;
} {
  return jury(
    sample.root,
    [
      'ask',
      'Is it good?',
      '--config',
      writePanel(sample, [{ id: 'beta', script: "console.log('None\\nVERDICT: safe');" }]),
    ],
    { environment: ownSurroundings(sample) },
  );
}

const isLinux = process.platform === 'linux';

describe.skipIf(!isLinux || !existsSync('/usr/bin/prlimit'))(
  'what a reviewer starts, on Linux with prlimit',
  () => {
    it('is gone when the reviewer passed its deadline, whatever it did to get away', async () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'hangs', { settings: ', timeout: 8' });
      const child = start(sample, ['review', '--config', config]);
      await untilUp(sample, sleeps);
      const [code] = (await once(child, 'exit')) as [number];
      expect(runAwayOf(sleeps)).toEqual(allGone(sleeps));
      expect(code).toBe(2);
    });

    it('is gone when the reviewer has answered', () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'answers');
      const { code, record } = juryJson(sample.root, ['review', '--config', config], {
        environment: ownSurroundings(sample),
      });
      expect(existsSync(path.join(sample.root, '../up'))).toBe(true);
      expect(runAwayOf(sleeps)).toEqual(allGone(sleeps));
      expect([code, record.outcome]).toEqual([0, 'PASS']);
    });

    it('is gone when a second Ctrl-C ends Jury without waiting', async () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'hangs');
      const child = start(sample, ['review', '--config', config]);
      await untilUp(sample, sleeps);
      const ended = once(child, 'exit') as Promise<[number]>;
      child.kill('SIGINT');
      setTimeout(() => child.kill('SIGINT'), 300);
      expect((await ended)[0]).toBe(130);
      expect(runAwayOf(sleeps)).toEqual(allGone(sleeps));
    });

    it('is ended when Jury was killed, and its folders are gone, without another start', async () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'hangs');
      const child = start(sample, ['review', '--config', config]);
      await untilUp(sample, sleeps);
      const { JURY_TMPDIR } = ownSurroundings(sample);
      // That of the change, and that of the attempt.
      expect(readdirSync(JURY_TMPDIR)).toHaveLength(2);
      await kill(child);
      await expect.poll(() => readdirSync(JURY_TMPDIR), { timeout: 20_000 }).toEqual([]);
      expect(runAwayOf(sleeps)).toEqual(allGone(sleeps));
      await expect.poll(() => reapersOf(JURY_TMPDIR), { timeout: 20_000 }).toEqual([]);
    });

    it('is ended by the next start when the reaper was killed too, which tells in a note what it ended', async () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'hangs');
      const child = start(sample, ['review', '--config', config]);
      await untilUp(sample, sleeps);
      const reapers = reapersOf(ownSurroundings(sample).JURY_TMPDIR);
      expect(reapers).toHaveLength(1);
      for (const pid of reapers) process.kill(pid, 'SIGKILL');
      await kill(child);
      const left = sleeps.flatMap(sleepersOf);
      const { code, stderr } = startsAgain(sample);
      expect(runAwayOf(sleeps)).toEqual(allGone(sleeps));
      expect(code).toBe(0);
      const notes = stderr.split('\n').filter(line => line.includes('killed'));
      expect(notes).toHaveLength(1);
      expect(left.some(pid => notes[0]?.includes(String(pid)))).toBe(true);
      // Once is enough: the second start finds nothing.
      expect(startsAgain(sample).stderr).not.toContain('killed');
    });

    it('is left alone while its Jury lives, whoever starts meanwhile', async () => {
      const sample = createChangedRepository();
      const { config, sleeps } = seatRunaways(sample, 'hangs');
      start(sample, ['review', '--config', config]);
      await untilUp(sample, sleeps);
      expect(startsAgain(sample).code).toBe(0);
      expect(runAwayOf(sleeps)).toEqual(allUp(sleeps));
    });
  },
);

const inspected = JSON.parse(jury('/', ['doctor', '--json']).stdout) as {
  readonly isolation: { readonly level: string; readonly survivors: string };
};
const hasSandbox = inspected.isolation.level === 'L1';

describe.skipIf(hasSandbox)('a machine without a sandbox', () => {
  it('is said to be one, with the processes that can outlive a reviewer', () => {
    expect(inspected.isolation).toMatchObject({
      level: 'L0',
      reason: expect.stringMatching(/./) as string,
      survivors: expect.stringContaining('group') as string,
    });
  });
});

/** Sleeps that `reviewers` panels of one kind of runaway start: what leaves its group with an empty environment, and what forks twice. */
function seatMany(sample: SampleRepository, reviewers: number, timeout: number) {
  const kinds = [
    escapes['empties its environment in a session of its own'],
    escapes['forks twice, and each time leaves a little more'],
  ];
  const seats = Array.from({ length: reviewers }, (_, index) => {
    const sleeps = kinds.map(() => freshSleep());
    const line = kinds.map((escape, kind) => escape(sleeps[kind] ?? '')).join('\n');
    sample.write(
      `../panel/${index}.sh`,
      `${line}\nwhile [ "$(grep -lsxz sleep /proc/[0-9]*/cmdline | wc -l)" -lt 2 ]; do sleep 0.05; ` +
        `done\n: > ${path.join(sample.root, `../up-${index}`)}\nsleep 600\n`,
    );
    return { index, sleeps };
  });
  const config = path.join(sample.root, '../panel/jury.config.yaml');
  const lines = seats.map(
    ({ index }) =>
      `  - { id: r${index}, runner: command, command: [sh, ./${index}.sh], timeout: ${timeout}, ` +
      `isolation: { require: L1, write: [..] } }\n`,
  );
  writeFileSync(config, `reviewers:\n${lines.join('')}`);
  return {
    config,
    sleeps: seats.flatMap(seat => seat.sleeps),
    areUp: () => seats.every(({ index }) => existsSync(path.join(sample.root, `../up-${index}`))),
  };
}

describe.skipIf(!hasSandbox)('what a reviewer starts in a sandbox', () => {
  it('is gone with it: twenty deadlines leave no process and no folder', async () => {
    const sample = createChangedRepository();
    const { config, sleeps, areUp } = seatMany(sample, 20, 12);
    const child = start(sample, ['review', '--config', config]);
    await expect.poll(areUp, { timeout: 40_000 }).toBe(true);
    const [code] = (await once(child, 'exit')) as [number];
    expect([code, sleeps.flatMap(sleepersOf)]).toEqual([2, []]);
    expect(readdirSync(ownSurroundings(sample).JURY_TMPDIR)).toEqual([]);
  });

  it('is gone with a Jury that is killed, five times, and so are its folders', async () => {
    const sample = createChangedRepository();
    for (let round = 0; round < 5; round += 1) {
      for (const name of readdirSync(path.join(sample.root, '..')))
        if (name.startsWith('up-')) rmSync(path.join(sample.root, '..', name));
      const { config, sleeps, areUp } = seatMany(sample, 2, 60);
      const child = start(sample, ['review', '--config', config]);
      await expect.poll(areUp, { timeout: 30_000 }).toBe(true);
      await kill(child);
      await expect.poll(() => sleeps.flatMap(sleepersOf), { timeout: 3_000 }).toEqual([]);
      await expect
        .poll(() => readdirSync(ownSurroundings(sample).JURY_TMPDIR), { timeout: 20_000 })
        .toEqual([]);
    }
    expect(startsAgain(sample).stderr).not.toContain('had left');
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is gone after %s', async signal => {
    const sample = createChangedRepository();
    const { config, sleeps, areUp } = seatMany(sample, 2, 60);
    const child = start(sample, ['review', '--config', config]);
    await expect.poll(areUp, { timeout: 30_000 }).toBe(true);
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
    expect(sleeps.flatMap(sleepersOf)).toEqual([]);
    expect(readdirSync(ownSurroundings(sample).JURY_TMPDIR)).toEqual([]);
  });

  it('cannot read a secret of Jury, wherever it stands', () => {
    const sample = createChangedRepository();
    const home = path.join(sample.root, '../home');
    sample.write('../home/.ssh/id_fake', 'CANARY-FILE');
    sample.write('.env', 'KEY=CANARY-CHECKOUT\n');
    const folder = path.join(sample.root, '../panel');
    mkdirSync(folder);
    writeFileSync(
      path.join(folder, 'spy.sh'),
      `cat > /dev/null\n(cat /proc/[0-9]*/environ ${home}/.ssh/id_fake ${sample.root}/.env; env) ` +
        `2>/dev/null | tr '\\0' '\\n' | grep -a 'CANAR[Y]' > "$TMPDIR/seen"\nif [ -s "$TMPDIR/seen" ]; ` +
        `then echo 'CRITICAL|src/sum.js:2|It was seen'; else echo None; fi\necho 'VERDICT: safe'\n`,
    );
    const config = path.join(folder, 'jury.config.yaml');
    const seen = (isolation: string): string | undefined => {
      writeFileSync(
        config,
        `reviewers:\n  - { id: spy, runner: command, command: [sh, ./spy.sh], isolation: { ${isolation} } }\n`,
      );
      const { record } = juryJson(sample.root, ['review', '--config', config], {
        environment: {
          ...ownSurroundings(sample),
          HOME: home,
          FAKE_TOKEN: 'CANARY-VARIABLE',
        },
      });
      return record.reviewers.map(each => `${each.isolation?.level} ${each.findings}`).join();
    };
    expect([seen('sandbox: false'), seen('require: L1')]).toEqual(['L0 1', 'L1 0']);
  });

  it.skipIf(process.getuid?.() !== 0)('is as far apart for an ordinary user, tried by root', () => {
    const sample = createChangedRepository();
    const { JURY_TMPDIR } = ownSurroundings(sample);
    const state = path.join(sample.root, '../state');
    const config = path.join(sample.root, '../panel/jury.config.yaml');
    sample.write(
      '../panel/jury.config.yaml',
      `reviewers:\n  - { id: who, runner: command, isolation: { require: L1 }, command: [sh, -c, "cat > ` +
        `/dev/null; echo \\"IMPORTANT|src/sum.js:2|User $(id -u), processes $(ls /proc | grep -c ` +
        `'^[0-9]')\\"; echo 'VERDICT: safe'"] }\n`,
    );
    mkdirSync(state);
    for (const folder of [JURY_TMPDIR, state]) chownSync(folder, 12_345, 12_345);
    execFileSync('chown', ['-R', '12345:12345', path.join(sample.root, '..')]);
    const { stdout, stderr } = spawnSync(
      '/usr/bin/setpriv',
      [
        '--reuid',
        '12345',
        '--regid',
        '12345',
        '--clear-groups',
        process.execPath,
        program,
        'review',
        '--config',
        config,
        '--format',
        'json',
      ],
      {
        cwd: sample.root,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: state, JURY_TMPDIR },
      },
    );
    expect(stdout, stderr).toContain('User 12345, processes');
    expect(stdout).toContain('"level": "L1"');
    expect(readdirSync(JURY_TMPDIR)).toEqual([]);
  });
});

describe.skipIf(!isLinux || !existsSync('/usr/bin/setpriv'))(
  'a reviewer, on Linux with setpriv',
  () => {
    it('dies with a Jury that is killed, at once', async () => {
      const sample = createChangedRepository();
      const seconds = freshSleep();
      const config = path.join(sample.root, '../jury.config.yaml');
      writeFileSync(
        config,
        `reviewers:\n  - { id: alpha, runner: command, command: [sleep, '${seconds}'] }\n`,
      );
      const child = start(sample, ['review', '--config', config]);
      await expect.poll(() => sleepersOf(seconds), { timeout: 30_000 }).toHaveLength(1);
      await kill(child);
      await expect.poll(() => sleepersOf(seconds), { timeout: 3_000 }).toEqual([]);
    });

    it('that cannot be started is still said to be one', () => {
      const sample = createChangedRepository();
      sample.write('../panel/no-interpreter', '#!/no/such/interpreter\n');
      const config = path.join(sample.root, '../panel/jury.config.yaml');
      writeFileSync(
        config,
        'reviewers:\n  - { id: alpha, runner: command, command: [./no-interpreter] }\n',
      );
      chmodSync(path.join(sample.root, '../panel/no-interpreter'), 0o755);
      const { code, record } = juryJson(sample.root, ['review', '--config', config], {
        environment: ownSurroundings(sample),
      });
      expect([code, record.reviewers.map(({ reason }) => reason)]).toEqual([2, ['not_installed']]);
    });
  },
);

describe.skipIf(!isLinux)('somebody else, on Linux', () => {
  it('is not ended for having the number, the name of the folder or the look of a process that was left', () => {
    const sample = createChangedRepository();
    const { JURY_TMPDIR } = ownSurroundings(sample);
    const seconds = freshSleep();
    const bystander = spawn('sleep', [seconds], {
      detached: true,
      stdio: 'ignore',
      env: {
        PATH: process.env.PATH,
        JURY_ATTEMPT: 'jury-attempt-1-2-3-abcdef',
        JURY_REVIEWER: 'alpha',
      },
    });
    started.push(bystander);
    // The record of a Jury that is gone, with the bystander's own pid in the place of that Jury's.
    const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
    for (const name of [
      `jury-attempt-${namespace}-${bystander.pid}-1-abcdef`,
      `jury-attempt-${namespace}-4194399-77-abcdef`,
    ])
      mkdirSync(path.join(JURY_TMPDIR, name));
    expect(startsAgain(sample)).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('killed'),
    });
    expect(sleepersOf(seconds)).toEqual([bystander.pid]);
    expect(readdirSync(JURY_TMPDIR).filter(name => name.startsWith('jury-attempt-'))).toEqual([]);
  });
});

describe('an interrupted run', () => {
  it('tells the exit code that the process ends with, and keeps that of its outcome', async () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'fast', script: "console.log('None\\nVERDICT: safe');" },
      {
        id: 'slow',
        script: `fs.writeFileSync('${path.join(sample.root, '../up')}', ''); setTimeout(() => {}, 60_000);`,
      },
    ]);
    const child = startJury(sample.root, ['review', '--config', config, '--format', 'json']);
    started.push(child);
    let printed = '';
    child.stdout?.on('data', (text: Buffer) => (printed += text.toString()));
    await expect
      .poll(() => existsSync(path.join(sample.root, '../up')), { timeout: 30_000 })
      .toBe(true);
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    const record = JSON.parse(printed) as { readonly outcome: string; readonly exitCode: number };
    expect([code, record.exitCode, record.outcome]).toEqual([130, 130, 'INCOMPLETE']);
    expect(juryJson(sample.root, ['report', 'latest']).record.exitCode).toBe(2);
    for (const format of ['terminal', 'brief']) {
      const { stdout } = jury(sample.root, ['report', 'latest', '--format', format]);
      expect(stdout, format).not.toMatch(/No issues found|\bslow\b.*\b(?:OK|safe)\b|Verdict: safe/);
    }
  });
});
