import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, linesOf, readChange, refusal, summary, withRepository } from './reading.ts';
import { createFolder, createSampleRepository, openSample, runGitIn } from './sample-repository.ts';

const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** One commit of `kept.txt`, `changed.txt` and `gone.txt`. */
function oneCommit() {
  const sample = createSampleRepository();
  for (const name of ['kept.txt', 'changed.txt', 'gone.txt']) sample.write(name, `${name}\n`);
  sample.commit('first');
  return sample;
}

const staged = (folder: string) => readChange(folder, { source: 'staged' });
const worktree = (folder: string, untracked = false) =>
  readChange(folder, { source: 'worktree', untracked });

describe('what is staged', () => {
  it('is the index against HEAD, whatever the working tree holds', async () => {
    const sample = oneCommit();
    sample.write('changed.txt', 'staged\n');
    sample.write('new.txt', 'new\n');
    sample.git('add', 'changed.txt', 'new.txt');
    sample.git('rm', '-q', '--cached', 'gone.txt');
    sample.write('changed.txt', 'not staged\n');
    const change = await staged(sample.root);
    expect(change).toMatchObject({
      source: 'staged',
      title: '--staged',
      base: sample.git('rev-parse', 'HEAD'),
      head: sample.git('write-tree'),
    });
    expect(summary(change)).toEqual([
      'modified text +1 -1 changed.txt',
      'deleted text +0 -1 gone.txt',
      'added text +1 -0 new.txt',
    ]);
    expect(linesOf(change.files[0])).toEqual(['-changed.txt', '+staged']);
  });

  it('is everything before the first commit', async () => {
    const sample = createSampleRepository();
    sample.write('a', 'a\n');
    sample.git('add', 'a');
    expect(await staged(sample.root)).toMatchObject({
      base: emptyTree,
      files: [{ path: 'a', status: 'added' }],
    });
  });

  it('may be nothing', async () =>
    expect(await refusal(oneCommit().root, { source: 'staged' })).toMatchObject({
      kind: 'input',
      message: 'Nothing to review: nothing is staged.',
    }));

  it('cannot be told while a merge is unfinished', async () => {
    const sample = oneCommit();
    sample.git('checkout', '-q', '-b', 'other');
    sample.write('changed.txt', 'theirs\n');
    sample.commit('theirs');
    sample.git('checkout', '-q', 'main');
    sample.write('changed.txt', 'ours\n');
    sample.commit('ours');
    expect(() => sample.git('merge', '-q', 'other')).toThrow('Command failed');
    expect(await refusal(sample.root, { source: 'staged' })).toMatchObject({
      kind: 'input',
      message: 'The index has unmerged files.',
    });
    expect(linesOf((await worktree(sample.root)).files[0])).toContain('+<<<<<<< HEAD');
  });

  it('is read from a split index too', async () => {
    const sample = oneCommit();
    sample.git('update-index', '--split-index');
    sample.write('changed.txt', 'staged\n');
    sample.git('add', 'changed.txt');
    expect(summary(await staged(sample.root))).toEqual(['modified text +1 -1 changed.txt']);
  });

  it('is what the entries say, not what a forged tree id in the index says', async () => {
    const sample = oneCommit();
    const tree = sample.git('write-tree');
    sample.write('changed.txt', 'staged\n');
    sample.git('update-index', '--force-remove', 'kept.txt');
    sample.git('add', 'changed.txt', 'kept.txt');
    sample.git('write-tree');
    // The cache-tree extension now names the new tree; put the old one in its place, with the checksum made good.
    const script = `import sys,hashlib;p=sys.argv[1];d=open(p,'rb').read()[:-20];d=d.replace(bytes.fromhex(sys.argv[2]),bytes.fromhex(sys.argv[3]));open(p,'wb').write(d+hashlib.sha1(d).digest())`;
    execFileSync('python3', [
      '-c',
      script,
      join(sample.root, '.git/index'),
      sample.git('write-tree'),
      tree,
    ]);
    expect(sample.git('write-tree')).toBe(tree);
    expect(summary(await staged(sample.root))).toEqual(['modified text +1 -1 changed.txt']);
  });

  it('does not exist in a bare repository', async () => {
    const bare = createSampleRepository('--bare');
    expect(await refusal(bare.root, { source: 'staged' })).toMatchObject({
      kind: 'input',
      hint: 'Name a range of commits.',
    });
    expect(await refusal(bare.root, { source: 'worktree', untracked: false })).toMatchObject({
      kind: 'input',
    });
  });
});

