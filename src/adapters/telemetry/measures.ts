/** The metrics: two of the GenAI semantic conventions with the buckets they state, and three of Jury's own. */
import type { Meter } from '@opentelemetry/api';
import type { Answer } from '../../core/ports/runner.ts';
import type { Review, Usage } from '../../core/words/review.ts';
import { ReviewerId } from '../../core/settings.ts';
import type { Seat } from '../../core/words/config.ts';
import { kindOf, runnerNames, traitsOf } from '../../core/words/runner.ts';

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
    call({ attributes }: CallName, answer: Answer, durationMs: number) {
      const { 'error.type': error, ...model } = outcomeOfCall(answer);
      const named = { ...attributes, ...model };
      seconds.record(durationMs / 1_000, known({ ...named, 'error.type': error }));
      if (!hasUsage(answer.usage)) return;
      const { inputTokens, outputTokens, estimated } = answer.usage;
      const counted = { ...named, 'jury.usage.estimated': estimated };
      tokens.record(inputTokens, known({ ...counted, 'gen_ai.token.type': 'input' }));
      tokens.record(outputTokens, known({ ...counted, 'gen_ai.token.type': 'output' }));
    },
    review: (review: Review) =>
      reviews.add(
        1,
        known({
          'jury.runner': nameRunner(review.runner),
          'jury.review.status': review.status,
          'error.type': causeOf(review),
        }),
      ),
    run: (outcome: string, process: string) =>
      runs.add(1, { 'jury.run.outcome': outcome, 'jury.process': process }),
    claim: (severity: string, agreement: string) =>
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

// What spans and metrics may say, and nothing beside it: names from closed lists, names that look like names, and numbers. No
// text of a prompt, an answer, a finding, a path or an error is among it. `docs/telemetry.md` lists all of it. `gen_ai.*` and
// `error.type` are those of the GenAI semantic conventions of OpenTelemetry, release 0.1.0.

interface Attributes {
  readonly [Name: string]: string | number | boolean | undefined;
}

/** How one question is put, as span and metrics call it. */
export interface CallName {
  readonly span: string;
  readonly attributes: Attributes;
}

/** An API is asked as a model; a program, and a function of the caller's, as an agent of its own. */
export function nameCall({ runner, model }: Pick<Seat, 'runner' | 'model'>): CallName {
  const isApi = kindOf(runner) === 'api';
  const name = modelName(isApi ? (model ?? '').split('/').slice(1).join('/') : model);
  const agent = nameRunner(runner);
  const operation = isApi ? 'chat' : 'invoke_agent';
  return {
    span: `${operation} ${isApi ? (name ?? 'unnamed') : agent}`,
    attributes: {
      'gen_ai.operation.name': operation,
      ...(!isApi && { 'gen_ai.agent.name': agent }),
      'gen_ai.provider.name': providerOf(runner, model),
      'gen_ai.request.model': name,
    },
  };
}

/** Of the span of a call, besides its name. */
export function describeAnswer(answer: Answer): Attributes {
  return { ...outcomeOfCall(answer), ...(hasUsage(answer.usage) && tokensOf(answer.usage)) };
}

/** What call and metrics have in common. */
function outcomeOfCall(answer: Answer): Attributes {
  return {
    'gen_ai.response.model': modelName(answer.model),
    'error.type': answer.status === 'failed' ? answer.failure.cause : undefined,
  };
}

export function nameReviewer(reviewer: string) {
  return ReviewerId.safeParse(reviewer).data ?? 'unnamed';
}

/** `isKept`: nobody was asked now. `usage`: of what was. */
export function describeReview(
  review: Review,
  { isKept, usage }: { readonly isKept: boolean; readonly usage: Usage },
): Attributes {
  return {
    'jury.runner': nameRunner(review.runner),
    'jury.review.status': review.status,
    'jury.review.required': review.required,
    'jury.review.attempts': review.attempts,
    'jury.review.findings': review.findings.length,
    'jury.review.kept': isKept,
    'error.type': causeOf(review),
    ...(hasUsage(usage) && tokensOf(usage)),
  };
}

/** Why it is not complete; undefined where it is. */
function causeOf({ status, failure }: Pick<Review, 'status' | 'failure'>) {
  return status === 'complete' ? undefined : failure?.cause;
}

/** Programs of the caller's own name their runners as they like. */
function nameRunner(runner: string) {
  return runnerNames.find(name => name === runner) ?? 'own';
}

function hasUsage({ inputTokens, outputTokens }: Usage) {
  return inputTokens + outputTokens > 0;
}

function tokensOf({ inputTokens, outputTokens, cachedTokens, cost, estimated }: Usage): Attributes {
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'gen_ai.usage.cache_read.input_tokens': cachedTokens,
    'jury.usage.estimated': estimated,
    'jury.usage.cost': cost ?? undefined,
  };
}

const vendors: Readonly<Record<string, string>> = {
  anthropic: 'anthropic',
  openai: 'openai',
  google: 'gcp.gemini',
  'openai-compatible': 'openai-compatible',
};

/** The vendor that a model is written with, else that of the client; whoever has none is its own. */
function providerOf(runner: string, model: string | undefined) {
  const { vendor } = traitsOf(runner);
  const word = (vendor === 'by-model' ? model?.split('/')[0] : vendor) ?? '';
  return (Object.hasOwn(vendors, word) ? vendors[word] : undefined) ?? nameRunner(runner);
}

/**
 * A provider may say anything where it should name its model. What is not written like a name of one, or holds a piece that long
 * keys are made of, is left out.
 */
function modelName(text: string | null | undefined) {
  const isName =
    typeof text === 'string' &&
    /^[A-Za-z0-9][\w.:@+/-]{0,99}$/.test(text) &&
    text.split(/[^A-Za-z0-9]/).every(piece => piece.length < 20);
  return isName ? text : undefined;
}
