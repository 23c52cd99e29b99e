/** What a tool answers: words for the model, first what the budget demands, then the result as JSON. */
import type { ProgressiveMode } from '../context/progressive-mode.ts';
import { foldMessage, type FoldCode, type FoldPlace } from '../context/fold.ts';

export interface ToolAnswer {
  readonly text: string;
  /** The call did not do what was asked; the text says why, in words that help to ask better. */
  readonly isError: boolean;
}

/** Characters of the longest answer. */
export const longestAnswer = 24_000;

const severeOnly = 'CRITICAL and HIGH only: most of your token budget is used. Report nothing milder and finish soon.';
export const budgetUsed = `${foldMessage('FOLD008')}. The token budget is used: call no more tools and give your final answer now.`;

export function resultAnswer(value: unknown): ToolAnswer {
  return { text: JSON.stringify(value), isError: false };
}

export function errorAnswer(text: string): ToolAnswer {
  return { text, isError: true };
}

export function foldAnswer(code: FoldCode, place: FoldPlace = {}): ToolAnswer {
  return errorAnswer(foldMessage(code, place));
}

/** With what the mode of the ledger demands in front. */
export function underMode(answer: ToolAnswer, mode: ProgressiveMode): ToolAnswer {
  if (mode === 'full') return answer;
  return { ...answer, text: `${mode === 'high_severity_only' ? severeOnly : budgetUsed}\n${answer.text}` };
}
