import { describe, expect, it } from 'vitest';
import { piecesOf } from '../../../../src/core/context/packing/line-range.ts';
import { createModules } from '../../../../src/core/context/packing/pointers.ts';
import { sampleFile } from '../../sample.ts';

describe('the module of a file', () => {
  const moduleOf = createModules([
    'src/billing/rates/a.ts',
    'src/users/b.ts',
    'packages/web/package.json',
    'packages/web/lib/c.ts',
    'docs/x.md',
  ]);
  it.each([
    ['src/billing/rates/a.ts', 'src/billing/rates'],
    ['src/users/b.ts', 'src/users'],
    ['packages/web/lib/deep/c.ts', 'packages/web'],
    ['docs/x.md', 'docs'],
    ['test/users/b.test.ts', 'src/users'],
    ['packages/web/test/c.test.ts', 'packages/web'],
  ])('of %s is %s', (path, name) => {
    expect(moduleOf(path)).toBe(name);
  });
});

const file = (lines: readonly string[], newLines: number) =>
  sampleFile({
    path: 'a',
    hunks: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines, heading: '', lines: [...lines] }],
  });

describe('changed lines', () => {
  it('are the added ones, and the neighbours of a gap where lines were only taken away', () => {
    expect(piecesOf(file([' a', '-b', '+c', ' d', '-e', ' f'], 4))).toEqual([
      {
        path: 'a',
        changed: [{ start: 2, end: 4 }],
        added: [2],
        removed: [
          { at: 2, isBehind: false, old: { start: 2, end: 2 } },
          { at: 4, isBehind: false, old: { start: 4, end: 4 } },
        ],
        hunk: { start: 1, end: 4 },
      },
    ]);
  });
});
