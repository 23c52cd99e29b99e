/** The demonstration: what it must show, that it says what it is, and that nothing of it stays. */
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, startJury } from './jury.ts';

/** Surroundings of which everything that is written lies in one folder. */
function place() {
  const folder = createFolder();
  const [temporary, state] = [path.join(folder, 'tmp'), path.join(folder, 'state')];
  mkdirSync(temporary);
  return {
    temporary,
    state,
    environment: {
      TMPDIR: temporary,
      JURY_STATE: state,
      XDG_CACHE_HOME: path.join(folder, 'cache'),
    },
  };
}

describe('jury demo', () => {
  it('shows agreement, a denial, a failed reviewer, a lone find and a veto, and says that no model was asked', () => {
    const { environment } = place();
    const { code, stdout } = jury(createFolder(), ['demo', '--json'], { environment });
    const record = JSON.parse(stdout) as PrintedRecord;
    expect([code, record.outcome]).toEqual([1, 'FAIL']);
    const models = new Set(
      record.reviewers.filter(({ runner }) => runner === 'replay').map(({ id }) => id),
    );
    expect(record.reviewers.filter(({ runner }) => runner === 'builtin')).toHaveLength(4);
    const by = record.claims.map(({ supporters }) => supporters.filter(id => models.has(id)));
    expect(by.filter(({ length }) => length === 3)).toHaveLength(1);
    // What three models say, a check of this machine found too.
    expect(record.claims.some(({ supporters }) => supporters.length === 4)).toBe(true);
    const denied = record.claims.find(
      ({ id, against }) => against.length > 0 && record.blocking.includes(id),
    );
    expect(denied?.against.map(({ reviewer }) => reviewer)).toEqual(['local']);
    expect(by.filter(names => names.join() === 'logic')).toHaveLength(1);
    expect(record.reviewers.filter(({ status }) => status === 'failed')).toMatchObject([
      { runner: 'replay', reason: 'quota' },
    ]);
    expect(record.reasons.filter(({ rule }) => rule === 'veto')).toMatchObject([
      { subject: 'security', effect: 'FAIL' },
    ]);
    expect(
      record.reviewers.every(({ model, tokens }) => model === null && tokens.input === 0),
    ).toBe(true);
  });

  it.each(['brief', 'markdown', 'html'])('says so as %s', format => {
    const { environment } = place();
    const { stdout } = jury(createFolder(), ['demo', '--format', format], { environment });
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The answers are recordings: no model was asked.',
    );
  });

  it('says in its first line what looked, ends with one step, and names no file that is gone', () => {
    const { environment, temporary } = place();
    const { stdout } = jury(createFolder(), ['demo', '--format', 'terminal'], { environment });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(
      /^✗ FAIL {2}last commit [0-9a-f]{8} · 1 file, .* · 3 of 4 answers, recorded$/,
    );
    expect(lines.slice(-3)).toEqual([expect.stringMatching(/^jury init /), '', '✗ FAIL  exit 1']);
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The answers are recordings: no model was asked.',
    );
    expect(stdout).not.toContain(temporary);
    expect(Math.max(...lines.map(line => line.length))).toBeLessThanOrEqual(80);
    // What a person sees without scrolling far.
    expect(lines.length).toBeLessThanOrEqual(50);
  });

  it('leaves nothing behind, neither in the project it is called in nor anywhere else', () => {
    const sample = createChangedRepository();
    const { environment, temporary, state } = place();
    expect(jury(sample.root, ['demo'], { environment }).code).toBe(1);
    expect(readdirSync(temporary)).toEqual([]);
    expect(existsSync(state)).toBe(false);
    expect(existsSync(path.join(sample.root, '.jury'))).toBe(false);
    expect(sample.git('status', '--porcelain')).toBe('');
  });

  it('is kept where that is asked for, and can be looked at there', () => {
    const { environment, temporary } = place();
    const { code, stdout } = jury(createFolder(), ['demo', '--keep', '--format', 'terminal'], {
      environment,
    });
    const [, project = ''] = /^cd (\S+)$/m.exec(stdout) ?? [];
    expect([code, path.dirname(path.dirname(project))]).toEqual([1, temporary]);
    const shown = jury(project, ['show', '1'], { environment });
    expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('SQL injection')]);
    expect(jury(project, ['explain', '2'], { environment }).stdout).toContain(
      'local says the opposite',
    );
    expect(jury(project, ['report'], { environment })).toMatchObject({ code: 1 });
  });

  it.each([
    [
      'a state that could not be used, no program on PATH and a threshold that is none',
      { JURY_STATE: 'relative', PATH: '/nowhere', SIMILARITY_THRESHOLD: 'much' },
    ],
    ['no home', { HOME: '', XDG_STATE_HOME: '' }],
  ])('goes on with %s', (_, changed) => {
    const { environment } = place();
    const { code, stderr } = jury(createFolder(), ['demo'], {
      environment: { ...environment, ...changed },
    });
    expect([code, stderr]).toEqual([1, expect.not.stringContaining('jury:')]);
  });

  it('refuses a temporary folder in which nothing can be made, in one sentence', () => {
    const { environment } = place();
    const { code, stdout, stderr } = jury(createFolder(), ['demo'], {
      environment: { ...environment, TMPDIR: '/proc' },
    });
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^jury: No folder can be made in the temporary folder \/proc: .*\n$/);
  });

  it('runs in a folder that cannot be written', () => {
    const folder = createFolder();
    chmodSync(folder, 0o500);
    expect(jury(folder, ['demo'], { environment: place().environment }).code).toBe(1);
    chmodSync(folder, 0o700);
  });

  it('is cleaned up after when it is killed halfway', async () => {
    const { environment, temporary } = place();
    const child = startJury(createFolder(), ['demo'], environment);
    const ended = new Promise(resolve => child.once('close', resolve));
    await expect.poll(() => readdirSync(temporary)).not.toEqual([]);
    child.kill('SIGKILL');
    await ended;
    await expect.poll(() => readdirSync(temporary)).toEqual([]);
  });
});

it('the answers of the demonstration name their lines as the file has them', () => {
  const root = new URL('../../demo/', import.meta.url);
  const lines = readFileSync(new URL('after/src/sales.js.txt', root), 'utf8').split('\n');
  const meant: Readonly<Record<number, string>> = { 14: 'SELECT', 15: 'slice', 20: 'refund' };
  const named = readdirSync(new URL('answers/', root)).flatMap(name => [
    ...readFileSync(new URL(`answers/${name}`, root), 'utf8').matchAll(
      /sales\.js:(\d+)|"line": (\d+)/g,
    ),
  ]);
  expect(named.length).toBeGreaterThan(5);
  for (const [, one, other] of named)
    expect(lines[Number(one ?? other) - 1]).toContain(meant[Number(one ?? other)]);
});
