import { beforeAll, describe, expect, it } from 'vitest';
import { readChange, refusal, summary, withRepository } from './reading.ts';
import { createSampleRepository, runGitIn, type SampleRepository } from './sample-repository.ts';

/** first - second (main, v1) and first - side; merged = second + side, on branch `merged`. */
let sample: SampleRepository;
let commits: Record<'first' | 'second' | 'side' | 'merged', string>;

beforeAll(() => {
  sample = createSampleRepository();
  sample.write('a.txt', 'one\n');
  const first = sample.commit('first');
  sample.git('checkout', '-q', '-b', 'topic/side');
  sample.write('side.txt', 'side\n');
  const side = sample.commit('side');
  sample.git('checkout', '-q', 'main');
  sample.write('b.txt', 'two\n');
  const second = sample.commit('second');
  sample.git('tag', '-a', '-m', 'version one', 'v1');
  sample.git('checkout', '-q', '-b', 'merged');
  sample.git('merge', '-q', '--no-ff', '-m', 'merge', 'topic/side');
  const merged = sample.git('rev-parse', 'HEAD');
  sample.git('checkout', '-q', 'main');
  commits = { first, second, side, merged };
});

function ends(revision: string, isExact = false) {
  return readChange(sample.root, { source: 'revision', revision, isExact }).then(
    ({ base, head, title, files }) => ({ base, head, title, files: files.map(file => file.path) }),
  );
}

describe('a revision', () => {
  it('of two dots compares both ends where it is to be exact', async () =>
    expect(await ends('main..topic/side', true)).toEqual({
      base: commits.second,
      head: commits.side,
      title: 'main..topic/side',
      files: ['b.txt', 'side.txt'],
    }));

  it.each(['main..topic/side', 'main...topic/side'])(
    'starts from the merge base (%s)',
    async name =>
      expect(await ends(name)).toEqual({
        base: commits.first,
        head: commits.side,
        title: `${name} since merge base ${commits.first.slice(0, 8)} (1 file; main moved on by 1 file)`,
        files: ['side.txt'],
      }),
  );

  it('with an open end means HEAD', async () => {
    expect(await ends('topic/side..')).toMatchObject({ base: commits.first, head: commits.second });
    expect(await ends('..topic/side')).toMatchObject({ base: commits.first, head: commits.side });
  });

  it.each('HEAD @ main v1 refs/heads/main merged^'.split(' '))(
    'of one commit (%s) is that commit against its first parent',
    async revision =>
      expect(await ends(revision)).toMatchObject({
        base: commits.first,
        head: commits.second,
        files: ['b.txt'],
      }),
  );

  it('may be an abbreviated id', async () =>
    expect(await ends(commits.second.slice(0, 8))).toMatchObject({ head: commits.second }));

  it.each('HEAD~1 HEAD^ @^ @~1 HEAD~1^{commit} HEAD~1^!'.split(' '))(
    'may climb from HEAD (%s), down to the root commit against the empty tree',
    async revision =>
      expect(await ends(revision)).toMatchObject({
        // The empty tree.
        base: '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
        head: commits.first,
        files: ['a.txt'],
      }),
  );

  it('of a merge is the merge against its first parent', async () => {
    expect(await ends('merged')).toMatchObject({
      base: commits.second,
      head: commits.merged,
      files: ['side.txt'],
    });
    expect(await ends('merged^2')).toMatchObject({ base: commits.first, head: commits.side });
  });

  it('follows a detached HEAD', async () => {
    const clone = createSampleRepository();
    clone.git('fetch', '-q', sample.root, '+refs/heads/*:refs/remotes/origin/*');
    clone.git('checkout', '-q', '--detach', commits.side);
    expect(await readChange(clone.root, { source: 'revision', revision: 'HEAD' })).toMatchObject({
      base: commits.first,
      head: commits.side,
    });
  });

  it('is named in full by resolve, and trees are compared by what they hold', async () => {
    await withRepository(sample.root, async repository => {
      expect(await repository.resolve('v1')).toBe(commits.second);
      expect(await repository.resolve('HEAD')).toBe(commits.second);
      expect(await repository.sameTree('main', 'v1')).toBe(true);
      expect(await repository.sameTree('main', 'topic/side')).toBe(false);
    });
  });
});

describe('a base and a head', () => {
  it('keep the title they are given', async () => {
    const change = await readChange(sample.root, {
      source: 'range',
      base: 'HEAD~1',
      head: 'topic/side',
      title: 'any title',
    });
    expect(change).toMatchObject({
      source: 'range',
      base: commits.first,
      head: commits.side,
      title: 'any title',
    });
    expect(summary(change)).toEqual(['added text +1 -0 side.txt']);
  });

  it('that are the same commit leave nothing to review', async () => {
    const expected = {
      kind: 'input',
      message: `Nothing to review: base and head are the same commit (${commits.second.slice(0, 7)}).`,
      hint: null,
    };
    expect(
      await refusal(sample.root, { source: 'range', base: 'HEAD', head: 'main', title: 'same' }),
    ).toEqual(expected);
    expect(await refusal(sample.root, { source: 'revision', revision: 'v1...main' })).toEqual(
      expected,
    );
  });

  it('with equal files leave nothing to review', async () => {
    const twin = createSampleRepository();
    twin.write('a', 'a');
    twin.commit('first');
    twin.commit('nothing new');
    expect(
      await refusal(twin.root, { source: 'revision', revision: 'HEAD~1..HEAD' }),
    ).toMatchObject({ kind: 'input', message: 'Nothing to review: HEAD~1..HEAD changes no file.' });
  });
});

