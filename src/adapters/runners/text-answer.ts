/** Judges bytes that should be an answer, whoever wrote them: size, encoding, something in it. */
import type { Answer } from '../../core/ports/runner.ts';
import { answered, failedAnswer, type AnsweredDetails } from '../../core/words/answer.ts';

/** Bytes of the largest answer that is read. */
export const answerLimit = 4_194_304;

export interface Text {
  readonly text: string;
  readonly isUtf8: boolean;
}

export function textAnswer({ text, isUtf8 }: Text, details: AnsweredDetails = {}): Answer {
  const { usage, model = null, transcript = text } = details;
  const known = { ...(usage === undefined ? {} : { usage }), model, transcript };
  if (!isUtf8) return failedAnswer('encoding', 'The answer is not valid UTF-8.', known);
  if (text.trim() === '') return failedAnswer('empty', 'The answer has no text.', known);
  return answered(text, { ...details, transcript });
}
