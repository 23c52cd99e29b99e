import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Claim } from '../../src/core/claim.ts';
import { decide, exitCodes, failRulePattern, parseFailRules, type Evidence, type Policy } from '../../src/core/gate.ts';
import { failedReview, sampleClaim, sampleFinding, sampleLocation, sampleReview } from './sample.ts';

const policy: Policy = { failOn: parseFailRules(['single:critical', 'majority:high', 'analyser:high']), quorum: 1, unverifiedBlocker: 'incomplete' };
const clean: Evidence = { units: ['src/a.ts'], reviews: [sampleReview()], claims: [], gaps: [], verification: null };

const vote = (reviewer: string): Claim => sampleClaim({ severity: 'critical', supporters: [reviewer], findings: [sampleFinding({ reviewer, label: 'FAIL', text: 'Criterion 1: it is not there', severity: 'critical' })] });
const votes = (result: 'pass' | 'fail' | 'disputed', pass: string[], fail: string[]): Evidence['verification'] => ({ result: result === 'disputed' ? 'undecided' : result, criteria: [{ criterion: 1, pass, fail, result }] });
const judge = (verification: Evidence['verification'], claims: readonly Claim[], failOn: readonly string[]): string => decide({ ...clean, claims, verification }, { ...policy, failOn: parseFailRules(failOn) }).outcome;

describe('the gate', () => {
  it('passes when a completed reviewer read everything and nothing was found', () => {
    expect(decide(clean, policy)).toEqual({ outcome: 'PASS', reasons: [], blocking: [] });
  });

  it('fails on a claim that hits a rule, and names it', () => {
    const decision = decide({ ...clean, claims: [sampleClaim()] }, policy);
    expect(decision).toMatchObject({ outcome: 'FAIL', blocking: ['c-0000000001'] });
  });

  it('fails even when a required reviewer is missing: what was found stays found', () => {
    const decision = decide({ ...clean, reviews: [sampleReview(), { ...failedReview('beta'), required: true }], claims: [sampleClaim()] }, policy);
    expect(decision.outcome).toBe('FAIL');
    expect(decision.reasons).toHaveLength(2);
  });

  it.each([
    ['a required reviewer that failed', { reviews: [sampleReview(), { ...failedReview('beta'), required: true }] }, 'Required reviewer beta did not complete: deadline.'],
    ['fewer complete reviews than the quorum', { reviews: [failedReview('alpha')] }, '0 of 1 reviewers completed; the quorum is 1.'],
    ['a file nobody read in full', { units: ['src/a.ts', 'src/b.ts'] }, 'src/b.ts was read in full by no reviewer that completed.'],
    ['a file only a partial review read', { reviews: [sampleReview({ coverage: [] }), sampleReview({ reviewer: 'beta', status: 'partial' })] }, 'src/a.ts was read in full by no reviewer that completed.'],
    ['an empty subject', { units: [] }, 'Nothing was left to review.'],
    ['any other gap', { gaps: ['The run was interrupted.'] }, 'The run was interrupted.'],
  ] as const)('is incomplete for %s', (_what, change, reason) => {
    const decision = decide({ ...clean, ...change }, policy);
    expect(decision.outcome).toBe('INCOMPLETE');
    expect(decision.reasons).toContain(reason);
  });

  it('does not block on a place that does not exist, but does not pass it either', () => {
    const claims = [sampleClaim({ location: sampleLocation({ anchoring: 'unanchored', line: null }) })];
    expect(decide({ ...clean, claims }, policy).outcome).toBe('INCOMPLETE');
    expect(decide({ ...clean, claims }, { ...policy, unverifiedBlocker: 'warn' }).outcome).toBe('PASS');
    expect(decide({ ...clean, claims: [{ ...sampleClaim({ location: sampleLocation({ anchoring: 'unanchored', line: null }) }), supporters: ['alpha', 'beta'] }] }, policy).outcome).toBe('FAIL');
  });

  it('lets a dismissed claim pass', () => {
    expect(decide({ ...clean, claims: [sampleClaim({ state: 'dismissed' })] }, policy).outcome).toBe('PASS');
  });

  it('lets the votes of a verification decide, whatever the fail rules say', () => {
    expect(judge(votes('fail', [], ['alpha']), [vote('alpha')], ['never'])).toBe('FAIL');
    expect(judge(votes('disputed', ['beta'], ['alpha']), [vote('alpha')], ['single:critical'])).toBe('INCOMPLETE');
    expect(judge({ result: 'undecided', criteria: [] }, [], ['single:critical'])).toBe('INCOMPLETE');
    expect(judge(votes('pass', ['alpha', 'beta'], []), [], ['single:critical'])).toBe('PASS');
    // Nobody's vote on a criterion: what the fail rules make of it, and never nothing.
    expect(judge(votes('pass', ['alpha', 'beta'], []), [vote('alpha')], ['single:critical'])).toBe('FAIL');
    expect(judge(votes('pass', ['alpha', 'beta'], []), [vote('alpha')], ['never'])).toBe('INCOMPLETE');
    expect(judge(votes('pass', ['alpha', 'beta'], []), [sampleClaim()], ['single:critical', 'majority:high'])).toBe('FAIL');
  });

  it('fails on what the engine found, whatever the rules, and says it first', () => {
    const rules = { ...policy, failOn: parseFailRules(['never']) };
    expect(decide({ ...clean, found: ['src/a.ts:1 hides something.'] }, rules)).toEqual({ outcome: 'FAIL', reasons: ['src/a.ts:1 hides something.'], blocking: [] });
    const { reasons, blocking } = decide({ ...clean, found: ['src/a.ts:1 hides something.'], claims: [sampleClaim()], gaps: ['Interrupted.'] }, policy);
    expect([reasons[0], reasons.length, blocking]).toEqual(['src/a.ts:1 hides something.', 3, ['c-0000000001']]);
  });

  it('never passes without a completed reviewer for every unit', () => {
    const reviews = fc.array(fc.constantFrom(sampleReview(), sampleReview({ status: 'partial' }), failedReview('alpha'), sampleReview({ coverage: [] })));
    fc.assert(fc.property(reviews, fc.integer({ min: 1, max: 4 }), (list, quorum) => {
      const { outcome } = decide({ ...clean, reviews: list }, { ...policy, quorum });
      const complete = list.filter(review => review.status === 'complete');
      const isRead = complete.some(review => review.coverage.some(({ path }) => path === 'src/a.ts'));
      expect(outcome).toBe(complete.length >= quorum && isRead ? 'PASS' : 'INCOMPLETE');
    }));
  });
});

