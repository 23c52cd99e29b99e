/** Says how many processes the tests have started; after the whole of `npm test` the budget (`scripts/budget.mjs`) compares it. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { countFileOf } from './process-count.mjs';

export function setup(project: TestProject): () => Promise<void> {
  const file = countFileOf(process.pid);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '');
  return async () => {
    const started = statSync(file).size;
    rmSync(file);
    console.log(`Processes that the tests started: ${started}`);
    const { testFiles } = await project.globTestFiles();
    const isWhole =
      process.env['npm_lifecycle_event'] === 'test' &&
      project.config.testNamePattern === undefined &&
      project.vitest.state.getFiles().length === testFiles.length;
    if (!isWhole) return;
    const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8' });
    writeFileSync(
      path.join(path.dirname(file), 'processes.json'),
      JSON.stringify({ commit: stdout.trim(), started }),
    );
  };
}
