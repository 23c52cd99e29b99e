/** Runs and what people see of them in the project grow old together, by the clock of the caller; what is the project's own stays. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createJury } from '../../src/index.ts';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository } from '../cli/jury.ts';
import { runsOf, stateOf } from '../state-of.ts';

function juryOn(day: string, { root }: SampleRepository, copies = true) {
  const now = new Date(`${day}T12:00:00.000Z`);
  return createJury({
    cwd: root,
    config: { copies, reviewers: [{ id: 'diff', runner: 'builtin', analyser: 'diff' }] },
    clock: { now: () => now, monotonicMs: () => performance.now(), sleep: () => Promise.resolve() },
  });
}

function filesIn(folder: string) {
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

/** Of the project, below `.jury`. */
function copiesIn({ root }: SampleRepository) {
  return {
    runs: filesIn(path.join(root, '.jury/runs')),
    reports: filesIn(path.join(root, '.jury/reviews')),
  };
}

const [begun, kept, over] = ['2026-01-01', '2026-01-08', '2026-01-09'];

describe('after retentionDays', () => {
  it('a run goes with its copies and its report by scope, and not a day before', async () => {
    const sample = createChangedRepository();
    const old = juryOn(begun, sample);
    const runs = [
      await old.run({ process: 'review', range: 'HEAD' }),
      await old.run({ process: 'review', files: ['src'] }),
      await old.run({ process: 'review', range: 'HEAD~1..HEAD', fresh: true }),
    ].map(({ record }) => record.run);
    const { reports } = copiesIn(sample);
    expect([filesIn(runsOf(sample.root)), reports.length]).toEqual([runs.toSorted(), 3]);
    await juryOn(kept, sample).run({ process: 'review', range: 'HEAD', fresh: true });
    expect(filesIn(runsOf(sample.root))).toHaveLength(4);
    const { record } = await juryOn(over, sample).run({
      process: 'review',
      range: 'HEAD',
      fresh: true,
    });
    expect(filesIn(runsOf(sample.root))).toHaveLength(2);
    const left = copiesIn(sample);
    expect([left.runs.length, left.runs.includes(record.run)]).toEqual([2, true]);
    // The name of a report that is gone is free again.
    expect(left.reports).toEqual(
      ['-2.md', '.md'].map(ending => expect.stringMatching(`^commit-[0-9a-f]{7}${ending}$`)),
    );
  });

  it('copies go too where none are kept any more, and where the run was killed', async () => {
    const sample = createChangedRepository();
    const { record } = await juryOn(begun, sample).run({ process: 'review', files: ['src'] });
    // As a kill before the end leaves it.
    rmSync(path.join(runsOf(sample.root), record.run, 'report.json'));
    await juryOn(over, sample, false).run({ process: 'review', range: 'HEAD' });
    expect(copiesIn(sample)).toEqual({ runs: [], reports: [] });
  });

  it('the rest of a removal that was cut off goes with the next one', async () => {
    const sample = createChangedRepository();
    const { record } = await juryOn(begun, sample).run({ process: 'review', files: ['src'] });
    renameSync(
      path.join(runsOf(sample.root), record.run),
      path.join(runsOf(sample.root), `.removed-${record.run}-4242`),
    );
    await juryOn(begun, sample, false).run({ process: 'review', range: 'HEAD' });
    expect([copiesIn(sample), readdirSync(runsOf(sample.root)).length]).toEqual([
      { runs: [], reports: [] },
      1,
    ]);
  });

  it('what the project tracks stays, and what somebody else put there', async () => {
    const sample = createChangedRepository();
    const old = juryOn(begun, sample);
    const { record: first } = await old.run({ process: 'review', files: ['src'] });
    const { record: second } = await old.run({ process: 'review', range: 'HEAD' });
    const report = copiesIn(sample).reports.find(name => name.startsWith('review-src')) ?? '';
    sample.git('add', '-f', `.jury/reviews/${report}`, `.jury/runs/${first.run}/report.md`);
    const foreign = path.join(sample.root, '.jury/runs/20200101T000000Z-aaaaaa');
    mkdirSync(foreign);
    writeFileSync(path.join(foreign, 'report.md'), '');
    writeFileSync(path.join(sample.root, '.jury/reviews/own.md'), '');
    await juryOn(over, sample).clean({});
    expect(filesIn(runsOf(sample.root))).toEqual([]);
    expect(copiesIn(sample)).toEqual({
      runs: ['20200101T000000Z-aaaaaa', first.run].toSorted(),
      reports: ['own.md', report].toSorted(),
    });
    expect(filesIn(path.join(sample.root, '.jury/runs', first.run))).toEqual(['report.md']);
    expect(existsSync(path.join(sample.root, '.jury/runs', second.run))).toBe(false);
  });

  it('nothing goes where nobody can tell what is tracked', async () => {
    const sample = createChangedRepository();
    const { record } = await juryOn(begun, sample).run({ process: 'review', range: 'HEAD' });
    writeFileSync(path.join(sample.root, '.git/index'), 'DIRC damaged');
    await juryOn(over, sample).clean({});
    expect([filesIn(runsOf(sample.root)), copiesIn(sample).runs]).toEqual([[], [record.run]]);
  });
});

describe('a run that began in the future, because a clock was wrong,', () => {
  it('is listed, and is not the latest where a real one is', async () => {
    const sample = createChangedRepository();
    const future = await juryOn('2031-01-01', sample).run({ process: 'review', range: 'HEAD' });
    const now = juryOn(begun, sample);
    const real = await now.run({ process: 'review', files: ['src'] });
    // Whoever notes the answers is gone: only the names of the runs tell.
    rmSync(path.join(stateOf(sample.root), 'last-answer.json'));
    expect((await now.report('latest')).record.run).toBe(real.record.run);
    expect((await now.show('latest')).run.record.run).toBe(real.record.run);
    expect((await now.list()).ended.map(({ run }) => run)).toEqual([
      future.record.run,
      real.record.run,
    ]);
    expect((await now.report(future.record.run)).outcome).toBe(future.outcome);
    const { removed } = await now.clean({ olderThan: 0 });
    expect(removed).not.toContain(future.record.run);
  });
});

it('a copy of a run that somebody made by hand in the state is no other run', async () => {
  const sample = createChangedRepository();
  const jury = juryOn(begun, sample);
  const { record } = await jury.run({ process: 'review', range: 'HEAD' });
  const other = '20260101T120000Z-ffffff';
  cpSync(path.join(runsOf(sample.root), record.run), path.join(runsOf(sample.root), other), {
    recursive: true,
  });
  await expect(jury.report(other)).rejects.toMatchObject({ name: 'UserError' });
  await expect(jury.resume(other)).rejects.toThrow('damaged, or of another version of Jury');
});
