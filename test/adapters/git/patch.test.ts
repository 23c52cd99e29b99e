import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UserError } from '../../../src/core/errors.ts';
import { parsePatch } from '../../../src/adapters/git/patch.ts';
import { fileOf, linesOf, readChange, refusal, summary, withRepository } from './reading.ts';
import { createFolder, createSampleRepository, runGitIn } from './sample-repository.ts';
import { sampleChange } from '../../core/sample.ts';

const outside = (text: string) =>
  readChange(createFolder(), { source: 'patch', text, title: 'fix.patch' });
const parsed = (text: string) =>
  summary(
    sampleChange({ source: 'patch', base: null, head: null, title: '', files: parsePatch(text) }),
  );
const isReadOrRefused = (text: string) => {
  try {
    return parsePatch(text).every(file => file.path !== '');
  } catch (error) {
    return error instanceof UserError;
  }
};

const twenty = Array.from({ length: 20 }, (_, index) => `line ${index}\n`).join('');

function manyChanges() {
  const sample = createSampleRepository();
  for (const [name, content] of Object.entries({
    'changed.txt': twenty,
    'gone.txt': 'gone\n',
    'old name.txt': twenty,
    'run.sh': 'echo\n',
    bin: 'a\0b',
  }))
    sample.write(name, content);
  sample.commit('first');
  sample.write(
    'changed.txt',
    twenty.replace('line 3\n', 'LINE 3\n').replace('line 19\n', 'line 19'),
  );
  sample.remove('gone.txt');
  sample.git('mv', 'old name.txt', 'new "name"\t.txt');
  sample.write('new "name"\t.txt', `${twenty}more\n`);
  sample.git('update-index', '--chmod=+x', 'run.sh');
  sample.write('bin', 'a\0c');
  sample.write('empty', '');
  sample.write('sub/ünï.txt', 'no newline');
  sample.git('add', '-A', '--', ':!run.sh');
  sample.git('commit', '-q', '-m', 'second');
  return sample;
}

