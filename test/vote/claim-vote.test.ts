import { describe, expect, test } from 'vitest';
import type { Claim, ClaimPanel, ClaimVote } from '../../src/core/words/claim.ts';
import {
  concludeClaim,
  riskOf,
  spokenAbout,
  standingOf,
  type ClaimBallot,
  type HeldClaimPanel,
  forecastDeliberation,
} from '../../src/vote/claim-vote.ts';
import { judgeRun } from '../../src/core/verdict/judges.ts';
import { decide } from '../../src/core/verdict/outcome.ts';
import { sampleClaim, sampleReview } from '../core/sample.ts';
import { evidenceOf, rulesOf } from '../core/verdict/panel.ts';

const thresholds = { low: 0.66, medium: 0.33, consensus: 0.75, contested: 0.25 };

function claimOf(supporters: readonly string[], electorate = 4, more: Partial<Claim> = {}) {
  return sampleClaim({
    id: 'c-0123456789',
    supporters: [...supporters],
    electors: [],
    electorate,
    confidence: 0.5,
    text: 'It leaks.',
    findings: [],
    ...more,
  });
}

const voteOf = (reviewer: string, stance: ClaimVote['stance']) => ({
  reviewer,
  stance,
  reasoning: `${reviewer} says so.`,
  concerns: [],
  confidence: 0.5,
});

function ballotOf(
  claim: Claim,
  votes: readonly ClaimVote[] = [],
  noResponse: ClaimBallot['noResponse'] = [],
  contrary: readonly Claim[] = [],
) {
  const error = 'Nobody is left who could be asked.';
  return { claim, spoken: spokenAbout(claim, contrary), votes, noResponse, error };
}

function conclude(
  supporters: readonly string[],
  stances: readonly ClaimVote['stance'][],
  held?: HeldClaimPanel,
  noResponse: { reviewer: string; error: string }[] = [],
) {
  const votes = stances.map((stance, index) => voteOf(`v${index + 1}`, stance));
  return concludeClaim(ballotOf(claimOf(supporters), votes, noResponse), thresholds, held);
}

describe('a claim before the vote', () => {
  test.each([
    [2, 3, 'low'],
    [1, 1, 'medium'],
    [1, 2, 'medium'],
    [1, 4, 'high'],
    [3, 4, 'low'],
    [2, 4, 'medium'],
  ])('with %i of %i behind it is of the risk %s', (support, electorate, risk) =>
    expect(
      riskOf(
        claimOf(
          Array.from({ length: support }, (_, index) => `s${index}`),
          electorate,
        ),
        thresholds,
      ),
    ).toBe(risk),
  );

  test('that another contradicts is never of low risk', () =>
    expect(riskOf(claimOf(['a', 'b', 'c'], 3, { contradicts: ['c-9876543210'] }), thresholds)).toBe(
      'medium',
    ));
});

