import { describe, expect, it } from 'vitest';
import { grepTexts } from '../../../src/core/tools/grep.ts';

describe('plain search', () => {
  const files = [{ path: 'a.ts', text: 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\n' }, { path: 'b.ts', text: 'Seven of nine\n' }];

  it('puts the places with most of the words first, in whatever letter case', () => {
    expect(grepTexts(files, 'SEVEN nine', 9)).toEqual([{ path: 'b.ts', startLine: 1, endLine: 2 }, { path: 'a.ts', startLine: 5, endLine: 10 }]);
  });

  it('joins places that touch and keeps those apart that do not', () => {
    expect(grepTexts(files.slice(0, 1), 'one nine', 9)).toEqual([{ path: 'a.ts', startLine: 1, endLine: 3 }, { path: 'a.ts', startLine: 7, endLine: 10 }]);
  });

  it('takes no pattern for more than its words, and no more places than were asked for', () => {
    expect(grepTexts(files, '.*', 9)).toEqual([]);
    expect(grepTexts(files, 'one nine seven', 1)).toHaveLength(1);
  });
});
