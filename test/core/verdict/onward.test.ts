import { describe, expect, it } from 'vitest';
import { stepsToAsk } from '../../../src/core/verdict/coverage.ts';
import type { Cause } from '../../../src/core/words/review.ts';
import type { RunReviewer } from '../../../src/core/words/run.ts';
import { runOf } from '../run-files/samples.ts';

const [sample] = runOf({}).record.reviewers as [RunReviewer];

function stepsFor(...causes: readonly (Cause | null)[]) {
  const reviewers = causes.map((cause, index): RunReviewer => ({
    ...sample,
    id: `r${index + 1}`,
    status: cause === null ? 'complete' : 'failed',
    cause,
  }));
  return stepsToAsk({ run: 'RUN', reviewers }).map(({ command, does }) => `${command} – ${does}`);
}

describe('what is advised where reviewers did not complete', () => {
  it('is to ask them again where that can help one of them', () => {
    const again = ['jury resume RUN – asks again who did not complete'];
    expect(stepsFor(null, 'deadline')).toEqual(again);
    expect(stepsFor('not-found', 'quota')).toEqual(again);
    expect(stepsFor('outside', 'exit')).toEqual(again);
    expect(stepsFor(null)).toEqual(again);
  });

  it('is to see what the machine lacks where that keeps all of them', () => {
    expect(stepsFor('not-found', 'auth', 'version')).toEqual([
      'jury doctor – tells what these 3 lack; jury init seats what is here',
      'jury resume RUN – asks them once that is there',
    ]);
    expect(stepsFor(null, 'unsafe-cli')).toEqual([
      'jury doctor – tells what r2 lacks; jury init seats what is here',
      'jury resume RUN – asks it once that is there',
    ]);
  });

  it('is a higher ceiling where that was reached', () =>
    expect(stepsFor(null, 'budget')).toEqual([
      'jury resume RUN – with a higher --max-calls, --max-tokens or --max-cost asks again who did not complete',
    ]));

  it('is nothing where nobody may be asked', () =>
    expect(stepsFor('outside', 'withheld', 'egress')).toEqual([]));
});