describe('the vote about a claim', () => {
  test('confirms it, votes it down, or leaves it open', () => {
    expect(conclude(['a'], ['ENDORSE', 'ENDORSE', 'ENDORSE']).deliberation?.outcome).toBe(
      'confirmed',
    );
    expect(conclude(['a'], ['AMEND', 'AMEND']).deliberation?.outcome).toBe('confirmed');
    expect(conclude(['a'], ['OPPOSE', 'OPPOSE']).deliberation?.outcome).toBe('voted_down');
    const silent = { reviewer: 'v3', error: 'HTTP 500' };
    expect(conclude(['a'], ['OPPOSE', 'OPPOSE'], undefined, [silent]).deliberation?.outcome).toBe(
      'contested',
    );
    expect(
      conclude(['a'], ['OPPOSE', 'OPPOSE', 'OPPOSE'], undefined, [silent]).deliberation?.outcome,
    ).toBe('voted_down');
    expect(conclude(['a', 'b'], ['OPPOSE', 'OPPOSE']).deliberation?.outcome).toBe('contested');
    expect(conclude(['a'], ['OPPOSE']).deliberation?.outcome).toBe('contested');
    expect(conclude(['a'], ['ENDORSE', 'OPPOSE']).deliberation?.outcome).toBe('contested');
    expect(conclude(['a'], ['ABSTAIN', 'ABSTAIN']).deliberation?.outcome).toBe('undecided');
  });

  test('nobody answered: the claim is as it was, and says why', () => {
    const claim = conclude(['a'], [], undefined, [
      { reviewer: 'v1', error: 'no complete answer in time' },
    ]);
    expect(claim.confidence).toBe(0.5);
    expect(claim.deliberation).toMatchObject({
      outcome: 'undecided',
      error: 'Nobody answered: no complete answer in time',
      votes: [],
      for: ['a'],
      against: [],
    });
  });

  test('leaves on neither side who abstained, and not who kept silent', () => {
    const ballot = ballotOf(
      claimOf(['a']),
      [voteOf('v1', 'OPPOSE'), voteOf('v2', 'ABSTAIN'), voteOf('v3', 'AMEND')],
      [{ reviewer: 'v4', error: 'no complete answer in time' }],
    );
    expect(standingOf(ballot, null)).toEqual({
      for: ['a', 'v3'],
      against: ['v1'],
      neutral: ['v2'],
    });
  });

  test('that goes to no panel says why, and stays contested', () => {
    const ballot = ballotOf(claimOf(['a']), [voteOf('v1', 'OPPOSE')]);
    expect(
      concludeClaim(ballot, thresholds, { panel: null, skipped: 'Only two could sit.', said: [] })
        .deliberation,
    ).toMatchObject({
      outcome: 'contested',
      panel: null,
      panelSkipped: 'Only two could sit.',
      error: null,
    });
    expect(concludeClaim(ballot, thresholds).deliberation?.panelSkipped).toBeNull();
  });

  describe('counts who denied it before as against it, without asking', () => {
    const denied = claimOf(['a'], 4, {
      against: [{ reviewer: 'd', finding: 'd/#1', statement: 'It frees all it takes.' }],
    });
    const concluded = (votes: readonly ClaimVote[], claim = denied, contrary: Claim[] = []) =>
      concludeClaim(ballotOf(claim, votes, [], contrary), thresholds);

    test('so that it is contested though nobody else is left', () =>
      expect(concluded([])).toMatchObject({
        confidence: 0.5,
        deliberation: { outcome: 'contested', for: ['a'], against: ['d'], votes: [] },
      }));

    test('moves the confidence by the votes of the others alone, and keeps the words of the denial', () => {
      const { deliberation, confidence } = concluded([
        voteOf('v1', 'ENDORSE'),
        voteOf('v2', 'ENDORSE'),
        voteOf('v3', 'ENDORSE'),
      ]);
      expect(deliberation?.outcome).toBe('confirmed');
      expect(confidence).toBeCloseTo(1 / (1 + Math.exp(-2.1)), 9);
      expect(deliberation?.dissent).toEqual([{ reviewer: 'd', opinion: 'It frees all it takes.' }]);
    });

    test('is voted down only where one who was asked denies it too', () => {
      expect(concluded([voteOf('v1', 'OPPOSE')]).deliberation?.outcome).toBe('voted_down');
      const contrary = claimOf(['x', 'y', 'z'], 5, { id: 'c-9876543210' });
      const disputed = claimOf(['a'], 5, { contradicts: [contrary.id] });
      expect(concluded([], disputed, [contrary]).deliberation).toMatchObject({
        outcome: 'contested',
        against: ['x', 'y', 'z'],
      });
    });
  });

  test('moves the confidence with every vote, and never against the outcome', () => {
    const confidences = [
      conclude(['a'], ['ENDORSE', 'ENDORSE', 'ENDORSE']),
      conclude(['a'], ['ENDORSE', 'ENDORSE']),
      conclude(['a'], ['ABSTAIN', 'ABSTAIN']),
      conclude(['a'], ['OPPOSE', 'OPPOSE']),
      conclude(['a'], ['OPPOSE', 'OPPOSE', 'OPPOSE']),
    ].map(({ confidence }) => confidence ?? 0);
    expect(confidences).toEqual(confidences.toSorted((one, other) => other - one));
    expect(confidences[2]).toBe(0.5);
  });

  const panel: ClaimPanel = {
    status: 'concluded',
    error: null,
    supporters: ['a'],
    critics: ['v1'],
    neutrals: [],
    recommendation: 'fail',
    votes: { a: 'fail', v1: 'fail' },
  };
  const afterPanel = (more: Partial<ClaimPanel> = {}) =>
    conclude(['a'], ['OPPOSE', 'ENDORSE'], {
      panel: { ...panel, ...more },
      skipped: null,
      said: [{ archon_name: 'v2', side: 'supporter', argument: 'I still see it.', vote: 'pass' }],
    });

  test('on a panel replaces the stance before it, and decides whatever the panel recommends', () => {
    expect(afterPanel().deliberation).toMatchObject({
      outcome: 'voted_down',
      for: ['v2'],
      against: ['a', 'v1'],
      dissent: [{ reviewer: 'v2', opinion: 'I still see it.' }],
    });
    expect(afterPanel({ votes: { a: 'pass' } }).deliberation).toMatchObject({
      outcome: 'confirmed',
      panel: { recommendation: 'fail' },
    });
  });

  test('a panel that failed leaves the claim contested and its confidence alone', () => {
    const claim = afterPanel({
      status: 'failed',
      error: 'The facilitator did not report.',
      recommendation: null,
      votes: {},
    });
    expect([claim.confidence, claim.deliberation?.outcome, claim.deliberation?.error]).toEqual([
      0.5,
      'contested',
      'The facilitator did not report.',
    ]);
  });

  test('that goes against a blocker takes the ground from FAIL and gives none to PASS', () => {
    const reviews = [sampleReview({ reviewer: 'a' })];
    const gate = (claim: Claim, unverifiedBlocker: 'incomplete' | 'warn') =>
      decide(
        {},
        judgeRun(
          evidenceOf({ reviews, claims: [claim] }),
          rulesOf('review', { unverifiedBlocker }),
        ),
      );
    const down = conclude(['a'], ['OPPOSE', 'OPPOSE']);
    expect(gate(conclude(['a'], ['ENDORSE']), 'incomplete').outcome).toBe('FAIL');
    expect(gate(down, 'incomplete')).toMatchObject({
      outcome: 'INCOMPLETE',
      reasons: [
        {
          rule: 'vote',
          subject: 'c-0123456789',
          sentence:
            'voted-down-blocker: c-0123456789 would fail the gate, but the panel voted it down, 2 to 1. A person must decide: jury dismiss c-0123456789.',
        },
      ],
    });
    expect(gate(down, 'warn').outcome).toBe('PASS');
  });
});

