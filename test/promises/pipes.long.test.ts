/** Whoever reads the output may go away: the work is done to its end, and the exit code is the work's own. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, juryJson, program, writePanel } from '../cli/jury.ts';

interface Piped {
  readonly code: number;
  readonly stderr: string;
}

/** Runs the program in a shell with its output bent by `redirection`, which may hold a pipe; `code` is that of the program. */
function piped(sample: SampleRepository, args: readonly string[], redirection: string): Piped {
  const [code, errors] = [path.join(sample.root, '../code'), path.join(sample.root, '../errors')];
  for (const file of [code, errors]) rmSync(file, { force: true });
  const script = `{ { "$@"; echo $? > '${code}'; } 2>&3 ${redirection}; } 3> '${errors}'`;
  spawnSync('sh', ['-c', script, 'sh', process.execPath, program, ...args], { cwd: sample.root });
  return { code: Number(readFileSync(code, 'utf8')), stderr: readFileSync(errors, 'utf8') };
}

const answers = {
  PASS: "console.log('None\\nVERDICT: safe');",
  FAIL: "console.log('CRITICAL|src/sum.js:2|The sum of an empty list throws\\nVERDICT: blocked');",
  INCOMPLETE: 'process.exit(9);',
};

/** The reviewer answers when the reader is long gone. */
function seat(sample: SampleRepository, outcome: keyof typeof answers): string {
  return writePanel(sample, [
    { id: 'alpha', script: `setTimeout(() => { ${answers[outcome]} }, 700);` },
  ]);
}

function outcomeOfLatest(sample: SampleRepository): string | null {
  return juryJson(sample.root, ['report', 'latest']).record.outcome;
}

const isWindows = process.platform === 'win32';

describe.skipIf(isWindows)('a run whose reader goes away, not on Windows', () => {
  it.each([
    ['both outputs, after one line', '2>&1 | head -1', 'PASS', 0],
    ['both outputs, after three lines', '2>&1 | head -3', 'FAIL', 1],
    ['both outputs, at once', '2>&1 | true', 'INCOMPLETE', 2],
    ['standard output alone', '| true', 'FAIL', 1],
    ['standard error alone', '2>&1 >/dev/null | true', 'PASS', 0],
  ] as const)(
    '%s: goes on to its end, is saved, and ends with its own code',
    (_title, redirection, outcome, exitCode) => {
      const sample = createChangedRepository();
      const { code, stderr } = piped(
        sample,
        ['review', '--config', seat(sample, outcome)],
        redirection,
      );
      expect(code).toBe(exitCode);
      expect(outcomeOfLatest(sample)).toBe(outcome);
      expect(stderr).not.toMatch(/fault|\n\s+at /);
    },
  );

  it.skipIf(process.platform !== 'linux').each([
    ['PASS', '>&-'],
    ['FAIL', '>&- 2> errors'],
    ['INCOMPLETE', '<&- >&-'],
  ] as const)(
    'is no excuse on Linux for a report that nobody could read from the start: %s %s',
    (outcome, redirection) => {
      const sample = createChangedRepository();
      const { code, stderr } = piped(
        sample,
        ['review', '--config', seat(sample, outcome)],
        redirection,
      );
      expect([code, outcomeOfLatest(sample)]).toEqual([4, outcome]);
      expect(stderr).not.toMatch(/\n\s+at /);
    },
  );

  it.each([
    ['standard input closed', '<&-'],
    ['standard error closed', '2>&-'],
    ['the empty device', '> /dev/null'],
  ])('and has its own code with %s', (_title, redirection) => {
    const sample = createChangedRepository();
    expect(piped(sample, ['review', '--config', seat(sample, 'PASS')], redirection).code).toBe(0);
  });

  it('has delivered what it wrote to a file', () => {
    const sample = createChangedRepository();
    const out = path.join(sample.root, '../report.md');
    const args = ['review', '--config', seat(sample, 'PASS'), '--format', 'markdown', '--out', out];
    expect(piped(sample, args, '>&-').code).toBe(0);
    expect(readFileSync(out, 'utf8')).toContain('PASS');
  });

  it.skipIf(!existsSync('/dev/full'))(
    'is no excuse for a report that a full disk swallowed, where there is /dev/full',
    () => {
      const sample = createChangedRepository();
      expect(piped(sample, ['review', '--config', seat(sample, 'PASS')], '> /dev/full').code).toBe(
        4,
      );
    },
  );
});

describe.skipIf(isWindows)('a command whose reader is gone, not on Windows', () => {
  it('ends quietly with the code it has otherwise', () => {
    const sample = createChangedRepository();
    expect(piped(sample, ['review', '--config', seat(sample, 'FAIL')], '> /dev/null').code).toBe(1);
    const commands = [
      [1, 'report latest'],
      [0, 'show latest --full'],
      [2, 'explain c-1'],
      [0, 'runs'],
      [2, 'report nosuch'],
      [3, 'nosuch'],
      [0, '--help'],
      [0, '--version'],
    ] as const;
    for (const redirection of ['2>&1 | true', '| true']) {
      const ends = commands.map(([, words]) => ({
        words,
        ...piped(sample, words.split(' '), redirection),
      }));
      expect(ends.map(({ code, words }) => [code, words])).toEqual(commands);
      expect(ends.filter(({ stderr }) => /fault|\n\s+at /.test(stderr))).toEqual([]);
    }
  });
});
