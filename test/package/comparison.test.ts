/** A build made for comparison: its clock and its ids come from its environment, so that two versions can be compared run by run. */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { buildComparison } from '../../scripts/build.mjs';
import { judgeTarball } from '../../scripts/check-package.mjs';
import { sha256 } from '../../src/core/hash.ts';
import { createFolder } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, writePanel } from '../cli/jury.ts';

const seams = { JURY_COMPARISON_CLOCK: '2030-01-02T03:04:05Z', JURY_COMPARISON_IDS: 'one' };
let program: string;

beforeAll(async () => {
  program = await buildComparison();
});

/** What a panel of three at once prints; each takes its time in milliseconds. */
function reviewBy(times: Readonly<Record<string, number>>) {
  const sample = createChangedRepository();
  const reviewers = Object.entries(times).map(([id, ms]) => ({
    id,
    script: `setTimeout(() => console.log('IMPORTANT|src/sum.js:2|An empty list throws, says ${id}\\nVERDICT: needs-changes'), ${ms});`,
  }));
  const { stdout } = spawnSync(
    process.execPath,
    [
      program,
      'review',
      'HEAD~1..HEAD',
      '--config',
      writePanel(sample, reviewers),
      '--format',
      'json',
    ],
    { cwd: sample.root, encoding: 'utf8', env: { ...process.env, ...seams } },
  );
  return stdout.replaceAll(path.dirname(sample.root), '');
}

it('prints the same bytes for the same review, whoever of the panel ends first', () => {
  const printed = reviewBy({ alpha: 0, beta: 250, gamma: 500 });
  expect(JSON.parse(printed)).toMatchObject({
    run: `20300102T030405Z-${sha256('one\u00001').slice(0, 6)}`,
    outcome: 'FAIL',
    reviewers: ['alpha', 'beta', 'gamma'].map(id => ({ id, status: 'complete', durationMs: 0 })),
  });
  expect(reviewBy({ alpha: 500, beta: 250, gamma: 0 })).toBe(printed);
});

it('is not packed: the check of the package finds its seams under any name', () => {
  const folder = createFolder();
  const parts = path.join('package', 'dist', 'cli', 'parts');
  cpSync(path.join(path.dirname(program), 'parts'), path.join(folder, parts), { recursive: true });
  const files = readdirSync(path.join(folder, parts)).map(name => path.join(parts, name));
  const tarball = path.join(folder, 'jury.tgz');
  execFileSync('tar', ['-czf', tarball, '-C', folder, ...files]);
  expect(judgeTarball(tarball)).toContain(
    'A program takes its clock or its ids from the environment: it was built for comparison.',
  );
});
