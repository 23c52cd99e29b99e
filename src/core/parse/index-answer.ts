/** Reads an answer that is a Findings Index. */
import type { Attempt, ReadingOptions } from './reading.ts';

export function readIndex(_text: string, _options: ReadingOptions): Attempt {
  return null;
}