describe('the working tree', () => {
  it('is what is staged and what is not, against HEAD', async () => {
    const sample = oneCommit();
    sample.write('changed.txt', 'on disk\n');
    sample.write('staged-new.txt', 'first\n');
    sample.git('add', 'staged-new.txt');
    sample.write('staged-new.txt', 'second\n');
    sample.remove('gone.txt');
    sample.write('untracked.txt', 'u\n');
    const change = await worktree(sample.root);
    expect(change).toMatchObject({
      source: 'worktree',
      title: '--worktree',
      base: sample.git('rev-parse', 'HEAD'),
    });
    expect(summary(change)).toEqual([
      'modified text +1 -1 changed.txt',
      'deleted text +0 -1 gone.txt',
      'added text +1 -0 staged-new.txt',
    ]);
    expect(linesOf(change.files[2])).toEqual(['+second']);
  });

  it('is looked for where a file of the same length came within the second of its commit', async () => {
    const sample = createSampleRepository();
    const age = (name: string) => utimesSync(join(sample.root, name), 1, 1);
    sample.write('a', 'one');
    age('a');
    sample.git('add', 'a');
    sample.git('commit', '-m', 'a');
    sample.write('a', 'two');
    age('a');
    age('.git/index');
    await withRepository(sample.root, async repository =>
      expect(await repository.lookForWork(false)).toMatchObject({ mayDiffer: true }),
    );
  });

  it('shows untracked files when asked, and ignored ones never', async () => {
    const sample = oneCommit();
    sample.write('.gitignore', '*.log\n/build/\n');
    sample.write('.git/info/exclude', 'secret.txt\n');
    for (const name of ['debug.log', 'build/out.js', 'secret.txt', 'dir/new.txt', '-dash'])
      sample.write(name, 'x\n');
    expect(summary(await worktree(sample.root, true))).toEqual([
      'added text +1 -0 -dash',
      'added text +2 -0 .gitignore',
      'added text +1 -0 dir/new.txt',
    ]);
    expect(await refusal(sample.root, { source: 'worktree', untracked: false })).toMatchObject({
      message: 'Nothing to review: the working tree has no changes.',
      hint: 'Untracked, so not reviewed: -dash, .gitignore, dir/new.txt.',
    });
  });

  it('is read from any folder inside it, and names files from its top', async () => {
    const sample = oneCommit();
    sample.write('deep/er/a.txt', 'a\n');
    expect(
      (await worktree(join(sample.root, 'deep/er'), true)).files.map(file => file.path),
    ).toEqual(['deep/er/a.txt']);
  });

  it('is shown whole before the first commit', async () => {
    const sample = createSampleRepository();
    sample.write('a', 'a\n');
    expect(await worktree(sample.root, true)).toMatchObject({
      base: emptyTree,
      files: [{ path: 'a' }],
    });
  });

  it('cannot claim to be unchanged', async () => {
    const sample = oneCommit();
    sample.git('update-index', '--assume-unchanged', 'changed.txt');
    sample.git('update-index', '--skip-worktree', 'kept.txt');
    sample.write('changed.txt', 'evil\n');
    sample.write('kept.txt', 'evil\n');
    expect((await worktree(sample.root)).files.map(file => file.path)).toEqual([
      'changed.txt',
      'kept.txt',
    ]);
  });

  it('that is checked out in part has deleted nothing', async () => {
    const sample = createSampleRepository();
    for (const name of ['in/a', 'out/b', 'top']) sample.write(name, 'x\n');
    sample.commit('first');
    for (const words of [
      ['--cone', '--no-sparse-index'],
      ['--cone', '--sparse-index'],
    ]) {
      sample.git('sparse-checkout', 'set', ...words, 'in');
      sample.write('in/a', 'y\n');
      expect(summary(await worktree(sample.root))).toEqual(['modified text +1 -1 in/a']);
      sample.git('add', 'in/a');
      expect(summary(await staged(sample.root))).toEqual(['modified text +1 -1 in/a']);
    }
  });

  it('shows modes, links and types', async () => {
    const sample = oneCommit();
    chmodSync(join(sample.root, 'changed.txt'), 0o755);
    sample.remove('kept.txt');
    symlinkSync('changed.txt', join(sample.root, 'kept.txt'));
    expect(summary(await worktree(sample.root))).toEqual([
      'mode-changed text +1 -0 changed.txt',
      'type-changed symlink +1 -1 kept.txt',
    ]);
  });

  it('does not follow a folder that became a link', async () => {
    const outside = createFolder();
    writeFileSync(join(outside, 'a'), 'outside\n');
    const sample = createSampleRepository();
    sample.write('folder/a', 'inside\n');
    sample.commit('first');
    rmSync(join(sample.root, 'folder'), { recursive: true });
    symlinkSync(outside, join(sample.root, 'folder'));
    expect(summary(await worktree(sample.root, true))).toEqual([
      'added symlink +1 -0 folder',
      'deleted text +0 -1 folder/a',
    ]);
  });

  it('tells where a submodule stands now', async () => {
    const inner = oneCommit();
    const sample = oneCommit();
    sample.git('submodule', '--quiet', 'add', inner.root, 'sub');
    sample.commit('with submodule');
    const from = sample.git('rev-parse', 'HEAD:sub');
    expect(await refusal(sample.root, { source: 'worktree', untracked: true })).toMatchObject({
      message: 'Nothing to review: the working tree has no changes.',
    });
    runGitIn(join(sample.root, 'sub'), ['commit', '-q', '--allow-empty', '-m', 'next']);
    const to = runGitIn(join(sample.root, 'sub'), ['rev-parse', 'HEAD']);
    const change = await worktree(sample.root, true);
    expect(change.files).toMatchObject([
      { path: 'sub', content: 'submodule', oldId: from, newId: to },
    ]);
  });

  it('leaves a repository inside it alone', async () => {
    const sample = oneCommit();
    for (const name of ['nested', 'unborn']) {
      mkdirSync(join(sample.root, name));
      runGitIn(join(sample.root, name), ['init', '-q']);
      writeFileSync(join(sample.root, name, 'a'), 'a');
    }
    openSample(join(sample.root, 'nested')).commit('inner');
    sample.write('new', 'n\n');
    const change = await worktree(sample.root, true);
    expect(change.files.map(file => file.path)).toEqual(['new']);
    expect(change.usual?.notes).toEqual([
      'Untracked, so not reviewed: nested/ (a repository of its own), unborn/ (a repository of its own).',
    ]);
  });

  it('of a linked worktree has its own HEAD and index', async () => {
    const sample = oneCommit();
    const linked = join(createFolder(), 'linked');
    sample.git('worktree', 'add', '-q', '-b', 'side', linked);
    writeFileSync(join(linked, 'changed.txt'), 'linked\n');
    runGitIn(linked, ['add', '-A']);
    expect(summary(await staged(linked))).toEqual(['modified text +1 -1 changed.txt']);
    expect(summary(await worktree(linked))).toEqual(['modified text +1 -1 changed.txt']);
    runGitIn(linked, ['commit', '-q', '-m', 'on side']);
    expect(await readChange(linked, { source: 'revision', revision: 'HEAD' })).toMatchObject({
      head: sample.git('rev-parse', 'side'),
    });
    await withRepository(linked, async repository => expect(repository.root).toBe(linked));
  });

  it('that cannot be read is refused by name', async () => {
    const sample = oneCommit();
    sample.remove('changed.txt');
    execFileSync('mkfifo', [join(sample.root, 'changed.txt')]);
    const { kind, message } = await refusal(sample.root, { source: 'worktree', untracked: true });
    expect([kind, message]).toEqual(['input', expect.stringContaining('changed.txt')]);
  });
});

