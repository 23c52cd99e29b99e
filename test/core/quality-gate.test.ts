import { describe, expect, it } from 'vitest';
import { judgeQuality, uncoveredFiles, type GateEvidence } from '../../src/core/quality-gate.ts';
import type { Grounding } from '../../src/core/write-behind/grounding.ts';

const grounded: Grounding = { status: 'ok', checked: 0, ungrounded: [], severity_mismatch: [], wrong_agent: [], foreign_skipped: 0, strict: false };
const clean: GateEvidence = {
  run: { outcome: 'PASS', reasons: [] }, gaps: [], verdicts: [{ agent: 'alpha', status: 'CLEAN' }, { agent: 'beta', status: 'CLEAN' }], malformed: [], required: ['alpha'], quorum: 2, missing: [], levels: [],
  input: { recorded: 'x', current: 'x' }, grounding: grounded, uncovered: [], skipSecurity: null,
};
const uncovered = [{ path: 'src/auth.ts', reason: 'path segment "auth.ts" contains "auth"' }];

const persona = (role: 'security' | 'general') => ({ name: role, role, focus: '', veto: false, budget: 1, capability: 'review' as const, files: [], instructions: '' });
const read = (...by: string[]) => ({ files: [{ path: 'src/auth.ts', by, partiallyBy: [], skippedBy: [] }] });

describe('the quality gate', () => {
  it('passes a change that everybody found clean', () => {
    expect(judgeQuality(clean)).toMatchObject({ result: 'PASS', exitCode: 0, reasons: [], overrides: [] });
    expect(judgeQuality({ ...clean, levels: ['P2', 'P3'], verdicts: [{ agent: 'alpha', status: 'NEEDS_ATTENTION' }, { agent: 'beta', status: 'CLEAN' }] }).exitCode).toBe(0);
  });

  it.each<[string, Partial<GateEvidence>, string]>([
    ['no verdict file', { verdicts: [], required: [], quorum: 0 }, 'There is no verdict file.'],
    ...['ERROR', 'FAILED', 'PARTIAL', 'UNKNOWN', 'MALFORMED'].map((status): [string, Partial<GateEvidence>, string] => [`a required reviewer that is ${status}`, { verdicts: [{ agent: 'alpha', status }, { agent: 'beta', status: 'CLEAN' }], quorum: 1 }, `Required reviewer alpha is ${status}.`]),
    ['a required reviewer without a file', { verdicts: [{ agent: 'beta', status: 'CLEAN' }], quorum: 1 }, 'Required reviewer alpha is ERROR.'],
    ['a required reviewer whose file is malformed', { malformed: ['alpha'], quorum: 1 }, 'Required reviewer alpha is MALFORMED.'],
    ['a quorum that is not met', { quorum: 3 }, '2 of 2 reviews are usable; the quorum is 3.'],
    ['a missing findings.json', { missing: ['findings.json'], grounding: null }, 'findings.json is missing or cannot be read.'],
    ['a missing synthesis.md', { missing: ['synthesis.md'] }, 'synthesis.md is missing or cannot be read.'],
    ['an input that has changed', { input: { recorded: 'x', current: 'y' } }, 'The input has changed since the review.'],
    ['an input that is gone', { input: { recorded: 'x', current: null } }, 'The input has changed since the review.'],
    ['findings that hang in the air', { grounding: { ...grounded, status: 'violation', checked: 3, ungrounded: ['P0|F1'] } }, '1 of 3 merged findings trace to nothing a reviewer wrote.'],
    ['a sensitive file without security review', { uncovered }, 'src/auth.ts has no valid security review (path segment "auth.ts" contains "auth").'],
    ['a run that was not complete', { run: { outcome: 'INCOMPLETE', reasons: ['a.ts was read in full by no reviewer.'] } }, 'a.ts was read in full by no reviewer.'],
  ])('is closed by %s', (_what, change, sentence) => {
    expect(judgeQuality({ ...clean, ...change })).toMatchObject({ result: 'FAIL', exitCode: 2, reasons: [{ sentence }] });
  });

  it.each<[string, Partial<GateEvidence>]>([
    ['a P0', { levels: ['P0'] }], ['a P1', { levels: ['P3', 'P1'] }], ['a reviewer that blocks', { verdicts: [{ agent: 'alpha', status: 'BLOCKED' }, { agent: 'beta', status: 'CLEAN' }] }],
    ['a fail rule of the run', { run: { outcome: 'FAIL', reasons: ['c-1 is medium.'] } }],
  ])('fails on %s, also when it is closed besides', (_what, change) => {
    expect(judgeQuality({ ...clean, ...change })).toMatchObject({ result: 'FAIL', exitCode: 1 });
    const both = judgeQuality({ ...clean, ...change, input: { recorded: 'x', current: 'y' } });
    expect([both.exitCode, both.reasons.at(-1)?.rule]).toEqual([1, 'input-changed']);
  });

  it('lets a person lift the security rule, and only that, on the record', () => {
    expect(judgeQuality({ ...clean, uncovered, skipSecurity: 'only a comment' })).toMatchObject({ exitCode: 0, overrides: [{ rule: 'security-coverage', reason: 'only a comment', source: 'JURY_SKIP_SECURITY' }] });
    expect(judgeQuality({ ...clean, uncovered, skipSecurity: 'x', quorum: 3 }).exitCode).toBe(2);
    expect(judgeQuality({ ...clean, uncovered, skipSecurity: '  ' }).exitCode).toBe(2);
    expect(judgeQuality({ ...clean, skipSecurity: 'not needed' }).overrides).toEqual([]);
  });

  it('asks for a security reviewer whose review is usable and read the file', () => {
    const seats = [{ id: 'alpha', persona: persona('general') }, { id: 'beta', persona: persona('security') }];
    const request = { sensitive: uncovered, seats, verdicts: clean.verdicts };
    expect(uncoveredFiles({ ...request, coverage: read('alpha', 'beta') })).toEqual([]);
    expect(uncoveredFiles({ ...request, coverage: read('alpha') })).toEqual(uncovered);
    expect(uncoveredFiles({ ...request, coverage: read('beta'), verdicts: [{ agent: 'beta', status: 'PARTIAL' }] })).toEqual(uncovered);
  });
});
