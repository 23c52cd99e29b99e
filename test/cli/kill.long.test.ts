import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, juryJson, startJury, writePanel } from './jury.ts';
import { runsOf } from '../state-of.ts';

/** What eight reviewers who saw eight different things say. */
const remarks = [
  'An empty list throws a TypeError',
  'Overflow of large integers loses precision',
  'The licence header is gone',
  'Callers in other modules were not updated',
  'Performance regresses on sparse arrays',
  'Naming differs from the style guide',
  'No unit test covers negative values',
  'Export is now hoisted and changes load order',
];

/** Eight slow reviewers; the file is there as soon as one of them is asked. */
function seatSlowPanel(sample: SampleRepository, mark: string): string {
  return writePanel(
    sample,
    remarks.map((remark, index) => ({
      id: `r${index + 1}`,
      script: `fs.writeFileSync('${mark}', '');
setTimeout(() => console.log('IMPORTANT|${remark}\\nVERDICT: needs-changes'), ${100 + index * 120});`,
    })),
  );
}

const runIn = (sample: SampleRepository): string | undefined => {
  const folder = runsOf(sample.root);
  return existsSync(folder) ? readdirSync(folder)[0] : undefined;
};

describe('a run that is killed', () => {
  it('is saved by Ctrl-C, which says how to go on', async () => {
    const sample = createChangedRepository();
    const mark = path.join(sample.root, '../asked');
    const config = seatSlowPanel(sample, mark);
    const interrupted = startJury(sample.root, ['review', '--config', config, '--format', 'json']);
    let notes = '';
    interrupted.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
    while (!existsSync(mark)) await wait(50);
    interrupted.kill('SIGINT');
    const code = await new Promise(resolve => interrupted.once('close', resolve));
    const run = runIn(sample) ?? '';
    expect(code).toBe(130);
    expect(notes).toContain(`jury resume ${run}`);
    const { code: resumed, record } = juryJson(sample.root, ['resume']);
    expect([resumed, record.run, record.outcome]).toEqual([0, run, 'PASS']);
    expect(record.claims.flatMap(claim => claim.findings)).toHaveLength(8);
  });

  it('asks who was cut off, though one had failed it already: on resuming, and on the same call again', async () => {
    const sample = createChangedRepository();
    const mark = path.join(sample.root, '../go-on');
    const config = writePanel(sample, [
      { id: 'quick', script: `console.log('CRITICAL|Broken\\nVERDICT: risky');` },
      {
        id: 'late',
        script: `if (fs.existsSync('${mark}')) console.log('None\\nVERDICT: safe'); else setTimeout(() => {}, 60000);`,
      },
    ]);
    const interrupt = async (...args: readonly string[]): Promise<void> => {
      const child = startJury(sample.root, [...args, '--format', 'json']);
      let notes = '';
      child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
      while (!notes.includes('quick ✓')) await wait(50);
      child.kill('SIGINT');
      expect(await new Promise(resolve => child.once('close', resolve))).toBe(130);
    };
    await interrupt('review', '--config', config);
    expect(juryJson(sample.root, ['report', 'latest']).record.outcome).toBe('FAIL');
    writeFileSync(mark, '');
    const again = juryJson(sample.root, ['review', '--config', config]).record;
    expect(again.reviewers.map(({ status }) => status)).toEqual(['complete', 'complete']);
    const { record } = juryJson(sample.root, ['resume', runIn(sample) ?? '']);
    expect(record.reviewers.map(({ status }) => status)).toEqual(['complete', 'complete']);
  });
});
