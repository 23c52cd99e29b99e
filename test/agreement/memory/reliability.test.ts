import { describe, expect, it } from 'vitest';
import {
  reliabilityOf,
  judgeAccuracyOf,
  judgedBy,
} from '../../../src/agreement/memory/decision.ts';
import { familyNamed, familyOf } from '../../../src/core/words/runner.ts';
import { type RunToRemember, Disposition, type KnownClaim } from '../../../src/core/words/run.ts';
import {
  rememberRun,
  type DecidedConfidence,
  decidedConfidences,
  fewestDecisions,
  recalibrationOf,
  withoutRecalibration,
  withRecalibration,
} from '../../../src/agreement/memory/remember-run.ts';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { findingOf, reviewOf } from '../sample.ts';
import {
  sampleChange,
  sampleClaim,
  sampleDisposition,
  sampleKnownClaim,
} from '../../core/sample.ts';
import { createProject } from './sample-project.ts';
import fc from 'fast-check';
import type { Judgement, PairAnswer } from '../../../src/core/ports/matcher.ts';
import { computeStatistics } from '../../../src/render/statistics.ts';

describe('the family of a reviewer', () => {
  it.each([
    ['claude-code', 'anthropic'],
    ['review-sonnet-5#2', 'anthropic'],
    ['opus', 'anthropic'],
    ['haiku-fast', 'anthropic'],
    ['gpt-5', 'openai'],
    ['codex#1', 'openai'],
    ['arm#1', 'arm'],
    ['My Arm#12', 'my arm'],
    ['arm', null],
    ['arm#', null],
    ['magnum-opusculum', null],
  ])('named %s is %s', (name, family) => expect(familyNamed(name)).toBe(family));

  it('told by the model comes before the runner', () => {
    expect(familyOf({ model: 'claude/haiku-4', runner: 'command' })).toBe('anthropic');
    expect(familyOf({ model: 'vertex/opus-4', runner: 'gemini' })).toBe('anthropic');
  });
});

describe('what is known of a reviewer', () => {
  it('counts what was fixed without a word apart from what people decided', async () => {
    const project = createProject({ 'src/a.ts': 'one();\ntwo();\nthree();\nfour();\n' });
    await project.hold([
      { reviewer: 'alpha', text: 'The pool is never drained', path: 'src/a.ts', line: 1 },
    ]);
    expect(reliabilityOf(project.memory)).toEqual([]);
    const { fixed } = await project.hold([]);
    expect(fixed).toHaveLength(1);
    expect(reliabilityOf(project.memory)).toEqual([
      { reviewer: 'alpha', family: null, confirmed: 0, rejected: 0, fixed: 1 },
    ]);
    project.decide(fixed[0]?.id ?? '', { verdict: 'rejected' });
    expect(reliabilityOf(project.memory)).toEqual([
      { reviewer: 'alpha', family: null, confirmed: 0, rejected: 1, fixed: 0 },
    ]);
  });
});

describe('what is remembered of how sure a run was', () => {
  it('is what was shown, and what the model said before decisions corrected it', async () => {
    expect(await rememberConfidence(0.8)).toEqual({ stated: 0.8, modelled: 0.8 });
    const corrected = await rememberConfidence(0.5, {
      recalibration: { intercept: Math.log(4), slope: 1, decisions: 100 },
    });
    expect(corrected?.stated).toBe(0.5);
    expect(corrected?.modelled).toBeCloseTo(0.2, 10);
  });

  it('is nothing where none was computed', async () =>
    expect(await rememberConfidence(null)).toBeNull());
});

/** What the memory keeps of the confidence of a claim after the run that showed it. */
async function rememberConfidence(
  confidence: number | null,
  corrected: Pick<RunToRemember, 'recalibration'> = {},
) {
  const [claim] = await formClaims({
    findings: [findingOf('alpha', 'The pool is never drained')],
    matcher: createCalibratedMatcher(matcherModel),
    panel: ['alpha'],
    reviews: [reviewOf('alpha')],
  });
  if (claim === undefined) throw new Error('There should be a claim.');
  const { changed } = await rememberRun(
    { claims: [], dispositions: [] },
    {
      run: 'run',
      at: '2026-11-21T12:00:00.000Z',
      change: sampleChange(),
      reviews: [],
      claims: [{ ...claim, confidence }],
      families: new Map(),
      read: () => Promise.resolve(null),
      matcher: createCalibratedMatcher(matcherModel),
      isDecided: () => true,
      ...corrected,
    },
  );
  return changed[0]?.history[0]?.confidence;
}

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

