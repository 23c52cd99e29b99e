import * as fc from 'fast-check';
import { stemmer } from 'stemmer';
import { describe, expect, it } from 'vitest';
import { stemOf } from '../../../src/agreement/wording/stem.ts';

describe('a stem', () => {
  it('is what the stemmer makes of the word, be it a name that ends in a digit', () => {
    const endings = fc.constantFrom(
      '',
      's',
      'ed',
      'ing',
      'ational',
      'y',
      'e',
      '1',
      '64',
      's2',
      'é',
    );
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z\d]{0,8}$/), endings, (start, ending) => {
        const word = start + ending;
        expect(stemOf(word)).toBe(stemmer(word));
      }),
    );
  });
});
