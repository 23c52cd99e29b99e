/** By key, in the order of each first member. */
export function groupBy<Item>(
  items: Iterable<Item>,
  keyOf: (item: Item) => string,
): ReadonlyMap<string, [Item, ...Item[]]> {
  const groups = new Map<string, [Item, ...Item[]]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
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
