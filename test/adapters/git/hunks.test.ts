import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addedHunks, applyHunks } from '../../../src/adapters/git/patch.ts';
import { readHunks } from '../../../src/core/change/patch.ts';
import { withRepository } from './reading.ts';
import { createSampleRepository, runGitIn } from './sample-repository.ts';

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'same',
        '',
        ' ',
        '-x',
        '+x',
        '\\ No newline at end of file',
        '@@ -1 +1 @@',
        'diff --git a/x b/x',
        '\r',
        '\u2028',
      ),
      fc.string().map(line => line.replaceAll(/[\n\0]/g, '')),
    ),
    { maxLength: 30 },
  )
  .chain(lines =>
    fc.constantFrom('', '\n').map(end => lines.join('\n') + (lines.length > 0 ? end : '')),
  );

describe('hunks', () => {
  it('of a whole text give the text back', () =>
    fc.assert(
      fc.property(text, whole => {
        const hunks = addedHunks(whole);
        expect(applyHunks('', hunks)).toBe(whole);
        expect(
          hunks.every(
            hunk => hunk.lines.filter(line => line.startsWith('+')).length === hunk.newLines,
          ),
        ).toBe(true);
      }),
    ));

  it('of any two texts, as git writes them, turn the old one into the new one', async () => {
    const pairs = fc.sample(fc.tuple(text, text), { numRuns: 150, seed: 7 });
    const sample = createSampleRepository();
    const write = (index: 0 | 1) =>
      pairs.forEach((pair, number) => sample.write(`f/${number}`, pair[index]));
    sample.write('marker', 'a');
    write(0);
    sample.commit('old');
    write(1);
    sample.write('marker', 'b');
    sample.commit('new');
    await withRepository(sample.root, async repository => {
      const { files } = await repository.change({ source: 'revision', revision: 'HEAD' });
      const changed = new Map(files.map(file => [file.path, file]));
      for (const [number, [before, after]] of pairs.entries()) {
        expect(applyHunks(before, changed.get(`f/${number}`)?.hunks ?? [])).toBe(after);
      }
      const counted = runGitIn(sample.root, [
        'diff',
        '--numstat',
        '--text',
        '--diff-algorithm=histogram',
        'HEAD~1',
        'HEAD',
      ]).split('\n');
      expect(
        files.map(file => `${file.additions}\t${file.deletions}\t${file.path}`).toSorted(),
      ).toEqual(counted.toSorted());
    });
  });

  it('that do not fit the old text turn it into nothing', () => {
    const { hunks } = readHunks(['@@ -2 +2 @@', '-b', '+c'], 0);
    expect(applyHunks('a\nb\n', hunks)).toBe('a\nc\n');
    expect(applyHunks('a\nx\n', hunks)).toBeNull();
    expect(applyHunks('a', hunks)).toBeNull();
  });

  it('are told apart by their counts alone', () =>
    expect(
      readHunks(['@@ -1,2 +1 @@ heading', ' a', '-@@ -9 +9 @@', '@@ -5 +5,0 @@', '-b', 'rest'], 0),
    ).toEqual({
      hunks: [
        {
          oldStart: 1,
          oldLines: 2,
          newStart: 1,
          newLines: 1,
          heading: 'heading',
          lines: [' a', '-@@ -9 +9 @@'],
        },
        { oldStart: 5, oldLines: 1, newStart: 5, newLines: 0, heading: '', lines: ['-b'] },
      ],
      next: 5,
      additions: 0,
      deletions: 2,
      isWhole: true,
    }));

  it.each([
    [['@@ -1,2 +1,2 @@', ' a']],
    [['@@ -1 +1 @@', '+a', '+b', '-c']],
    [['@@ -1 +1 @@', 'rubbish']],
  ])('without all their lines are incomplete: %j', lines =>
    expect(readHunks(lines, 0).isWhole).toBe(false),
  );
});
