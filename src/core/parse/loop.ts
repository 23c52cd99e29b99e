/** Recognises an answer that ends in one word or phrase said over and over: a model that ran into its limit. */
import { bordersOf } from './occurrences.ts';

const tailLength = 1_500;
const unitLimit = 64;

export function isLooping(text: string): boolean {
  const tail = text.trimEnd().slice(-tailLength);
  if (tail.length < tailLength) return false;
  // Read backwards, so that a piece of another text at the front of the tail costs nothing.
  const borders = bordersOf(tail.split('').toReversed());
  const length = borders.length;
  const period = length - (borders[length - 1] ?? 0);
  const unit = tail.slice(-period);
  // Lines that repeat are findings said again, which are counted once; a bar marks one of them. Brackets are nesting.
  return period <= unitLimit && !/[|[\]{}]/.test(unit) && !/\S\s*\n\s*\S/.test(unit + unit.slice(0, 1)) && /\S/.test(unit);
}
