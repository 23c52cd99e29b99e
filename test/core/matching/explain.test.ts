import { describe, expect, it } from 'vitest';
import type { Claim } from '../../../src/core/words/claim.ts';
import { formClaims } from '../../../src/core/matching/claims.ts';
import { explainClaim, type ClaimExplanation } from '../../../src/core/matching/explain.ts';
import { createCalibratedMatcher } from '../../../src/core/matching/calibrated.ts';
import { matcherModel } from '../../../src/core/matching/calibrated-model.ts';
import { findingOf, reviewOf, sha256 } from './sample.ts';

const panel = ['alpha', 'beta', 'gamma'];

async function explained(
  words: string,
  sayings: readonly (readonly [reviewer: string, text: string])[],
): Promise<ClaimExplanation> {
  const findings = sayings.map(([reviewer, text], index) =>
    findingOf(reviewer, text, { id: `#${index + 1}` }),
  );
  const claims = await formClaims({
    findings,
    matcher: createCalibratedMatcher(matcherModel),
    panel,
    reviews: panel.map(id => reviewOf(id)),
    hash: sha256,
  });
  const claim = claims.find(({ text }) => text.includes(words)) as Claim;
  return explainClaim({
    printed: new Map(),
    formed: { run: null, claims, strategy: { name: 'calibrated', threshold: null, version: '1' } },
    claim,
    matcher: createCalibratedMatcher(matcherModel),
    assess: null,
    known: null,
    decisions: [],
  });
}

describe('an explanation', () => {
  it('tells for each finding which other one it is most like, with the score of the run', async () => {
    const { joined, claim } = await explained('injection', [
      ['alpha', 'SQL injection in the user search endpoint'],
      ['beta', 'User search endpoint open to SQL injection'],
      ['gamma', 'The user search endpoint has an SQL injection'],
      ['alpha', 'Missing tests'],
    ]);
    expect(claim.findings).toHaveLength(3);
    expect(joined.map(({ other, same }) => [other, same])).toEqual([
      ['beta/#2', true],
      ['gamma/#3', true],
    ]);
    expect(
      joined.every(
        ({ score, reason }) => score >= 50 && /^Both .*(?:endpoint|search|injection)/.test(reason),
      ),
    ).toBe(true);
  });

  it('names the nearest other claims and why they are others, the opposite one among them', async () => {
    const { apart } = await explained('is the cache', [
      ['alpha', 'Root cause is the cache'],
      ['beta', 'Root cause is not the cache'],
      ['gamma', 'The cache is slow'],
      ['gamma', 'Unrelated remark'],
    ]);
    const opposite = {
      text: 'Root cause is not the cache',
      nearest: expect.objectContaining({
        same: false,
        reason: expect.stringContaining('opposite'),
      }),
      divided: null,
    };
    expect(apart).toContainEqual(expect.objectContaining(opposite));
    expect(apart.map(({ text }) => text)).not.toContain('Unrelated remark');
  });

  it('of a claim alone joins nothing', async () => {
    expect(await explained('only', [['alpha', 'The only one']])).toMatchObject({
      joined: [],
      apart: [],
    });
  });

  it('looks at the nearest of thousands only', async () => {
    const { apart } = await explained(
      'number 7 ',
      Array.from(
        { length: 1500 },
        (_, index) => ['alpha', `Problem number ${index} is about thing${index}x`] as const,
      ),
    );
    expect(apart).toHaveLength(3);
  });
});
