import { describe, expect, it } from 'vitest';
import { renderPatch } from '../../../src/core/change/patch.ts';
import { shownOf } from '../../../src/core/context/pack.ts';
import { makeVisible } from '../../../src/core/safety/visible-text.ts';
import { sampleChange, sampleFile } from '../sample.ts';

const lines = [' a', '-old = 1', '+new = 1\r', '+key = "secret"', '+let x; // \u202e', ' }'];
const file = sampleFile({
  additions: 3,
  deletions: 1,
  hunks: [{ oldStart: 7, oldLines: 3, newStart: 7, newLines: 5, heading: '', lines }],
});
const change = sampleChange({ files: [file, sampleFile({ path: 'src/b.ts' })] });
const patch = makeVisible(renderPatch(file));

describe('what a question shows of a change', () => {
  it.each<[string, string, string | undefined]>([
    ['all of it', `Look:\n${patch}\nAnswer.`, 'full'],
    ['a secret as masked', patch.replace('"secret"', '"⟦SECRET:api-key:1⟧"'), 'full'],
    ['a path alone', 'Look at src/a.ts', undefined],
    ['a name alone', 'diff --git a/src/a.ts b/src/a.ts\n', 'partial'],
    ['one line less', patch.replace('+key = "secret"\n', ''), 'partial'],
    ['another line', patch.replace('+key', '+kex'), 'partial'],
    ['a line as context', patch.replace('+key', ' key'), 'partial'],
    ['lines with other numbers', patch.replace('+7,5', '+8,5'), 'partial'],
    ['lines below another name', patch.replaceAll('a.ts', 'b.ts'), undefined],
    ['no removed line', patch.replace('-old = 1\n', '').replace('-7,3', '-7,2'), 'partial'],
    ['a mask for everything', patch.replace(/\+new.*\r/, '+x⟦SECRET:x:1⟧'), 'partial'],
  ])('%s', (_, question, extent) => {
    expect(shownOf(question, change).get('src/a.ts')?.extent).toBe(extent);
  });

  it('and each line of a head, which is all that a new name has', () => {
    const moved = sampleFile({ oldPath: 'src/old.ts', status: 'renamed', hunks: [] });
    const extentIn = (question: string) =>
      shownOf(question, { files: [moved] }).get('src/a.ts')?.extent;
    const head = renderPatch(moved);
    expect(extentIn(head)).toBe('full');
    for (const line of head.trim().split('\n').slice(1))
      expect(extentIn(head.replace(`${line}\n`, ''))).toBe('partial');
  });
});
