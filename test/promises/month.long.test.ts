/** What a ceiling of the month promises: however many runs there are, and whatever becomes of them, no call is made that could go over it. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, startJury, writePanel } from '../cli/jury.ts';

function callsOf({ root }: SampleRepository): number {
  const file = path.join(root, '../calls');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').length : 0;
}

/** Six reviewers, each of whom takes its time; what one call costs is its question. */
function seat(sample: SampleRepository, limit: number, afterMs = 300): string {
  const log = JSON.stringify(path.join(sample.root, '../calls'));
  return writePanel(
    sample,
    ['one', 'two', 'three', 'four', 'five', 'six'].map(id => ({
      id,
      settings: 'price: { input: 1000, output: 0 }',
      script: `fs.appendFileSync(${log}, '${id}\\n');\nsetTimeout(() => {\n${goodAnswer}\n}, ${afterMs});`,
    })),
    `quorum: 1\nfailOn: [never]\nmaxCostPerMonth: ${limit}\n`,
  );
}

interface Spent {
  readonly month: { readonly cost: number; readonly underWay: number; readonly calls: number };
}

function spentIn(sample: SampleRepository, config: string): Spent['month'] {
  return (JSON.parse(jury(sample.root, ['plan', '--config', config, '--json']).stdout) as Spent)
    .month;
}

const plenty = 1_000_000;

/** US dollars of one call. */
function priceOf(): number {
  const sample = createChangedRepository();
  const config = seat(sample, plenty, 0);
  jury(sample.root, ['review', '--config', config]);
  const { cost, calls } = spentIn(sample, config);
  expect(calls).toBe(6);
  return cost / calls;
}

it('three processes at once do not go over it together, and none of them passes', async () => {
  const price = priceOf();
  const sample = createChangedRepository();
  const limit = 5.5 * price;
  const config = seat(sample, limit);
  const ended = await Promise.all(
    [1, 2, 3].map(
      () =>
        new Promise<number | null>(resolve => {
          startJury(sample.root, ['review', '--config', config, '--fresh']).once('close', resolve);
        }),
    ),
  );
  const { cost, underWay, calls } = spentIn(sample, config);
  expect(cost + underWay).toBeLessThanOrEqual(limit);
  expect(callsOf(sample)).toBe(calls);
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(5);
  expect(ended).toEqual([2, 2, 2]);
});

it('processes that are killed, over and over, do not go over it either', async () => {
  const price = priceOf();
  const sample = createChangedRepository();
  const limit = 4.5 * price;
  const config = seat(sample, limit, 60_000);
  for (let times = 0; times < 3; times++) {
    const before = callsOf(sample);
    const run = startJury(sample.root, ['review', '--config', config, '--fresh']);
    const ended = new Promise(resolve => run.once('close', resolve));
    const isOver = { yet: false };
    void ended.then(() => (isOver.yet = true));
    while (callsOf(sample) === before && !isOver.yet) await wait(20);
    run.kill('SIGKILL');
    await ended;
  }
  expect(callsOf(sample)).toBeGreaterThan(0);
  expect(callsOf(sample) * price).toBeLessThanOrEqual(limit);
  expect(spentIn(sample, config).underWay).toBeLessThanOrEqual(limit);
});
