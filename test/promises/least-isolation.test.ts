/** A program is shown what somebody else wrote in a sandbox, or not at all. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, juryJson, writePanel } from '../cli/jury.ts';

describe('a program', () => {
  let sample: SampleRepository;
  let patch: string;
  beforeAll(() => {
    sample = createChangedRepository();
    patch = path.join(sample.root, '../other.patch');
    writeFileSync(patch, `${sample.git('diff', 'HEAD~1', 'HEAD')}\n`);
  });

  const panel = (isolation: string, settings = ''): string =>
    writePanel(sample, [{ id: 'guard', script: goodAnswer, isolation }], settings);

  function ask(args: readonly string[], config: string) {
    const { code, record } = juryJson(sample.root, [
      'review',
      ...args,
      '--fresh',
      '--config',
      config,
    ]);
    const [reviewer] = record.reviewers;
    return { code, reviewer, outcome: record.outcome };
  }

  it('without a sandbox is asked about what is one’s own', () => {
    const { reviewer } = ask([], panel('sandbox: false'));
    expect(reviewer).toMatchObject({ status: 'complete', isolation: { level: 'L0' } });
  });

  it.each([['--untrusted'], ['--patch']])(
    'without a sandbox is not asked about what is not: %s',
    flag => {
      const args = flag === '--patch' ? [flag, patch] : [flag];
      const { code, reviewer, outcome } = ask(args, panel('sandbox: false'));
      expect(reviewer).toMatchObject({ status: 'failed', cause: 'isolation' });
      expect([code, outcome]).toEqual([2, 'INCOMPLETE']);
    },
  );

  it('is, when somebody says so in as many words', () => {
    const seat = ask(['--patch', patch], panel('sandbox: false, require: L0'));
    expect(seat.reviewer).toMatchObject({ status: 'complete', isolation: { level: 'L0' } });
    const all = ask(['--patch', patch], panel('sandbox: false', 'isolation: { require: L0 }\n'));
    expect(all.reviewer).toMatchObject({ status: 'complete', isolation: { level: 'L0' } });
  });

  it('is, in a sandbox where there is one, and the record says which', () => {
    const { isolation } = JSON.parse(jury(sample.root, ['doctor', '--json']).stdout) as {
      isolation: { level: string };
    };
    const { reviewer } = ask(['--patch', patch], panel('write: [..]'));
    expect(reviewer).toMatchObject(
      isolation.level === 'L1'
        ? { status: 'complete', isolation: { level: 'L1' } }
        : { status: 'failed', cause: 'isolation' },
    );
  });

  it('that would not be asked is named by jury doctor', () => {
    const config = panel('sandbox: false');
    const { stdout } = jury(path.dirname(config), ['doctor']);
    expect(stdout).toMatch(/guard \(command\): L0, .* not asked about untrusted changes/);
  });
});
