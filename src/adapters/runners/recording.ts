/** The form of a recorded answer: plain text as the reviewer gave it, or a JSON record, which can also hold a failure. */
import { z } from 'zod';
import type { Answer } from '../../core/ports.ts';
import { Cause, Usage, causes } from '../../core/review.ts';
import { answered, failedAnswer } from './answers.ts';

const shared = {
  text: z.string().default('').describe('What the reviewer said, or managed to say.'),
  model: z.string().nullable().default(null),
  usage: Usage.partial().default({}),
  /** Milliseconds until the answer stands there; the deadlines of the turn apply. */
  delayMs: z.number().nonnegative().default(0),
};

export const Recording = z.discriminatedUnion('status', [
  z.strictObject({ ...shared, status: z.literal('answered'), stop: z.enum(['end', 'cut', 'unknown']).default('end') }),
  z.strictObject({
    ...shared,
    status: z.literal('failed'),
    cause: Cause,
    message: z.string().optional(),
    exitCode: z.int().nullable().default(null),
    httpStatus: z.int().nullable().default(null),
    retryAfterMs: z.number().nonnegative().nullable().default(null),
  }),
]);
export type Recording = z.infer<typeof Recording>;

/** Null when the text is no record but the answer itself: no JSON, or JSON without a `status` of ours. */
export function readRecording(text: string): Recording | { readonly problem: string } | null {
  const value = parse(text);
  if (typeof value !== 'object' || value === null || !('status' in value)) return null;
  if (value.status !== 'answered' && value.status !== 'failed') return null;
  const parsed = Recording.safeParse(value);
  return parsed.success ? parsed.data : { problem: z.prettifyError(parsed.error) };
}

export function answerOf(recording: Recording): Answer {
  const { text, model } = recording;
  const usage: Usage = { calls: 1, inputTokens: 0, outputTokens: 0, cachedTokens: 0, cost: null, estimated: false, ...given(recording.usage) };
  if (recording.status === 'answered') {
    return text.trim() === '' ? failedAnswer('empty', 'The answer has no text.', { usage, model, transcript: text }) : answered(text, { stop: recording.stop, usage, model });
  }
  const { cause, message = `Recorded: ${causes[cause].sentence}.`, exitCode, httpStatus, retryAfterMs } = recording;
  return failedAnswer(cause, message, { exitCode, httpStatus, retryAfterMs, usage, model, transcript: text });
}

/** Without the keys that are there but undefined. */
function given(usage: Partial<Usage> | Record<string, unknown>): Partial<Usage> {
  return Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
