/** What was made of a text is made once while it is remembered, and what is remembered stays bounded. */
import { describe, expect, it } from 'vitest';
import { createRecall } from '../../../src/agreement/wording/recall.ts';

function countMakes(bounds: { most: number; longest: number }): {
  recall: (text: string) => string;
  made: string[];
} {
  const made: string[] = [];
  const recall = createRecall(text => {
    made.push(text);
    return text.toUpperCase();
  }, bounds);
  return { recall, made };
}

describe('what was made of a text', () => {
  it('is made once', () => {
    const { recall, made } = countMakes({ most: 4, longest: 10 });
    expect(['a', 'b', 'a', 'a'].map(recall)).toEqual(['A', 'B', 'A', 'A']);
    expect(made).toEqual(['a', 'b']);
  });

  it('is forgotten when twice as many others were met as are kept', () => {
    const { recall, made } = countMakes({ most: 2, longest: 10 });
    ['a', 'b', 'c', 'd', 'e', 'a'].forEach(recall);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e', 'a']);
  });

  it('survives while it is met often', () => {
    const { recall, made } = countMakes({ most: 2, longest: 10 });
    ['a', 'b', 'c', 'a', 'd', 'a', 'e', 'a'].forEach(recall);
    expect(made.filter(text => text === 'a')).toEqual(['a']);
  });

  it('is made anew of a long one', () => {
    const { recall, made } = countMakes({ most: 2, longest: 3 });
    ['long', 'long'].forEach(recall);
    expect(made).toEqual(['long', 'long']);
  });
});
