import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCalibratedMatcher } from '../../../src/agreement/calibrated.ts';
import { matcherModel } from '../../../src/agreement/calibrated-model.ts';
import { formClaims } from '../../../src/agreement/claims.ts';
import { createJudging, withAnswers } from '../../../src/agreement/judge.ts';
import type { Pair } from '../../../src/agreement/linkage.ts';
import { asComplaints } from '../../../src/agreement/polarity.ts';
import { type JudgeAccuracy, type Matcher, PairAnswer } from '../../../src/core/ports/matcher.ts';
import { blockingClaims } from '../../../src/core/verdict/judges.ts';
import { outcomeOf } from '../../../src/core/verdict/outcome.ts';
import { judgeReadings, otherReadings, withVotesOf } from '../../../src/core/verdict/readings.ts';
import type { Claim } from '../../../src/core/words/claim.ts';
import { ReadAs } from '../../../src/core/words/run.ts';
import type { Finding } from '../../../src/core/words/finding.ts';
import { findingOf, readInFull, reviewOf } from '../../agreement/sample.ts';
import { sampleClaim, sampleFinding } from '../sample.ts';
import { evidenceOf, rulesOf, type RuleSetName } from './panel.ts';

type Reading = Parameters<typeof otherReadings>[0][number];

const milder = { PASS: 0, INCOMPLETE: 1, FAIL: 2 } as const;
const reviewers = ['alpha', 'beta', 'gamma', 'delta'];

const reviews = reviewers.map(reviewer => reviewOf(reviewer, { coverage: readInFull('src/a.ts') }));

/** Remarks of one panel about few things, so that many pairs are open. */
const Remark = fc.record({
  reviewer: fc.constantFrom(...reviewers),
  label: fc.constantFrom('CRITICAL', 'HIGH', 'MEDIUM', 'LOW'),
  line: fc.option(fc.integer({ min: 1, max: 30 })),
  text: fc.constantFrom(
    'Jobs of the scheduler run in random order each night',
    'At random the scheduler picks the order of its work',
    'The order of the jobs is not kept by the scheduler',
    'SQL injection in the search endpoint',
    'Verified: the search query is built from user input',
    'I checked this locally: the search endpoint takes SQL',
    'All jobs are approved by default when the scheduler is down',
    'The search query is built from user input',
    'The retry loop never waits between two attempts',
    'The retry loop waits between two attempts as it should',
    'A failed job is retried without a pause',
  ),
});

/** As decisions of people may leave it. */
const Share = fc.double({ min: 0.55, max: 0.97, noNaN: true });
const Accuracy = fc.record({ same: Share, different: Share });

const findingsIn = (
  remarks: readonly (typeof Remark extends fc.Arbitrary<infer R> ? R : never)[],
) =>
  remarks.map(({ reviewer, label, line, text }) =>
    findingOf(reviewer, text, { label, ...(line !== null && { path: 'src/a.ts', line }) }),
  );

const form = (findings: readonly Finding[], matcher: Matcher) =>
  formClaims({ findings, matcher, panel: reviewers, reviews });

async function formAll(
  findings: readonly Finding[],
  answer: (pair: Pair) => PairAnswer,
  accuracy?: JudgeAccuracy,
) {
  const matcher = createCalibratedMatcher(matcherModel);
  await form(asComplaints(findings, 'complaints') ?? findings, matcher);
  const panel = matcher.panel();
  const judging = createJudging(panel, accuracy);
  for (let next = judging.next(); next.length > 0; next = judging.next())
    for (const pair of next) judging.hear(pair, answer(pair));
  const judged = withAnswers(matcher, panel, judging);
  const others: Reading[] = [];
  for (const taken of ReadAs.shape.taken.options) {
    const said = taken === 'words' ? findings : asComplaints(findings, taken);
    for (const own of [matcher, judged])
      others.push({ taken, isJudged: own === judged, claims: await form(said ?? findings, own) });
  }
  return { claims: await form(findings, judged), others };
}

const evidenceFor = (own: readonly Claim[]) => evidenceOf({ reviews, claims: own });

const said = (reviewer: string) =>
  sampleFinding({ reviewer, id: `${reviewer}/#1`, severity: 'high', label: 'HIGH' });

const reasonsOf = (rules: RuleSetName, own: readonly Claim[], readings: readonly Reading[] = []) =>
  judgeReadings(
    evidenceFor(own),
    otherReadings(readings, own).map(({ claims, ...read }) => ({
      ...read,
      evidence: evidenceFor(withVotesOf(claims, own)),
    })),
    rulesOf(rules, { quorum: 2 }),
  );