describe('a patch', () => {
  it('made by git gives the files and hunks that git gives for the range', async () => {
    const sample = manyChanges();
    const range = await readChange(sample.root, { source: 'revision', revision: 'HEAD' });
    for (const words of [
      ['diff', '--binary'],
      ['diff'],
      ['diff', '--no-prefix'],
      ['diff', '--src-prefix=i/', '--dst-prefix=w/'],
      ['format-patch', '--stdout'],
    ]) {
      const text = `${runGitIn(sample.root, [...words, '-M', '--diff-algorithm=histogram', 'HEAD~1', ...(words[0] === 'diff' ? ['HEAD'] : [])])}\n`;
      const change = await outside(text);
      // A patch does not hold the lines of what only became a program.
      const held = { ...range, files: range.files.filter(({ path }) => path !== 'run.sh') };
      expect(
        summary(change)
          .filter(line => !line.endsWith('run.sh'))
          .toSorted(),
      ).toEqual(summary(held).toSorted());
      for (const file of held.files) expect(fileOf(change, file.path).hunks).toEqual(file.hunks);
    }
  });

  it('needs no repository, names its title and has no commits', async () => {
    const change = await outside('--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n');
    expect(change).toMatchObject({ source: 'patch', base: null, head: null, title: 'fix.patch' });
    expect(change.files).toMatchObject([
      {
        path: 'x',
        status: 'modified',
        oldMode: '100644',
        newMode: '100644',
        oldId: '0'.repeat(40),
        newId: '0'.repeat(40),
      },
    ]);
  });

  it.each([
    [
      'of plain diff, with time stamps',
      '--- old/x.c\t2024-01-01 00:00:00\n+++ new/x.c\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-a\n+b\n',
      ['modified text +1 -1 new/x.c'],
    ],
    ['of a new file', '--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n', ['added text +1 -0 x']],
    [
      'of a file that goes',
      '--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n',
      ['deleted text +0 -1 x'],
    ],
    [
      'with the line ends of another system',
      '--- a/x\r\n+++ b/x\r\n@@ -1 +1 @@\r\n-a\r\n+b\r\n',
      ['modified text +1 -1 x'],
    ],
    [
      'with prose around it',
      'Hello,\n\n--- see below ---\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@ f()\n-a\n+b\n-- \n2.39.5\n\nBye\n',
      ['modified text +1 -1 x'],
    ],
    [
      'whose empty context lines lost their blank',
      '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n\n-b\n+c\n',
      ['modified text +1 -1 x'],
    ],
    [
      'of lines that look like headers',
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- a/y\n-diff --git a/z b/z\n+++ b/y\n+@@ -1 +1 @@\n',
      ['modified text +2 -2 x'],
    ],
    [
      'of a mode alone',
      'diff --git a/a b b/a b\nold mode 100644\nnew mode 100755\n',
      ['mode-changed text +0 -0 a b'],
    ],
    [
      'that says of files in a sentence that it does not show them',
      'From 1234567890123456789012345678901234567890 Mon\nOnly in jest: Submodule a 1234567..89abcde\n---\n' +
        'Submodule sub 1234567..89abcde:\n  > b\nIndex: p\n===\nCannot display: file\n' +
        'Binary files o/q and n/q differ\nBinary file r has changed\nSymbolic links o/s and n/s differ\n' +
        'File o/t is a directory while file n/t is a regular file\nFiles o/u and n/u differ\n' +
        "=== renamed file 'a' => 'v'\n=== added file 'w'\n=== modified file 'x'\n" +
        '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n\nProperty changes on: y\n___\n## -0,0 +1 ##\n+*\n',
      [
        'modified submodule +0 -0 sub',
        ...'p o/q r o/s o/t o/u v w'.split(' ').map(name => `modified binary +0 -0 ${name}`),
        'modified text +1 -1 x',
        'modified binary +0 -0 y',
      ],
    ],
    ...['', '\n', '-- \n2.43.0\n\n', '--\n2.43.0\n', '\n------2.43.0--\n', '```\n'].map(
      (behind): [string, string, string[]] => [
        `with what is no line of a hunk behind it (${JSON.stringify(behind)})`,
        `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n${behind}--- a/y\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n${behind}`,
        ['modified text +1 -1 x', 'modified text +1 -1 y'],
      ],
    ),
    [
      'of a link',
      'diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No newline at end of file\n',
      ['added symlink +1 -0 l'],
    ],
    [
      'of a binary file',
      'diff --git a/p.png b/p.png\nindex 1234567..89abcde 100644\nBinary files a/p.png and b/p.png differ\n',
      ['modified binary +0 -0 p.png'],
    ],
    [
      'of a copy',
      'diff --git a/x b/y\nsimilarity index 100%\ncopy from x\ncopy to y\n',
      ['copied text +0 -0 x -> y'],
    ],
    [
      'of a quoted name',
      'diff --git "a/\\303\\274\\"\\n" "b/\\303\\274\\"\\n"\nnew file mode 100644\nindex 0000000..e69de29\n',
      ['added text +0 -0 ü"\n'],
    ],
  ])('%s is read', (_, text, expected) => expect(parsed(text)).toEqual(expected));

  it('of a link shows its target, of a submodule says in words what it is', async () => {
    const [from, to] = ['a'.repeat(40), 'b'.repeat(40)];
    const text =
      `diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc\n\\ No ` +
      `newline at end of file\ndiff --git a/sub b/sub\nindex aaaaaaa..bbbbbbb 160000\n--- a/sub\n+++ ` +
      `b/sub\n@@ -1 +1 @@\n-Subproject commit ${from}\n+Subproject commit ${to}\n`;
    const change = await outside(text);
    expect(change.files.map(file => file.hunks.flatMap(hunk => hunk.lines))).toEqual([
      ['+/etc', '\\ No newline at end of file'],
      [],
    ]);
    expect(change.warnings).toEqual(['l is a symbolic link to /etc, outside of the repository.']);
  });

  it('of several commits keeps one entry for a file they all touch', async () => {
    const change = await outside(
      '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-b\n+c\n',
    );
    expect(summary(change)).toEqual(['modified text +2 -2 x']);
    expect(change.warnings).toEqual([
      'x is changed several times; line numbers are those of each step.',
    ]);
  });

  it('of a type change is one file', async () => {
    const change = await outside(
      'diff --git a/x b/x\ndeleted file mode 120000\n--- a/x\n+++ /dev/null\n@@ -1 +0,0 @@\n-y\n\\ No ' +
        'newline at end of file\ndiff --git a/x b/x\nnew file mode 100644\n--- /dev/null\n+++ b/x\n@@ ' +
        '-0,0 +1 @@\n+text\n',
    );
    expect(summary(change)).toEqual(['type-changed text +1 -0 x']);
    expect(change.files[0]).toMatchObject({ oldMode: '120000', newMode: '100644' });
  });

  it('that names places outside is read, with a warning, and nothing is opened', async () => {
    const change = await outside(
      '--- a/../../etc/passwd\n+++ b/../../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n',
    );
    expect(change.warnings).toEqual([
      'The file name ../../etc/passwd leads outside of the repository.',
    ]);
  });

  it('with more text than a file may have shows that file as too large', async () => {
    const text = `--- /dev/null\n+++ b/big\n@@ -0,0 +1,600 @@\n${'+x\n'.repeat(600)}--- /dev/null\n+++ b/small\n@@ -0,0 +1 @@\n+x\n`;
    expect(
      summary(
        await readChange(
          createFolder(),
          { source: 'patch', text, title: 'p' },
          { maxFileBytes: 1_000 },
        ),
      ),
    ).toEqual(['added too-large +0 -0 big', 'added text +1 -0 small']);
  });

  it.each([
    ['nothing', '', 'Nothing to review: fix.patch holds no change.'],
    ['prose alone', 'Hello\n--- \n+++ \nBye\n', 'Nothing to review: fix.patch holds no change.'],
    [
      'a hunk that ends too early',
      '--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n-b\n',
      'The patch is damaged: a hunk of x ends too early, at line 6.',
    ],
    ...['+c', '-c', ' c', '--- c', '-- \n+c'].map(line => [
      `a hunk that is full before ${JSON.stringify(line)}`,
      `--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n${line}\n`,
      'The patch is damaged: a hunk of x ends too late, at line 6.',
    ]),
    [
      'a hunk with a foreign line',
      '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\nrubbish\n',
      'The patch is damaged: a hunk of x ends too early, at line 5.',
    ],
    [
      'a hunk of no file',
      '@@ -1 +1 @@\n-a\n+b\n',
      'Line 1 of the patch starts a hunk that belongs to no file.',
    ],
    [
      'a combined diff',
      'diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n++a\n',
      'The patch is a combined diff of a merge, which has no single old side.',
    ],
    [
      'a header that tells no name',
      'diff --git a/x y b/z w\nnew mode 100755\n',
      'Line 1 of the patch does not tell which file it is about.',
    ],
    ...[
      'diff --git a/x b/x\nindex 1234567..89abcde 100644\n',
      'diff --git a/x b/x\nindex 1234567..89abcde 100644\n--- a/x\n+++ b/x\n',
      'diff --git a/x b/x\nold mode 100644\n',
      'diff --git a/x b/x\nsimilarity index 90%\nrename from y\nrename to x\n',
      'diff --git a/x b/x\ndeleted file mode 100644\nindex 1234567..0000000\n',
    ].map((text, index) => [
      `a header without its lines (${index})`,
      text,
      `The patch lacks the lines of x, at line ${text.split('\n').length}.`,
    ]),
    ['what one folder alone has', 'Only in n: x\n', 'The patch does not show: Only in n: x'],
    [
      'a context diff',
      '*** a/c.js\t2020\n--- b/c.js\t2021\n***************\n*** 1,2 ****\n',
      'The patch does not show: *** a/c.js⟦U+0009⟧2020',
    ],
    [
      'a diff without context',
      'Index: c.js\n=====\n1a2\n> more()\n',
      'The patch does not show: Index: c.js',
    ],
    ['colours', '\u001B[1mdiff --git a/x b/x\u001B[m\n', 'The patch is coloured.'],
  ])('that holds %s is refused', async (_, text, message) =>
    expect(
      await refusal(createFolder(), { source: 'patch', text, title: 'fix.patch' }),
    ).toMatchObject({ kind: 'input', message }),
  );

  it('of any bytes is read or refused, never anything else', () => {
    const pieces = fc.constantFrom(
      'diff --git a/x b/x',
      '--- a/x',
      '+++ b/x',
      '@@ -1 +1 @@',
      '@@ -1,2 +1,2 @@',
      '-a',
      '+b',
      ' c',
      '',
      '\\ No newline at end of file',
      'new file mode 120000',
      'rename from x',
      'rename to y',
      'index 1234567..1234567',
      '"',
      '+++ "b/\\',
      'diff --git "a',
      '@@@ -1 -1 +1 @@@',
      'GIT binary patch',
      'Binary files a/x and b/x differ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 12 }), lines =>
        isReadOrRefused(lines.join('\n')),
      ),
      { numRuns: 2_000 },
    );
  });
});

