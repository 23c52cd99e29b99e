import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgePanel, judgeVerdict, readClaimedVerdict, type PanelVerdict, type VerdictRequest, type VetoFinding } from '../../src/core/veto.ts';

const finding = (changes: Partial<VetoFinding>): VetoFinding => ({ severity: 'low', category: null, ...changes });
const request = (changes: Partial<VerdictRequest>): VerdictRequest => ({ role: 'security', persona: 'security-reviewer', hasVeto: true, findings: [], claimed: null, vetoReasons: [], ...changes });
const verdictOf = (changes: Partial<VerdictRequest>) => judgeVerdict(request(changes)).verdict;

describe('the verdict of a reviewer', () => {
  it.each<[string, Partial<VerdictRequest>, VetoFinding, PanelVerdict]>([
    ['a critical finding of security', {}, finding({ severity: 'critical' }), 'VETO'],
    ['a high one with a path of attack', {}, finding({ severity: 'high', exploitPath: true }), 'VETO'],
    ['a high one without', {}, finding({ severity: 'high' }), 'WARN'],
    ['a committed secret', {}, finding({ category: 'Secrets' }), 'VETO'],
    ['a bypass of authentication', {}, finding({ category: 'authentication bypass' }), 'VETO'],
    ['a critical CVE of a direct dependency', { role: 'vulnerability' }, finding({ severity: 'critical', cve: 'CVE-2026-1', direct: true }), 'VETO'],
    ['a critical CVE of an indirect one', { role: 'vulnerability' }, finding({ severity: 'critical', cve: 'CVE-2026-1', direct: false }), 'WARN'],
    ['a high CVE with a known exploit', { role: 'vulnerability' }, finding({ severity: 'high', cve: 'CVE-2026-1', knownExploit: true }), 'VETO'],
    ['dependency confusion', { role: 'vulnerability' }, finding({ category: 'dependency_confusion' }), 'VETO'],
    ['a goroutine leak', { role: 'language', persona: 'go-reviewer' }, finding({ category: 'goroutine leak' }), 'VETO'],
    ['an ignored critical error', { role: 'language', persona: 'go-reviewer' }, finding({ severity: 'critical', category: 'ignored-error' }), 'VETO'],
    ['another ignored error', { role: 'language', persona: 'go-reviewer' }, finding({ severity: 'medium', category: 'ignored-error' }), 'OK'],
    ['a broken example', { role: 'documentation' }, finding({ category: 'broken example' }), 'VETO'],
    ['a critical finding without the power', { role: 'code-quality', hasVeto: false }, finding({ severity: 'critical' }), 'WARN'],
    ['a medium finding', {}, finding({ severity: 'medium' }), 'OK'],
  ])('on %s', (_what, changes, one, verdict) => {
    expect(verdictOf({ ...changes, findings: [one] })).toBe(verdict);
  });

  it('takes a claimed veto with grounds, and makes a warning of one without power or grounds', () => {
    expect(judgeVerdict(request({ claimed: 'VETO', vetoReasons: ['licence'] }))).toEqual({ verdict: 'VETO', claimed: 'VETO', veto_downgraded: false });
    expect(judgeVerdict(request({ claimed: 'VETO', vetoReasons: [' '] }))).toEqual({ verdict: 'WARN', claimed: 'VETO', veto_downgraded: true });
    expect(judgeVerdict(request({ role: 'code-quality', hasVeto: false, claimed: 'VETO', vetoReasons: ['bad'] }))).toEqual({ verdict: 'WARN', claimed: 'VETO', veto_downgraded: true });
    expect(verdictOf({ role: 'documentation', claimed: 'VETO', findings: [finding({ severity: 'high' })] })).toBe('VETO');
  });

  it('reads the other vocabularies', () => {
    expect(['APPROVE', 'request_changes', 'Request Changes', 'warn', 'constructor', null].map(readClaimedVerdict)).toEqual(['OK', 'WARN', 'WARN', 'WARN', null, null]);
    expect(verdictOf({ claimed: 'REQUEST_CHANGES' })).toBe('WARN');
    expect(verdictOf({ claimed: 'OK', findings: [finding({ severity: 'high' })] })).toBe('WARN');
  });
});

describe('the verdict of the panel', () => {
  const whole = { verdicts: ['OK', 'WARN', 'WARN', 'WARN'] as PanelVerdict[], lacksSecurityCoverage: false, isIncomplete: false };
  const lax = { strict: false, ignoreVetos: false };

  it.each([
    ['three warnings', whole, lax, 'APPROVED (3 warnings)', 0],
    ['three warnings, strictly', whole, { ...lax, strict: true }, 'BLOCKED (3 vetoes)', 1],
    ['one veto', { ...whole, verdicts: ['VETO', 'OK'] as PanelVerdict[] }, lax, 'BLOCKED (1 veto)', 1],
    ['a veto that is ignored', { ...whole, verdicts: ['VETO', 'WARN'] as PanelVerdict[] }, { ...lax, ignoreVetos: true }, 'ADVISORY', 0],
    ['a sensitive file nobody of security read', { ...whole, lacksSecurityCoverage: true }, lax, 'BLOCKED (security coverage)', 1],
    ['the same with vetoes ignored', { ...whole, lacksSecurityCoverage: true, isIncomplete: true }, { ...lax, ignoreVetos: true }, 'BLOCKED (security coverage)', 1],
    ['a reviewer that timed out', { ...whole, isIncomplete: true }, lax, 'INCOMPLETE', 2],
    ['a timeout and an ignored veto', { ...whole, verdicts: ['VETO'] as PanelVerdict[], isIncomplete: true }, { ...lax, ignoreVetos: true }, 'INCOMPLETE', 2],
    ['one warning', { ...whole, verdicts: ['WARN'] as PanelVerdict[] }, lax, 'APPROVED (1 warning)', 0],
    ['nothing at all', { ...whole, verdicts: ['OK'] as PanelVerdict[] }, lax, 'APPROVED', 0],
  ])('on %s', (_what, reviews, policy, verdict, exitCode) => {
    expect(judgePanel(reviews, policy)).toMatchObject({ verdict, exitCode });
  });

  it('never approves what is incomplete or lacks security coverage', () => {
    const verdicts = fc.array(fc.constantFrom<PanelVerdict>('VETO', 'WARN', 'OK'));
    fc.assert(fc.property(verdicts, fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), (given, lacksSecurityCoverage, isIncomplete, strict, ignoreVetos) => {
      const { outcome, exitCode } = judgePanel({ verdicts: given, lacksSecurityCoverage, isIncomplete }, { strict, ignoreVetos });
      expect(exitCode).toBe({ PASS: 0, FAIL: 1, INCOMPLETE: 2 }[outcome]);
      if (lacksSecurityCoverage || isIncomplete) expect(outcome).not.toBe('PASS');
    }));
  });
});
