import { describe, expect, it } from 'vitest';
import { hasSecurityWeight, type Persona } from '../../../src/core/words/persona.ts';
import { readPersona } from '../../../src/adapters/configuration/read-configuration.ts';
import {
  judgeVerdict,
  readClaimedVerdict,
  type PanelVerdict,
  type VerdictRequest,
} from '../../../src/core/verdict/approval.ts';
import { sampleFinding, sampleLocation } from '../sample.ts';

type Said = VerdictRequest['findings'][number];

const finding = (changes: Partial<Said>): Said => ({
  severity: 'low',
  category: null,
  location: null,
  ...changes,
});
const request = (
  persona: Partial<VerdictRequest['persona']>,
  changes: Partial<VerdictRequest> = {},
): VerdictRequest => ({
  persona: { role: 'security', veto: true, ...persona },
  findings: [],
  claimed: null,
  vetoReasons: [],
  ...changes,
});
const go = await readPersona('go-reviewer', '/');

describe('the verdict of a reviewer', () => {
  it.each<[string, Partial<Persona>, Said, PanelVerdict]>([
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
  ])('on %s', (_what, persona, one, verdict) => {
    expect(judgeVerdict(request(persona, { findings: [one] })).verdict).toBe(verdict);
  });

  it('takes a claimed veto with grounds, and makes a warning of one without power or grounds', () => {
    expect(judgeVerdict(request({}, { claimed: 'VETO', vetoReasons: ['licence'] }))).toEqual({
      verdict: 'VETO',
      claimed: 'VETO',
      veto_downgraded: false,
    });
    expect(judgeVerdict(request({}, { claimed: 'VETO', vetoReasons: [' '] }))).toEqual({
      verdict: 'WARN',
      claimed: 'VETO',
      veto_downgraded: true,
    });
    expect(
      judgeVerdict(
        request({ role: 'code-quality', veto: false }, { claimed: 'VETO', vetoReasons: ['bad'] }),
      ),
    ).toEqual({ verdict: 'WARN', claimed: 'VETO', veto_downgraded: true });
    expect(
      judgeVerdict(
        request(
          { role: 'documentation' },
          { claimed: 'VETO', findings: [sampleFinding({ severity: 'high' })] },
        ),
      ).verdict,
    ).toBe('VETO');
  });

  it('reads the other vocabularies', () => {
    expect(
      ['APPROVE', 'request_changes', 'Request Changes', 'warn', 'constructor', null].map(
        readClaimedVerdict,
      ),
    ).toEqual(['OK', 'WARN', 'WARN', 'WARN', null, null]);
    expect(judgeVerdict(request({}, { claimed: 'REQUEST_CHANGES' })).verdict).toBe('WARN');
    expect(
      judgeVerdict(request({}, { claimed: 'OK', findings: [finding({ severity: 'high' })] }))
        .verdict,
    ).toBe('WARN');
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
