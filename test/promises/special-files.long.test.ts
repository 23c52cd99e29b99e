/** What is no regular file is refused in one sentence; pipes somebody writes to are read, and let go when Jury is told to stop. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, program, writePanel } from '../cli/jury.ts';

interface Ended {
  /** Null: it had to be killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const patienceMs = 20_000;

/** `before` and `after` are words of a shell around the program. */
function juryWithin(
  sample: SampleRepository,
  args: readonly string[],
  { before = '', after = '' } = {},
): Ended {
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', `${before} exec "$@" ${after}`, 'sh', process.execPath, program, ...args],
    {
      cwd: sample.root,
      encoding: 'utf8',
      timeout: patienceMs,
      killSignal: 'SIGKILL',
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  return { code: status, stdout, stderr };
}

function makePipe(sample: SampleRepository, name: string): void {
  mkdirSync(path.dirname(path.join(sample.root, name)), { recursive: true });
  execFileSync('mkfifo', [path.join(sample.root, name)]);
}

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('a named pipe that nobody writes to, not on Windows', () => {
  it.each([
    ['review --patch NAME', 2],
    ['gates --patch NAME', 2],
    ['review --plan NAME', 2],
    ['review --config NAME', 3],
    ['ask Why? --context-file NAME', 2],
    ['document NAME', 2],
    ['consensus NAME', 2],
    ['verify --coverage NAME', 2],
    ['verify --evidence NAME', 2],
    ['context check NAME', 2],
    ['motions ratify --aggregations NAME --rules seed', 2],
    ['motions ratify --aggregations x.json --rules ./NAME', 3],
    ['motions verify-audit NAME', 2],
  ] as const)('is refused in one sentence as an argument: %s', (words, exitCode) => {
    const sample = createChangedRepository();
    makePipe(sample, 'pipe.json');
    const { code, stdout, stderr } = juryWithin(
      sample,
      words.split(' ').map(word => word.replace('NAME', 'pipe.json')),
    );
    expect([code, stdout]).toEqual([exitCode, '']);
    expect(stderr).toContain('pipe.json');
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it.each([
    ['the configuration', 'jury.config.yaml', 3],
    ['the baseline', 'jury.baseline.json', 3],
  ] as const)('is refused in one sentence as %s of the project', (_title, name, exitCode) => {
    const sample = createChangedRepository();
    makePipe(sample, name);
    const { code, stderr } = juryWithin(sample, ['review']);
    expect(code).toBe(exitCode);
    expect(stderr).toContain(name);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('is refused in one sentence as a persona', () => {
    const sample = createChangedRepository();
    makePipe(sample, '../panel/mine.md');
    const config = writePanel(sample, [
      { id: 'alpha', script: '', settings: 'persona: ./mine.md' },
    ]);
    const { code, stderr } = juryWithin(sample, ['review', '--config', config]);
    expect(code).toBe(3);
    expect(stderr).toContain('mine.md');
  });

  it('is refused in one sentence in the folder of a session', () => {
    const sample = createChangedRepository();
    makePipe(sample, 'session/mega-motions.json');
    const { code, stderr } = juryWithin(sample, ['motions', 'session', '--simulate']);
    expect(code).toBe(2);
    expect(stderr).toContain('mega-motions.json');
  });

  it('does not hold a review of the working tree up', () => {
    const sample = createChangedRepository();
    makePipe(sample, 'src/pipe.js');
    sample.write('src/sum.js', 'export const sum = list => list.length;\n');
    const config = writePanel(sample, [
      { id: 'alpha', script: "console.log('None\\nVERDICT: safe');" },
    ]);
    expect(
      juryWithin(sample, ['review', '--worktree', '--untracked', '--config', config]).code,
    ).toBe(0);
  });
});

describe.skipIf(isWindows)('other things that are no files, not on Windows', () => {
  it.each([
    ['a device without an end', '/dev/zero'],
    ['a folder', '.'],
  ])('%s is refused in one sentence that says why', (_title, name) => {
    const sample = createChangedRepository();
    for (const [args, exitCode] of [
      [['review', '--patch', name], 2],
      [['review', '--config', name], 3],
    ] as const) {
      const { code, stderr } = juryWithin(sample, args);
      expect(code).toBe(exitCode);
      expect(stderr).toMatch(/^[^\n]+: (?!unknown)\w[^\n:]{5,}\.\n$/);
    }
  });

  it('standard input without an end is refused too', () => {
    const { code, stderr } = juryWithin(createChangedRepository(), ['ask', '-'], {
      after: '< /dev/zero',
    });
    expect(code).toBe(2);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });

  it('the empty device is an empty file', () => {
    const sample = createChangedRepository();
    expect(juryWithin(sample, ['review', '--config', '/dev/null', '--dry-run']).code).toBe(0);
  });
});

describe.skipIf(isWindows)('a pipe that somebody writes to, not on Windows', () => {
  it.each([
    ['-', '<&3'],
    ['/dev/stdin', '<&3'],
    ['/dev/fd/3', ''],
  ])('is read to its end, however long that takes: --patch %s', (name, after) => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [
      { id: 'alpha', script: "console.log('None\\nVERDICT: safe');" },
    ]);
    const before = '{ sleep 1; git diff HEAD~1 HEAD; } | { exec 3<&0 </dev/null;';
    const { code, stdout } = juryWithin(
      sample,
      ['review', '--patch', name, '--config', config, '--format', 'json'],
      { before, after: `${after}; }` },
    );
    expect(code).toBe(0);
    expect(
      (JSON.parse(stdout) as { readonly subject: { readonly files: number } }).subject.files,
    ).toBe(1);
  });

  it.skipIf(!existsSync('/proc/self/status')).each([
    ['SIGINT', ['review', '--patch', '-']],
    ['SIGTERM', ['ask', '-']],
    ['SIGTERM', ['review', '--patch', '/dev/stdin']],
    ['SIGTERM', ['review', '--config', '/dev/fd/3']],
  ] as const)('but stays silent is left at %s, where there is /proc: %s', async (signal, args) => {
    const sample = createChangedRepository();
    // The shell keeps the writing end open for as long as the program runs.
    const child = spawn(
      'sh',
      [
        '-c',
        'sleep 60 | { exec 3<&0; "$@" <&3 & echo $!; wait $!; echo $?; } 2>/dev/null',
        'sh',
        process.execPath,
        program,
        ...args,
      ],
      { cwd: sample.root, stdio: ['ignore', 'pipe', 'inherit'], detached: true },
    );
    try {
      let printed = '';
      child.stdout.on('data', (text: Buffer) => (printed += text.toString()));
      await untilIdle(() => printed.split('\n')[0] ?? '');
      process.kill(Number(printed.split('\n')[0]), signal);
      await expect.poll(() => printed.split('\n')[1], { timeout: 5_000 }).toBe('130');
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await once(child, 'close');
    }
  });
});

/** Resolves when the process has done something and then nothing for a second: it waits for its input. */
async function untilIdle(pid: () => string): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        // User and system time, the 14th and 15th field.
        const now =
          pid() !== '' && existsSync(`/proc/${pid()}/stat`)
            ? readFileSync(`/proc/${pid()}/stat`, 'utf8').split(' ').slice(13, 15).join(' ')
            : '';
        await wait(1_000);
        const isIdle = now !== '' && now !== '0 0' && now === before;
        before = now;
        return isIdle;
      },
      { timeout: 30_000, interval: 10 },
    )
    .toBe(true);
}
