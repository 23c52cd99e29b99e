/** Re-use never changes what a review comes to, and a small repository takes no memory without end. */
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createSampleRepository, runGitIn } from '../../adapters/git/sample-repository.ts';
import { program } from '../../cli/jury.ts';
import { comparePushes } from './pushes-by-place.ts';

it('asks again wherever a line may stand in another place', { timeout: 3_600_000 }, () => {
  const compared = Array.from({ length: 60 }, (_, seed) => comparePushes(seed + 10, 4));
  expect(compared.flatMap(({ differences }) => differences)).toEqual([]);
  expect(compared.reduce((sum, { kept }) => sum + kept, 0)).toBeGreaterThan(10);
});

describe.skipIf(process.platform !== 'linux')('one large blob under many names', () => {
  it.each([100, 2_000])('%i take at most 512 MB', { timeout: 600_000 }, names => {
    const sample = createSampleRepository();
    sample.write('keep.js', 'export const a = 1;\n');
    sample.commit('one');
    sample.write('big.txt', 'a line of some length that is repeated\n'.repeat(50_000));
    const blob = sample.git('hash-object', '-w', 'big.txt');
    sample.remove('big.txt');
    const entries = Array.from({ length: names }, (_, at) => `100644 blob ${blob}\t${at}.txt\n`);
    const tree = runGitIn(sample.root, ['mktree'], entries.join(''));
    const all = `${sample.git('ls-tree', 'HEAD')}\n040000 tree ${tree}\td\n`;
    const whole = runGitIn(sample.root, ['mktree'], all);
    sample.git('update-ref', 'HEAD', sample.git('commit-tree', '-p', 'HEAD', '-m', 'two', whole));
    const out = execFileSync(process.execPath, ['-e', watching, program, 'review', 'HEAD'], {
      cwd: sample.root,
      encoding: 'utf8',
    });
    const { status, megabytes } = JSON.parse(out) as { status: number; megabytes: number };
    console.log(`${names} names: ${megabytes} MB`);
    expect([status, megabytes <= 512]).toEqual([2, true]);
  });
});

/** The most that a child has held, looked at while it runs. */
const watching = `const fs = require('node:fs');
const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio: 'ignore' });
let megabytes = 0;
const timer = setInterval(() => {
  try {
    const [, most] = /VmHWM:\\s+(\\d+)/.exec(fs.readFileSync('/proc/' + child.pid + '/status', 'utf8'));
    megabytes = Math.max(megabytes, Math.round(most / 1024));
  } catch {}
}, 20);
child.on('exit', status => {
  clearInterval(timer);
  console.log(JSON.stringify({ status, megabytes }));
});`;
