import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../../src/core/verdict/outcome.ts';
import {
  type Approval,
  Reason,
  isApprovable,
  withoutApproved,
} from '../../../src/core/verdict/record.ts';
import { approvedOf, type Evidence, judgeRun } from '../../../src/core/verdict/judges.ts';
import { approvalCommands } from '../../../src/core/verdict/review-status.ts';
import { sampleClaim } from '../sample.ts';
import { evidenceOf, rulesOf } from './panel.ts';

const blob = 'b'.repeat(40);

function approval(changes: Partial<Approval> = {}): Approval {
  return {
    schema: 'jury.approval/1',
    id: 'f'.repeat(64),
    change: 'c'.repeat(64),
    rule: 'require-human',
    things: [{ subject: '.npmrc', object: null }],
    by: 'ann',
    at: '2026-01-01T00:00:00.000Z',
    reason: 'looked at it',
    run: 'run',
    ...changes,
  };
}

const asksAbout = (subject: string): Reason => ({
  rule: 'require-human',
  effect: 'INCOMPLETE',
  subject,
  sentence: `require-human: ${subject}`,
});
const unread = approval({ rule: 'unread', things: [{ subject: 'a.png', object: blob }] });
const withPicture = evidenceOf({
  units: ['src/a.ts', 'a.png'],
  binaries: new Map([['a.png', blob]]),
});
const rules = rulesOf('review');
const outcome = (evidence: Parameters<typeof judgeRun>[0]) =>
  [
    outcomeOf(judgeRun(evidence, rules)),
    ...judgeRun(evidence, rules).map(({ subject }) => subject),
  ].join(' ');

describe('what a person let pass', () => {
  it('is asked for no more, and everything else is', () => {
    const known = [asksAbout('.npmrc'), asksAbout('.mcp.json')];
    expect(outcome(evidenceOf({ known }))).toBe('INCOMPLETE .npmrc .mcp.json');
    expect(outcome(evidenceOf({ known, approvals: [approval()] }))).toBe('INCOMPLETE .mcp.json');
    const both = approval({
      things: [
        { subject: '.npmrc', object: null },
        { subject: '.mcp.json', object: null },
      ],
    });
    expect(outcome(evidenceOf({ known, approvals: [both] }))).toBe('PASS');
    expect(approvedOf(evidenceOf({ known, approvals: [both, unread] }), rules)).toEqual([
      {
        id: both.id,
        rule: 'require-human',
        subjects: ['.npmrc', '.mcp.json'],
        by: 'ann',
        at: both.at,
        reason: 'looked at it',
      },
    ]);
  });

  it('is a file that nobody can read with just these bytes', () => {
    expect(outcome(withPicture)).toBe('INCOMPLETE a.png');
    expect(outcome({ ...withPicture, approvals: [unread] })).toBe('PASS');
    const others: Partial<Evidence>[] = [
      { binaries: new Map([['a.png', 'd'.repeat(40)]]) },
      { binaries: new Map() },
      { approvals: [approval({ ...unread, things: [{ subject: 'a.png', object: null }] })] },
      { approvals: [approval({ ...unread, rule: 'require-human' })] },
      { approvals: [approval({ ...unread, things: [{ subject: 'b.png', object: blob }] })] },
    ];
    for (const other of others)
      expect(outcome({ ...withPicture, approvals: [unread], ...other })).toBe('INCOMPLETE a.png');
  });

  it('is never a text that no reviewer read', () => {
    const evidence = evidenceOf({ units: ['src/a.ts', 'src/b.ts'] });
    expect(judgeRun(evidence, rules).some(isApprovable)).toBe(false);
    for (const object of [null, blob])
      expect(
        outcome({
          ...evidence,
          approvals: [approval({ rule: 'unread', things: [{ subject: 'src/b.ts', object }] })],
        }),
      ).toBe('INCOMPLETE src/b.ts');
  });

  it('is no reason of any other rule, and none that fails the run, whatever it says', () => {
    const anything = fc.record({
      rule: fc.constantFrom(...Reason.shape.rule.options),
      effect: fc.constantFrom('FAIL' as const, 'INCOMPLETE' as const),
      subject: fc.constantFrom('.npmrc', 'a.png'),
      sentence: fc.string(),
      object: fc.option(fc.constant(blob), { nil: undefined }),
    });
    const approvals = [
      approval(),
      unread,
      approval({ things: [{ subject: 'a.png', object: blob }] }),
      approval({ rule: 'unread', things: [{ subject: '.npmrc', object: null }] }),
    ];
    fc.assert(
      fc.property(fc.array(anything), made => {
        const reasons = made.map(({ object, ...reason }): Reason => ({
          ...reason,
          ...(object !== undefined && { object }),
        }));
        const { open } = withoutApproved(reasons, approvals);
        const gone = reasons.filter(reason => !open.includes(reason));
        for (const reason of gone) {
          expect(reason.effect).toBe('INCOMPLETE');
          expect(['require-human', 'unread']).toContain(reason.rule);
          if (reason.rule === 'unread') expect(reason.object).toBe(blob);
        }
      }),
    );
  });

  it('does not touch a run that fails', () => {
    const failing = evidenceOf({
      claims: [sampleClaim()],
      known: [asksAbout('.npmrc')],
      approvals: [approval()],
    });
    expect(outcomeOf(judgeRun(failing, rules))).toBe('FAIL');
    expect(judgeRun(failing, rules).map(({ rule }) => rule)).toEqual(['claim']);
  });
});

const commands = (outcomeNow: 'PASS' | 'FAIL' | 'INCOMPLETE', reasons: Reason[]) =>
  approvalCommands({ run: 'r', outcome: outcomeNow, reasons });

describe('the command that approves', () => {
  const picture = { rule: 'unread', effect: 'INCOMPLETE', sentence: '', object: blob } as const;

  it('is said where it would help, with names a shell does not take apart', () =>
    expect(
      commands('INCOMPLETE', [
        asksAbout('.npmrc'),
        asksAbout('b'),
        { ...picture, subject: 'a.png' },
        { ...picture, subject: "it's $(x).png" },
      ]),
    ).toEqual([
      'jury approve require-human --run r --reason TEXT',
      `jury approve unread --run r --path a.png 'it'\\''s $(x).png' --reason TEXT`,
    ]));

  it('is not said of a run that fails or passes, nor of what cannot be approved', () => {
    expect(commands('FAIL', [asksAbout('.npmrc')])).toEqual([]);
    expect(commands('PASS', [])).toEqual([]);
    expect(
      commands('INCOMPLETE', [
        { rule: 'unread', effect: 'INCOMPLETE', subject: 'a.ts', sentence: '' },
        { rule: 'quorum', effect: 'INCOMPLETE', subject: 'r', sentence: '' },
      ]),
    ).toEqual([]);
  });
});
