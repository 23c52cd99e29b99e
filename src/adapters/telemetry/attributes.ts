/**
 * What spans and metrics may say, and nothing beside it: names from closed lists, names that look like names, and numbers. No text of
 * a prompt, an answer, a finding, a path or an error is among it. `docs/telemetry.md` lists all of it.
 *
 * `gen_ai.*` and `error.type` are those of the GenAI semantic conventions of OpenTelemetry, release 0.1.0.
 */
import type { Answer } from '../../core/ports/runner.ts';
import { ReviewerId } from '../../core/settings.ts';
import type { Seat } from '../../core/words/config.ts';
import { kindOf, RunnerName, traitsOf } from '../../core/words/runner.ts';
import type { Cause, Review, Usage } from '../../core/words/review.ts';

export interface Attributes {
  readonly [Name: string]: string | number | boolean | undefined;
}

/** How one question is put, as span and metrics call it. */
export interface CallName {
  readonly operation: 'chat' | 'invoke_agent';
  /** What the name of the span ends with. */
  readonly subject: string;
  readonly attributes: Attributes;
}

/** An API is asked as a model; a program, and a function of the caller's, as an agent of its own. */
export function nameCall({ runner, model }: Pick<Seat, 'runner' | 'model'>): CallName {
  const isApi = kindOf(runner) === 'api';
  const name = modelName(isApi ? (model ?? '').split('/').slice(1).join('/') : model);
  const agent = nameRunner(runner);
  const operation = isApi ? 'chat' : 'invoke_agent';
  return {
    operation,
    subject: isApi ? (name ?? 'unnamed') : agent,
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
export function outcomeOfCall(answer: Answer): Attributes {
  return {
    'gen_ai.response.model': modelName(answer.model),
    'error.type': answer.status === 'failed' ? answer.failure.cause : undefined,
  };
}

export function nameReviewer(reviewer: string): string {
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
export function causeOf({
  status,
  failure,
}: Pick<Review, 'status' | 'failure'>): Cause | undefined {
  return status === 'complete' ? undefined : failure?.cause;
}

/** Programs of the caller's own name their runners as they like. */
export function nameRunner(runner: string): RunnerName | 'own' {
  return RunnerName.safeParse(runner).data ?? 'own';
}

export function hasUsage({ inputTokens, outputTokens }: Usage): boolean {
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
function providerOf(runner: string, model: string | undefined): string {
  const { vendor } = traitsOf(runner);
  const word = (vendor === 'by-model' ? model?.split('/')[0] : vendor) ?? '';
  return (Object.hasOwn(vendors, word) ? vendors[word] : undefined) ?? nameRunner(runner);
}

/**
 * A provider may say anything where it should name its model. What is not written like a name of one, or holds a piece that long
 * keys are made of, is left out.
 */
function modelName(text: string | null | undefined): string | undefined {
  const isName =
    typeof text === 'string' &&
    /^[A-Za-z0-9][\w.:@+/-]{0,99}$/.test(text) &&
    text.split(/[^A-Za-z0-9]/).every(piece => piece.length < 20);
  return isName ? text : undefined;
}
