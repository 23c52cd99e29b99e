/** Things by what they have in common, in the order in which each key comes first. */
export function groupBy<Thing, Key>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => Key,
): Map<Key, Thing[]> {
  const groups = new Map<Key, Thing[]>();
  for (const thing of things) {
    const members = groups.get(keyOf(thing));
    if (members === undefined) groups.set(keyOf(thing), [thing]);
    else members.push(thing);
  }
  return groups;
}
