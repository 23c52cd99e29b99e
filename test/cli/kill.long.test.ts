import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, jury, juryJson, startJury, writePanel } from './jury.ts';
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

/** Eight slow reviewers that write a line when they are asked and one when they have answered. */
function seatSlowPanel(sample: SampleRepository) {
  const log = path.join(sample.root, '../log');
  return writePanel(
    sample,
    Array.from({ length: 8 }, (_, index) => ({
      id: `r${index + 1}`,
      script: `const id = process.env.JURY_REVIEWER; fs.appendFileSync('${log}', id + ' asked\\n');
setTimeout(() => { console.log('IMPORTANT|${remarks[index] ?? ''}\\nVERDICT: needs-changes'); fs.appendFileSync('${log}', id + ' answered\\n'); }, ${100 + index * 120});`,
    })),
  );
}

/** Calls by reviewer, in the order of the log. */
function callsOf(sample: SampleRepository) {
  const file = path.join(sample.root, '../log');
  const calls = new Map<string, string[]>();
  for (const line of existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []) {
    const [id = '', what = ''] = line.split(' ');
    calls.set(id, [...(calls.get(id) ?? []), what]);
  }
  return calls;
}

const runIn = (sample: SampleRepository) => {
  const folder = runsOf(sample.root);
  return existsSync(folder) ? readdirSync(folder)[0] : undefined;
};

describe('a run that is killed', () => {
  it.each([350, 700, 1000])(
    'after %i ms goes on without asking anybody twice who had answered',
    async delayMs => {
      const sample = createChangedRepository();
      const config = seatSlowPanel(sample);
      const killed = startJury(sample.root, ['review', '--config', config]);
      await wait(delayMs);
      killed.kill('SIGKILL');
      await new Promise(resolve => killed.once('close', resolve));
      await wait(1200);
      const before = callsOf(sample);
      const run = runIn(sample);
      // Killed before there was a run: nobody was asked, and a new review is the way on.
      const { record } =
        run === undefined || !existsSync(path.join(runsOf(sample.root), run, 'plan.json'))
          ? juryJson(sample.root, ['review', '--config', config])
          : juryJson(sample.root, ['resume', run]);
      expect(record.reviewers.map(({ display }) => display)).toEqual(
        Array.from({ length: 8 }, () => '✓'),
      );
      expect(record.claims.flatMap(claim => claim.findings)).toHaveLength(8);
      for (const [id, calls] of callsOf(sample)) {
        const asked = calls.filter(what => what === 'asked').length;
        // Twice only for a call that was in flight at the kill: it was asked before and its answer reached nobody.
        expect(asked, id).toBeLessThanOrEqual(before.has(id) ? 2 : 1);
      }
      expect(record.reviewers.length).toBe(8);
    },
  );

  it('is saved by Ctrl-C, which says how to go on', async () => {
    const sample = createChangedRepository();
    const config = seatSlowPanel(sample);
    const interrupted = startJury(sample.root, ['review', '--config', config, '--format', 'json']);
    let notes = '';
    interrupted.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
    while (callsOf(sample).size === 0) await wait(50);
    interrupted.kill('SIGINT');
    const code = await new Promise(resolve => interrupted.once('close', resolve));
    const run = runIn(sample) ?? '';
    expect(code).toBe(130);
    expect(notes).toContain(`jury resume ${run}`);
    const { code: resumed, record } = juryJson(sample.root, ['resume']);
    expect([resumed, record.run, record.outcome]).toEqual([0, run, 'PASS']);
    expect(record.claims.flatMap(claim => claim.findings)).toHaveLength(8);
  });

  it.each(['SIGINT', 'SIGKILL'] as const)(
    'by %s asks who was cut off alone, though one had failed it already: on resuming, and on the same call again',
    async signal => {
      const sample = createChangedRepository();
      const mark = path.join(sample.root, '../go-on');
      const config = writePanel(sample, [
        { id: 'quick', script: `console.log('CRITICAL|Broken\\nVERDICT: risky');` },
        {
          id: 'late',
          script: `if (fs.existsSync('${mark}')) console.log('None\\nVERDICT: safe'); else setTimeout(() => {}, 60000);`,
        },
      ]);
      const child = startJury(sample.root, ['review', '--config', config]);
      let notes = '';
      child.stderr?.on('data', (chunk: Buffer) => (notes += chunk.toString()));
      while (!notes.includes('quick ✓')) await wait(50);
      child.kill(signal);
      await new Promise(resolve => child.once('close', resolve));
      expect(jury(sample.root, ['report', 'latest']).code).toBe(signal === 'SIGINT' ? 1 : 2);
      writeFileSync(mark, '');
      const again = juryJson(sample.root, ['review', '--config', config]).record;
      expect(again.adopted?.reviewers).toEqual(['quick']);
      const { record } = juryJson(sample.root, ['resume', runIn(sample) ?? '']);
      for (const { reviewers } of [again, record])
        expect(reviewers.map(({ status }) => status)).toEqual(['complete', 'complete']);
    },
  );
});