function decisions(
  ...groups: readonly (readonly [modelled: number, right: number, wrong: number])[]
): DecidedConfidence[] {
  return groups.flatMap(([modelled, right, wrong]) =>
    Array.from({ length: right + wrong }, (_, index) => ({
      stated: modelled,
      modelled,
      isTrue: index < right,
    })),
  );
}

const claim = (
  id: string,
  history: readonly (readonly [at: string, confidence: number | null])[],
): KnownClaim =>
  sampleKnownClaim({
    id,
    history: history.map(([at, stated], index) => ({
      run: String(index),
      at,
      state: 'new',
      confidence: stated === null ? null : { stated, modelled: stated / 2 },
    })),
  });

const decision = (id: string, at: string, verdict: Disposition['verdict'] = 'accepted') =>
  sampleDisposition({ claim: id, verdict, at });

describe('the correction of confidence by decisions', () => {
  it.each<[string, DecidedConfidence[]]>([
    ['nobody decided', []],
    ['one too few are decided', decisions([0.8, 60, 39])],
    ['too few are false', decisions([0.8, 200, 19])],
    ['all are false', decisions([0.8, 0, 500])],
  ])('is none where %s', (_, decided) => expect(recalibrationOf(decided)).toBeNull());

  it('begins with a hundred decisions, twenty of each kind', () => {
    expect(fewestDecisions).toEqual({ all: 100, ofEachKind: 20 });
    expect(recalibrationOf(decisions([0.8, 80, 20]))).toMatchObject({ decisions: 100 });
  });

  it('leaves figures alone that were right', () => {
    const correction = recalibrationOf(decisions([0.2, 40, 160], [0.8, 160, 40]));
    expect(correction?.intercept).toBeCloseTo(0, 5);
    expect(correction?.slope).toBeCloseTo(1, 2);
  });

  it('moves figures towards what was decided, never past it', () => {
    const correction = recalibrationOf(decisions([0.8, 100, 100], [0.3, 10, 90]));
    if (correction === null) throw new Error('There should be a correction.');
    const [high, low] = [0.8, 0.3].map(figure => withRecalibration(figure, correction));
    expect(high).toBeGreaterThan(0.49);
    expect(high).toBeLessThan(0.6);
    expect(low).toBeGreaterThan(0.09);
    expect(low).toBeLessThan(0.2);
  });

  it('stays in order and finite whatever was decided, and can be undone', () =>
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            stated: fc.double({ min: 0, max: 1, noNaN: true }),
            modelled: fc.double({ min: 0, max: 1, noNaN: true }),
            isTrue: fc.boolean(),
          }),
          { minLength: 100, maxLength: 200 },
        ),
        fc.double({ min: 0.01, max: 0.99, noNaN: true }),
        (decided, figure) => {
          const correction = recalibrationOf(decided);
          if (correction === null) return;
          expect(correction.slope).toBeGreaterThan(0);
          expect(Number.isFinite(correction.intercept)).toBe(true);
          const shown = withRecalibration(figure, correction);
          if (shown > 0.001 && shown < 0.999)
            expect(withoutRecalibration(shown, correction)).toBeCloseTo(figure, 6);
        },
      ),
    ));

  it('takes what was said in the last run before the decision', () => {
    const memory = {
      claims: [
        claim('c-0000000001', [
          ['2026-11-01T00:00:00Z', 0.4],
          ['2026-11-03T00:00:00Z', 0.6],
          ['2026-11-09T00:00:00Z', 0.9],
        ]),
        claim('c-0000000002', [['2026-11-09T00:00:00Z', 0.9]]),
        claim('c-0000000003', [['2026-11-01T00:00:00Z', null]]),
        claim('c-0000000004', [['2026-11-01T00:00:00Z', 0.2]]),
      ],
      dispositions: [
        decision('c-0000000001', '2026-11-05T00:00:00Z', 'tolerated'),
        decision('c-0000000002', '2026-11-05T00:00:00Z'),
        decision('c-0000000003', '2026-11-05T00:00:00Z'),
        decision('c-0000000004', '2026-11-05T00:00:00Z', 'rejected'),
      ],
    };
    expect(decidedConfidences(memory)).toEqual([
      { stated: 0.6, modelled: 0.3, isTrue: true },
      { stated: 0.2, modelled: 0.1, isTrue: false },
    ]);
    expect(computeStatistics(memory, []).calibration).toMatchObject({
      decisions: 2,
      confirmed: 1,
      bins: [
        { least: 0.2, most: 0.4, claims: 1, stated: 0.2, confirmed: 0 },
        { least: 0.6, most: 0.8, claims: 1, stated: 0.6, confirmed: 1 },
      ],
      recalibration: null,
    });
  });
});
