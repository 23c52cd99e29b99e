/**
 * What other programs read of a run: SARIF, JUnit, annotations, code quality. Nothing of them reads as clean where somebody did not
 * look, a decision shows, and a claim keeps its name when a rebase moves its line.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Log, Run } from 'sarif';
import { describe, expect, it } from 'vitest';
import type { SampleRepository } from '../adapters/git/sample-repository.ts';
import { createChangedRepository, goodAnswer, jury, writePanel } from '../cli/jury.ts';

const body = (first: string): string =>
  `export function sum(list) {\n  ${first}\n  return list.reduce((a, b) => a + b);\n}\n\nexport function twice(list) {\n  return list.reduce((a, b) => a + b);\n}\n`;

/** Finds the two sums wherever they stand, as a reviewer does. */
const finder = (
  file: string,
): string => `const lines = fs.readFileSync(${JSON.stringify(file)}, 'utf8').split('\\n');
lines.forEach((line, index) => {
  const name = lines.slice(0, index).findLast(each => each.startsWith('export'));
  if (line.includes('reduce')) console.log('IMPORTANT|src/sum.js:' + (index + 1) + '|The sum of an empty list throws, said of ' + name);
});
console.log('VERDICT: needs-changes');`;

describe('a claim, for a program that compares two reports', () => {
  it('keeps its fingerprints when a rebase moves its lines, on a machine that remembers and on one that does not', () => {
    const sample = createChangedRepository();
    const file = path.join(sample.root, 'src/sum.js');
    const config = writePanel(sample, [{ id: 'finder', script: finder(file) }]);
    const old = readFileSync(file, 'utf8');
    sample.git('checkout', '-q', '-b', 'topic');
    sample.write('src/sum.js', body('list = [...list];'));
    sample.commit('topic');
    const command = ['review', 'HEAD~1..HEAD', '--config', config];
    const before = sarifOf(sample, ...command);
    sample.git('checkout', '-q', 'main');
    sample.write('src/sum.js', `// One\n// Two\n// Three\n\n${old}`);
    sample.commit('main goes on');
    sample.git('checkout', '-q', 'topic');
    sample.git('rebase', '-q', 'main');
    const after = sarifOf(sample, ...command);
    const { stdout } = jury(sample.root, [...command, '--format', 'sarif'], {
      environment: { JURY_STATE: path.join(sample.root, '../elsewhere') },
    });
    const forgotten = (JSON.parse(stdout) as Log).runs[0];
    expect(linesOf(before)).toEqual([3, 7]);
    expect(linesOf(after)).toEqual([7, 11]);
    expect(printsOf(after)).toEqual(printsOf(before));
    expect(printsOf(forgotten)).toEqual(printsOf(before));
    expect(new Set(printsOf(before)).size).toBe(2);
    const issues = (): string => jury(sample.root, ['report', '--format', 'gitlab']).stdout;
    expect(issues()).toContain(printsOf(before)[0]?.match(/[0-9a-f]{16}:1/)?.[0]);
  });
});

describe('a report for another program', () => {
  it('never reads as clean where a reviewer failed', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'lost', script: 'process.exit(3);' }]);
    const { code, stdout } = jury(sample.root, ['review', '--config', config, '--format', 'junit']);
    expect(code).toBe(2);
    expect(stdout).toMatch(/<testsuites [^>]*failures="0" errors="[1-9]/);
    expect(stdout).toMatch(/name="lost"[^]*<error /);
    const run = sarifOf(sample, 'report');
    expect(run.invocations?.[0]).toMatchObject({ executionSuccessful: false, exitCode: 2 });
    expect(run.invocations?.[0]?.toolExecutionNotifications?.[0]?.message.text).toMatch(/^lost: /);
    expect(run.results?.length).toBeGreaterThan(0);
    const github = jury(sample.root, ['report', '--format', 'github']).stdout;
    expect(github).toMatch(/^::error title=Jury%3A INCOMPLETE::/);
    expect(jury(sample.root, ['report', '--format', 'gitlab']).stdout).toMatch(/"blocker"/);
  });

  it('shows a decision: suppressed, skipped, left out', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'good', script: goodAnswer }], 'failOn: [high]\n');
    const command = ['review', '--config', config];
    expect(jury(sample.root, [...command, '--format', 'junit'])).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/<failure type="high"/),
    });
    const [found] = sarifOf(sample, 'report').results ?? [];
    expect(found?.suppressions).toBeUndefined();
    const claim = String(found?.partialFingerprints?.['juryClaim/v1']);
    expect(
      jury(sample.root, ['dismiss', claim, '--reason', 'Lists are never empty', '--baseline']).code,
    ).toBe(0);
    const again = sarifOf(sample, ...command);
    expect(again.results?.[0]?.suppressions).toEqual([
      expect.objectContaining({
        status: 'accepted',
        justification: expect.stringContaining('Lists are never empty'),
      }),
    ]);
    expect(jury(sample.root, ['report', '--format', 'junit']).stdout).toMatch(
      /<skipped>[^<]*Lists are never empty/,
    );
    expect(jury(sample.root, ['report', '--format', 'gitlab']).stdout).toBe('[]\n');
    expect(jury(sample.root, ['report', '--format', 'github']).stdout).not.toContain('file=');
  });

  it('is written to a file, from any command that reports claims', () => {
    const sample = createChangedRepository();
    const config = writePanel(sample, [{ id: 'good', script: goodAnswer }]);
    for (const [format, start] of [
      ['sarif', '{\n  "$schema"'],
      ['junit', '<?xml version="1.0"'],
      ['github', '::'],
      ['gitlab', '['],
    ] as const) {
      const { stdout, stderr } = jury(sample.root, [
        'review',
        '--config',
        config,
        '--format',
        format,
        '--out',
        `r.${format}`,
      ]);
      expect([stdout, stderr]).toEqual(['', expect.stringContaining(`r.${format}`)]);
      expect(
        readFileSync(path.join(sample.root, `r.${format}`), 'utf8').startsWith(start),
        format,
      ).toBe(true);
    }
  });
});

function sarifOf(sample: SampleRepository, ...words: readonly string[]): Run {
  const { stdout, stderr } = jury(sample.root, [...words, '--format', 'sarif']);
  const [run] = (JSON.parse(stdout) as Log).runs;
  if (run === undefined) throw new Error(stderr);
  return run;
}

function printsOf(run: Run | undefined): string[] {
  return (run?.results ?? []).map(({ partialFingerprints }) => JSON.stringify(partialFingerprints));
}

function linesOf({ results }: Run): unknown[] {
  return (results ?? []).map(
    ({ locations }) => locations?.[0]?.physicalLocation?.region?.startLine,
  );
}
