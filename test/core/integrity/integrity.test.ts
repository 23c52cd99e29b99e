import { describe, expect, it } from 'vitest';
import {
  defaultChangedLinesMin,
  judgeEvidence,
  judgeIntegrity,
  readLcov,
} from '../../../src/core/integrity/integrity.ts';
import type { Change } from '../../../src/core/words/change.ts';
import { changeOf } from './sample-change.ts';

const changedLinesMin = defaultChangedLinesMin;
const judge = (change: Change, report: ReturnType<typeof readLcov> = null) =>
  judgeIntegrity({ change, report, gates: {}, exemptions: [], changedLinesMin });
const coverChangedLines = (...asked: Parameters<typeof judge>) => judge(...asked).changed_lines;
const findNoOps = (change: Change) => judge(change).no_ops;
const findPlaceholders = (change: Change) => judge(change).placeholders;
const findSkippedTests = (change: Change) => judge(change).skipped_tests;

const tenLines = changeOf({
  'src/sum.ts': Array.from(
    { length: 10 },
    (_, index) => `+const value${index} = compute(${index});`,
  ),
});

function reportWith(covered: number, path = 'src/sum.ts') {
  return readLcov(
    `TN:\nSF:${path}\n${Array.from({ length: 10 }, (_, index) => `DA:${index + 1},${index < covered ? 3 : 0}`).join('\n')}\nend_of_record\n`,
  );
}

describe('coverage of changed lines', () => {
  it('is enough at eight of ten and not at seven', () => {
    expect(coverChangedLines(tenLines, reportWith(8))).toMatchObject({
      executable: 10,
      covered: 8,
      ratio: 0.8,
      ok: true,
    });
    expect(coverChangedLines(tenLines, reportWith(7))).toMatchObject({
      covered: 7,
      ratio: 0.7,
      ok: false,
    });
  });

  it('finds the file under the name the report gives it', () => {
    for (const path of [
      '/home/ci/project/src/sum.ts',
      './src/sum.ts',
      'sum.ts',
      'C:\\project\\src\\sum.ts',
    ])
      expect(coverChangedLines(tenLines, reportWith(8, path)), path).toMatchObject({ covered: 8 });
    expect(coverChangedLines(tenLines, reportWith(8, 'other/unsum.ts'))).toMatchObject({
      covered: 0,
      ok: false,
      without_records: ['src/sum.ts'],
    });
  });

  it('fails without a report, and does not apply where no code changed', () => {
    expect(coverChangedLines(tenLines, null)).toMatchObject({ ok: false });
    expect(
      coverChangedLines(
        changeOf({
          'README.md': ['+Hello'],
          'test/sum.test.ts': ['+it("adds", () => expect(sum(1)).toBe(1));'],
        }),
        null,
      ),
    ).toMatchObject({ ok: 'not_applicable', total: 0 });
  });

  it('counts neither lines without a record nor comments of a file without any', () => {
    const change = changeOf({ 'src/sum.ts': ['+// why', '+', '+const a = 1;'] });
    expect(
      coverChangedLines(change, readLcov('SF:src/sum.ts\nDA:3,1\nend_of_record')),
    ).toMatchObject({ total: 3, executable: 1, covered: 1, ok: true });
    expect(
      coverChangedLines(change, readLcov('SF:src/other.ts\nDA:1,1\nend_of_record')),
    ).toMatchObject({ executable: 1, covered: 0, ok: false });
  });

  it('reads a report of a million lines in one go, and refuses what is none', () => {
    expect(
      readLcov(`SF:a\n${'DA:1,1\n'.repeat(1_000_000)}end_of_record`)
        ?.get('a')
        ?.get(1),
    ).toBe(1_000_000);
    expect(readLcov('<coverage/>')).toBeNull();
  });
});

