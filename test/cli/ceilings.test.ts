/** A run may go on with other ceilings than it began with: they hold for the whole run, and are kept. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import {
  callsOf,
  createChangedRepository,
  goodAnswer,
  jury,
  juryJson,
  lastRun,
  noting,
  startJury,
  writePanel,
} from './jury.ts';

/** Three reviewers, one call at a time, each of which leaves a line. */
function seatThree(sample: SampleRepository, settings = '') {
  return writePanel(
    sample,
    ['one', 'two', 'three'].map(id => ({
      id,
      script: noting(sample, id) + goodAnswer,
    })),
    `quorum: 3\nfailOn: [never]\nconcurrency: 1\n${settings}`,
  );
}

function planOf(sample: SampleRepository) {
  return JSON.parse(readFileSync(path.join(lastRun(sample), 'plan.json'), 'utf8'));
}

describe('a run that goes on', () => {
  it('has the ceiling it began with, of which the first round has used its part', () => {
    const sample = createChangedRepository();
    const config = seatThree(sample);
    const first = juryJson(sample.root, ['review', '--config', config, '--max-calls', '2']);
    expect([first.code, callsOf(sample)]).toEqual([2, ['one', 'two']]);
    expect(juryJson(sample.root, ['resume']).code).toBe(2);
    expect(callsOf(sample)).toEqual(['one', 'two']);
  });

  it('may be given higher ones, which it keeps', () => {
    const sample = createChangedRepository();
    const config = seatThree(sample);
    jury(sample.root, ['review', '--config', config, '--max-calls', '1']);
    const second = juryJson(sample.root, ['resume', '--max-calls', '2', '--timeout', '77']);
    expect([second.code, callsOf(sample)]).toEqual([2, ['one', 'two']]);
    expect(second.stderr).toContain('calls 2 (before: 1)');
    expect(planOf(sample)).toMatchObject({
      limits: { maxCalls: 2, maxTokens: null, maxCost: null },
      seats: [{ timeout: 77 }, { timeout: 77 }, { timeout: 77 }],
    });
    expect(readFileSync(path.join(lastRun(sample), 'events.jsonl'), 'utf8')).toMatch(
      /"type":"ceilings-change","before":\{"calls":"1".*"now":\{"calls":"2"/,
    );
    expect([juryJson(sample.root, ['resume', '--max-calls', '3']).code, callsOf(sample)]).toEqual([
      0,
      ['one', 'two', 'three'],
    ]);
    expect(planOf(sample)).toMatchObject({ seats: [{ timeout: 77 }, {}, {}] });
  });

  it('has those of the configuration as it is now where nobody named any', () => {
    const sample = createChangedRepository();
    const config = seatThree(sample, 'maxCalls: 1\n');
    expect(juryJson(sample.root, ['review', '--config', config]).code).toBe(2);
    writeFileSync(config, readFileSync(config, 'utf8').replace('maxCalls: 1', 'maxCalls: 3'));
    expect([juryJson(sample.root, ['resume']).code, callsOf(sample)]).toEqual([
      0,
      ['one', 'two', 'three'],
    ]);
  });

  it('is stopped by a time that was given', () => {
    const sample = createChangedRepository();
    const go = path.join(sample.root, '../go');
    const config = writePanel(
      sample,
      [
        {
          id: 'slow',
          script: `if (!fs.existsSync(${JSON.stringify(go)})) process.exit(7);\nsetTimeout(() => {\n${goodAnswer}\n}, 20000);`,
        },
      ],
      'quorum: 1\n',
    );
    expect(jury(sample.root, ['review', '--config', config]).code).toBe(2);
    writeFileSync(go, '');
    const { code, record } = juryJson(sample.root, ['resume', '--timeout', '2']);
    expect([code, record.reviewers[0]?.cause]).toEqual([2, 'deadline']);
  });

  it('is gone on with by one process at a time: the second says who has it', async () => {
    const sample = createChangedRepository();
    const go = path.join(sample.root, '../go');
    const asked = path.join(sample.root, '../asked');
    const config = writePanel(
      sample,
      [
        {
          id: 'slow',
          script: `if (!fs.existsSync(${JSON.stringify(go)})) process.exit(7);\nfs.writeFileSync(${JSON.stringify(asked)}, '');\nsetTimeout(() => {\n${goodAnswer}\n}, 4000);`,
        },
      ],
      'quorum: 1\nfailOn: [never]\n',
    );
    jury(sample.root, ['review', '--config', config]);
    writeFileSync(go, '');
    const first = startJury(sample.root, ['resume']);
    const ended = new Promise(resolve => first.once('close', resolve));
    while (!existsSync(asked)) await wait(20);
    const run = path.basename(lastRun(sample));
    const second = jury(sample.root, ['resume', run]);
    expect([second.code, second.stdout]).toEqual([3, '']);
    expect(second.stderr).toContain(`Process ${first.pid} on `);
    expect(await ended).toBe(0);
  });

  it.each<[string, (plan: Record<string, unknown>) => unknown]>([
    ['no plan at all', () => 'none'],
    [
      'a seat with a key nobody knows',
      plan => ({
        ...plan,
        seats: (plan['seats'] as object[]).map(seat => ({ ...seat, shell: true })),
      }),
    ],
    ['the name of another run', plan => ({ ...plan, run: '20200101T000000Z-aaaaaa' })],
    ['a policy of nobody', plan => ({ ...plan, policy: { failOn: [], quorum: 0 } })],
  ])('is over where its plan holds %s', (_what, edit) => {
    const sample = createChangedRepository();
    const config = seatThree(sample);
    jury(sample.root, ['review', '--config', config, '--max-calls', '1']);
    const file = path.join(lastRun(sample), 'plan.json');
    writeFileSync(
      file,
      JSON.stringify(edit(JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)),
    );
    const run = path.basename(path.dirname(file));
    const { code, stdout, stderr } = jury(sample.root, ['resume', run]);
    expect([code, stdout, callsOf(sample)]).toEqual([2, '', ['one']]);
    expect(stderr).toBe(
      `jury: The plan of run ${run} is damaged, or of another version of Jury. Start the review again.\n`,
    );
  });

  it.each(['0', '-1', 'many'])('takes no ceiling of %s calls', value => {
    const { root } = createChangedRepository();
    const { code, stdout, stderr } = jury(root, ['resume', '--max-calls', value]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toMatch(/^jury: .*--max-calls.*\n$/);
  });
});
