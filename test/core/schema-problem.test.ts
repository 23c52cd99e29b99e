import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { Strategy } from '../../src/core/words/config.ts';
import { firstProblem } from '../../src/core/schema-problem.ts';

const schema = z.strictObject({
  topic: z.string().min(1),
  count: z.int().min(1).optional(),
  note: z.string().min(1, 'Say at least a word').optional(),
});

function sentenceFor(input: unknown): string {
  const checked = schema.safeParse(input, { reportInput: true });
  if (checked.success) throw new Error('The input fits the schema.');
  return firstProblem(schema, checked.error).sentence;
}

describe('the problem of an input', () => {
  it('is told in a person’s words when something is left out or empty', () => {
    expect(sentenceFor({})).toBe('It is missing.');
    expect(sentenceFor({ topic: '' })).toBe('It is empty.');
  });

  it('keeps the words of the schema where those say more', () => {
    expect(sentenceFor({ topic: 'a', note: '' })).toBe('Say at least a word.');
    expect(sentenceFor({ topic: 'a', count: 0 })).toMatch(/^Too small: expected number to be >=1/);
    expect(sentenceFor({ topic: 7 })).toBe('Invalid input: expected string, received number.');
    expect(sentenceFor({ topic: 'a', conut: 1 })).toBe('Unknown key "conut".');
  });

  it('names what does the work of a value that is gone', () => {
    const matching = z.strictObject({ strategy: Strategy });
    const checked = matching.safeParse({ strategy: 'lexical' }, { reportInput: true });
    if (checked.success) throw new Error('The strategy is known.');
    expect(firstProblem(matching, checked.error)).toEqual({
      path: ['strategy'],
      sentence: 'Must be one of overlap, calibrated, embedding, llm.',
      suggestions: ['calibrated'],
    });
  });
});
