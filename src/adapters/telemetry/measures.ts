/** The metrics: two of the GenAI semantic conventions with the buckets they state, and three of Jury's own. */
import type { Meter } from '@opentelemetry/api';
import type { Answer } from '../../core/ports/runner.ts';
import type { Review } from '../../core/words/review.ts';
import {
  type Attributes,
  type CallName,
  causeOf,
  hasUsage,
  nameRunner,
  outcomeOfCall,
} from './attributes.ts';

const tokenBuckets = [
  1, 4, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216,
  67_108_864,
];
const secondBuckets = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

export function openMeasures(meter: Meter) {
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    description: 'Number of input and output tokens used.',
    unit: '{token}',
    advice: { explicitBucketBoundaries: tokenBuckets },
  });
  const seconds = meter.createHistogram('gen_ai.client.operation.duration', {
    description: 'GenAI operation duration.',
    unit: 's',
    advice: { explicitBucketBoundaries: secondBuckets },
  });
  const runs = meter.createCounter('jury.run.outcome', {
    description: 'Runs by what they came to.',
    unit: '{run}',
  });
  const reviews = meter.createCounter('jury.review.status', {
    description: 'Reviews by whether they are complete.',
    unit: '{review}',
  });
  const claims = meter.createCounter('jury.claims', {
    description: 'Claims of runs by severity and agreement.',
    unit: '{claim}',
  });
  return {
    call({ attributes }: CallName, answer: Answer, durationMs: number): void {
      const { 'error.type': error, ...model } = outcomeOfCall(answer);
      const named = { ...attributes, ...model };
      seconds.record(durationMs / 1_000, known({ ...named, 'error.type': error }));
      if (!hasUsage(answer.usage)) return;
      const { inputTokens, outputTokens, estimated } = answer.usage;
      const counted = { ...named, 'jury.usage.estimated': estimated };
      tokens.record(inputTokens, known({ ...counted, 'gen_ai.token.type': 'input' }));
      tokens.record(outputTokens, known({ ...counted, 'gen_ai.token.type': 'output' }));
    },
    review: (review: Review): void =>
      reviews.add(
        1,
        known({
          'jury.runner': nameRunner(review.runner),
          'jury.review.status': review.status,
          'error.type': causeOf(review),
        }),
      ),
    run: (outcome: string, process: string): void =>
      runs.add(1, { 'jury.run.outcome': outcome, 'jury.process': process }),
    claim: (severity: string, agreement: string): void =>
      claims.add(1, { 'jury.claim.severity': severity, 'jury.claim.agreement': agreement }),
  };
}

/** Without what nobody knows: an attribute that is there has a value. */
function known(attributes: Attributes): Record<string, string | number | boolean> {
  return Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
