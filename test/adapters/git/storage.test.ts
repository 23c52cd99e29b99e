import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openRepository } from '../../../src/adapters/git/repository.ts';
import { readChange, readLastCommit, refusal, summary, withRepository } from './reading.ts';
import {
  createFolder,
  createSampleRepository,
  openSample,
  runGitIn,
  type SampleRepository,
} from './sample-repository.ts';
import { describeRepository } from '../../contracts/repository.ts';

/** Three commits, each one more line in `a`. */
function threeCommits(...initWords: string[]) {
  const sample = createSampleRepository(...initWords);
  for (const lines of ['1\n', '1\n2\n', '1\n2\n3\n']) {
    sample.write('a', lines);
    sample.commit('lines');
  }
  return sample;
}

function shallow(depth: number) {
  const clone = join(createFolder(), 'shallow');
  runGitIn('/', ['clone', '-q', '--depth', String(depth), `file://${threeCommits().root}`, clone]);
  return openSample(clone);
}

function objectPath(sample: SampleRepository, id: string) {
  return join(sample.root, '.git/objects', id.slice(0, 2), id.slice(2));
}

function forge(sample: SampleRepository, id: string, type: string, content: string) {
  rmSync(objectPath(sample, id));
  writeFileSync(
    objectPath(sample, id),
    deflateSync(`${type} ${Buffer.byteLength(content)}\0${content}`),
  );
}

