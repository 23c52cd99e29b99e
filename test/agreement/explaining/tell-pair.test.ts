import { describe, expect, it } from 'vitest';
import { tellPair } from '../../../src/agreement/explaining/tell-pair.ts';
import { probabilityOf } from '../../../src/core/words/odds.ts';

const start = -7;
const missing = ['no name of code stands in both', 'they stand 14 lines apart'];

/** Of parts that, with the start, make the probability. */
function told(
  parts: readonly (readonly [words: string, worth: number])[],
  lacking: readonly string[] = missing,
): string {
  const sum = parts.reduce((total, [, worth]) => total + worth, start);
  return tellPair({
    barrier: null,
    probability: probabilityOf(sum),
    missing: lacking,
    contributions: parts
      .map(([words, worth]) => ({ evidence: 'x', words, worth }))
      .toSorted((one, other) => Math.abs(other.worth) - Math.abs(one.worth)),
  });
}

describe('why two findings are one claim or two', () => {
  it('of two that are one tells nothing that is missing', () => {
    expect(told([['both speak of “upload”', 8]])).toBe('Both speak of “upload”.');
  });

  it('of a near miss tells what is missing, as all that was seen speaks for it', () => {
    expect(
      told([
        ['both speak of “upload”', 4],
        ['both speak of one weakness: resource leak', 1],
      ]),
    ).toBe(
      'Both speak of “upload”. Both speak of one weakness: resource leak. But that is too little for one claim: no name of code stands in both, and they stand 14 lines apart.',
    );
    expect(told([['both speak of “upload”', 4]], [])).toBe(
      'Both speak of “upload”. But that is too little for one claim.',
    );
    expect(told([])).toBe(
      'They share too little: no name of code stands in both, and they stand 14 lines apart.',
    );
  });

  it('tells what is missing where what speaks against it does not decide it', () => {
    expect(
      told([
        ['both speak of “upload”', 4],
        ['their severities are far apart', -0.3],
      ]),
    ).toBe(
      'Both speak of “upload”. But their severities are far apart. Even without that they share too little: no name of code stands in both, and they stand 14 lines apart.',
    );
    expect(
      told([
        ['both speak of “upload”', 8],
        ['one reviewer says both', -3],
      ]),
    ).toBe('Both speak of “upload”. But one reviewer says both.');
  });
});
