import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { verdicts } from '../../src/cli/runs.ts';
import { runsOf } from '../state-of.ts';
import { execute } from './memory-terminal.ts';

const juryVerdicts = (cwd: string, ...args: readonly string[]) =>
  execute(verdicts, ['verdicts', ...args], { cwd });

describe('jury verdicts', () => {
  let folder: string;
  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'jury-verdicts-'))));
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const put = (name: string, content: object | string) =>
    writeFile(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  const show = (...args: readonly string[]) => juryVerdicts(folder, '--dir', folder, ...args);

  it('prints status, agent and summary of every file in byte order, by default', async () => {
    for (const [name, status] of [
      ['b', 'CLEAN'],
      ['B', 'ERROR'],
      ['a.x', 'MYSTERY'],
      ['é', 'FAILED'],
    ])
      await put(`${name}.json`, { status, summary: `of ${name}` });
    await put('notes.txt', 'no verdict');
    const table = 'ERROR\tB\tof B\nMYSTERY\ta.x\tof a.x\nCLEAN\tb\tof b\nFAILED\té\tof é\n';
    expect(await show()).toEqual({ code: 0, stdout: table, stderr: '' });
    expect(await show('--table')).toEqual({ code: 0, stdout: table, stderr: '' });
  });

  it('counts statuses in their own order, unknown ones too', async () => {
    for (const [index, status] of [
      'FAILED',
      'MYSTERY',
      'PARTIAL',
      'CLEAN',
      'NEEDS_ATTENTION',
      'ERROR',
    ].entries())
      await put(`${index}.json`, { status });
    expect(await show('--counts')).toEqual({
      code: 0,
      stdout: '1 CLEAN, 1 NEEDS_ATTENTION, 1 ERROR, 1 PARTIAL, 1 FAILED, 1 UNKNOWN\n',
      stderr: '',
    });
    await put('7.json', '{');
    await put('8.json', { status: 'COMPLETE' });
    await put('9.json', { status: 'BLOCKED' });
    expect((await show('--counts')).stdout).toBe(
      '1 CLEAN, 1 NEEDS_ATTENTION, 1 BLOCKED, 1 ERROR, 1 COMPLETE, 1 PARTIAL, 1 FAILED, 1 UNKNOWN, 1 MALFORMED\n',
    );
  });

  it('keeps every record on one line and nothing alive in it', async () => {
    await put('a.json', {
      status: 'CLEAN',
      summary: 'back\\slash\ttab\nline\r\u001b[31mred\u202Eleft',
    });
    expect((await show()).stdout).toBe(
      'CLEAN\ta\tback\\\\slash\\ttab\\nline\\r⟦U+001B⟧[31mred⟦U+202E⟧left\n',
    );
  });

  it('lists who needs a look, and says which detail files are not there', async () => {
    await put('detail.md', 'text');
    for (const status of 'CLEAN COMPLETE NEEDS_ATTENTION BLOCKED ERROR PARTIAL FAILED MYSTERY'.split(
      ' ',
    ))
      await put(`${status}.json`, {
        status,
        findings_count: 3,
        detail_path: status === 'ERROR' ? join(folder, 'detail.md') : '/gone\t.md',
      });
    await put('none.json', { status: 'FAILED' });
    await put('x.json', '[]');
    const { code, stdout, stderr } = await show('--attention');
    expect([code, stdout.split('\n')]).toEqual([
      0,
      [
        'BLOCKED\t3\t/gone\\t.md',
        `ERROR\t3\t${join(folder, 'detail.md')}`,
        'FAILED\t3\t/gone\\t.md',
        'MYSTERY\t3\t/gone\\t.md',
        'NEEDS_ATTENTION\t3\t/gone\\t.md',
        'PARTIAL\t3\t/gone\\t.md',
        'none\t0\t-',
        'x\t-\tx.json',
        '',
      ],
    ]);
    expect(stderr.trim().split('\n')).toEqual([
      ...['BLOCKED', 'FAILED', 'MYSTERY', 'NEEDS_ATTENTION', 'PARTIAL'].map(
        agent => `jury: ${agent}: the detail file does not exist: /gone\\t.md`,
      ),
      'jury: none names no detail file.',
    ]);
  });

  it.each([
    ['longer than any name', 'x'.repeat(5_000)],
    ['with what no name holds', 'a\u0000b'],
    ['below a file', 'a.json/detail.md'],
    ['of links that go round', 'round'],
    ['of nothing', ''],
  ])('takes a detail file for missing that nobody can have: %s', async (_, name) => {
    await symlink('round', join(folder, 'round'));
    await put('a.json', {
      status: 'BLOCKED',
      detail_path: `${name}${name === 'round' ? '/x' : ''}`,
    });
    const { code, stdout, stderr } = await show('--attention');
    expect([code, stdout.split('\t').slice(0, 2)]).toEqual([0, ['a', '0']]);
    expect(stderr).toMatch(/^jury: a/);
  });

  it('sums tokens, rounding fractions up and counting nonsense as nothing', async () => {
    await put('a.json', { status: 'CLEAN', tokens_spent: 10 });
    await put('b.json', { status: 'CLEAN', tokens_spent: 1.5 });
    await put('c.json', { status: 'CLEAN' });
    expect(await show('--tokens')).toEqual({
      code: 0,
      stdout: '12\n',
      stderr: 'jury: b: tokens_spent is a fraction and counts 2.\n',
    });
    await put('d.json', { status: 'CLEAN', tokens_spent: -5 });
    await put('e.json', { status: 'CLEAN', tokens_spent: '7' });
    await put('f.json', '{"status":"CLEAN","tokens_spent":1e400}');
    const { stdout, stderr } = await show('--tokens');
    expect([stdout, stderr.trim().split('\n')]).toEqual([
      '12\n',
      expect.objectContaining({ length: 4 }),
    ]);
  });

  it.each([
    ['{', 'not valid JSON'],
    ['', 'not valid JSON'],
    ['null', 'not a JSON object'],
    ['[{"status":"CLEAN"}]', 'not a JSON object'],
    ['{}', 'no status'],
    ['{"status":1}', 'no status'],
    [`{"status":"CLEAN","x":"${'x'.repeat(1_100_000)}"}`, 'larger than 1 MiB'],
  ])('names a malformed file (%.12s) and never takes it for clean', async (text, problem) => {
    await put('a.json', text);
    expect((await show()).stdout).toBe(`MALFORMED\ta\t${problem}\n`);
    expect((await show('--attention')).stdout).toBe('a\t-\ta.json\n');
    expect((await show('--counts')).stdout).toBe('1 MALFORMED\n');
    expect((await show('--tokens')).stdout).toBe('0\n');
  });

  it('does not follow a link out of the folder', async () => {
    await put('target', { status: 'CLEAN', summary: 'secret' });
    await symlink(join(folder, 'target'), join(folder, 'a.json'));
    await mkdir(join(folder, 'b.json'));
    expect((await show()).stdout).toBe(
      'MALFORMED\ta\tno plain file\nMALFORMED\tb\tno plain file\n',
    );
  });

  it('prints everything as JSON, strings as they are', async () => {
    await put('a.json', {
      status: 'NEEDS_ATTENTION',
      summary: 'two\nlines',
      tokens_spent: 1.5,
      findings_count: 2,
      detail_path: '/gone',
      extra: true,
    });
    await put('b.json', 'x');
    const { code, stdout, stderr } = await show('--json');
    expect([code, stderr, JSON.parse(stdout)]).toEqual([
      0,
      '',
      {
        dir: folder,
        verdicts: [
          {
            agent: 'a',
            status: 'NEEDS_ATTENTION',
            summary: 'two\nlines',
            tokens_spent: 1.5,
            findings_count: 2,
            detail_path: '/gone',
            extra: true,
          },
        ],
        counts: { NEEDS_ATTENTION: 1, MALFORMED: 1 },
        attention: [
          { agent: 'a', status: 'NEEDS_ATTENTION', findings_count: 2, detail_path: '/gone' },
          { agent: 'b', status: 'MALFORMED', findings_count: null, detail_path: 'b.json' },
        ],
        tokens_total: 2,
        malformed: [{ file: 'b.json', error: 'not valid JSON' }],
        warnings: [
          'a: the detail file does not exist: /gone',
          'a: tokens_spent is a fraction and counts 2.',
        ],
      },
    ]);
  });

  it('takes an empty folder for no verdicts, and a missing one too with a warning', async () => {
    const missing = join(folder, 'missing');
    for (const [view, stdout] of [
      ['--table', ''],
      ['--counts', '0 verdicts\n'],
      ['--attention', ''],
      ['--tokens', '0\n'],
    ] as const) {
      expect(await show(view)).toEqual({ code: 0, stdout, stderr: '' });
      expect(await juryVerdicts(folder, '--dir', 'missing', view)).toEqual({
        code: 0,
        stdout,
        stderr: `jury: The folder ${missing} does not exist.\n`,
      });
    }
    expect(JSON.parse((await show('--json')).stdout)).toEqual({
      dir: folder,
      verdicts: [],
      counts: {},
      attention: [],
      tokens_total: 0,
      malformed: [],
      warnings: [],
    });
  });

  it('refuses a file as folder, and wrong usage', async () => {
    await put('file', '');
    await expect(juryVerdicts(folder, '--dir', 'file')).rejects.toMatchObject({
      name: 'UserError',
      kind: 'input',
      message: `The folder ${join(folder, 'file')} cannot be read: it is a file.`,
    });
    for (const args of [
      ['--dir', '.', '--run', 'latest'],
      ['--dir', '.', '--counts', '--json'],
      ['--dir'],
      ['--dir', '.', '--tabel'],
    ]) {
      await expect(juryVerdicts(folder, ...args)).rejects.toMatchObject({
        name: 'UserError',
        kind: 'usage',
      });
    }
  });

  it('finds the verdicts of a run', async () => {
    const verdictsFolder = join(runsOf(folder), '20261121T101500Z-0a1b2c', 'verdicts');
    await mkdir(verdictsFolder, { recursive: true, mode: 0o700 });
    await writeFile(
      join(verdictsFolder, 'alpha.json'),
      '{"status":"CLEAN","summary":"no findings"}',
      { mode: 0o600 },
    );
    expect(await juryVerdicts(folder, '--run', 'latest')).toEqual({
      code: 0,
      stdout: 'CLEAN\talpha\tno findings\n',
      stderr: '',
    });
    expect(await juryVerdicts(folder, '--counts')).toEqual({
      code: 0,
      stdout: '1 CLEAN\n',
      stderr: '',
    });
    await expect(juryVerdicts(folder, '--run', '2020')).rejects.toMatchObject({
      kind: 'input',
      message: 'There is no run "2020".',
    });
  });
});
