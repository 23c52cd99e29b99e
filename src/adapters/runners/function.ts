/** A function of the caller's own program as a reviewer. What it throws, and what it does not say, is a failed review. */
import { z } from 'zod';
import { messageOf } from '../../core/errors.ts';
import {
  Answer,
  type Clock,
  type Runner,
  type Turn,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { firstProblem, formatPath } from '../../core/schema-problem.ts';
import { Usage } from '../../core/words/review.ts';
import { systemClock } from '../system/clock.ts';
import type { PassedDeadline } from './process.ts';
import { answerLimit, textAnswer } from './executable.ts';
import { estimateUsage, withCost } from '../../core/spending/month.ts';

const Tokens = z.int().nonnegative();
const Stop = Answer.options[0].shape.stop;

/** What a function answers with. Strict: a key that is not known would be lost without a word. */
export const FunctionAnswer = z.strictObject({
  /** Findings in one of the forms that `turn.instructions` asks for. Empty: a failed review. */
  text: z.string(),
  /** `cut` says that the answer is not whole, so that its silence proves nothing. Default: `end`. */
  stop: Stop.optional(),
  /** The model that answered, as its provider names it. */
  model: z.string().nullable().optional(),
  /** Tokens as the provider counted them; default: an estimate of four characters to a token. */
  usage: z
    .strictObject({ inputTokens: Tokens, outputTokens: Tokens, cachedTokens: Tokens.optional() })
    .optional(),
});
export type FunctionAnswer = z.infer<typeof FunctionAnswer>;

/**
 * Answers one question of the panel: `turn.instructions` and `turn.prompt` are what a model would be sent. `signal` aborts when the
 * time of the turn or its tokens are over, or the run is cancelled: nobody waits for the function after that. A rejection is a failed
 * review with cause `thrown` and the error's message as its reason; never a pass, and never an exception of the library.
 */
export type ReviewerFunction = (
  turn: Turn,
  signal: AbortSignal,
) => FunctionAnswer | Promise<FunctionAnswer>;

/**
 * Answers are never shared between runs: nobody can tell whether two functions answer alike. A `Runner` with a fingerprint can.
 * The time of a turn is counted by `clock`.
 */
export function createFunctionRunner(
  name: string,
  ask: ReviewerFunction,
  clock: Pick<Clock, 'deadline'> = {},
): Runner {
  const deadline: NonNullable<Clock['deadline']> = (ms, signal) =>
    clock.deadline?.(ms, signal) ?? systemClock.sleep(ms, signal);
  return {
    name,
    ask: (turn, signal) =>
      signal.aborted ? Promise.resolve(cancelled()) : askUntilOver(ask, deadline, turn, signal),
    fingerprint: () => Promise.resolve(null),
  };
}

/** A caller's own runner, whose rejections are failed reviews too. */
export function guardRunner(own: Runner): Runner {
  return {
    ...own,
    ask: async (...asked) => {
      try {
        const answer = await own.ask(...asked);
        if (answer.status === 'answered') Stop.parse(answer.stop);
        return withUsage(answer, asked[0]);
      } catch (error) {
        return thrown(error);
      }
    },
    fingerprint: async seat => {
      try {
        return await own.fingerprint(seat);
      } catch {
        return null;
      }
    },
  };
}

/** Ceilings are kept by it: what cannot have been used is estimated in its place. */
function withUsage(answer: Answer, { seat, instructions, prompt }: Turn) {
  return Usage.safeParse(answer.usage).success
    ? answer
    : { ...answer, usage: estimateUsage(seat, `${instructions}\n\n${prompt}`, answer.transcript) };
}

async function askUntilOver(
  ask: ReviewerFunction,
  deadline: NonNullable<Clock['deadline']>,
  turn: Turn,
  signal: AbortSignal,
): Promise<Answer> {
  const over = new AbortController();
  try {
    return await Promise.race([
      endOf(turn, deadline, signal, over.signal),
      callFunction(ask, turn, over.signal),
    ]);
  } finally {
    over.abort();
  }
}

/** What the turn comes to when it ends before the function does. `over` ends the wait for it. */
function endOf(
  { deadlines: { totalMs, firstOutputMs }, enough }: Turn,
  deadline: NonNullable<Clock['deadline']>,
  signal: AbortSignal,
  over: AbortSignal,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = `The function did not answer within ${totalMs / 1000} s.`;
    const passAfter = (ms: number, which: PassedDeadline) =>
      void deadline(ms, over).then(
        () => resolve(failedAnswer(which, late)),
        (error: unknown) => {
          if (!over.aborted) reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    passAfter(totalMs, 'deadline');
    // A function tells nothing before its answer.
    if (firstOutputMs < totalMs) passAfter(firstOutputMs, 'first-output');
    signal.addEventListener('abort', () => resolve(cancelled()), { signal: over });
    const onEnough = () =>
      resolve(failedAnswer('budget', 'Its tokens were spent before it answered.'));
    enough?.addEventListener('abort', onEnough, { signal: over });
    if (enough?.aborted) onEnough();
  });
}

/** Never rejects. */
async function callFunction(ask: ReviewerFunction, turn: Turn, signal: AbortSignal) {
  try {
    return toAnswer(await ask(turn, signal), turn);
  } catch (error) {
    return thrown(error);
  }
}

function toAnswer(given: unknown, { seat, instructions, prompt }: Turn) {
  const checked = FunctionAnswer.safeParse(given, { reportInput: true });
  if (!checked.success) {
    const { path, sentence } = firstProblem(FunctionAnswer, checked.error);
    return failedAnswer('thrown', `The function gave no answer: ${formatPath(path)}: ${sentence}`);
  }
  const { text, stop = 'end', model = null, usage } = checked.data;
  if (Buffer.byteLength(text) > answerLimit)
    return failedAnswer('flood', `The answer exceeds ${answerLimit} bytes.`);
  const counted =
    usage &&
    withCost(seat, {
      ...usage,
      cachedTokens: usage.cachedTokens ?? 0,
      calls: 1,
      cost: null,
      estimated: false,
    });
  return textAnswer(
    { text },
    { stop, model, usage: counted ?? estimateUsage(seat, `${instructions}\n\n${prompt}`, text) },
  );
}

function thrown(error: unknown): Answer {
  return failedAnswer('thrown', messageOf(error));
}

function cancelled(): Answer {
  return failedAnswer('cancelled', 'The run was interrupted.');
}
