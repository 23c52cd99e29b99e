import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChangedFile } from '../../../src/core/words/change.ts';
import { renderPatch } from '../../../src/core/change/patch.ts';
import { sampleFile, sampleHunk } from '../sample.ts';

const zeros = '0'.repeat(40);
let folder = '';

function git(...parameters: string[]) {
  return execFileSync(
    'git',
    [
      '-c',
      'user.name=T',
      '-c',
      'user.email=t@example.org',
      '-c',
      'core.quotePath=false',
      '-c',
      'core.fileMode=true',
      ...parameters,
    ],
    { cwd: folder, encoding: 'utf8' },
  );
}

/** What git itself prints for a path, without the similarity that our record does not hold. */
function printedBy(path: string, ...more: string[]) {
  return git(
    'diff',
    '--no-color',
    '--full-index',
    '-M',
    '-U1',
    'HEAD~1',
    'HEAD',
    '--',
    path,
    ...more,
  ).replace(/^similarity index .*\n/m, '');
}

function idOf(revision: string, path: string) {
  return git('rev-parse', `${revision}:${path}`).trim();
}

function fileOf(sample: Partial<ChangedFile> & Pick<ChangedFile, 'path'>) {
  return sampleFile({ oldId: zeros, newId: zeros, additions: 0, ...sample });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'jury-patch-'));
  git('init', '-q');
  writeFileSync(join(folder, 'a b.txt'), 'one\ntwo\nthree\nfour\nfive\n');
  writeFileSync(join(folder, 'gone.txt'), 'x\n');
  writeFileSync(join(folder, 'run.sh'), 'x\n');
  writeFileSync(join(folder, 'old.txt'), 'long enough to be found again\nand again\nand again\n');
  writeFileSync(join(folder, 'image.bin'), Buffer.from([0, 1, 2]));
  git('add', '-A');
  git('commit', '-qm', 'one');
  writeFileSync(join(folder, 'a b.txt'), 'one\ntwo\nTHREE\nfour\nfive');
  rmSync(join(folder, 'gone.txt'));
  chmodSync(join(folder, 'run.sh'), 0o755);
  renameSync(join(folder, 'old.txt'), join(folder, 'new "x".txt'));
  writeFileSync(join(folder, 'image.bin'), Buffer.from([0, 3, 4]));
  writeFileSync(join(folder, 'added.txt'), 'fresh\n');
  git('add', '-A');
  git('commit', '-qm', 'two');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a printed patch is what git prints', () => {
  it('for a modified file with a blank in its name and no newline at the end', () => {
    const file = fileOf({
      path: 'a b.txt',
      oldId: idOf('HEAD~1', 'a b.txt'),
      newId: idOf('HEAD', 'a b.txt'),
      hunks: [
        {
          oldStart: 2,
          oldLines: 4,
          newStart: 2,
          newLines: 4,
          heading: 'one',
          lines: [
            ' two',
            '-three',
            '+THREE',
            ' four',
            '-five',
            '+five',
            '\\ No newline at end of file',
          ],
        },
      ],
    });
    expect(renderPatch(file)).toBe(printedBy('a b.txt').replace(/@@$/m, '@@ one'));
  });

  it('for an added and a deleted file', () => {
    const added = fileOf({
      path: 'added.txt',
      status: 'added',
      oldMode: '000000',
      newId: idOf('HEAD', 'added.txt'),
      hunks: [sampleHunk([0, 0], [1, 1], ['+fresh'])],
    });
    const gone = fileOf({
      path: 'gone.txt',
      status: 'deleted',
      newMode: '000000',
      oldId: idOf('HEAD~1', 'gone.txt'),
      hunks: [sampleHunk([1, 1], [0, 0], ['-x'])],
    });
    expect(renderPatch(added)).toBe(printedBy('added.txt'));
    expect(renderPatch(gone)).toBe(printedBy('gone.txt'));
  });

  it('for a changed mode, a rename and a binary file', () => {
    const id = idOf('HEAD', 'run.sh');
    expect(
      renderPatch(
        fileOf({ path: 'run.sh', status: 'mode-changed', newMode: '100755', oldId: id, newId: id }),
      ),
    ).toBe(printedBy('run.sh'));
    const moved = idOf('HEAD', 'new "x".txt');
    expect(
      renderPatch(
        fileOf({
          path: 'new "x".txt',
          oldPath: 'old.txt',
          status: 'renamed',
          oldId: moved,
          newId: moved,
        }),
      ),
    ).toBe(printedBy('old.txt', 'new "x".txt'));
    expect(
      renderPatch(
        fileOf({
          path: 'image.bin',
          content: 'binary',
          oldId: idOf('HEAD~1', 'image.bin'),
          newId: idOf('HEAD', 'image.bin'),
        }),
      ),
    ).toBe(printedBy('image.bin'));
  });
});

describe('what has no text is said in words', () => {
  const one = '1'.repeat(40);
  const two = '2'.repeat(40);

  it('a submodule by its two commits', () => {
    expect(
      renderPatch(
        fileOf({
          path: 'lib',
          content: 'submodule',
          oldMode: '160000',
          newMode: '160000',
          oldId: one,
          newId: two,
        }),
      ),
    ).toContain(`-Subproject commit ${one}\n+Subproject commit ${two}\n`);
    expect(
      renderPatch(
        fileOf({
          path: 'lib',
          content: 'submodule',
          oldMode: '000000',
          newMode: '160000',
          newId: two,
        }),
      ),
    ).not.toContain('-Subproject');
  });

  it('a symbolic link is shown by its target', () => {
    const hunks = [sampleHunk([0, 0], [1, 1], ['+/etc', '\\ No newline at end of file'])];
    expect(
      renderPatch(fileOf({ path: 'l', content: 'symlink', oldId: one, newId: two, hunks })),
    ).toContain('\n+/etc\n');
  });

  it('a file that is too large', () =>
    expect(
      renderPatch(
        fileOf({
          path: 'l',
          content: 'too-large',
          oldId: one,
          newId: two,
          additions: 7,
          deletions: 3,
        }),
      ),
    ).toContain('7 lines added, 3 removed'));

  it('no name can look like a header', () => {
    const lines = renderPatch(
      fileOf({
        path: 'a\n+++ b/x\u001B',
        oldId: one,
        newId: two,
        hunks: [sampleHunk([1, 1], [1, 1], ['-a', '+b'])],
      }),
    ).split('\n');
    expect(lines.filter(line => line.startsWith('+++'))).toEqual(['+++ "b/a\\n+++ b/x\\033"']);
  });
});
