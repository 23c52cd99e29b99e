import { describe, expect, it } from 'vitest';
import { guardsOf, judgeFolder, type FolderEvidence } from '../../../src/core/verdict/folder.ts';
import { outcomeOf } from '../../../src/core/verdict/outcome.ts';
import type { Reason } from '../../../src/core/verdict/record.ts';
import type { Grounding } from '../../../src/core/run-files/grounding.ts';
import { rulesOf, sampleSeat } from './panel.ts';

const grounded: Grounding = {
  status: 'ok',
  checked: 0,
  ungrounded: [],
  severity_mismatch: [],
  wrong_agent: [],
  foreign_skipped: 0,
  strict: false,
};
const clean: FolderEvidence = {
  run: 'run',
  reasons: [],
  verdicts: [
    { agent: 'alpha', status: 'CLEAN' },
    { agent: 'beta', status: 'CLEAN' },
  ],
  malformed: [],
  required: ['alpha'],
  quorum: 2,
  missing: [],
  levels: [],
  input: { recorded: 'x', current: 'x' },
  grounding: grounded,
  sensitive: [],
  skipSecurity: null,
};
const { rules } = rulesOf('gates');
const judge = (change: Partial<FolderEvidence>) => judgeFolder({ ...clean, ...change }, rules);
const outcome = (change: Partial<FolderEvidence>): string => outcomeOf(judge(change).reasons);
const reason = (
  rule: Reason['rule'],
  effect: Reason['effect'],
  sentence: string = rule,
): Reason => ({ rule, effect, subject: 'x', sentence });
const auth = { path: 'src/auth.ts', reason: 'path segment "auth.ts" contains "auth"' };
const verdicts = (status: string) => [
  { agent: 'alpha', status: 'CLEAN' },
  { agent: 'beta', status },
];
const unguarded = [{ ...auth, guards: [] }];

describe('the gates of a commit', () => {
  it('pass a change that everybody found clean', () => {
    expect(judge({})).toEqual({ reasons: [], gate: { run: [], overrides: [] } });
    expect(
      outcome({
        levels: ['P2', 'P3'],
        verdicts: [
          { agent: 'alpha', status: 'NEEDS_ATTENTION' },
          { agent: 'beta', status: 'CLEAN' },
        ],
      }),
    ).toBe('PASS');
  });

  it.each<[string, Partial<FolderEvidence>, Reason['rule'], string]>([
    [
      'no verdict file',
      { verdicts: [], required: [], quorum: 0 },
      'quorum',
      'There is no verdict file.',
    ],
    ...['ERROR', 'FAILED', 'PARTIAL', 'UNKNOWN', 'MALFORMED'].map(
      (status): [string, Partial<FolderEvidence>, Reason['rule'], string] => [
        `a required reviewer that is ${status}`,
        {
          verdicts: [
            { agent: 'alpha', status },
            { agent: 'beta', status: 'CLEAN' },
          ],
          quorum: 1,
        },
        'required',
        `Required reviewer alpha is ${status}.`,
      ],
    ),
    [
      'a required reviewer without a file',
      { verdicts: [{ agent: 'beta', status: 'CLEAN' }], quorum: 1 },
      'required',
      'Required reviewer alpha is ERROR.',
    ],
    [
      'a required reviewer whose file is malformed',
      { malformed: ['alpha'], quorum: 1 },
      'required',
      'Required reviewer alpha is MALFORMED.',
    ],
    [
      'a quorum that is not met',
      { quorum: 3 },
      'quorum',
      '2 of 2 reviews are usable; the quorum is 3.',
    ],
    [
      'a missing findings.json',
      { missing: ['findings.json'], grounding: null },
      'ungrounded',
      'findings.json is missing or cannot be read.',
    ],
    [
      'a missing synthesis.md',
      { missing: ['synthesis.md'] },
      'ungrounded',
      'synthesis.md is missing or cannot be read.',
    ],
    [
      'an input that has changed',
      { input: { recorded: 'x', current: 'y' } },
      'changed',
      'The input has changed since the review.',
    ],
    [
      'an input that is gone',
      { input: { recorded: 'x', current: null } },
      'changed',
      'The input has changed since the review.',
    ],
    [
      'findings without ground',
      { grounding: { ...grounded, status: 'violation', checked: 3, ungrounded: ['P0|F1'] } },
      'ungrounded',
      '1 of 3 merged findings trace to nothing a reviewer wrote: P0|F1.',
    ],
    [
      'a sensitive file without security review',
      { sensitive: unguarded },
      'security',
      'src/auth.ts has no valid security review (path segment "auth.ts" contains "auth").',
    ],
    [
      'a run that was not complete',
      { reasons: [reason('unread', 'INCOMPLETE', 'a.ts was read in full by no reviewer.')] },
      'unread',
      'a.ts was read in full by no reviewer.',
    ],
  ])('are closed by %s', (_what, change, rule, sentence) => {
    expect(outcome(change)).toBe('INCOMPLETE');
    expect(judge(change).reasons[0]).toMatchObject({ rule, sentence });
  });

  it.each<[string, Partial<FolderEvidence>]>([
    ['a P0', { levels: ['P0'] }],
    ['a P1', { levels: ['P3', 'P1'] }],
    [
      'a reviewer that blocks',
      {
        verdicts: [
          { agent: 'alpha', status: 'BLOCKED' },
          { agent: 'beta', status: 'CLEAN' },
        ],
      },
    ],
    ['a fail rule of the run', { reasons: [reason('claim', 'FAIL')] }],
    ['a veto', { reasons: [reason('veto', 'FAIL')] }],
  ])('fail on %s, also when they are closed besides', (_what, change) => {
    const both = { ...change, input: { recorded: 'x', current: 'y' } };
    expect([outcome(change), outcome(both), judge(both).reasons.at(-1)?.rule]).toEqual([
      'FAIL',
      'FAIL',
      'changed',
    ]);
  });

  it('let a person lift the security rule, and only that, on the record', () => {
    const lifted = judge({
      sensitive: unguarded,
      skipSecurity: 'only a comment',
      reasons: [reason('security', 'INCOMPLETE')],
    });
    expect(lifted).toMatchObject({
      reasons: [],
      gate: {
        overrides: [
          { rule: 'security-coverage', reason: 'only a comment', source: 'JURY_SKIP_SECURITY' },
        ],
      },
    });
    expect(outcome({ sensitive: unguarded, skipSecurity: 'x', quorum: 3 })).toBe('INCOMPLETE');
    expect(outcome({ sensitive: unguarded, skipSecurity: '  ' })).toBe('INCOMPLETE');
    expect(judge({ skipSecurity: 'not needed' }).gate.overrides).toEqual([]);
  });

  it('ask for a security reviewer whose reading of the file counts and whose verdict file is there', () => {
    const seats = [sampleSeat('alpha'), sampleSeat('beta', { role: 'security' })];
    const read = (...by: string[]) => guardsOf([auth], seats, [{ path: auth.path, by }]);
    expect(outcome({ sensitive: read('alpha', 'beta') })).toBe('PASS');
    expect(outcome({ sensitive: read('alpha') })).toBe('INCOMPLETE');
    expect(outcome({ sensitive: read('beta'), verdicts: verdicts('MALFORMED'), quorum: 1 })).toBe(
      'INCOMPLETE',
    );
    expect(outcome({ sensitive: read('beta'), verdicts: verdicts('PARTIAL'), quorum: 1 })).toBe(
      'PASS',
    );
  });
});
