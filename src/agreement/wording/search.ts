/** Finds what shares words with a text, without comparing everything with everything. */
import { holdersOf } from '../linkage.ts';
import { words } from './words.ts';

/** Things by the words they share with other texts, rare words first; of equals the first in the list. Only those that share one. */
export function createSearch<Thing>(
  things: readonly Thing[],
  textsOf: (thing: Thing) => readonly string[],
): (texts: readonly string[]) => Thing[] {
  const holders = holdersOf(things.map(thing => words(textsOf(thing).join('\n'))));
  return texts => {
    const shared = new Map<number, number>();
    for (const word of words(texts.join('\n'))) {
      const list = holders.get(word) ?? [];
      for (const at of list) shared.set(at, (shared.get(at) ?? 0) + 1 / list.length);
    }
    return [...shared]
      .sort(([one, worth], [other, otherWorth]) => otherWorth - worth || one - other)
      .map(([at]) => things[at] as Thing);
  };
}