const price = { input: 1, output: 10 };
describe('what a vote about claims takes', () => {
  test('each reviewer is asked about the claims it did not raise, so many in a call', () => {
    // Of ten claims each of three did not raise seven: a call of five and one of two.
    const tokens = 3 * ((7 * 6000 + 2 * 6000) / 3.2 + 7 * 220);
    expect(forecastDeliberation({ batch: 5 }, [price, price, price])).toEqual({
      reviewers: 3,
      batch: 5,
      claims: 10,
      calls: 6,
      panelCalls: 4,
      tokens,
      cost: expect.closeTo((3 * (16_875 + 1_540 * 10)) / 1e6, 9) as number,
    });
  });

  test('at a table sit nine and who facilitates, however many there are', () => {
    const many = Array.from({ length: 20 }, () => price);
    expect(forecastDeliberation({ batch: 5 }, many).panelCalls).toBe(10);
  });

  test('two reviewers vote and hold no panel, which takes three', () => {
    const { calls, panelCalls } = forecastDeliberation({ batch: 5 }, [price, price]);
    expect([calls > 0, panelCalls]).toEqual([true, 0]);
  });

  test('no cost is known where one price is not, and one reviewer has nobody to vote', () => {
    expect(forecastDeliberation({ batch: 5 }, [price, null]).cost).toBeNull();
    for (const prices of [[], [price]])
      expect(forecastDeliberation({ batch: 5 }, prices)).toMatchObject({
        calls: 0,
        panelCalls: 0,
        tokens: 0,
        cost: 0,
      });
  });
});