describe('the outcome', () => {
  it('is never milder than without a judge, nor than by the severities stated', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(Remark, { minLength: 2, maxLength: 12 }),
        fc.oneof(
          fc.constantFrom(...PairAnswer.options).map(word => () => word),
          fc
            .infiniteStream(fc.constantFrom(...PairAnswer.options))
            .map(answers => () => answers.next().value),
        ),
        Accuracy,
        async (remarks, answer, accuracy) => {
          const { claims, others } = await formAll(findingsIn(remarks), answer, accuracy);
          for (const rules of ['review', 'gates', 'vote', 'veto with fail rules'] as const) {
            const reasons = reasonsOf(rules, claims, others);
            for (const { taken, claims: own } of others) {
              const outcome = outcomeOf(reasonsOf(rules, own));
              expect(milder[outcomeOf(reasons)], rules).toBeGreaterThanOrEqual(
                taken === 'complaints' ? Number(outcome !== 'PASS') : milder[outcome],
              );
            }
            // What blocks is a claim that is shown.
            if (reasons.some(({ rule, effect }) => rule === 'claim' && effect === 'FAIL'))
              expect(blockingClaims(claims, reasons), rules).not.toEqual([]);
          }
        },
      ),
      { numRuns: 150 },
    ));

  it('is what it was where the judge is down', async () => {
    const findings = [
      findingOf('alpha', 'SQL injection in the search endpoint', { label: 'HIGH' }),
      findingOf('beta', 'SQL injection in the search endpoint', { label: 'HIGH' }),
    ];
    const { claims, others } = await formAll(findings, () => 'cannot-say');
    expect(otherReadings(others, claims)).toEqual([]);
  });

  const [one, other] = [said('alpha'), said('beta')];
  const joined = sampleClaim({
    id: 'c-joined',
    severity: 'high',
    agreement: 'majority',
    supporters: ['alpha', 'beta'],
    electorate: 3,
    findings: [one, other],
  });
  const apart = [one, other].map((finding, index) =>
    sampleClaim({
      ...joined,
      id: `c-apart-${index}`,
      agreement: 'single',
      supporters: [finding.reviewer],
      findings: [finding],
    }),
  );
  const panel = ['alpha', 'beta', 'gamma'].map(reviewer => reviewOf(reviewer));
  const judge = (claims: readonly Claim[], unjudged: readonly Claim[]) =>
    judgeReadings(
      evidenceOf({ reviews: panel, claims, units: [] }),
      [
        {
          taken: 'words',
          isJudged: false,
          evidence: evidenceOf({ reviews: panel, claims: unjudged, units: [] }),
        },
      ],
      rulesOf('review'),
    ).filter(({ rule }) => rule === 'claim');

  it('fails by the claim that was split, under the name of the one that is shown', () =>
    expect(judge(apart, [joined])).toEqual([
      {
        rule: 'claim',
        effect: 'FAIL',
        subject: 'c-apart-0',
        sentence: "Without the judge's answers: c-apart-0 is high and supported by 2 of 3.",
      },
    ]));

  it('fails by voices that the judge joined', () =>
    expect(judge([joined], apart)).toMatchObject([{ subject: 'c-joined', effect: 'FAIL' }]));

  it('is not dismissed by what the judge says the same as a dismissed claim', () => {
    const dismissed = { ...joined, state: 'dismissed' } as const;
    const open = { ...joined, id: 'c-open', findings: [one], supporters: ['alpha', 'gamma'] };
    expect(judge([dismissed], [open])).toMatchObject([{ subject: 'c-joined', effect: 'FAIL' }]);
  });

  it('counts a vote of the panel for a claim that the judge left as it was, and what speaks against it without', () => {
    const deliberation = { outcome: 'voted_down' } as unknown as NonNullable<Claim['deliberation']>;
    const against = [{ reviewer: 'gamma', finding: 'gamma/#1', statement: 'It is well.' }];
    expect(withVotesOf([joined], [{ ...joined, against, deliberation }])).toEqual([
      { ...joined, deliberation },
    ]);
    expect(withVotesOf(apart, [{ ...joined, deliberation }])).toEqual(apart);
    const one: Reading = { taken: 'words', isJudged: false, claims: [joined] };
    const other: Reading = { ...one, taken: 'stated' };
    expect(otherReadings([one, other], [{ ...joined, against }])).toEqual([one]);
  });
});
