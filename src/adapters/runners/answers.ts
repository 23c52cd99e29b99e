/** The two kinds of answer a runner gives, with what is usually absent filled in. */
import type { Answer, Answered, NotAnswered } from '../../core/ports.ts';
import { noUsage } from '../../core/review.ts';
import type { Cause, Usage } from '../../core/review.ts';

export interface FailureDetails {
  readonly exitCode?: number | null;
  readonly httpStatus?: number | null;
  readonly retryAfterMs?: number | null;
  readonly usage?: Usage;
  readonly model?: string | null;
  readonly transcript?: string;
}

export function failedAnswer(cause: Cause, message: string, details: FailureDetails = {}): NotAnswered {
  const { exitCode = null, httpStatus = null, retryAfterMs = null, usage = noUsage, model = null, transcript = '' } = details;
  return { status: 'failed', failure: { cause, message, exitCode, httpStatus }, retryAfterMs, usage, model, transcript };
}

export type AnsweredDetails = Partial<Omit<Answered, 'status' | 'text'>>;

/** `stop` is `unknown` and the transcript the text itself, unless told otherwise. */
export function answered(text: string, details: AnsweredDetails = {}): Answered {
  return { status: 'answered', text, stop: 'unknown', usage: noUsage, model: null, coverage: null, transcript: text, ...details };
}

/** The answer with every copy of a secret replaced: endpoints and clients like to quote the key they refuse. */
export function withoutSecret(answer: Answer, secret: string): Answer {
  const hide = (text: string): string => text.replaceAll(secret, '⟦SECRET:key⟧');
  const transcript = hide(answer.transcript);
  if (answer.status === 'answered') return { ...answer, text: hide(answer.text), transcript };
  return { ...answer, failure: { ...answer.failure, message: hide(answer.failure.message) }, transcript };
}
