import { describe, expect, it } from 'vitest';
import { judgeNextStage } from '../../../src/core/panel/stages.ts';
import { failedReview, findingOf, reviewOf } from '../run-files/samples.ts';

const policy = { quorum: 1, all: false };
const calm = reviewOf({
  findings: [
    findingOf({ severity: 'medium' }),
    findingOf({ severity: 'critical', isImprovement: true }),
  ],
});

describe('a later stage of reviewers', () => {
  it('is left out when the first is complete and found nothing of weight', () => {
    expect(judgeNextStage([calm], policy).warranted).toBe(false);
  });

  it.each([
    ['a finding of P1', [calm, reviewOf({ findings: [findingOf()] })], policy, 'alpha/A-1 is high'],
    ['a reviewer that did not complete', [failedReview], policy, 'alpha did not complete'],
    [
      'a quorum that the first stage cannot reach',
      [calm],
      { quorum: 2, all: false },
      'the quorum is 2',
    ],
    ['somebody who asks for all', [calm], { quorum: 1, all: true }, 'every stage was asked for'],
  ])('is asked because of %s', (_what, reviews, rule, why) => {
    expect(judgeNextStage(reviews, rule)).toEqual({ warranted: true, why });
  });
});
