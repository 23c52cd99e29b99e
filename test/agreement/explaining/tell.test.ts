import { describe, expect, it } from 'vitest';
import { tellNames, tellParts, tellWording } from '../../../src/agreement/explaining/tell.ts';

const parts = [
  { words: 'three do not', worth: -0.9 },
  { words: 'two say it', worth: 1.5 },
  { words: 'it stands early', worth: 0.3 },
  { words: 'it is long', worth: 0.1 },
];

describe('what speaks for a judgement and against it', () => {
  it.each([
    [true, 'two say it, and it stands early; but three do not'],
    [false, 'three do not; but two say it, and it stands early'],
  ])('is told the weightiest first, without what hardly counts: %s', (isLikely, words) => {
    expect(tellParts(parts, isLikely)).toBe(words);
  });

  it('is told where it hardly counts and is all there is', () => {
    expect(tellParts([{ words: 'it is long', worth: 0.1 }], true)).toBe('it is long');
    expect(tellParts([], true)).toBe('');
    expect(tellParts(parts.slice(0, 1), true)).toBe('although three do not');
    expect(tellParts(parts.slice(1, 2), false, 'they share too little')).toBe(
      'they share too little; but two say it',
    );
  });
});

describe('what two wordings have in common', () => {
  it.each([
    [['pool'], ['getUser'], 'both name getUser and speak of “pool”'],
    [['pool', 'lock'], [], 'both speak of “pool” and “lock”'],
    [[], [], 'they have hardly a word in common'],
  ])('is told with names first: %j %j', (words, names, told) => {
    expect(tellWording({ words, names })).toBe(told);
  });
});

describe('names of reviewers', () => {
  it.each([
    [['a'], 'a'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd'], 'a and 3 others'],
  ])('are told: %j', (names, told) => {
    expect(tellNames(names)).toBe(told);
  });
});