describe('text read back', () => {
  it('comes from the index or the disk as it was when the change was read', async () => {
    const sample = oneCommit();
    sample.write('changed.txt', 'on disk\n');
    sample.write('new.txt', 'new\n');
    await withRepository(sample.root, async repository => {
      const change = await repository.change({ source: 'worktree', untracked: true });
      sample.write('new.txt', 'later\n');
      const [changed, added] = [fileOf(change, 'changed.txt'), fileOf(change, 'new.txt')];
      expect(await repository.read(changed, 'old')).toBe('changed.txt\n');
      expect(await repository.read(changed, 'new')).toBe('on disk\n');
      expect(await repository.read(added, 'old')).toBeNull();
      expect(await repository.read(added, 'new')).toBe('new\n');
      expect(await repository.readAt(change.base ?? '', 'changed.txt')).toBe('changed.txt\n');
      expect(await repository.readAt(change.head ?? '', 'new.txt')).toBe('new\n');
      expect(await repository.readAt('HEAD', 'new.txt')).toBeNull();
      expect(await repository.readAt('HEAD', '*.txt')).toBeNull();
    });
  });

  it.each([
    ['an encoding', '*.js working-tree-encoding=UTF-16LE', 'eval(process.argv[22]);\n'],
    ['a keyword', '*.js ident', '/* $Id: */ eval(process.argv[2]); /* $ */\n'],
  ])('is what lies on the disk, not what attributes make of it: %s', async (_, line, text) => {
    const sample = createSampleRepository();
    sample.write('a.js', 'one\n');
    sample.write('.gitattributes', `${line}\n`);
    sample.git('-c', 'core.attributesFile=/dev/null', 'add', '.gitattributes');
    sample.git(
      'update-index',
      '--add',
      '--cacheinfo',
      `100644,${sample.git('hash-object', '-w', '--no-filters', 'a.js')},a.js`,
    );
    sample.git('commit', '-q', '-m', 'first');
    sample.write('a.js', text);
    sample.write('b.js', text);
    const change = await readChange(sample.root, { source: 'worktree', untracked: true });
    for (const name of ['a.js', 'b.js'])
      expect(linesOf(fileOf(change, name))).toContain(`+${text.trim()}`);
  });

  it.each([
    ['giant', Buffer.from('/giant')],
    ['\\xff', Buffer.from([0x2f, 0xff])],
    ['\\x5cxff', Buffer.from('/\\xff')],
  ])('is refused where a file is too large to be read, also one called %s', async (name, path) => {
    const sample = oneCommit();
    const file = Buffer.concat([Buffer.from(sample.root), path]);
    writeFileSync(file, '');
    truncateSync(file, 2 ** 31);
    await withRepository(sample.root, repository =>
      expect(repository.tree(null)).rejects.toThrow(
        `The untracked files are too large to be read: with ${name} they have more than 1 GiB.`,
      ),
    );
  });
});
