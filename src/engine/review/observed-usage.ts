/** Gathers what providers report of prompts that were sent, to learn how they count. */
import type { TokenObservation } from '../../core/context/scope.ts';
import { familyOf } from '../../core/memory/reliability.ts';
import type { SettledCall } from './review-task.ts';

export interface ObservedUsage {
  add(call: SettledCall): void;
  /** Counts the prompts: they are on hand already where a question was set aside for. */
  counted(count: (text: string) => number): readonly TokenObservation[];
}

export function observeUsage(): ObservedUsage {
  const seen: {
    readonly family: string;
    readonly texts: readonly string[];
    readonly reported: number;
  }[] = [];
  return {
    add(call) {
      const {
        turn: { seat, instructions, prompt },
        answer: { usage },
      } = call;
      const family = familyOf(seat);
      if (family !== null && tellsOfPrompt(call))
        seen.push({ family, texts: [instructions, prompt], reported: usage.inputTokens });
    },
    counted: count =>
      seen
        .map(({ family, texts, reported }) => ({
          family,
          reported,
          counted: texts.reduce((total, text) => total + count(text), 0),
        }))
        .filter(({ counted }) => counted > 0),
  };
}

/** Programs put prompts of their own around ours, recordings are of other prompts, and every result of a tool is one more: only a plain request tells. */
function tellsOfPrompt({
  turn: { seat, attempt, tools },
  answer: { status, usage },
  charged,
}: SettledCall): boolean {
  return (
    seat.runner === 'api' &&
    status === 'answered' &&
    attempt === 1 &&
    (tools ?? null) === null &&
    charged === 0 &&
    usage.calls === 1 &&
    !usage.estimated &&
    usage.inputTokens > 0
  );
}
