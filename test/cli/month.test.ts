/** The ceiling of a month: what is counted, whatever became of the runs, and who is not asked any more. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createJury } from '../../src/index.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { stateOf } from '../state-of.ts';
import {
  callsOf,
  createChangedRepository,
  goodAnswer,
  jury,
  juryJson,
  noting,
  startJury,
  writePanel,
} from './jury.ts';

/** What a call costs is its question, and about the same for each. */
function seat(sample: SampleRepository, ids: readonly string[], settings = '') {
  return writePanel(
    sample,
    ids.map(id => ({
      id,
      settings: 'price: { input: 1000, output: 0 }',
      script: noting(sample, id) + goodAnswer,
    })),
    `quorum: 1\nfailOn: [never]\nconcurrency: 1\n${settings}`,
  );
}

interface Planned {
  readonly month: { readonly cost: number; readonly underWay: number; readonly limit: number };
}

function monthIn(sample: SampleRepository, config: string) {
  return (JSON.parse(jury(sample.root, ['plan', '--config', config, '--json']).stdout) as Planned)
    .month;
}

/** US dollars of one call. */
const call = (() => {
  const sample = createChangedRepository();
  const config = seat(sample, ['one']);
  jury(sample.root, ['review', '--config', config]);
  return monthIn(sample, config).cost;
})();
/** A little more is expected of a call than it costs: there is room for one, and not for two. */
const forOne = `maxCostPerMonth: ${1.6 * call}\n`;

const review = (config: string, ...words: readonly string[]) => [
  'review',
  '--config',
  config,
  '--fresh',
  ...words,
];

describe('what was spent', () => {
  it('is told by the plan and by the statistics, and counts when the runs are gone', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one'], 'maxCostPerMonth: 20000\n');
    expect(monthIn(sample, config)).toMatchObject({ cost: 0, limit: 20_000 });
    expect(juryJson(sample.root, review(config)).code).toBe(0);
    const spent = monthIn(sample, config);
    expect(spent).toMatchObject({ underWay: 0, limit: 20_000 });
    expect(spent.cost).toBeCloseTo(call, 2);
    const told = `$${spent.cost.toFixed(2)}`;
    expect(jury(sample.root, ['plan', '--config', config]).stdout).toContain(
      `Month:     ${told} of $20000.00 spent in `,
    );
    expect(jury(sample.root, ['stats']).stdout).toContain(`This month: ${told} spent in `);
    jury(sample.root, ['clean']);
    expect(monthIn(sample, config).cost).toBe(spent.cost);
  });

  it('counts what a run had under way that was killed', async () => {
    const sample = createChangedRepository();
    const config = writePanel(
      sample,
      [
        {
          id: 'slow',
          settings: 'price: { input: 0, output: 1000 }',
          script: `${noting(sample, 'slow')}setTimeout(() => {}, 60000);`,
        },
      ],
      'quorum: 1\nmaxCostPerMonth: 1\n',
    );
    const run = startJury(sample.root, review(config, '--max-cost-per-month', '100'));
    while (callsOf(sample).length === 0) await wait(20);
    run.kill('SIGKILL');
    await new Promise(resolve => run.once('close', resolve));
    const { cost, underWay } = monthIn(sample, config);
    expect(cost).toBe(0);
    expect(underWay).toBeGreaterThan(0.1);
    expect(jury(sample.root, review(config)).code).toBe(2);
    expect(callsOf(sample)).toEqual(['slow']);
  });

  it('counts what the runs that are kept have spent, where there is no ledger yet', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one']);
    jury(sample.root, review(config));
    const { cost } = monthIn(sample, config);
    // As a version left it that kept none.
    rmSync(path.join(stateOf(sample.root), 'spending.sqlite'));
    expect(monthIn(sample, config).cost).toBeCloseTo(cost, 9);
    jury(sample.root, review(config));
    expect(monthIn(sample, config).cost).toBeCloseTo(2 * cost, 9);
  });
});

