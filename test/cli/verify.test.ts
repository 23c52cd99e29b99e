import { beforeAll, describe, expect, it } from 'vitest';
import {
  createSampleRepository,
  type SampleRepository,
} from '../adapters/git/sample-repository.ts';
import { jury } from './jury.ts';

describe('jury verify', () => {
  let sample: SampleRepository;
  beforeAll(() => {
    sample = createSampleRepository();
    sample.write('src/sum.js', 'export const sum = list => list.reduce((a, b) => a + b);\n');
    sample.commit('first');
    sample.write('src/sum.js', 'export const sum = list => list.reduce((a, b) => a + b, 0);\n');
    sample.write('src/sum.test.js', "it.skip('adds', () => {\n  expect(sum([1])).toBe(1);\n});\n");
    sample.commit('second');
    sample.write('lcov.info', 'SF:src/sum.js\nDA:1,4\nend_of_record\n');
  });

  it('says line by line what it found, and exits 1', () => {
    const { code, stdout } = jury(sample.root, [
      'verify',
      '--coverage',
      'lcov.info',
      '--gate',
      'tests=pass',
    ]);
    expect(code).toBe(1);
    expect(stdout).toContain('Changed lines: 1 of 1 covered (100 %, 80 % needed): ok');
    expect(stdout).toContain('Tests switched off: 1\n    src/sum.test.js:1 .skip(');
    expect(stdout).toContain(
      'Gates: tests pass, lint not run, typecheck not run, security not run, licence not run',
    );
  });

  it('passes when the finding is exempted with a reason, which is shown', () => {
    const { code, stdout } = jury(sample.root, [
      'verify',
      '--coverage',
      'lcov.info',
      '--exempt',
      'src/sum.test.js:1 .skip(=needs the database',
    ]);
    expect([code, stdout]).toEqual([0, expect.stringContaining('(exempted: needs the database)')]);
  });

  it('says what it wants to be told where nobody names a coverage report', () => {
    const { code, stdout } = jury(sample.root, ['verify']);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(
        /Changed lines: 1 line of code, no coverage report: not ok\n {4}--coverage FILE names the lcov report of your tests\n/,
      ),
    ]);
  });

  it('prints every key of the record as JSON', () => {
    const { stdout } = jury(sample.root, ['verify', '--json']);
    expect(Object.keys(JSON.parse(stdout))).toEqual(
      'schema title changed_lines skipped_tests placeholders no_ops mutation gates exemptions ok'.split(
        ' ',
      ),
    );
    expect(JSON.parse(stdout)).toMatchObject({
      changed_lines: { total: 1, executable: 1, covered: 0, ratio: 0, min: 0.8, ok: false },
      mutation: null,
      ok: false,
    });
  });

  it.each([
    [
      ['--coverage', 'none.info'],
      2,
      /--coverage: .*none\.info cannot be read: there is no such file/,
    ],
    [['--coverage', 'src/sum.js'], 2, /holds no lcov records/],
    [['HEAD', '--staged'], 3, /"HEAD" and --staged name two subjects/],
    [['--staged', '--worktree'], 3, /--staged and --worktree name two subjects/],
    [['--gate', 'tset=pass'], 3, /expected one of tests, lint/],
    [['--exempt', 'src/sum.test.js:1'], 3, /needs a reason/],
    [['--evidence', 'src/sum.js'], 2, /--evidence: src\/sum\.js:1:1: /],
    [['no-such-revision'], 2, /no-such-revision/],
  ] as const)('refuses %j with exit code %i', (args, wanted, message) => {
    const { code, stderr } = jury(sample.root, ['verify', ...args]);
    expect([code, stderr]).toEqual([wanted, expect.stringMatching(message)]);
  });

  it.each([
    ['is cut between two lines', 'SF:src/sum.js\nDA:1,1\n'],
    ['is cut within a line', 'SF:src/sum.js\nDA:1,1\nDA:2,'],
    ['is cut within the end of a record', 'SF:src/sum.js\nDA:1,1\nend_of_rec'],
    ['lacks the end of a record', 'SF:src/a.js\nDA:1,1\nSF:src/sum.js\nDA:1,1\nend_of_record\n'],
    ['lacks the beginning of a record', 'DA:1,1\nSF:src/sum.js\nDA:1,1\nend_of_record\n'],
    ['counts hits in words', 'SF:src/sum.js\nDA:1,x\nend_of_record\n'],
    ['counts hits below nothing', 'SF:src/sum.js\nDA:1,-1\nend_of_record\n'],
    ['counts lines that it does not name', 'SF:src/sum.js\nLF:1\nLH:0\nend_of_record\n'],
  ])('takes no report that %s', (_, report) => {
    sample.write('torn.info', report);
    const { code, stderr } = jury(sample.root, ['verify', '--coverage', 'torn.info']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('torn.info holds no lcov records')]);
  });

  it('judges evidence by what is there', () => {
    const artifacts = ['failing_run', 'fix', 'passing_run', 'coverage'].map(kind => ({
      kind,
      ref: 'lcov.info',
    }));
    sample.write(
      'evidence.json',
      JSON.stringify([
        { recommendation_id: 'r1', text: 'Guard', artifacts },
        { recommendation_id: 'r2', text: 'Name', artifacts: [{ kind: 'fix', ref: '../outside' }] },
        { recommendation_id: 'r3', text: 'Hope', artifacts: [] },
      ]),
    );
    const { stdout } = jury(sample.root, ['verify', '--evidence', 'evidence.json']);
    expect(stdout).toContain(
      'Evidence: 1 of 2 recommendations proven; 1 without any artifact left out\n    r2 lacks failing run, fix, passing run, coverage',
    );
  });
});