describe('tests that a change switches off', () => {
  it.each([
    ['a.test.ts', "  it.skip('adds', () => {"],
    ['a.test.ts', "describe.only('sum', () => {"],
    ['a.test.ts', "xit('adds', () => {"],
    ['a.test.ts', "test.todo('later')"],
    ['test_a.py', '@pytest.mark.skipif(True)'],
    ['test_a.py', '@pytest.mark.xfail'],
    ['test_a.py', '@unittest.skip("why")'],
    ['a_test.go', '\tt.Skip("flaky")'],
    ['ATest.java', '  @Disabled'],
    ['ATest.java', '@Ignore'],
    ['tests/a.rs', '#[ignore]'],
    ['a.test.ts', "it('adds', work, { timeout: 60_000 });"],
    ['a_test.go', 'timeout: 90 * time.Second,'],
    ['test_a.py', '@pytest.mark.timeout(timeout=120)'],
  ])('are found in %s: %s', (path, line) => {
    expect(findSkippedTests(changeOf({ [path]: [`+${line}`] }))).toHaveLength(1);
    expect(findSkippedTests(changeOf({ [path]: [`-${line}`] }))).toEqual([]);
  });

  it.each([
    ['a.test.ts', "it('skips empty lines', () => {"],
    ['a.test.ts', "it('adds', work, { timeout: 5_000 });"],
    ['src/a.ts', 'const list = items.slice(1).only;'],
    ['src/server.ts', 'timeout: 120_000,'],
    ['a_test.go', 'timeout: 30 * time.Second,'],
  ])('are not seen in %s: %s', (path, line) =>
    expect(findSkippedTests(changeOf({ [path]: [`+${line}`] }))).toEqual([]),
  );
});

describe('work left undone', () => {
  it.each([
    ['a.ts', ['export function check(): boolean {', '  return true;', '}']],
    ['a.ts', ['const load = () => { throw new Error("not implemented"); };']],
    ['a.py', ['def save(order):', '    pass']],
    ['a.py', ['def save(order):', '    """Saves."""', '    ...']],
    ['a.py', ['def save(order): raise NotImplementedError']],
    ['a.go', ['func Save(order Order) error {', '\treturn nil', '}']],
    ['a.rs', ['fn save(order: Order) {', '    todo!()', '}']],
    ['a.ts', ['  // TODO: validate']],
    ['a.py', ['x = 1  # FIXME']],
  ])('is found in %s: %j', (path, lines) =>
    expect(findPlaceholders(changeOf({ [path]: lines.map(line => `+${line}`) }))).toHaveLength(1),
  );

  it.each([
    ['a.ts', ['export function check(value: number): boolean {', '  return value > 1;', '}']],
    ['a.ts', ['if (ready) {', '  return true;', '}']],
    ['a.ts', ['export function check(): boolean {', '  prepare();', '  return true;', '}']],
    ['a.py', ['def save(order):', '    order.save()', '    return True']],
    ['NOTES.md', ['TODO: write more']],
    ['a.ts', ['const methodology = 1;']],
  ])('is not seen in %s: %j', (path, lines) =>
    expect(findPlaceholders(changeOf({ [path]: lines.map(line => `+${line}`) }))).toEqual([]),
  );
});

describe('changes that do nothing', () => {
  it('are a test without an assertion, and one on constants', () => {
    expect(
      findNoOps(changeOf({ 'a.test.ts': ["+it('adds', () => {", '+  sum(1, 2);', '+});'] })),
    ).toEqual(['a.test.ts:1 test without assertion']);
    expect(findNoOps(changeOf({ 'test_a.py': ['+def test_sum():', '+    assert True'] }))).toEqual([
      'test_a.py:2 assertion on constants',
    ]);
    expect(
      findNoOps(
        changeOf({ 'a.test.ts': ["+it('adds', () => {", '+  expect(sum(1, 2)).toBe(3);', '+});'] }),
      ),
    ).toEqual([]);
    expect(
      findNoOps(changeOf({ 'a.test.ts': ["-it('add', () => {", "+it('adds', () => {"] })),
    ).toEqual([]);
  });

  it('are tests and configuration without logic, a switched flag, comments alone', () => {
    expect(
      findNoOps(changeOf({ 'a.test.ts': [' const a = 1;'], 'config.yaml': ['+retries: 3'] })),
    ).toEqual(['config_only_with_tests_changed']);
    expect(
      findNoOps(
        changeOf({
          'src/a.ts': ['+const a = 1;'],
          'config/app.yaml': ['-  strict: true', '+  strict: false'],
        }),
      ),
    ).toEqual(['config_toggle:config/app.yaml']);
    expect(
      findNoOps(changeOf({ 'src/a.ts': ['-const  a = 1;', '+const a = 1;', '+// a comment'] })),
    ).toEqual(['comments_only']);
    expect(findNoOps(changeOf({ 'src/a.ts': ['-const a = 1;', '+const a = 2;'] }))).toEqual([]);
  });
});

