import { describe, expect, it } from 'vitest';
import { setAside } from '../../../src/core/change/set-aside.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { sampleClaim, sampleFinding, sampleLocation } from '../sample.ts';

const location = sampleLocation({ path: 'docs/plans/billing.md' });

function stateOf(claim: Partial<Claim>, findings: readonly Partial<Finding>[] = [{}]) {
  const { claims } = setAside(
    {
      claims: [
        sampleClaim({
          severity: 'medium',
          state: 'new',
          location,
          findings: findings.map(finding =>
            sampleFinding({ severity: 'medium', text: 'Nobody is told', ...finding }),
          ),
          ...claim,
        }),
      ],
      dismissed: [],
    },
    ['docs/plans/**'],
  );
  return claims[0]?.state ?? 'gone';
}

describe('a claim in a protected path', () => {
  it('is set aside, and one elsewhere is not', () => {
    expect(stateOf({})).toBe('dismissed');
    expect(stateOf({ location: sampleLocation({ path: 'src/a.ts' }) })).toBe('new');
    expect(stateOf({ location: null })).toBe('new');
  });

  it('stays when anybody calls it critical, also where the claim is milder', () => {
    expect(stateOf({ severity: 'critical' })).toBe('new');
    expect(stateOf({}, [{}, { severity: 'critical' }])).toBe('new');
  });

  it.each([
    { category: 'secrets' },
    { category: 'hardcoded-credentials' },
    { category: 'API_KEY' },
    { text: 'The production API key is hard-coded in the plan' },
    { text: 'A password stands in the plan.' },
    { text: 'AWS access key committed' },
    { text: 'Private-key material is exposed' },
    { text: 'This section contains a live bearer token' },
    { text: 'Connection string in plain text' },
  ])('stays when it tells of a secret, whatever it is called: %o', finding =>
    expect(stateOf({}, [{}, { label: 'NIT', severity: 'low', ...finding }])).toBe('new'),
  );

  it.each([
    { text: 'The plan does not say how a password is reset' },
    { text: 'Tokens per minute are not limited', category: 'budget' },
    { text: 'The key idea is missing' },
  ])('is set aside when it only speaks of the matter: %o', finding =>
    expect(stateOf({}, [finding])).toBe('dismissed'),
  );
});
