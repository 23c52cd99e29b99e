import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { writeData } from './labelled-data.ts';

describe('bench:consensus', () => {
  const root = fileURLToPath(new URL('../../', import.meta.url));
  const run = (...options: readonly string[]) => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ['bench/consensus/main.mjs', ...options],
      { cwd: root, encoding: 'utf8' },
    );
    return { status, stderr, stdout };
  };

  it('says what it wants', () => {
    expect(run()).toMatchObject({ status: 3, stderr: expect.stringContaining('--data DIR') });
    expect(run('--data', path.join(os.tmpdir(), 'no-such-data'))).toMatchObject({ status: 2 });
    const empty = mkdtempSync(path.join(os.tmpdir(), 'jury-labelled-'));
    expect(run('--data', empty)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no labelled findings'),
    });
    writeFileSync(path.join(empty, 'other.json'), '{"version": 1}');
    expect(run('--data', empty)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^\S+other\.json: no labelled findings.*\n$/u),
    });
    mkdirSync(path.join(empty, 'checkout'));
    expect(run('--data', writeData(), '--baseline', path.join(empty, 'checkout'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('no built checkout'),
    });
  });

  it('measures the shipped numbers on a single repository, in lines of 150 characters at most', () => {
    const out = mkdtempSync(path.join(os.tmpdir(), 'jury-plots-'));
    const { status, stdout } = run('--data', writeData(), '--out', out);
    // Aims may be missed; that is told, and nothing is broken.
    expect(status).toBe(stdout.includes('MISSED') ? 1 : 0);
    expect(stdout).toContain('whole panels, as shipped');
    const tables = stdout.split('\n').filter(line => !/^(?: {2}\S|Plot)/u.test(line));
    expect(tables.filter(line => line.length > 150)).toEqual([]);
  });
});