describe('fail rules', () => {
  it('are a severity, a tier with a severity, or never', () => {
    expect(parseFailRules(['never', 'high', 'all:low'])).toEqual([{ agreement: 'single', severity: 'high' }, { agreement: 'all', severity: 'low' }]);
    for (const good of ['never', 'critical', 'all:high', 'majority:medium', 'single:low', 'analyser:high']) expect(good).toMatch(failRulePattern);
    for (const bad of ['', 'none', 'some:high', 'all:', 'all:hi', 'high:all', 'HIGH']) expect(bad).not.toMatch(failRulePattern);
  });

  it('of analysers count what one of them states about security, in its own severity', () => {
    const rule = { ...policy, failOn: parseFailRules(['analyser:high']) };
    const reviews = [sampleReview({ reviewer: 'fred', runner: 'builtin' }), sampleReview({ reviewer: 'patterns' })];
    const outcome = (finding: Parameters<typeof sampleFinding>[0], changes: Parameters<typeof sampleClaim>[0] = {}): string => decide({ ...clean, reviews, claims: [sampleClaim({ severity: 'high', findings: [sampleFinding({ severity: 'high', category: 'security', ...finding })], ...changes })] }, rule).outcome;
    expect([outcome({ reviewer: 'fred' }), outcome({ reviewer: 'fred', category: ' Secrets ' }), outcome({ reviewer: 'fred', severity: 'critical' })]).toEqual(['FAIL', 'FAIL', 'FAIL']);
    expect([outcome({ reviewer: 'fred', category: 'correctness' }), outcome({ reviewer: 'fred', severity: 'medium' }, { severity: 'critical' }), outcome({ reviewer: 'patterns' }), outcome({ reviewer: 'fred' }, { state: 'dismissed' })]).toEqual(['PASS', 'PASS', 'PASS', 'PASS']);
  });

  it('count a stronger agreement and a worse severity too', () => {
    const rule = { ...policy, failOn: parseFailRules(['majority:high']) };
    expect(decide({ ...clean, claims: [sampleClaim({ agreement: 'all', severity: 'critical' })] }, rule).outcome).toBe('FAIL');
    expect(decide({ ...clean, claims: [sampleClaim({ agreement: 'single', severity: 'critical' })] }, rule).outcome).toBe('PASS');
    expect(decide({ ...clean, claims: [sampleClaim({ agreement: 'all', severity: 'medium' })] }, rule).outcome).toBe('PASS');
  });
});

it('has one exit code for each outcome', () => {
  expect(exitCodes).toEqual({ PASS: 0, FAIL: 1, INCOMPLETE: 2 });
});
