import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allPairs } from '../../src/agreement/linkage.ts';
import { createOverlapMatcher } from '../../src/agreement/calibrated.ts';
import type { Finding } from '../../src/core/words/finding.ts';
import { findingOf } from './sample.ts';

describe('the overlap strategy', () => {
  it.each([
    ['missing error handling in main function', 'no error handling in main function', true],
    ['Missing validation in src/foo.js', 'Missing validation', true],
    ['Missing validation in src/foo.js', 'Missing validation in src/bar.js', false],
    ['Missing validation in src/foo.js', 'Missing validation in foo.js', true],
    ['SQL injection', 'SQL injection in the user search endpoint allows arbitrary reads', true],
    ['user_id missing', 'user id missing', false],
    ['the and or', 'the and or', false],
    ['', 'x', false],
  ])('%j and %j are the same at 60: %j', async (one, other, same) => {
    const matcher = createOverlapMatcher(60);
    const [first, second] = [findingOf('Alpha', one), findingOf('Beta', other)];
    await matcher.prepare([first, second]);
    expect(matcher.compare(first, second).same).toBe(same);
    expect(matcher.compare(second, first)).toEqual(matcher.compare(first, second));
  });

  it('says how much is needed where it is too little', async () => {
    const [one, other] = [findingOf('Alpha', 'lock and race'), findingOf('Beta', 'lock or leak')];
    const reasonAt = (threshold: number) =>
      createOverlapMatcher(threshold).compare(one, other).reason;
    expect([reasonAt(60), reasonAt(50)]).toEqual([
      '50 % of the words of one stand in the other; 60 % are needed.',
      '50 % of the words of one stand in the other.',
    ]);
  });

  it('keeps two files apart that only the places tell apart', () => {
    const matcher = createOverlapMatcher(60);
    expect(
      matcher.compare(
        findingOf('Alpha', 'no check', { path: 'a.js' }),
        findingOf('Beta', 'no check', { path: 'b.js' }),
      ).same,
    ).toBe(false);
  });

  it('names every pair that is the same among those worth comparing, at any threshold', () => {
    const word = fc.constantFrom(
      'lock',
      'race',
      'null',
      'check',
      'cache',
      'the',
      'a.js',
      'b.js',
      'index',
    );
    const texts = fc.array(
      fc.array(word, { maxLength: 7 }).map(list => list.join(' ')),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(texts, fc.integer({ min: 0, max: 100 }), (list, threshold) => {
        const matcher = createOverlapMatcher(threshold);
        const findings = list.map(text => findingOf('Alpha', text));
        const named = new Set([...matcher.pairs(findings)].map(pair => pair.join()));
        const same = [...allPairs(findings.length)].filter(
          ([one, other]) =>
            matcher.compare(findings[one] as Finding, findings[other] as Finding).same,
        );
        expect(same.filter(pair => !named.has(pair.join()))).toEqual([]);
      }),
    );
  });
});
