/** Things by what they have in common, in the order in which each key comes first. */
export function groupBy<Thing, Key>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => Key,
): Map<Key, [Thing, ...Thing[]]> {
  const groups = new Map<Key, [Thing, ...Thing[]]>();
  for (const thing of things) {
    const key = keyOf(thing);
    const members = groups.get(key);
    if (members === undefined) groups.set(key, [thing]);
    else members.push(thing);
  }
  return groups;
}

/** The same without the keys. */
export function groupsBy<Thing>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => unknown,
): [Thing, ...Thing[]][] {
  return [...groupBy(things, keyOf).values()];
}
