import fc from 'fast-check';
import path from 'node:path';
import { expect, it } from 'vitest';
import { faultOfPath, readAnchorName } from '../../../src/core/tools/tree-path.ts';

it('a path without a fault stays inside the tree, whatever it is made of', () => {
  const piece = fc.oneof(fc.constantFrom('..', '.', '', '/', '\\', '~', 'C:', '.git', 'src', '%2e%2e'), fc.string({ maxLength: 4 }));
  fc.assert(fc.property(fc.array(piece, { maxLength: 6 }), fc.constantFrom('/', '\\', ''), (pieces, separator) => {
    const name = pieces.join(separator);
    if (faultOfPath(name) !== null) return;
    expect(path.posix.join('/tree', name).startsWith('/tree/')).toBe(true);
    expect(path.win32.join('C:\\tree', name).startsWith('C:\\tree\\')).toBe(true);
  }));
});

it.each([['src/a.ts:10-40', { path: 'src/a.ts', range: { from: 10, to: 40 } }], ['src/a.ts:7', { path: 'src/a.ts', range: { from: 7, to: 7 } }], ['src/a.ts', { path: 'src/a.ts', range: null }], ['a:b.ts', { path: 'a:b.ts', range: null }]])('the anchor %s', (anchor, place) => {
  expect(readAnchorName(anchor)).toEqual(place);
});
