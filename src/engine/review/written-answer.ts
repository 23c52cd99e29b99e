/** Answers that a reviewer wrote to its file in place of saying them. */
import { readFindingsIndex } from '../../answers/index.ts';
import { answered } from '../../core/words/answer.ts';
import type { Answer } from '../../core/ports/runner.ts';
import { saysWritten } from '../../core/prompt/prompt.ts';
import type { Seat } from '../../core/words/config.ts';
import { causes, type Usage } from '../../core/words/review.ts';
import type { AskingSession } from './review-task.ts';

/** A reviewer that wrote its file says so in one line: then the file is what it said. */
export async function withWritten(
  answer: Answer,
  { id: reviewer, price }: Seat,
  session: AskingSession,
): Promise<Answer> {
  if (answer.status !== 'answered' || !saysWritten(answer.text)) return answer;
  const written = (await session.takeWritten?.(reviewer)) ?? null;
  return written === null
    ? answer
    : {
        ...answer,
        text: written,
        // The line that names the file was said to its end; what stands in the file was written before.
        stop: answer.stop === 'unknown' ? 'end' : answer.stop,
        transcript: `${answer.transcript}\n\n${written}`,
        usage: countWritten(answer.usage, written, price),
      };
}

/** A client that counts has counted what it wrote; an estimate knows of the one line alone. */
function countWritten(usage: Usage, written: string, price: Seat['price']): Usage {
  if (!usage.estimated) return usage;
  const tokens = Math.ceil(written.length / 4);
  return {
    ...usage,
    outputTokens: usage.outputTokens + tokens,
    cost:
      usage.cost === null || price === undefined
        ? usage.cost
        : usage.cost + (tokens * price.output) / 1_000_000,
  };
}

/** A reviewer that was stopped at its deadline while it wrote its file: what the file says until then was said. */
export async function withBegun(
  answer: Answer,
  reviewer: string,
  session: AskingSession,
): Promise<Answer> {
  if (answer.status !== 'failed' || causes[answer.failure.cause].reason !== 'timeout')
    return answer;
  const begun = (await session.takeWritten?.(reviewer)) ?? null;
  if (begun === null || readFindingsIndex(begun).entries.length === 0) return answer;
  const { usage, model, failure, transcript } = answer;
  return answered(begun, {
    stop: 'cut',
    usage,
    model,
    transcript: [transcript, failure.message, begun].filter(text => text !== '').join('\n\n'),
    ...(answer.isolation && { isolation: answer.isolation }),
  });
}
