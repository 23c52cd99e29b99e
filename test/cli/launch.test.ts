/** The code that V8 kept only ever saves time: whatever becomes of it, the program does the same. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { juryProcess, program } from './jury.ts';

const cwd = createFolder();

function help(cache: string, environment: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = juryProcess(cwd, ['review', '--help'], {
    environment: { XDG_CACHE_HOME: cache, NODE_DISABLE_COMPILE_CACHE: '', ...environment },
  });
  expect([code, stderr]).toEqual([0, '']);
  return stdout;
}

function keptIn(cache: string) {
  const folder = path.join(cache, 'jury', 'code');
  const [name = ''] = readdirSync(folder);
  return path.join(folder, name);
}

it('is kept once, for this user alone, and used from then on', () => {
  const cache = createFolder();
  const said = help(cache);
  const { mode, mtimeMs } = statSync(keptIn(cache));
  expect((mode & 0o777).toString(8)).toBe('600');
  expect(help(cache)).toBe(said);
  expect(statSync(keptIn(cache)).mtimeMs).toBe(mtimeMs);
});

it('is made anew when it is broken or when others may have written it', () => {
  const cache = createFolder();
  const said = help(cache);
  const file = keptIn(cache);
  const whole = readFileSync(file);
  for (const spoil of [
    () => writeFileSync(file, whole.subarray(0, 5_000)),
    () => writeFileSync(file, Buffer.alloc(whole.length, 7)),
    () => chmodSync(file, 0o622),
  ]) {
    spoil();
    expect(help(cache)).toBe(said);
    expect([readFileSync(file).length > 50_000, statSync(file).mode & 0o022]).toEqual([true, 0]);
  }
});

it('is not kept where the user does not want it, nor in a place the working directory decides', () => {
  const cache = createFolder();
  help(cache, { NODE_DISABLE_COMPILE_CACHE: '1' });
  help(cache, { XDG_CACHE_HOME: 'here' });
  expect([existsSync(path.join(cache, 'jury')), existsSync(path.join(cwd, 'here'))]).toEqual([
    false,
    false,
  ]);
});

it.skipIf(!existsSync('/dev/full'))('what cannot be printed is told in one sentence', () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, '--help'], {
    cwd,
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect([status, stderr]).toEqual([
    4,
    'jury: What is printed cannot be written: ENOSPC: no space left on device, write.\n',
  ]);
});
