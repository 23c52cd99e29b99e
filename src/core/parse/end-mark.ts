/**
 * The line every answer is asked to end with. Some clients do not say whether a model finished or was cut off: there the
 * mark is what proves the end. It is no part of the answer and is read as none of it.
 */
import { layOut, type Line } from './fences.ts';

export const endMark = 'END OF ANSWER';

interface Unmarked {
  /** Without the mark, wherever it stood; the same text when it stood nowhere. */
  readonly text: string;
  /** The last line that is not blank is the mark. */
  readonly isMarked: boolean;
}

/** In a fence or behind `> ` the mark is a quotation and stays. */
export function takeEndMark(text: string): Unmarked {
  if (!mention.test(text)) return { text, isMarked: false };
  const { lines } = layOut(text);
  const last = lines.findLast(line => line.text.trim() !== '');
  return { text: lines.map(line => (isEndMark(line) ? '' : line.text)).join('\n'), isMarked: last !== undefined && isEndMark(last) };
}

const mention = /end of answer/i;
const lineLimit = 60;
const shape = /^\s*(?:[-*+]\s+|#{1,6}\s+)?[^\p{L}\p{N}|>]{0,6}end of answer[^\p{L}\p{N}|]{0,6}$/iu;

/** Emphasis, brackets, a bullet and a full stop are dress. */
function isEndMark({ text, fence, isQuoted }: Line): boolean {
  return fence === null && !isQuoted && text.length <= lineLimit && shape.test(text);
}
