/** Finds what shares words with a text, without comparing everything with everything. */
import { words } from './words.ts';

/** Things by the words they share with other texts, rare words first; of equals the first in the list. Only those that share one. */
export function createSearch<Thing>(
  things: readonly Thing[],
  textsOf: (thing: Thing) => readonly string[],
): (texts: readonly string[]) => Thing[] {
  const holders = new Map<string, Thing[]>();
  for (const thing of things)
    for (const word of words(textsOf(thing).join('\n'))) {
      const list = holders.get(word) ?? [];
      list.push(thing);
      holders.set(word, list);
    }
  return texts => {
    const shared = new Map<Thing, number>();
    for (const word of words(texts.join('\n'))) {
      const list = holders.get(word) ?? [];
      for (const thing of list) shared.set(thing, (shared.get(thing) ?? 0) + 1 / list.length);
    }
    return things
      .filter(thing => shared.has(thing))
      .sort((one, other) => (shared.get(other) ?? 0) - (shared.get(one) ?? 0));
  };
}
