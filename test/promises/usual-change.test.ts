/** What is reviewed where nobody names it: what is not committed, else a branch, else the last commit; every answer says which. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, type SampleRepository } from '../adapters/git/sample-repository.ts';
import { byHand, createChangedRepository, jury, juryJson } from '../cli/jury.ts';
import { connect } from '../mcp/connect.ts';

const work = 'export const sum = list => list.reduce((a, b) => a + b, 1);\n';

interface Reviewed {
  readonly title: string;
  readonly paths: readonly string[];
  readonly notes: readonly string[];
}

function review(
  { root }: SampleRepository,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = byHand,
): Reviewed {
  const { record } = juryJson(root, ['review', '--reviewers', 'secrets,diff', ...words], {
    environment,
  });
  return {
    title: record.subject.title,
    paths: record.coverage.files.map(({ path: file }) => file),
    notes: record.subject.usual?.notes ?? [],
  };
}

describe('a review that names no change', () => {
  it('is of the last commit where everything is committed', () => {
    const sample = createChangedRepository();
    const head = sample.git('rev-parse', 'HEAD').slice(0, 8);
    expect(review(sample)).toEqual({
      title: `last commit ${head}`,
      paths: ['src/sum.js'],
      notes: [],
    });
    // The copies of this review are nobody's work.
    expect(sample.git('status', '--porcelain')).toBe('');
    expect(review(sample)).toMatchObject({ title: `last commit ${head}`, notes: [] });
  });

  it.each([
    [
      'changed',
      (sample: SampleRepository) => sample.write('src/sum.js', work),
      'uncommitted changes',
      'src/sum.js',
    ],
    [
      'staged',
      (sample: SampleRepository) => {
        sample.write('src/new.js', work);
        sample.git('add', '-A');
      },
      'uncommitted changes',
      'src/new.js',
    ],
    [
      'staged and taken back on disk',
      (sample: SampleRepository) => {
        const before = readFileSync(path.join(sample.root, 'src/sum.js'));
        sample.write('src/sum.js', work);
        sample.git('add', '-A');
        sample.write('src/sum.js', before);
      },
      'staged changes',
      'src/sum.js',
    ],
    [
      'deleted',
      (sample: SampleRepository) => sample.remove('src/sum.js'),
      'uncommitted changes',
      'src/sum.js',
    ],
  ])('is of what is %s', (_, change, title, file) => {
    const sample = createChangedRepository();
    change(sample);
    expect(review(sample)).toEqual({ title, paths: [file], notes: [] });
  });

  it('is of the last commit where a file was only touched', () => {
    const sample = createChangedRepository();
    const file = path.join(sample.root, 'src/sum.js');
    writeFileSync(file, readFileSync(file));
    expect(review(sample).title).toMatch(/^last commit /);
  });

  it('is of what git does not track too, which is left out and named where that is asked for', () => {
    const sample = createChangedRepository();
    sample.write('.gitignore', '.jury/\nbuild/\n');
    sample.commit('ignore');
    for (const name of ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'build/e.txt'])
      sample.write(name, 'new\n');
    const { title, paths, notes } = review(sample, ['--no-untracked']);
    expect([title, paths]).toEqual([expect.stringMatching(/^last commit /), ['.gitignore']]);
    expect(notes).toEqual(['Untracked, so not reviewed: a.txt, b.txt, c.txt, d.txt.']);
    expect(review(sample).paths).toEqual(['a.txt', 'b.txt', 'c.txt', 'd.txt']);
    sample.write('src/sum.js', work);
    expect(review(sample, ['--no-untracked'])).toMatchObject({
      title: 'uncommitted changes',
      paths: ['src/sum.js'],
      notes,
    });
  });

  it('is of the first commit to be, where there is none', () => {
    const sample = createChangedRepository();
    sample.git('update-ref', '-d', 'HEAD');
    expect(review(sample)).toMatchObject({ title: 'uncommitted changes', paths: ['src/sum.js'] });
  });

  it.each([{ CI: 'true' }, { GITHUB_ACTIONS: 'true' }, { JENKINS_URL: 'http://ci' }])(
    'is of the last commit in CI (%o), and says what is not committed',
    marks => {
      const sample = createChangedRepository();
      sample.write('package-lock.json', '{}\n');
      sample.commit('three');
      sample.write('package-lock.json', '{ "touched": true }\n');
      const { title, paths, notes } = review(sample, [], { ...byHand, ...marks });
      expect([title, paths]).toEqual([
        expect.stringMatching(/^last commit /),
        ['package-lock.json'],
      ]);
      expect(notes).toEqual([
        'Not committed, so not reviewed in CI: package-lock.json. jury review --worktree reviews that.',
      ]);
      expect(review(sample, ['--worktree'], { ...byHand, ...marks }).title).toBe('--worktree');
    },
  );

  it('is named by what it is now where an earlier run answers', () => {
    const sample = createChangedRepository();
    sample.write('.gitignore', '.jury/\n');
    sample.commit('ignore');
    sample.write('src/sum.js', work);
    const first = juryJson(sample.root, ['review'], { environment: byHand }).record;
    sample.commit('done');
    const { record } = juryJson(sample.root, ['review'], { environment: byHand });
    expect([record.reused, record.run]).toEqual([true, first.run]);
    expect([first.subject.title, record.subject.title]).toEqual([
      'uncommitted changes',
      `last commit ${sample.git('rev-parse', 'HEAD').slice(0, 8)}`,
    ]);
  });
});

function changed(): SampleRepository {
  const sample = createChangedRepository();
  sample.write('src/sum.js', work);
  sample.write('notes.csv', 'new\n');
  return sample;
}

describe('every door says which change was meant', () => {
  const note = 'Untracked, so not reviewed: notes.csv (data).';

  it.each([
    [
      'the screen',
      ['review', '--format', 'terminal'],
      /^✓ PASS \(static checks alone\) {2}uncommitted changes · 1 file, .*\nUntracked, so not reviewed: notes\.csv \(data\)\./,
    ],
    [
      'the brief',
      ['review', '--format', 'brief'],
      /\nSubject: uncommitted changes\. Untracked, so not reviewed: notes\.csv \(data\)\./,
    ],
    [
      'the page',
      ['review', '--format', 'markdown'],
      /uncommitted changes · 1 file[^]*Untracked, so not reviewed: `?notes/,
    ],
    [
      'the plan',
      ['plan'],
      /^Plan {2}uncommitted changes: nobody was asked\nUntracked, so not reviewed: notes\.csv \(data\)\./,
    ],
    [
      'the dry run',
      ['review', '--dry-run'],
      /\nSubject: uncommitted changes\nUntracked, so not reviewed: notes\.csv \(data\)\./,
    ],
  ])('%s', (_, words, said) => {
    expect(jury(changed().root, words, { environment: byHand }).stdout).toMatch(said);
  });

  it('the protocol of agents, also where paths limit it', async () => {
    const sample = changed();
    const environment = { ...byHand, JURY_STATE: createFolder() };
    const client = await connect('2.x as of 2026', { cwd: sample.root, environment });
    const { answer } = await client.call('start', { process: 'review' });
    expect(answer['untrusted_text']).toContain(`Subject: uncommitted changes. ${note}`);
    const limited = await client.call('start', { process: 'review', paths: ['src'] });
    expect(limited.answer['untrusted_text']).toContain('Subject: uncommitted changes -- src. ');
    sample.git('checkout', '-q', '--', 'src');
    const last = await client.call('start', { process: 'review', paths: ['src'], fresh: true });
    expect(last.answer['untrusted_text']).toContain('Subject: last commit ');
    await client.close();
  });
});