describe('the integrity of a change', () => {
  const change = changeOf({ 'a.test.ts': ["+it.skip('adds', () => expect(sum(1)).toBe(1));"] });
  const finding = 'a.test.ts:1 .skip(';

  it('needs a reason for every finding, and no failed gate', () => {
    expect(
      judgeIntegrity({ change, report: null, gates: {}, exemptions: [], changedLinesMin }),
    ).toMatchObject({
      ok: false,
      skipped_tests: [finding],
      gates: { tests: 'not_run' },
    });
    expect(
      judgeIntegrity({
        change,
        report: null,
        changedLinesMin,
        gates: {},
        exemptions: [{ finding, reason: 'needs the database' }],
      }),
    ).toMatchObject({ ok: true, skipped_tests: [finding] });
    expect(
      judgeIntegrity({
        change,
        report: null,
        changedLinesMin,
        gates: { lint: 'fail' },
        exemptions: [{ finding, reason: 'needs the database' }],
      }).ok,
    ).toBe(false);
  });

  it('is judged in linear time on hostile lines', () => {
    const hostile = [
      `+${'(a '.repeat(50_000)}`,
      `+${'timeout'.repeat(20_000)}`,
      `+function ${'x'.repeat(100_000)}(`,
      `+def f(${'('.repeat(50_000)}`,
    ];
    expect(
      judgeIntegrity({
        change: changeOf({ 'src/a.ts': hostile, 'a.test.ts': hostile, 'test_a.py': hostile }),
        report: null,
        changedLinesMin,
        gates: {},
        exemptions: [],
      }).ok,
    ).toBe(false);
  });
});

const artifacts = (['failing_run', 'fix', 'passing_run', 'coverage'] as const).map(kind => ({
  kind,
  ref: `${kind}.log`,
  rev: null,
}));
const recommendation = (
  id: string,
  changes: Partial<Parameters<typeof judgeEvidence>[0][number]> = {},
) => ({
  recommendation_id: id,
  text: 'Guard the sum',
  artifacts,
  ...changes,
});

describe('evidence', () => {
  it('proves a recommendation only with all four artifacts, each still standing', async () => {
    const judged = await judgeEvidence(
      [
        recommendation('r1'),
        recommendation('r2', { artifacts: artifacts.slice(1), state: 'proven' }),
        recommendation('r3', { artifacts: [] }),
      ],
      ref => Promise.resolve(ref !== ''),
    );
    expect(judged).toEqual({
      recommendations: [
        { recommendation_id: 'r1', text: 'Guard the sum', state: 'proven', missing: [] },
        {
          recommendation_id: 'r2',
          text: 'Guard the sum',
          state: 'unproven',
          missing: ['failing_run'],
        },
      ],
      dropped: 1,
    });
  });

  it('takes nothing for proof that does not resolve', async () => {
    const judged = await judgeEvidence([recommendation('r1')], ref =>
      Promise.resolve(ref !== 'fix.log'),
    );
    expect(judged.recommendations[0]).toMatchObject({ state: 'unproven', missing: ['fix'] });
  });
});
