/** Keys that stand more than once in one object: the built-in reader keeps the last without a word. */

export interface DuplicateKeys {
  /** Keys, each time they stand again. */
  readonly count: number;
  /** The first that stands again, and where. */
  readonly key: string;
  /** Offset in UTF-16 units. */
  readonly at: number;
}

const [quote, backslash, colon, openObject, closeObject, openList, closeList] = [
  34, 92, 58, 123, 125, 91, 93,
];

/** Of well-formed JSON; null when there is none. In one pass, however deep it nests. */
export function findDuplicateKeys(json: string): DuplicateKeys | null {
  // By depth: the keys of the object that is open, null for a list.
  const open: (Set<string> | null)[] = [];
  const again: { readonly key: string; readonly at: number }[] = [];
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === openObject) open.push(new Set());
    else if (code === openList) open.push(null);
    else if (code === closeObject || code === closeList) open.pop();
    else if (code === quote) {
      const end = endOfString(json, at);
      const keys = open.at(-1) ?? null;
      if (keys !== null && isKey(json, end)) {
        const key = keyIn(json.slice(at, end));
        if (keys.has(key)) again.push({ key, at });
        keys.add(key);
      }
      at = end - 1;
    }
  }
  const [first] = again;
  return first === undefined ? null : { ...first, count: again.length };
}

/** Behind the closing quote. */
function endOfString(json: string, start: number): number {
  for (let at = start + 1; at < json.length; at += 1) {
    const code = json.charCodeAt(at);
    if (code === backslash) at += 1;
    else if (code === quote) return at + 1;
  }
  return json.length;
}

function isKey(json: string, end: number): boolean {
  let at = end;
  while (json.charCodeAt(at) <= 32) at += 1;
  return json.charCodeAt(at) === colon;
}

/** One key may be written with escapes and without. */
function keyIn(quoted: string): string {
  return quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
}
