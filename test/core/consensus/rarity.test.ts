import { describe, expect, it } from 'vitest';
import { measureRarity } from '../../../src/core/consensus/rarity.ts';

const saying = (reviewer: string, ...words: string[]) => ({ reviewer, terms: new Map(words.map(word => [word, 1])) });

describe('rarity', () => {
  it('is higher for what few say, and 1 on average', () => {
    const rarity = measureRarity([saying('Alpha', 'x', 'y'), saying('Beta', 'x', 'z')]);
    expect(rarity('y')).toBeGreaterThan(rarity('x'));
    expect((2 * rarity('x') + rarity('y') + rarity('z')) / 4).toBeCloseTo(1);
  });

  it('counts a flood of one voice as fifty wordings', () => {
    const honest = [saying('Alpha', 'race'), saying('Beta', 'race')];
    const flood = (size: number) => Array.from({ length: size }, () => saying('Gamma', 'race', 'noise'));
    const relation = (size: number): number => {
      const rarity = measureRarity([...honest, ...flood(size)]);
      return rarity('race') / rarity('unseen');
    };
    expect(relation(5_000)).toBeCloseTo(relation(50), 6);
    expect(relation(50)).toBeLessThan(relation(5));
  });
});
