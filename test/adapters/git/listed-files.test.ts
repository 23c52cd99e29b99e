import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { fileOf, linesOf, readChange, refusal, summary, withRepository } from './reading.ts';
import { createFolder, createSampleRepository } from './sample-repository.ts';

const files = (...patterns: string[]) => ({ source: 'files', patterns }) as const;
const pathsOf = async (folder: string, ...patterns: string[]) =>
  (await readChange(folder, files(...patterns))).files.map(file => file.path);

function workingTree() {
  const sample = createSampleRepository();
  for (const name of ['src/a.ts', 'src/deep/b.ts', 'src/c.js', 'README.md', '.github/ci.yml'])
    sample.write(name, `${name}\n`);
  sample.write('.gitignore', 'dist/\n');
  sample.commit('first');
  sample.write('src/untracked.ts', 'new\n');
  sample.write('dist/out.ts', 'generated\n');
  return sample;
}

describe('files of a working tree', () => {
  it('are shown whole, as added', async () => {
    const { root, git } = workingTree();
    chmodSync(join(root, 'README.md'), 0o755);
    const change = await readChange(root, files('README.md', 'src/a.ts'));
    expect(change).toMatchObject({
      source: 'files',
      base: null,
      head: null,
      title: 'README.md src/a.ts',
    });
    expect(change.files[0]).toEqual({
      path: 'README.md',
      oldPath: null,
      status: 'added',
      oldMode: '000000',
      newMode: '100755',
      oldId: '0'.repeat(40),
      newId: git('rev-parse', 'HEAD:README.md'),
      content: 'text',
      additions: 1,
      deletions: 0,
      hunks: [
        { oldStart: 0, oldLines: 0, newStart: 1, newLines: 1, heading: '', lines: ['+README.md'] },
      ],
    });
  });

  it('are found by glob, by folder and by name, each once; ignored ones only by name', async () => {
    const { root } = workingTree();
    expect(await pathsOf(root, 'src/**/*.ts')).toEqual([
      'src/a.ts',
      'src/deep/b.ts',
      'src/untracked.ts',
    ]);
    expect(await pathsOf(root, 'src', 'src/a.ts', './src/c.js')).toEqual([
      'src/a.ts',
      'src/c.js',
      'src/deep/b.ts',
      'src/untracked.ts',
    ]);
    expect(await pathsOf(root, '.')).toEqual(
      '.github/ci.yml .gitignore README.md src/a.ts src/c.js src/deep/b.ts src/untracked.ts'.split(
        ' ',
      ),
    );
    expect(await pathsOf(root, 'dist/out.ts')).toEqual(['dist/out.ts']);
    expect(await pathsOf(root, '*.{md,txt}')).toEqual(['README.md']);
  });

  it('are looked for from where the caller stands, and named from the top', async () => {
    const { root } = workingTree();
    expect(await pathsOf(join(root, 'src'), '*.js', '../README.md', 'deep')).toEqual([
      'README.md',
      'src/c.js',
      'src/deep/b.ts',
    ]);
    expect(await pathsOf(join(root, 'src/deep'), '../*.js')).toEqual(['src/c.js']);
  });

  it.each([
    ['missing.ts', 'There is no file missing.ts.'],
    ['nowhere/*.ts', 'No file matches nowhere/*.ts.'],
    ['../outside', /^\.\.\/outside is outside of /],
    ['/etc/passwd', /^\/etc\/passwd is outside of /],
    ['a\u001b[2J', 'There is no file a⟦U+001B⟧[2J.'],
  ])('that are not there are named: %j', async (pattern, message) => {
    const refused = await refusal(workingTree().root, files(pattern));
    expect(refused.kind).toBe('input');
    expect(refused.message).toMatch(message);
  });

  it('leave nothing to review when none is named', async () =>
    expect(await refusal(workingTree().root, files())).toMatchObject({
      kind: 'input',
      message: 'Nothing to review: no file was named.',
    }));

  it('are read back from what was shown', async () => {
    const sample = workingTree();
    await withRepository(sample.root, async repository => {
      const change = await repository.change(files('src/untracked.ts'));
      sample.write('src/untracked.ts', 'later\n');
      expect(await repository.read(fileOf(change, 'src/untracked.ts'), 'new')).toBe('new\n');
      expect(await repository.read(fileOf(change, 'src/untracked.ts'), 'old')).toBeNull();
    });
  });
});

describe('files outside git', () => {
  it('are found below the folder, without what git and package managers keep', async () => {
    const folder = createFolder();
    for (const name of ['b', 'sub', 'node_modules', '.git']) mkdirSync(join(folder, name));
    for (const name of ['a.txt', 'b/c.txt', 'node_modules/x.txt', '.git/y.txt'])
      writeFileSync(join(folder, name), 'x\n');
    expect(await pathsOf(folder, '.')).toEqual(['a.txt', 'b/c.txt']);
    expect(await pathsOf(folder, '**/*.txt')).toEqual(['a.txt', 'b/c.txt']);
    expect(await pathsOf(join(folder, 'b'), 'c.txt')).toEqual(['c.txt']);
  });

  it('of other kinds than text are described or left out, and pipes do not block', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'binary'), 'a\0');
    writeFileSync(join(folder, 'empty'), '');
    writeFileSync(join(folder, 'large'), 'x'.repeat(2_000));
    writeFileSync(join(folder, 'latin'), Buffer.from('caf\xe9', 'latin1'));
    symlinkSync('/etc/passwd', join(folder, 'link'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const change = await readChange(folder, files('.'), { maxFileBytes: 1_000 });
    expect(summary(change)).toEqual([
      'added binary +0 -0 binary',
      'added text +0 -0 empty',
      'added too-large +0 -0 large',
      'added text +1 -0 latin',
      'added symlink +1 -0 link',
    ]);
    expect(change.files.filter(({ damaged }) => damaged).map(({ path }) => path)).toEqual([
      'latin',
    ]);
    expect(change.warnings).toEqual([
      'link is a symbolic link to /etc/passwd, outside of the repository.',
      'pipe is not a regular file and is not shown.',
    ]);
    expect(await refusal(folder, files('pipe'))).toMatchObject({
      kind: 'input',
      message: 'pipe is not a regular file.',
    });
  });

  it('behind a link that leads outside are not read', async () => {
    const [folder, other] = [createFolder(), createFolder()];
    writeFileSync(join(other, 'secret'), 'x\n');
    writeFileSync(join(folder, 'own'), 'x\n');
    symlinkSync(other, join(folder, 'link'));
    const change = await readChange(folder, files('own', 'link/secret'));
    expect(change.files.map(file => file.path)).toEqual(['own']);
    expect(change.warnings).toEqual([
      'link/secret lies behind a link that leads outside and is not shown.',
    ]);
    expect(linesOf(change.files[0])).toEqual(['+x']);
  });
});
