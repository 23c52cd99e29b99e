/** Things by what they have in common, in the order in which each key comes first. */
export function groupBy<Thing, Key>(things: Iterable<Thing>, keyOf: (thing: Thing) => Key) {
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
export function groupsBy<Thing>(things: Iterable<Thing>, keyOf: (thing: Thing) => unknown) {
  return [...groupBy(things, keyOf).values()];
}

/** Asked once for each key, and again where the answer was nothing. `known`: where answers are kept. */
export function remember<Answer, Key = string>(
  ask: (key: Key) => Answer,
  known: { get(key: Key): Answer | undefined; set(key: Key, answer: Answer): unknown } = new Map<
    Key,
    Answer
  >(),
) {
  return (key: Key) => {
    const answer = known.get(key) ?? ask(key);
    known.set(key, answer);
    return answer;
  };
}

/** The first and the second half; one alone where that is all. */
export function halvesOf<Item>(items: readonly Item[]): (readonly Item[])[] {
  const middle = Math.ceil(items.length / 2);
  return [items.slice(0, middle), items.slice(middle)].filter(half => half.length > 0);
}

/** Of what is named those that are there: what does not hold is false, what is not known null or undefined. */
export function present<Item>(...items: readonly (Item | false | null | undefined)[]) {
  return items.filter(item => item !== false && item !== null && item !== undefined) as Item[];
}

/** Compares by each key in turn: numbers, texts in the order of their code units, what does not hold before what does. */
export function by<Thing>(...keys: readonly ((thing: Thing) => number | string | boolean)[]) {
  return (one: Thing, other: Thing) => {
    for (const keyOf of keys) {
      const [left, right] = [keyOf(one), keyOf(other)];
      if (left < right) return -1;
      if (left > right) return 1;
    }
    return 0;
  };
}

/** Of what each comes to. */
export function sumOf<Thing>(things: readonly Thing[], of: (thing: Thing) => number) {
  return things.reduce((sum, thing) => sum + of(thing), 0);
}
