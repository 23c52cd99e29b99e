// Eight reviewers of two seconds each: what the panel costs beyond its slowest reviewer, the start of the program included.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runsOf, stateOf, withSampleRepository } from './sample-repository.mjs';

export const title = 'wall time of 8 reviewers over the slowest of them';
export const aim = 1.15;

const jury = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const script =
  `process.stdin.resume().on('end', () => setTimeout(() => console.log('IMPORTANT|sum.js:1|an empty ` +
  `list throws\\nVERDICT: needs-changes'), 2000));`;

export function measure() {
  return withSampleRepository({ count: 8, script }, folder => {
    const began = performance.now();
    const run = spawnSync(
      process.execPath,
      [jury, 'review', '--fail-on', 'never', '--format', 'json'],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, JURY_STATE: stateOf(folder) } },
    );
    const wall = performance.now() - began;
    if (run.status !== 0) throw new Error(`jury ended with ${run.status}: ${run.stderr}`);
    const runs = runsOf(folder);
    const { reviewers } = JSON.parse(
      readFileSync(path.join(runs, readdirSync(runs)[0], 'report.json'), 'utf8'),
    );
    const slowest = Math.max(...reviewers.map(reviewer => reviewer.durationMs));
    return { ratio: wall / slowest, detail: `${Math.round(wall)} ms over ${slowest} ms` };
  });
}
