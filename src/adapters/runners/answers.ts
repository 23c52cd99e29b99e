/** How a credential is kept out of an answer. */
import type { Answer } from '../../core/ports/runner.ts';

/** The answer with every copy of a secret replaced: endpoints and clients like to quote the key they refuse. */
export function withoutSecret(answer: Answer, secret: string): Answer {
  const hide = (text: string): string => text.replaceAll(secret, '⟦SECRET:key⟧');
  const transcript = hide(answer.transcript);
  if (answer.status === 'answered') return { ...answer, text: hide(answer.text), transcript };
  return {
    ...answer,
    failure: { ...answer.failure, message: hide(answer.failure.message) },
    transcript,
  };
}
