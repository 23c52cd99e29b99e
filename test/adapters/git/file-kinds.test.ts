import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unshownIn } from '../../../src/core/change/unshown.ts';
import { fileOf, linesOf, readLastCommit, summary, withRepository } from './reading.ts';
import { createSampleRepository, type SampleRepository } from './sample-repository.ts';

/** A repository of two commits. */
function twoCommits(
  before: (sample: SampleRepository) => void,
  after: (sample: SampleRepository) => void,
) {
  const sample = createSampleRepository();
  sample.write('unchanged.txt', 'same\n');
  before(sample);
  sample.commit('before');
  after(sample);
  sample.commit('after');
  return sample;
}

const twenty = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');

describe('what happened to a file', () => {
  it('is one of added, modified and deleted', async () => {
    const sample = twoCommits(
      s => {
        s.write('gone.txt', 'a\nb\n');
        s.write('changed.txt', 'a\n');
      },
      s => {
        s.remove('gone.txt');
        s.write('changed.txt', 'b\n');
        s.write('new.txt', 'n\n');
        s.write('empty.txt', '');
      },
    );
    expect(summary(await readLastCommit(sample.root))).toEqual([
      'modified text +1 -1 changed.txt',
      'added text +0 -0 empty.txt',
      'deleted text +0 -2 gone.txt',
      'added text +1 -0 new.txt',
    ]);
  });

  it('is a rename, with or without changes', async () => {
    const sample = twoCommits(
      s => {
        s.write('old name.txt', twenty);
        s.write('pure.txt', `${twenty}pure\n`);
      },
      s => {
        s.git('mv', 'old name.txt', 'new.txt');
        s.write('new.txt', twenty.replace('line 3', 'LINE 3'));
        s.git('mv', 'pure.txt', 'moved.txt');
      },
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual([
      'renamed text +0 -0 pure.txt -> moved.txt',
      'renamed text +1 -1 old name.txt -> new.txt',
    ]);
    expect(linesOf(change.files[1])).toEqual([
      ' line 0',
      ' line 1',
      ' line 2',
      '-line 3',
      '+LINE 3',
      ' line 4',
      ' line 5',
      ' line 6',
    ]);
  });

  it('is a change of its mode alone', async () => {
    const sample = twoCommits(
      s => s.write('run.sh', 'echo\n'),
      s => chmodSync(join(s.root, 'run.sh'), 0o755),
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual(['mode-changed text +1 -0 run.sh']);
    expect(change.files[0]).toMatchObject({ oldMode: '100644', newMode: '100755' });
  });

  it('leaves nothing unread where a file without lines becomes a program', async () => {
    const sample = twoCommits(
      s => s.write('run', ''),
      s => chmodSync(join(s.root, 'run'), 0o755),
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual(['mode-changed text +0 -0 run']);
    expect([...unshownIn(change)]).toEqual([]);
  });

  it.each([
    ['vendor/x.js', 'src/x.js'],
    ['node_modules/x/x.js', 'src/x.js'],
    ['third_party/x.js', 'src/x.js'],
    ['dist/x.js', 'src/x.js'],
    ['out/x.js', 'src/x.js'],
    ['src/x.min.js', 'src/x.js'],
    ['src/x.gen.js', 'src/x.js'],
  ])('is that it came, where nobody has read what it was moved from: %s', async (from, to) => {
    const sample = twoCommits(
      s => s.write(from, twenty),
      s => {
        s.remove(from);
        s.write(to, twenty);
      },
    );
    const told = [`added text +20 -0 ${to}`, `deleted text +0 -20 ${from}`];
    expect(summary(await readLastCommit(sample.root)).toSorted()).toEqual(told);
  });

  it('is a change of its type: a file that replaces a link is shown with the target that went', async () => {
    const sample = twoCommits(
      s => symlinkSync('unchanged.txt', join(s.root, 'x')),
      s => {
        s.remove('x');
        s.write('x', 'now text\n');
      },
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual(['type-changed text +1 -1 x']);
    expect(linesOf(change.files[0])).toContain('-unchanged.txt');
    expect(linesOf(change.files[0])).toContain('+now text');
    expect(change.warnings).toEqual([]);
  });

  it('is a change of its type: a link that replaces a file is a link', async () => {
    const sample = twoCommits(
      s => s.write('x', 'text\n'),
      s => {
        s.remove('x');
        symlinkSync('/etc/passwd', join(s.root, 'x'));
      },
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual(['type-changed symlink +1 -1 x']);
    expect(change.warnings).toEqual([
      'x is a symbolic link to /etc/passwd, outside of the repository.',
    ]);
  });
});

describe('what a file holds', () => {
  it('is shown with a mark where the last line has no line end', async () => {
    const sample = twoCommits(
      s => s.write('a', 'one\ntwo'),
      s => s.write('a', 'one\ntwo\n'),
    );
    expect(linesOf((await readLastCommit(sample.root)).files[0])).toEqual([
      ' one',
      '-two',
      '\\ No newline at end of file',
      '+two',
    ]);
  });

  it('keeps carriage returns and odd separators', async () => {
    const sample = twoCommits(
      s => s.write('a', 'x\r\n'),
      s => s.write('a', 'x\r\ny\u2028z\r\n'),
    );
    expect(linesOf((await readLastCommit(sample.root)).files[0])).toEqual([' x\r', '+y\u2028z\r']);
  });

  it('is binary when it holds a NUL anywhere, also behind the part git looks at', async () => {
    const sample = twoCommits(
      s => s.write('late', 'x\n'.repeat(10_000)),
      s => {
        s.write('late', `${'x\n'.repeat(10_000)}\0`);
        s.write('early', Buffer.from([0, 1, 2]));
      },
    );
    expect(summary(await readLastCommit(sample.root))).toEqual([
      'added binary +0 -0 early',
      'modified binary +0 -0 late',
    ]);
  });

  it('cannot be hidden behind an attribute', async () => {
    const sample = twoCommits(
      s => s.write('a.js', 'one\n'),
      s => {
        s.write('a.js', 'two\n');
        s.write('.gitattributes', '*.js -diff binary\n');
      },
    );
    const change = await readLastCommit(sample.root);
    expect(summary(change)).toEqual([
      'added text +1 -0 .gitattributes',
      'modified text +1 -1 a.js',
    ]);
    expect(change.warnings).toEqual([]);
  });

  it('cannot be hidden behind an old side that is binary', async () => {
    const sample = twoCommits(
      s => s.write('a.js', 'x\0'),
      s => s.write('a.js', 'evil()\n'),
    );
    const change = await readLastCommit(sample.root);
    expect(linesOf(change.files[0])).toEqual(['+evil()']);
    expect(change.warnings).toEqual([
      'The old side of a.js is not shown (binary); the new side is shown whole.',
    ]);
  });

  it('is too large over the limit, on either side', async () => {
    const sample = twoCommits(
      s => {
        s.write('grows', 'a\n');
        s.write('shrinks', 'a\n'.repeat(600));
      },
      s => {
        s.write('grows', 'a\n'.repeat(600));
        s.write('shrinks', 'b\n');
      },
    );
    const change = await readLastCommit(sample.root, { maxFileBytes: 1_000 });
    expect(summary(change)).toEqual([
      'modified too-large +0 -0 grows',
      'modified text +1 -0 shrinks',
    ]);
    expect(change.warnings).toEqual([
      'The old side of shrinks is not shown (too-large); the new side is shown whole.',
    ]);
    expect(summary(await readLastCommit(sample.root))).toEqual([
      'modified text +599 -0 grows',
      'modified text +1 -600 shrinks',
    ]);
  });

  it('is described where it is a link', async () => {
    const sample = twoCommits(
      s => {
        symlinkSync('unchanged.txt', join(s.root, 'link'));
      },
      s => {
        s.remove('link');
        symlinkSync('../../secret', join(s.root, 'link'));
        mkdirSync(join(s.root, 'deep'));
        symlinkSync('../unchanged.txt', join(s.root, 'deep/inside'));
      },
    );
    await withRepository(sample.root, async repository => {
      const change = await repository.change({ source: 'revision', revision: 'HEAD' });
      expect(summary(change)).toEqual([
        'added symlink +1 -0 deep/inside',
        'modified symlink +1 -1 link',
      ]);
      expect(change.warnings).toEqual([
        'deep/inside is a symbolic link to ../unchanged.txt.',
        'link is a symbolic link to ../../secret, outside of the repository.',
      ]);
      expect(await repository.read(fileOf(change, 'link'), 'old')).toBe('unchanged.txt');
    });
  });

  it('is told in two ids where it is a submodule', async () => {
    const inner = twoCommits(
      () => undefined,
      s => s.write('x', '1'),
    );
    const [from, to] = [inner.git('rev-parse', 'HEAD~1'), inner.git('rev-parse', 'HEAD')];
    const sample = createSampleRepository();
    for (const id of [from, to]) {
      sample.git('update-index', '--add', '--cacheinfo', `160000,${id},sub`);
      sample.git('commit', '-q', '-m', id);
    }
    await withRepository(sample.root, async repository => {
      const change = await repository.change({ source: 'revision', revision: 'HEAD' });
      expect(summary(change)).toEqual(['modified submodule +0 -0 sub']);
      expect([fileOf(change, 'sub').oldId, fileOf(change, 'sub').newId]).toEqual([from, to]);
      expect(await repository.read(fileOf(change, 'sub'), 'new')).toBeNull();
    });
  });

  it('is shown as damaged where bytes are no UTF-8', async () => {
    const sample = twoCommits(
      () => undefined,
      s => s.write('latin.txt', Buffer.from('caf\xe9\n', 'latin1')),
    );
    const change = await readLastCommit(sample.root);
    expect(linesOf(change.files[0])).toEqual(['+caf\ufffd']);
    expect(change.files[0]?.damaged).toBe(true);
  });

  it('may look like a diff', async () => {
    const sample = twoCommits(
      () => undefined,
      s => s.write('a.patch', 'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n'),
    );
    expect(summary(await readLastCommit(sample.root))).toEqual(['added text +6 -0 a.patch']);
  });
});

describe('the name of a file', () => {
  it('may hold anything git allows, byte for byte', async () => {
    const names = [
      'with blank',
      ' leading',
      '-dash',
      '--output=x',
      'quo"te',
      "apo'strophe",
      'back\\slash',
      'tab\there',
      'new\nline',
      'ünïcode/日本.txt',
      '+++ b',
      'a => b',
      '{x => y}',
      '\u202eevil',
      ':(glob)**',
      '*',
      '$(id)',
      'a;id',
    ];
    const sample = twoCommits(
      () => undefined,
      s => {
        for (const name of names) s.write(name, `${name.length}\n`);
      },
    );
    const change = await readLastCommit(sample.root);
    expect(change.files.map(file => file.path).toSorted()).toEqual(names.toSorted());
    expect(change.files.every(file => file.additions === 1 && file.hunks.length === 1)).toBe(true);
    for (const file of change.files) expect(linesOf(file)).toEqual([`+${file.path.length}`]);
    expect(change.warnings.toSorted()).toEqual(
      [
        'The file name  leading starts or ends with a blank.',
        'The file name --output=x starts with a dash.',
        'The file name -dash starts with a dash.',
        'The file name back\\slash holds a backslash, or bytes that are no UTF-8.',
        'The file name new⟦U+000A⟧line holds control or invisible characters.',
        'The file name tab⟦U+0009⟧here holds control or invisible characters.',
        'The file name ⟦U+202E⟧evil holds control or invisible characters.',
      ].toSorted(),
    );
  });

  it('may be no UTF-8', async () => {
    const sample = createSampleRepository();
    writeFileSync(Buffer.concat([Buffer.from(`${sample.root}/caf`), Buffer.from([0xe9])]), 'x\n');
    sample.commit('odd bytes');
    const change = await readLastCommit(sample.root);
    expect(change.files.map(file => file.path)).toEqual(['caf\\xe9']);
  });

  it('is not told twenty-one times', async () => {
    const sample = twoCommits(
      () => undefined,
      s => {
        for (let index = 0; index < 25; index++) s.write(`-${index}`, 'x\n');
      },
    );
    const { warnings } = await readLastCommit(sample.root);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('5 more files have odd names.');
  });
});
