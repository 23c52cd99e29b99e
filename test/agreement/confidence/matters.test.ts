import { describe, expect, it } from 'vitest';
import { confidenceModel } from '../../../src/agreement/calibrated-model.ts';
import { estimateMatter, mattersEvidence } from '../../../src/agreement/confidence/matters.ts';
import { severities } from '../../../src/core/words/finding.ts';
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
const chanceOf = (text: string, settings = {}) => rate([text], settings).probability;

describe('the chance that a claim matters', () => {
  it('follows the severity that is stated', () => {
    const chances = severities.map(label => chanceOf('Something is so', { label }));
    expect(chances).toEqual(chances.toSorted((one, other) => other - one));
    expect(new Set(chances).size).toBe(severities.length);
  });

  it.each([
    'The parser crashes on an empty list',
    'The total is wrong for negative amounts',
    'A second save overwrites the first',
    'SQL injection through the name',
    'The connection leaks when the query fails',
    'Two threads race for the index',
  ])('is higher for what harms: %s', text =>
    expect(chanceOf(text)).toBeGreaterThan(chanceOf('Something is so')),
  );

  it.each([
    'The naming of the helper is off',
    'The docstring is out of date',
    'The branch is untested',
    'Both branches are duplicated',
    'A minor point',
    'Consider another order of parameters',
  ])('is lower for trifles: %s', text =>
    expect(chanceOf(text)).toBeLessThan(chanceOf('Something is so')),
  );

  it('is lower for what is said among much else', () =>
    expect(chanceOf('Something is so', { loudness: Math.log(12) })).toBeLessThan(
      chanceOf('Something is so', { loudness: 0 }),
    ));

  it('reads other languages as nothing told, and only the beginning of long texts', () => {
    const plain = chanceOf('Something is so');
    expect(chanceOf('Der Zähler läuft über')).toBe(plain);
    expect(chanceOf(`${'so '.repeat(1_000)} it crashes`)).toBe(plain);
  });

  it('is that of the finding that tells it most strongly', () => {
    const trouble = 'The parser crashes on an empty list';
    const told = [
      findingOf('A', trouble, { label: 'high' }),
      findingOf('B', 'A nit: rename the helper', { label: 'low' }),
    ];
    for (const findings of [told, told.toReversed()])
      expect(estimateMatter(findings, 1, confidenceModel.matters).probability).toBe(
        chanceOf(trouble, { label: 'high' }),
      );
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

  it('stays where harm is told, whatever else the words may mean', () => {
    const told =
      'The reduce call throws a TypeError for an empty list since its initial value is gone';
    expect(chanceOf(told)).toBeGreaterThan(chanceOf('Something is so'));
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
    expect(contributions.map(({ words }) => words).join('. ')).toMatch(/a crash/);
  });
});
