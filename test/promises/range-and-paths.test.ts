/** A revision and paths together: the change of the one, limited to the other, as git limits it. */
import { describe, expect, it } from 'vitest';
import { createSampleRepository } from '../adapters/git/sample-repository.ts';
import type { PrintedRecord } from '../../src/core/words/run.ts';
import { jury } from '../cli/jury.ts';

const sample = createSampleRepository();
const body = 'export const a = 1;\nexport const b = 2;\nexport const c = 3;\n';
const paths = ['src/alpha/f1.js', 'src/beta/f1.js', 'src/beta/f2.js', 'docs/a.md', 'src/[id].js'];
for (const path of [...paths, 'lib/x.js']) sample.write(path, body);
sample.commit('one');
sample.git('branch', 'docs');
for (const path of paths) sample.write(path, `${body}export const d = 4;\n`);
sample.git('mv', 'lib/x.js', 'src/x.js');
sample.commit('two');
sample.git('rm', '-q', 'src/beta/f2.js');
sample.commit('three');
sample.write('src/alpha/f1.js', `${body}export const e = 5;\n`);
sample.write('docs/a.md', 'new\n');

const panel = ['--reviewers', 'patterns'];
const review = (...words: readonly string[]): [string, string[]] => {
  const ended = jury(sample.root, ['review', ...panel, '--format', 'json', ...words]);
  if (ended.stdout === '') throw new Error(ended.stderr);
  const { subject, coverage } = JSON.parse(ended.stdout) as PrintedRecord;
  return [subject.title, coverage.files.map(({ path }) => path)];
};
const range = 'HEAD~2..HEAD';

describe('a revision with paths', () => {
  it.each([
    ['a folder', [range, '--', 'src/beta'], ['src/beta/f1.js', 'src/beta/f2.js']],
    ['a file', [range, '--', 'docs/a.md'], ['docs/a.md']],
    ['a file by its whole path', [range, '--', `${sample.root}/docs/a.md`], ['docs/a.md']],
    ['a file that is there no more', [range, '--', 'src/beta/f2.js'], ['src/beta/f2.js']],
    [
      'globs, and a name that looks like one',
      [range, '--', '*.md', 'src/[id].js'],
      ['docs/a.md', 'src/[id].js'],
    ],
    [
      'all but a folder',
      [range, '--', 'src', ':!src/beta'],
      ['src/[id].js', 'src/alpha/f1.js', 'src/x.js'],
    ],
    ['a renamed file by its old name', [range, '--', 'lib'], ['src/x.js']],
    [
      'no dashes where nothing is in doubt',
      [range, 'src/alpha', 'docs/a.md'],
      ['docs/a.md', 'src/alpha/f1.js'],
    ],
    ['one commit', ['HEAD~1', 'src/beta/f1.js'], ['src/beta/f1.js']],
    ['two flags', ['--base', 'HEAD~2', '--head', 'HEAD', 'src/alpha'], ['src/alpha/f1.js']],
    ['the working tree', ['--worktree', 'src'], ['src/alpha/f1.js']],
    ['what is not staged', ['unstaged', 'docs/a.md'], ['docs/a.md']],
  ])('is %s of the change', (_what, words, files) => {
    const [title, read] = review(...words);
    expect(read).toEqual(files);
    expect(title).toContain(' -- ');
  });

  it('is what the index does not hold, where that is asked for', () => {
    sample.git('add', 'docs/a.md');
    expect(review('unstaged')).toEqual(['unstaged', ['src/alpha/f1.js']]);
    sample.git('reset', '-q');
  });

  it('is what git says it is', () => {
    for (const path of [
      'src',
      '*.js',
      's*/f1.js',
      'src/b?ta/*',
      ':(glob)src/*.js',
      'src/[ab]*',
      ':(icase)DOCS',
    ]) {
      const said = sample.git('diff', '--no-renames', '--name-only', '-z', range, '--', path);
      const mine = review(range, '--', path)[1].filter(name => name !== 'src/x.js');
      expect([path, mine]).toEqual([
        path,
        said.split('\0').filter(name => name !== '' && name !== 'src/x.js' && name !== 'lib/x.js'),
      ]);
    }
  });

  it('is another subject, and none where nothing changed', () => {
    const { code, stderr } = jury(sample.root, ['review', ...panel, range, '--', 'src/none']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('changes no file at src/none')]);
  });

  it.each([
    ['a word that is both', ['docs'], '"docs" is a revision and a path'],
    ['a path that is both', ['main', 'docs'], 'Put -- before paths: jury review main -- docs'],
    ['a path that is gone', [range, 'src/beta/f2.js'], `jury review ${range} -- src/beta/f2.js`],
    ['two revisions', ['main', 'HEAD~1'], 'jury review main..HEAD~1'],
    ['one that is left out', ['HEAD', '^main'], 'jury review main..HEAD'],
    ['a flag of git', ['--cached'], 'What is staged: --staged.'],
    ['what lies outside', [range, '--', '../x'], '../x is outside of '],
    ['two words before the dashes', ['main', 'src', '--', 'docs'], 'Before -- stands one revision'],
  ])('is refused for %s', (_what, words, sentence) => {
    const { code, stderr } = jury(sample.root, ['review', ...panel, ...words]);
    expect([2, 3]).toContain(code);
    expect(stderr).toContain(sentence);
  });

  it('is told apart by dashes', () => {
    expect(review('docs', '--')[0]).toBe('docs');
    expect(review('--', 'docs')).toEqual(['docs', ['docs/a.md']]);
  });

  it('holds for plan, gates and context', () => {
    expect(jury(sample.root, ['plan', ...panel, range, '--', 'src/beta']).stdout).toMatch(
      /-- src\/beta[^]*2 files/,
    );
    const gates = jury(sample.root, ['gates', ...panel, '--format', 'json', '--', 'docs']);
    expect(
      (JSON.parse(gates.stdout) as PrintedRecord).coverage.files.map(({ path }) => path),
    ).toEqual(['docs/a.md']);
    const pack = jury(sample.root, ['context', range, '--', 'src/alpha']).stdout;
    expect(pack).toContain('src/alpha/f1.js');
    expect(pack).not.toContain('src/beta');
  });
});