describe('where the ceiling is reached', () => {
  it('before a run nobody is asked, and the sentence says when it begins anew and how to go on', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one'], `maxCostPerMonth: ${call / 2}\n`);
    expect(jury(sample.root, review(config, '--max-cost-per-month', '100')).code).toBe(0);
    const refused = jury(sample.root, review(config));
    expect(refused.code).toBe(2);
    expect(refused.stderr).toMatch(
      /Nobody was asked: \$\d+\.\d\d of \$\d+\.\d\d spent in \d{4}-\d\d\. It begins anew on \d{4}-\d\d-01 \(UTC\)/,
    );
    expect(refused.stderr).toContain('--max-cost-per-month');
    expect(callsOf(sample)).toEqual(['one']);
    // The answer that is there costs nothing, and neither do the built-in checks.
    expect(jury(sample.root, ['review', '--config', config]).code).toBe(0);
    expect(jury(sample.root, review(config, '--reviewers', 'secrets,diff')).code).toBe(0);
    expect(callsOf(sample)).toEqual(['one']);
  });

  it('within a run the others are not asked, and it is no pass whatever the quorum', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one', 'two', 'three'], forOne);
    const { code, record } = juryJson(sample.root, review(config));
    expect(code).toBe(2);
    expect(record.outcome).toBe('INCOMPLETE');
    expect(callsOf(sample)).toEqual(['one']);
    expect(record.reviewers.map(({ cause }) => cause)).toEqual([null, 'month', 'month']);
    expect(record.reasons).toContainEqual(
      expect.objectContaining({ rule: 'month', effect: 'INCOMPLETE', subject: 'two' }),
    );
    const shown = jury(sample.root, ['report', 'latest', '--format', 'terminal']).stdout;
    expect(shown).toMatch(/ceiling of \$[\d.]+ for the month/);
    expect(jury(sample.root, ['resume']).code).toBe(2);
    expect(callsOf(sample)).toEqual(['one']);
  });

  it('a run goes on when the month has turned, and asks nobody twice', async () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one', 'two'], forOne);
    expect(juryJson(sample.root, review(config)).code).toBe(2);
    const now = new Date();
    const later = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1, 0, 0, 1));
    const then = createJury({
      cwd: sample.root,
      clock: {
        now: () => later,
        monotonicMs: () => performance.now(),
        sleep: ms => wait(ms).then(() => undefined),
      },
    });
    const run = await then.resume('latest');
    expect([run.outcome, callsOf(sample)]).toEqual(['PASS', ['one', 'two']]);
  });

  it('a flag holds for its call, and a higher one lets a run go on', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one', 'two']);
    expect(
      juryJson(sample.root, review(config, '--max-cost-per-month', String(1.6 * call))).code,
    ).toBe(2);
    const resumed = juryJson(sample.root, ['resume', '--max-cost-per-month', '50']);
    expect([resumed.code, callsOf(sample)]).toEqual([0, ['one', 'two']]);
    expect(resumed.stderr).toContain('dollars of the month 50 (before: ');
    expect(jury(sample.root, review(config, '--max-cost-per-month', '0')).code).toBe(3);
    expect(jury(sample.root, review(config, '--max-cost-per-month', 'much')).code).toBe(3);
  });
});

describe('a ledger that is damaged', () => {
  it('stops whoever has a ceiling, and is said to whoever has none', () => {
    const sample = createChangedRepository();
    const config = seat(sample, ['one']);
    jury(sample.root, review(config));
    writeFileSync(path.join(stateOf(sample.root), 'spending.sqlite'), 'x'.repeat(4096));
    const stopped = jury(sample.root, review(config, '--max-cost-per-month', '50'));
    expect(stopped.code).toBe(2);
    expect(stopped.stderr).toContain('spending.sqlite is damaged');
    expect(callsOf(sample)).toEqual(['one']);
    const told = jury(sample.root, review(config));
    expect([told.code, callsOf(sample)]).toEqual([0, ['one', 'one']]);
    expect(told.stderr).toContain('What this run costs is not counted in its month');
  });
});

it('a change cannot raise the ceiling under which it is reviewed', () => {
  const sample = createChangedRepository();
  const text = readFileSync(seat(sample, ['one', 'two'], forOne), 'utf8').replaceAll(
    './',
    '../panel/',
  );
  sample.write('jury.config.yaml', text);
  sample.commit('panel');
  sample.write('jury.config.yaml', text.replace(forOne, 'maxCostPerMonth: 1000\n'));
  sample.write('src/sum.js', 'export const sum = 1;\n');
  sample.commit('raised');
  const { record } = juryJson(sample.root, ['review', 'HEAD'], {
    environment: { JURY_TRUST_CONFIG: '1' },
  });
  expect(record.reviewers.map(({ cause }) => cause)).toEqual([null, 'month']);
});