describe('text of a file in a patch', () => {
  const added =
    '--- /dev/null\n+++ b/new\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n';
  const removed = '--- a/old\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-one\n-two\n';

  it('is put together for whole files, and unknown for parts', async () => {
    await withRepository(createFolder(), async repository => {
      const { files } = await repository.change({
        source: 'patch',
        text: `${added}${removed}--- a/part\n+++ b/part\n@@ -5 +5 @@\n-a\n+b\n`,
        title: 'p',
      });
      const texts = await Promise.all(
        files.map(file =>
          Promise.all([repository.read(file, 'old'), repository.read(file, 'new')]),
        ),
      );
      expect(texts).toEqual([
        [null, 'one\ntwo'],
        ['one\ntwo\n', null],
        [null, null],
      ]);
    });
  });

  it('is known where the repository has the file the patch was made from', async () => {
    const sample = createSampleRepository();
    sample.write('a', twenty);
    sample.commit('first');
    sample.write('a', twenty.replace('line 7\n', 'line seven\n').replace('line 19\n', 'line 19'));
    const text = `${sample.git('diff')}\n`;
    sample.write('a', 'something else\n');
    await withRepository(sample.root, async repository => {
      const file = fileOf(await repository.change({ source: 'patch', text, title: 'p' }), 'a');
      expect(await repository.read(file, 'old')).toBe(twenty);
      expect(await repository.read(file, 'new')).toBe(
        twenty.replace('line 7\n', 'line seven\n').replace('line 19\n', 'line 19'),
      );
      expect(linesOf(file)).toContain('+line seven');
      expect(file.newId).toBe(
        runGitIn(
          sample.root,
          ['hash-object', '--stdin'],
          twenty.replace('line 7\n', 'line seven\n').replace('line 19\n', 'line 19'),
        ),
      );
    });
  });

  it("cannot be drawn from the repository by naming somebody else's object", async () => {
    const sample = createSampleRepository();
    sample.write('secret', 'password\n');
    sample.commit('first');
    const id = sample.git('rev-parse', 'HEAD:secret');
    const texts = [
      `diff --git a/x b/x\nindex ${id}..${id} 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-guess\n+b\n`,
      `diff --git a/x b/x\nindex ${id.slice(0, 7)}..1234567 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-guess\n+b\n`,
      `diff --git a/x b/x\nold mode 100644\nnew mode 100755\nindex ${id}..${id}\n`,
      `diff --git a/x b/x\nnew file mode 100644\nindex 0000000..${id}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n`,
      `diff --git a/x b/x\nnew file mode 120000\nindex 0000000..${id}\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+b\n`,
    ];
    for (const text of texts) {
      await withRepository(sample.root, async repository => {
        const change = await repository.change({ source: 'patch', text, title: 'p' });
        for (const side of ['old', 'new'] as const)
          expect(await repository.read(fileOf(change, 'x'), side)).not.toBe('password\n');
      });
    }
  });
});
