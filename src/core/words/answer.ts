/** The two kinds of answer a runner gives, with what is usually absent filled in. */
import type { Answered, NotAnswered } from '../ports.ts';
import { noUsage, type Cause, type Failure } from './review.ts';

export type FailureDetails = Partial<
  Omit<NotAnswered, 'status' | 'failure'> & Pick<Failure, 'exitCode' | 'httpStatus'>
>;

export function failedAnswer(
  cause: Cause,
  message: string,
  details: FailureDetails = {},
): NotAnswered {
  const {
    exitCode = null,
    httpStatus = null,
    retryAfterMs = null,
    usage = noUsage,
    model = null,
    transcript = '',
  } = details;
  return {
    status: 'failed',
    failure: { cause, message, exitCode, httpStatus },
    retryAfterMs,
    usage,
    model,
    transcript,
  };
}

export type AnsweredDetails = Partial<Omit<Answered, 'status' | 'text'>>;

/** `stop` is `unknown` and the transcript the text itself, unless told otherwise. */
export function answered(text: string, details: AnsweredDetails = {}): Answered {
  return {
    status: 'answered',
    text,
    stop: 'unknown',
    usage: noUsage,
    model: null,
    coverage: null,
    transcript: text,
    ...details,
  };
}