describe('a revision nobody knows', () => {
  it.each([
    ['mian', 'Did you mean "main"?'],
    ['topic/sid~2', 'Did you mean "topic/side"?'],
    ['HAED', 'Did you mean "HEAD"?'],
    ['main^-', 'Did you mean "main"?'],
    ['completely-different', null],
  ])('%s is answered with the nearest names', async (revision, hint) =>
    expect(await refusal(sample.root, { source: 'revision', revision })).toEqual({
      kind: 'input',
      message: `Unknown revision "${revision}".`,
      hint,
    }),
  );

  it('is said to lie before the first commit', async () =>
    expect(await refusal(sample.root, { source: 'revision', revision: 'HEAD~9..' })).toMatchObject({
      message: '"HEAD~9" is no commit: the history does not reach so far.',
    }));

  it('is answered with three names at most', async () => {
    const many = createSampleRepository();
    many.write('a', 'a');
    many.commit('first');
    for (const name of ['release-1', 'release-2', 'release-3', 'release-4'])
      many.git('branch', name);
    expect((await refusal(many.root, { source: 'revision', revision: 'release-9' })).hint).toBe(
      'Did you mean "release-1" or "release-2" or "release-3"?',
    );
  });

  it.each([
    'main~99',
    'f'.repeat(40),
    'a..b..c',
    'main^{nothing}',
    ':/second',
    'with blank',
    'line\nbreak',
    'NUL\0',
    'HEAD\u202e',
  ])('%j is refused', async revision =>
    expect((await refusal(sample.root, { source: 'revision', revision })).kind).toBe('input'),
  );

  it.each(['--output=/tmp/x', '-h', '--upload-pack=touch', 'main..--all', '-'])(
    '%s is a mistake in the call, because it looks like an option',
    async revision =>
      expect(await refusal(sample.root, { source: 'revision', revision })).toMatchObject({
        kind: 'usage',
      }),
  );

  it.each(['@{upstream}', 'main@{u}', '@{-1}', 'HEAD@{1}', 'main@{yesterday}'])(
    '%s is refused, because it would need configuration or a log',
    async revision =>
      expect(await refusal(sample.root, { source: 'revision', revision })).toEqual({
        kind: 'input',
        message: `"${revision}" needs the configuration or the log of the repository, which are not read.`,
        hint: 'Name a branch, a tag or a commit, such as origin/main.',
      }),
  );

  it('is told apart from a name of something that is no commit', async () => {
    sample.git('tag', 'blob-tag', sample.git('rev-parse', 'HEAD:a.txt'));
    expect(await refusal(sample.root, { source: 'revision', revision: 'blob-tag' })).toMatchObject({
      kind: 'input',
      message: '"blob-tag" is not a commit.',
    });
  });

  it('is told apart from an abbreviation of several', async () => {
    const crowd = createSampleRepository();
    const stream = Array.from(
      { length: 1_500 },
      (_, number) => `commit refs/heads/main\ncommitter A <a@b> ${number} +0000\ndata 0\n\n`,
    ).join('');
    runGitIn(crowd.root, ['fast-import', '--quiet'], stream);
    const ids = crowd
      .git('rev-list', 'main')
      .split('\n')
      .map(id => id.slice(0, 4));
    const twice = ids.find((id, index) => ids.indexOf(id) !== index) ?? '';
    expect(twice).toHaveLength(4);
    expect(await refusal(crowd.root, { source: 'revision', revision: twice })).toMatchObject({
      message: `"${twice}" is ambiguous: several objects start so.`,
    });
  });

  it('is HEAD itself before the first commit', async () => {
    const empty = createSampleRepository();
    expect(await refusal(empty.root, { source: 'revision', revision: 'HEAD' })).toMatchObject({
      kind: 'input',
      message: 'HEAD has no commit yet.',
      hint: expect.stringContaining('--worktree') as string,
    });
  });
});

describe('two histories without a common ancestor', () => {
  it('have no merge base, and are still compared where that is wanted', async () => {
    const split = createSampleRepository();
    split.write('a', 'a\n');
    split.commit('one');
    split.git('checkout', '-q', '--orphan', 'other');
    split.write('a', 'b\n');
    split.commit('two');
    expect(
      await refusal(split.root, { source: 'revision', revision: 'main...other' }),
    ).toMatchObject({ kind: 'input', hint: '--exact compares the two trees as they are.' });
    expect(
      summary(
        await readChange(split.root, {
          source: 'revision',
          revision: 'main..other',
          isExact: true,
        }),
      ),
    ).toEqual(['modified text +1 -1 a']);
  });
});
