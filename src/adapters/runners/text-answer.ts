/** Judges bytes that should be an answer, whoever wrote them (size, encoding, something in it), and keeps credentials out of it. */
import type { Answer } from '../../core/ports/runner.ts';
import { answered, failedAnswer, type AnsweredDetails } from '../../core/words/answer.ts';

/** Bytes of the largest answer that is read. */
export const answerLimit = 4_194_304;

interface Text {
  readonly text: string;
  readonly isUtf8: boolean;
}

export function textAnswer({ text, isUtf8 }: Text, details: AnsweredDetails = {}): Answer {
  const { usage, model = null, transcript = text } = details;
  const known = { ...(usage && { usage }), model, transcript };
  if (!isUtf8) return failedAnswer('encoding', 'The answer is not valid UTF-8.', known);
  if (text.trim() === '') return failedAnswer('empty', 'The answer has no text.', known);
  return answered(text, { ...details, transcript });
}

/** The answer with every copy of a secret replaced: endpoints and clients like to quote the key they refuse. */
export function withoutSecret(answer: Answer, secret: string): Answer {
  const hide = (text: string) => text.replaceAll(secret, '⟦SECRET:key⟧');
  const transcript = hide(answer.transcript);
  if (answer.status === 'answered') return { ...answer, text: hide(answer.text), transcript };
  return {
    ...answer,
    failure: { ...answer.failure, message: hide(answer.failure.message) },
    transcript,
  };
}
