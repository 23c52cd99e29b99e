import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judgeAccuracyOf, judgedBy } from '../../../src/agreement/memory/decision.ts';
import type { Judgement, PairAnswer } from '../../../src/core/ports/matcher.ts';
import { Disposition } from '../../../src/core/words/run.ts';
import { sampleClaim } from '../../core/sample.ts';
import { findingOf } from '../sample.ts';

const expected = { same: 0.9, different: 0.75 };
const [one, other, third] = ['c-0000000001', 'c-0000000002', 'c-0000000003'] as const;

function decisionOn(claim: string, change: Partial<Disposition> = {}) {
  return Disposition.parse({
    claim,
    verdict: 'tolerated',
    reason: '',
    at: '2026-11-20T10:00:00.000Z',
    severity: 'high',
    path: null,
    text: 'The query is built from user input',
    ...change,
  });
}

const tally = (
  truth: 'same' | 'different',
  right: number,
  wrong: number,
  claim: string = other,
) => ({
  claim,
  truth,
  right,
  wrong,
});

/** A run in which each claim holds two findings, `claim/1` and `claim/2`. */
function runWith(...answers: readonly (readonly [string, string, PairAnswer])[]) {
  const claims = [one, other, third].map(id =>
    sampleClaim({
      id,
      findings: [1, 2].map(number => ({ ...findingOf('alpha', id), id: `${id}/${number}` })),
    }),
  );
  const judge: Judgement = {
    ...expected,
    answers: answers.map(([left, right, answer]) => ({ one: left, other: right, answer })),
  };
  return { claims, judge };
}

describe('how often a judge is right', () => {
  it('is what is expected of any judge while nothing is decided', () => {
    expect(judgeAccuracyOf([])).toEqual(expected);
    expect(judgeAccuracyOf([decisionOn(one)])).toEqual(expected);
  });

  it('is drawn from there by the answers that decisions bear out or contradict', () => {
    const decided = [
      decisionOn(one, { judged: [tally('same', 1, 4)] }),
      decisionOn(third, { judged: [tally('different', 5, 0)] }),
    ];
    expect(judgeAccuracyOf(decided)).toEqual({ same: 19 / 25, different: 20 / 25 });
  });

  it('goes by the latest decision about a claim', () => {
    const decided = [
      decisionOn(one, { judged: [tally('same', 0, 5)] }),
      decisionOn(one, { at: '2026-11-21T10:00:00.000Z' }),
    ];
    expect(judgeAccuracyOf(decided)).toEqual(expected);
  });

  it('counts two claims once, by the later of the two decisions', () => {
    const decided = [
      decisionOn(other, {
        at: '2026-11-21T10:00:00.000Z',
        judged: [tally('different', 0, 2, one)],
      }),
      decisionOn(one, { judged: [tally('same', 0, 2, other)] }),
    ];
    expect(judgeAccuracyOf(decided)).toEqual({ same: 0.9, different: 15 / 22 });
    expect(judgeAccuracyOf(decided.toReversed())).toEqual(judgeAccuracyOf(decided));
  });

  it('never makes an answer count the other way round, nor a judge certain', () => {
    const count = fc.nat({ max: 100_000 });
    fc.assert(
      fc.property(count, count, count, count, (a, b, c, d) => {
        const { same, different } = judgeAccuracyOf([
          decisionOn(one, { judged: [tally('same', a, b)] }),
          decisionOn(third, { judged: [tally('different', c, d)] }),
        ]);
        for (const share of [same, different]) {
          expect(share).toBeGreaterThanOrEqual(0.55);
          expect(share).toBeLessThanOrEqual(0.97);
        }
      }),
    );
  });
});

describe('what a decision tells of answers', () => {
  it('that two claims are one trouble: of answers between their findings, "same" was right', () => {
    const run = runWith(
      [`${one}/1`, `${other}/1`, 'same'],
      [`${other}/2`, `${one}/1`, 'different'],
      [`${one}/2`, `${other}/2`, 'opposite'],
      [`${one}/2`, `${other}/1`, 'cannot-say'],
      [`${one}/1`, `${one}/2`, 'different'],
      [`${one}/1`, `${third}/1`, 'different'],
      [`${one}/1`, 'gone/1', 'different'],
    );
    const decision = { claim: one, verdict: 'tolerated', sameAs: other } as const;
    expect(judgedBy(decision, run, [])).toEqual([tally('same', 1, 2)]);
    // What else is decided about others says nothing then.
    expect(
      judgedBy({ ...decision, verdict: 'rejected' }, run, [
        decisionOn(third, { verdict: 'accepted' }),
      ]),
    ).toEqual([tally('same', 1, 2)]);
  });

  it.each([
    ['accepted', 'rejected'],
    ['rejected', 'accepted'],
  ] as const)('that one is %s, where another is %s: they are two', (verdict, earlier) => {
    const run = runWith(
      [`${one}/1`, `${other}/1`, 'same'],
      [`${one}/1`, `${other}/2`, 'different'],
      [`${one}/2`, `${other}/2`, 'opposite'],
    );
    expect(
      judgedBy({ claim: one, verdict }, run, [decisionOn(other, { verdict: earlier })]),
    ).toEqual([tally('different', 2, 1)]);
  });

  it.each([
    ['nothing is decided about the other', 'accepted', {}],
    ['both are real', 'accepted', { verdict: 'tolerated' }],
    ['both are false', 'rejected', { verdict: 'rejected' }],
    ['the other is one trouble with a third', 'accepted', { verdict: 'rejected', sameAs: third }],
  ] as const)('nothing where %s', (_why, verdict, change) => {
    const run = runWith([`${one}/1`, `${other}/1`, 'same']);
    const decided = 'verdict' in change ? [decisionOn(other, change)] : [];
    expect(judgedBy({ claim: one, verdict }, run, decided)).toEqual([]);
  });

  it('nothing of its own findings where a person changes their mind', () => {
    const run = runWith([`${one}/1`, `${one}/2`, 'same']);
    const decided = [decisionOn(one, { verdict: 'rejected' })];
    expect(judgedBy({ claim: one, verdict: 'accepted' }, run, decided)).toEqual([]);
  });

  it('nothing where no judge was asked about the two', () => {
    const { claims } = runWith();
    const decision = { claim: one, verdict: 'tolerated', sameAs: other } as const;
    expect(judgedBy(decision, { claims }, [])).toEqual([]);
  });
});
