/** Lines worth a look: what they cost decides how many of them a pack has room for. */
import { describe, expect, it } from 'vitest';
import {
  isLinePointer,
  renderLinePointers,
} from '../../../../src/core/context/packing/line-range.ts';

const pointer = (path: string, line: number, name: string) => ({
  kind: 'code',
  path,
  lines: `${line}-${line}`,
  ref: `${path}:${line}`,
  name,
});

describe('pointers of a pack', () => {
  it('are one line each', () => {
    expect(
      renderLinePointers([
        pointer('src/a.ts', 4, 'calls load in handle()'),
        pointer('src/a.ts', 12, 'defines drop'),
      ]),
    ).toEqual(['src/a.ts:4 calls load in handle()', 'src/a.ts:12 defines drop']);
  });

  it('stay anchors of their own, called by their line', () => {
    const one = pointer('src/a.ts', 4, 'calls load in handle()');
    expect(one).toMatchObject({ lines: '4-4', ref: 'src/a.ts:4', name: 'calls load in handle()' });
    expect([isLinePointer(one), isLinePointer({ ...one, ref: 'git:1234' })]).toEqual([true, false]);
  });

  it('cannot break their line, whatever a file is called', () => {
    expect(renderLinePointers([pointer('src/a\n## code b.ts', 1, 'calls x')])).toEqual([
      expect.not.stringContaining('\n'),
    ]);
  });
});
