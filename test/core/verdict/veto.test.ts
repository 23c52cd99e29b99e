import { describe, expect, it } from 'vitest';
import { hasSecurityWeight, type Persona } from '../../../src/core/words/persona.ts';
import { readPersona } from '../../../src/adapters/configuration/read-configuration.ts';
import { describeAgents, readClaimedVerdict } from '../../../src/core/verdict/panel-table.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import type { Review } from '../../../src/core/words/review.ts';
import { sampleFinding, sampleLocation, sampleReview } from '../sample.ts';
import { rulesOf, sampleSeat } from './panel.ts';

const finding = (changes: Partial<Finding>) =>
  sampleFinding({ severity: 'low', category: null, location: null, ...changes });

/** What one reviewer's answer comes to. */
function judged(persona: Partial<Persona>, said: Partial<Review>) {
  const [agent] = describeAgents({
    seats: [sampleSeat('alpha', { role: 'security', veto: true, ...persona })],
    reviews: [sampleReview({ statedVerdict: null, ...said })],
    claims: [],
    matrix: [],
    rules: rulesOf('review').rules,
  });
  const { verdict = null, claimed = null, veto_downgraded = null } = agent ?? {};
  return { verdict, claimed, veto_downgraded };
}
const go = await readPersona('go-reviewer', '/');

describe('the verdict of a reviewer', () => {
  it.each<[string, Partial<Persona>, Finding, string]>([
    ['a critical finding of security', {}, finding({ severity: 'critical' }), 'VETO'],
    [
      'a high one with a path of attack',
      {},
      finding({ severity: 'high', extra: { exploit_path: true } }),
      'VETO',
    ],
    ['a high one without', {}, finding({ severity: 'high' }), 'WARN'],
    ['a committed secret', {}, finding({ category: 'Secrets' }), 'VETO'],
    ['a bypass of authentication', {}, finding({ category: 'authentication bypass' }), 'VETO'],
    [
      'a critical CVE of a direct dependency',
      { role: 'vulnerability' },
      finding({ severity: 'critical', extra: { cve: 'CVE-2026-1', direct: true } }),
      'VETO',
    ],
    [
      'a critical CVE of an indirect one',
      { role: 'vulnerability' },
      finding({ severity: 'critical', extra: { cve: 'CVE-2026-1', direct: false } }),
      'WARN',
    ],
    [
      'a high CVE with a known exploit',
      { role: 'vulnerability' },
      finding({ severity: 'high', extra: { cve: 'CVE-2026-1', known_exploit: true } }),
      'VETO',
    ],
    [
      'dependency confusion',
      { role: 'vulnerability' },
      finding({ category: 'dependency_confusion' }),
      'VETO',
    ],
    ['a goroutine leak', go, finding({ category: 'goroutine leak' }), 'VETO'],
    [
      'an ignored critical error',
      go,
      finding({ severity: 'critical', category: 'ignored-error' }),
      'VETO',
    ],
    ['another ignored error', go, finding({ severity: 'medium', category: 'ignored-error' }), 'OK'],
    [
      'a goroutine leak that another language finds',
      { role: 'language' },
      finding({ category: 'goroutine leak' }),
      'OK',
    ],
    [
      'a broken example',
      { role: 'documentation' },
      finding({ category: 'broken example' }),
      'VETO',
    ],
    [
      'a critical finding without the power',
      { role: 'code-quality', veto: false },
      finding({ severity: 'critical' }),
      'WARN',
    ],
    ['a medium finding', {}, finding({ severity: 'medium' }), 'OK'],
    [
      'a critical finding at a place that is not there',
      {},
      finding({ severity: 'critical', location: sampleLocation({ anchoring: 'unanchored' }) }),
      'WARN',
    ],
  ])('on %s', (_what, persona, one, verdict) =>
    expect(judged(persona, { findings: [one] }).verdict).toBe(verdict),
  );

  it('takes a claimed veto with grounds, and makes a warning of one without power or grounds', () => {
    expect(judged({}, { statedVerdict: 'VETO', vetoReasons: ['licence'] })).toEqual({
      verdict: 'VETO',
      claimed: 'VETO',
      veto_downgraded: false,
    });
    expect(judged({}, { statedVerdict: 'VETO', vetoReasons: [' '] })).toEqual({
      verdict: 'WARN',
      claimed: 'VETO',
      veto_downgraded: true,
    });
    const weak = { role: 'code-quality', veto: false } as const;
    expect(judged(weak, { statedVerdict: 'VETO', vetoReasons: ['bad'] })).toEqual({
      verdict: 'WARN',
      claimed: 'VETO',
      veto_downgraded: true,
    });
    const grave = { statedVerdict: 'VETO', findings: [sampleFinding({ severity: 'high' })] };
    expect(judged({ role: 'documentation' }, grave).verdict).toBe('VETO');
  });

  it('reads the other vocabularies', () => {
    expect(
      ['APPROVE', 'request_changes', 'Request Changes', 'warn', 'constructor', null].map(
        readClaimedVerdict,
      ),
    ).toEqual(['OK', 'WARN', 'WARN', 'WARN', null, null]);
    expect(judged({}, { statedVerdict: 'REQUEST_CHANGES' }).verdict).toBe('WARN');
    const high = [finding({ severity: 'high' })];
    expect(judged({}, { statedVerdict: 'OK', findings: high }).verdict).toBe('WARN');
  });
});

it('what a persona weighs stands in its file or follows from its role', async () => {
  const shipped = await Promise.all(
    ['security-reviewer', 'vulnerability-reviewer', 'code-quality-reviewer'].map(name =>
      readPersona(name, '/'),
    ),
  );
  expect(shipped.map(hasSecurityWeight)).toEqual([true, true, false]);
  expect([
    hasSecurityWeight({ role: 'security' }),
    hasSecurityWeight({ role: 'security', weight: 'ordinary' }),
    hasSecurityWeight({ role: 'general', weight: 'security' }),
  ]).toEqual([true, false, true]);
});
