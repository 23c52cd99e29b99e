/** The two kinds of answer a runner gives, with what is usually absent filled in. */
import { z } from 'zod';
import type { Answer, Answered, NotAnswered } from '../ports/runner.ts';
import { StatedFinding } from './finding.ts';
import { Isolation } from './isolation.ts';
import { type Cause, Failure, FileReading, noUsage, Usage } from './review.ts';
import { Amount, Count, Flag, NullableText, Text } from './fields.ts';

const RecordedBoth = z.object({
  usage: Usage,
  model: NullableText,
  transcript: Text,
  isolation: Isolation.exactOptional(),
  reports: z
    .object({
      findings: z.array(StatedFinding),
      skipped: z.object({
        medium_count: Count,
        low_count: Count,
      }),
    })
    .exactOptional(),
});

/** An answer as the journal keeps it: read back, it is of this shape or is none, and is asked for again. */
export const RecordedAnswer: z.ZodType<Answer> = z.discriminatedUnion('status', [
  RecordedBoth.extend({
    status: z.literal('answered'),
    text: Text,
    stop: z.enum(['end', 'cut', 'unknown']),
    coverage: z.array(FileReading).nullable(),
    isSpent: z.literal(true).exactOptional(),
  }),
  RecordedBoth.extend({
    status: z.literal('failed'),
    failure: Failure,
    retryAfterMs: Amount.nullable(),
  }),
]);

/** What one question to a member of a vote left, as the journal keeps it: read back, it is of this shape or the question is asked again. */
export const Called = z.object({
  /** Null: no answer. */
  text: NullableText,
  /** Why there is none, in one sentence; null when there is one. */
  error: NullableText,
  /** Nothing would change if it were asked again. */
  isFinal: Flag,
  endpoint: NullableText,
  /** As the endpoint calls it; null where it does not say, and where there is no answer. */
  model: NullableText.default(null),
  /** Fingerprint of the question: under its name another may be asked later. Empty: not recorded. */
  asked: Text.default(''),
  /** With every call of this try in it. */
  usage: Usage,
  /** ISO 8601, UTC. */
  at: Text,
  durationMs: Amount,
});
export type Called = z.infer<typeof Called>;

/** Of the question with this fingerprint only. */
export function calledAbout(fingerprint: string): z.ZodType<Called> {
  return Called.refine(({ asked }) => asked === '' || asked === fingerprint);
}

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

/** What an agent of somebody else's left in a folder. Nothing in it is renamed or removed. */
export interface LeftFile {
  /** In the folder, as it stands. */
  readonly name: string;
  /** May be asked for by this name. */
  readonly agent: string;
  /** Null when it cannot be read: then `why` says so. */
  readonly bytes: Uint8Array | null;
  readonly why: string | null;
  /** Still in progress: what it does not say, the agent may not have got to. */
  readonly isPartial: boolean;
}
