import { describe, expect, it } from 'vitest';
import { confidenceModel } from '../../../src/agreement/calibrated-model.ts';
import { estimateMatter, mattersEvidence } from '../../../src/agreement/confidence/matters.ts';
import { severities } from '../../../src/core/words/severity.ts';
import { findingOf } from '../sample.ts';

const rate = (
  texts: readonly string[],
  { label = 'medium', loudness = 1 }: { label?: string; loudness?: number } = {},
) =>
  estimateMatter(
    texts.map((text, index) => findingOf(`R${index}`, text, { label })),
    loudness,
    confidenceModel.matters,
  );
const chanceOf = (text: string, settings = {}): number => rate([text], settings).probability;

describe('the chance that a claim matters', () => {
  it('follows the severity that is stated', () => {
    const chances = severities.map(label => chanceOf('Something is so', { label }));
    expect(chances).toEqual(chances.toSorted((one, other) => other - one));
    expect(new Set(chances).size).toBe(severities.length);
  });

  it('tells a stated medium from no statement', () => {
    const both = [
      findingOf('A', 'Something is so', { label: 'high' }),
      { ...findingOf('B', 'Something is so', { label: 'medium' }), label: 'UNSTATED' },
    ];
    expect(chanceOf('Something is so', { label: 'medium' })).toBeGreaterThan(
      estimateMatter(both.slice(1), 1, confidenceModel.matters).probability,
    );
    const { probability } = estimateMatter(both, 1, confidenceModel.matters);
    expect(probability).toBeCloseTo(chanceOf('Something is so', { label: 'high' }), 10);
  });

  it('is lower for what is said among much else', () => {
    expect(chanceOf('Something is so', { loudness: Math.log(12) })).toBeLessThan(
      chanceOf('Something is so', { loudness: 0 }),
    );
  });

  it('is that of the finding that tells it most strongly', () => {
    const trouble = 'The parser crashes on an empty list';
    const grave = chanceOf(trouble, { label: 'high' });
    const told = [
      findingOf('A', trouble, { label: 'high' }),
      findingOf('B', 'A nit: rename the helper', { label: 'low' }),
    ];
    for (const findings of [told, told.toReversed()])
      expect(estimateMatter(findings, 1, confidenceModel.matters).probability).toBe(grave);
  });

  it.each([
    ['LGTM'],
    ['Approved'],
    ['Looked for SQL injection in this query, found none'],
    ['The race in the counter was already fixed'],
    ['No SQL injection here'],
    ['No issues found', 'Everything is fine'],
    ['The amount is validated'],
    ['Great work on the tests!'],
  ])('is none where nobody complains: %s', (...texts) => {
    const praise = rate(texts, { label: 'high' });
    expect(praise.probability).toBeLessThan(0.001);
    expect(praise.contributions[0]?.words).toMatch(/all is well/);
    expect(rate([...texts, 'The total is wrong']).probability).toBeGreaterThan(0.1);
  });

  it('is made of parts that add up to it and say what they are', () => {
    const { probability, start, contributions } = rate(
      ['Rename the helper, a nit', 'The parser crashes, which is a minor point'],
      { label: 'high' },
    );
    expect(
      1 / (1 + Math.exp(-contributions.reduce((sum, { worth }) => sum + worth, start))),
    ).toBeCloseTo(probability, 10);
    expect(contributions.map(({ evidence }) => evidence).toSorted()).toEqual(
      [...mattersEvidence].toSorted(),
    );
  });
});