function fakeGit(script: string) {
  const path = join(createFolder(), 'git');
  writeFileSync(path, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return path;
}

const lastCommit = ['modified text +1 -0 a'];
const revision = (text: string) => ({ source: 'revision', revision: text }) as const;

describe('a repository', () => {
  it('with SHA-256 ids is read like any other', async () => {
    const sample = threeCommits('--object-format=sha256');
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual(lastCommit);
    expect(change.head).toMatch(/^[0-9a-f]{64}$/);
    expect(await readChange(sample.root, revision('HEAD~2'))).toMatchObject({
      base: '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
    });
    sample.write('b', 'b\n');
    expect(summary(await readChange(sample.root, { source: 'worktree', untracked: true }))).toEqual(
      ['added text +1 -0 b'],
    );
  });

  it('may be packed, its references too', async () => {
    const sample = threeCommits();
    sample.git('tag', '-a', '-m', 'x', 'v1', 'HEAD~1');
    sample.git('gc', '-q');
    expect(existsSync(join(sample.root, '.git/packed-refs'))).toBe(true);
    expect(summary(await readChange(sample.root, revision('v1..main')))).toEqual(lastCommit);
  });

  it('may hold a loose reference that is newer than the packed one', async () => {
    const sample = threeCommits();
    sample.git('pack-refs', '--all');
    sample.write('b', 'b\n');
    const newer = sample.commit('newer');
    expect(await readChange(sample.root, revision('main'))).toMatchObject({ head: newer });
  });

  it('may be bare', async () => {
    const bare = createSampleRepository('--bare');
    bare.git('fetch', '-q', threeCommits().root, '+refs/heads/*:refs/heads/*');
    await withRepository(bare.root, async repository => {
      expect(repository.root).toBeNull();
      expect(summary(await repository.change(revision('main')))).toEqual(lastCommit);
    });
  });

  it('may borrow its objects from others', async () => {
    const sample = threeCommits();
    const [middle, outer] = [join(createFolder(), 'middle'), join(createFolder(), 'outer')];
    runGitIn(sample.root, ['clone', '-q', '--shared', sample.root, middle]);
    runGitIn(sample.root, ['clone', '-q', '--shared', middle, outer]);
    expect(summary(await readLastCommit(outer))).toEqual(lastCommit);
  });

  it('may lie in a folder with an odd name', async () => {
    const folder = join(createFolder(), 'odd "name"\nwith: lines, and blanks');
    renameSync(threeCommits().root, folder);
    expect(summary(await readLastCommit(folder))).toEqual(lastCommit);
  });

  it('is read at its remote branches and at what was fetched last', async () => {
    const sample = threeCommits();
    const clone = join(createFolder(), 'clone');
    runGitIn(sample.root, ['clone', '-q', sample.root, clone]);
    const head = sample.git('rev-parse', 'HEAD');
    expect(await readChange(clone, revision('origin'))).toMatchObject({ head });
    expect(await readChange(clone, revision('origin/HEAD~1..origin/main'))).toMatchObject({ head });
    runGitIn(clone, ['fetch', '-q', 'origin', 'main']);
    expect(await readChange(clone, revision('FETCH_HEAD'))).toMatchObject({ head });
  });

  it('among the tracked files of another does not take its place', async () => {
    const sample = threeCommits();
    runGitIn(sample.root, ['init', '-q', '--bare', 'fixtures/inner.git']);
    sample.write('fixtures/inner.git/refs/note', 'x');
    await withRepository(join(sample.root, 'fixtures/inner.git/refs'), async repository =>
      expect(repository.root).toBe(sample.root),
    );
    await withRepository(join(sample.root, 'fixtures/inner.git'), async repository =>
      expect(repository.root).toBeNull(),
    );
  });
});

describe('history that is cut off', () => {
  const hint = '`git fetch --unshallow` brings the whole history.';

  it('is read as far as it goes, and said to be so', async () => {
    const clone = shallow(2);
    const change = await readChange(clone.root, revision('HEAD~1..HEAD'));
    expect(summary(change)).toEqual(lastCommit);
    expect(change.warnings).toEqual(['The clone is shallow: older history is not here.']);
  });

  it("is refused where a commit's parent is not here, never shown as a root commit", async () => {
    const clone = shallow(1);
    const { kind, message, hint: mend } = await refusal(clone.root, revision('HEAD'));
    expect(kind).toBe('input');
    expect(message).toMatch(
      /^The parent [0-9a-f]{7} of commit [0-9a-f]{7} is not in this clone\.$/,
    );
    expect(mend).toBe(hint);
  });

  it.each(['HEAD~2', 'HEAD~2..HEAD', 'main~5'])(
    'is refused where it does not reach (%s)',
    async text =>
      expect(await refusal(shallow(2).root, revision(text))).toMatchObject({ kind: 'input', hint }),
  );

  it('is refused where another branch was not cloned, and what it says brings that', async () => {
    const source = threeCommits();
    source.git('checkout', '-q', '-b', 'feature');
    source.write('b', 'feature\n');
    source.commit('feature');
    const clone = join(createFolder(), 'feature');
    runGitIn('/', ['clone', '-q', '--depth', '1', '-b', 'feature', `file://${source.root}`, clone]);
    const range = revision('origin/main..HEAD');
    const { kind, message, hint: mend } = await refusal(clone, range);
    expect([kind, message]).toEqual(['input', 'Unknown revision "origin/main".']);
    const [, command = ''] = /^`git (.*)` brings/.exec(mend ?? '') ?? [];
    runGitIn(clone, command.replaceAll("'", '').split(' '));
    expect((await readChange(clone, range)).base).toBe(source.git('rev-parse', 'main'));
  });

  it('is refused where the merge base is out of reach', async () => {
    const clone = shallow(1);
    clone.git('checkout', '-q', '--orphan', 'lone');
    clone.commit('lone');
    expect(await refusal(clone.root, revision('lone...origin/main'))).toMatchObject({
      kind: 'input',
      hint: `${hint} In a workflow: \`fetch-depth: 0\`.`,
    });
    await expect(withRepository(clone.root, git => git.branchRange())).rejects.toThrow(
      /^The merge/,
    );
  });

  it('is refused where a partial clone left the blobs with the server', async () => {
    const source = threeCommits();
    source.git('config', 'uploadpack.allowFilter', 'true');
    const clone = join(createFolder(), 'partial');
    runGitIn('/', [
      'clone',
      '-q',
      '--no-checkout',
      '--filter=blob:none',
      `file://${source.root}`,
      clone,
    ]);
    const { kind, message, hint: mend } = await refusal(clone, revision('HEAD'));
    expect(kind).toBe('input');
    expect(message).toMatch(
      /^Object [0-9a-f]{40}, the (?:old|new) side of a, is not in this partial clone\.$/,
    );
    expect(mend).toBe('`git fetch --refetch --no-filter` brings every object.');
  });
});

describe('storage that cannot be trusted', () => {
  it('is refused where a blob does not hash to its name', async () => {
    const sample = threeCommits();
    const id = sample.git('rev-parse', 'HEAD:a');
    forge(sample, id, 'blob', 'innocent\n');
    expect(sample.git('show', 'HEAD:a')).toBe('innocent');
    expect(await refusal(sample.root, revision('HEAD'))).toMatchObject({
      kind: 'input',
      message: `git-object: the bytes of object ${id} do not hash to its name.`,
    });
  });

  it('is refused where a blob is no object at all', async () => {
    const sample = threeCommits();
    const id = sample.git('rev-parse', 'HEAD:a');
    rmSync(objectPath(sample, id));
    writeFileSync(objectPath(sample, id), 'rubbish');
    expect(await refusal(sample.root, revision('HEAD'))).toMatchObject({ kind: 'input' });
  });

  it('is refused where a blob is missing', async () => {
    const sample = threeCommits();
    const id = sample.git('rev-parse', 'HEAD~1:a');
    rmSync(objectPath(sample, id));
    expect(await refusal(sample.root, revision('HEAD'))).toMatchObject({
      kind: 'input',
      message: `Object ${id}, the old side of a, is not in the repository.`,
    });
  });

  it('is refused where a commit or a folder does not hash to its name', async () => {
    const sample = threeCommits();
    const [head, tree] = [sample.git('rev-parse', 'HEAD'), sample.git('rev-parse', 'HEAD^{tree}')];
    const commit =
      `tree ${sample.git('rev-parse', 'HEAD~2^{tree}')}\nparent ` +
      `${sample.git('rev-parse', 'HEAD~1')}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nx\n`;
    forge(sample, head, 'commit', commit);
    expect(await refusal(sample.root, revision('HEAD'))).toMatchObject({
      message: `git-object: the bytes of object ${head} do not hash to its name.`,
    });
    expect(await refusal(sample.root, revision('HEAD~1..main'))).toMatchObject({
      message: `git-object: the bytes of object ${head} do not hash to its name.`,
    });

    const other = threeCommits();
    forge(other, tree, 'tree', '');
    expect(await refusal(other.root, revision('HEAD'))).toMatchObject({
      message: `git-object: the bytes of object ${tree} do not hash to its name.`,
    });
  });

  it('is refused by name: reftable, grafts, alternates that are no file', async () => {
    const reftable = threeCommits();
    mkdirSync(join(reftable.root, '.git/reftable'));
    expect((await refusal(reftable.root, revision('HEAD'))).message).toBe(
      'The repository keeps its references as a reftable, which cannot be read yet.',
    );
    const configured = threeCommits();
    appendFileSync(join(configured.root, '.git/config'), '[extensions] refStorage = reftable\n');
    expect((await refusal(configured.root, revision('HEAD'))).message).toContain('reftable');
    const grafted = threeCommits();
    grafted.write('.git/info/grafts', `${grafted.git('rev-parse', 'HEAD')}\n`);
    expect((await refusal(grafted.root, revision('HEAD'))).message).toContain('grafts');
    const piped = threeCommits();
    execFileSync('mkfifo', [join(piped.root, '.git/objects/info/alternates')]);
    expect((await refusal(piped.root, revision('HEAD'))).message).toContain('alternates');
  });
});

describe('a folder', () => {
  it('outside git is refused when a commit is asked for, not when it is opened', async () => {
    const folder = createFolder();
    await withRepository(folder, async repository => {
      expect(repository.root).toBeNull();
      await expect(repository.resolve('HEAD')).rejects.toMatchObject({
        kind: 'input',
        message: `${folder} is not inside a git repository.`,
      });
    });
    expect(await refusal(join(folder, 'missing'), revision('HEAD'))).toMatchObject({
      kind: 'input',
    });
  });

  it('behind a damaged .git file is refused, and the repository above it is not taken instead', async () => {
    const sample = threeCommits();
    sample.write('inner/.git', 'gitdir: /nonexistent\n');
    expect((await refusal(join(sample.root, 'inner'), revision('HEAD'))).message).toContain(
      'is not inside a git repository',
    );
  });

  it('for temporary files may not lie in the repository', async () => {
    const sample = threeCommits();
    expect(
      await refusal(sample.root, revision('HEAD'), { temporaryFolder: sample.root }),
    ).toMatchObject({ kind: 'usage' });
    symlinkSync(sample.root, join(sample.root, '../link'));
    expect(
      await refusal(sample.root, revision('HEAD'), {
        temporaryFolder: join(sample.root, '../link'),
      }),
    ).toMatchObject({ kind: 'usage' });
  });
});

describe('git itself', () => {
  it('that is missing is named', async () => {
    const sample = threeCommits();
    expect(
      await refusal(sample.root, revision('HEAD'), { gitPath: '/nonexistent/git' }),
    ).toMatchObject({ kind: 'usage', message: 'git was not found at /nonexistent/git.' });
    expect(await refusal(sample.root, revision('HEAD'), { gitPath: 'git' })).toMatchObject({
      kind: 'usage',
      message: 'git was not found at git.',
    });
  });

  it('that is too old is refused', async () => {
    const sample = threeCommits();
    expect(
      await refusal(sample.root, revision('HEAD'), { gitPath: fakeGit('echo git version 2.17.1') }),
    ).toMatchObject({ kind: 'usage', message: 'git 2.30 or newer is needed; this is git 2.17.' });
    expect(
      await refusal(sample.root, revision('HEAD'), { gitPath: fakeGit('echo hello') }),
    ).toMatchObject({ kind: 'usage' });
  });
});

describe('closing', () => {
  it('leaves no folder behind, also after a refusal, and closing twice is fine', async () => {
    const temporaryFolder = createFolder();
    const repository = await openRepository(threeCommits().root, { temporaryFolder });
    await repository.change(revision('HEAD'));
    expect(readdirSync(temporaryFolder)).toHaveLength(1);
    await repository.close();
    await repository.close();
    await refusal(threeCommits().root, revision('nothing'), { temporaryFolder });
    await refusal(threeCommits().root, revision('HEAD'), {
      temporaryFolder,
      gitPath: '/nonexistent/git',
    });
    expect(readdirSync(temporaryFolder)).toEqual([]);
  });
});

describeRepository('git', () => {
  const sample = createSampleRepository();
  sample.write('a.txt', 'old\n');
  sample.write('c.txt', 'gone\n');
  sample.commit('before');
  sample.write('a.txt', 'new\n');
  sample.write('b.txt', 'added\n');
  sample.remove('c.txt');
  sample.commit('after');
  sample.git('branch', 'head');
  return openRepository(sample.root);
});
