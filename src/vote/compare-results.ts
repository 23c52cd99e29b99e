/** Compares what is recorded of a vote with what its answers give. */

/** Where the two differ first: `motion M, key: says X, the answers give Y`; null: nowhere. */
export function findDifference(recorded: unknown, given: unknown, place = ''): string | null {
  if (!isTree(recorded) || !isTree(given) || Array.isArray(recorded) !== Array.isArray(given))
    return recorded === given
      ? null
      : `${place}${place === '' ? '' : ': '}says ${shorten(recorded)}, the answers give ${shorten(given)}`;
  const [own, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(given))];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const [one, another] = [own.get(key), other.get(key)];
    const name = nameOf(another ?? one) || (Array.isArray(given) ? `[${key}]` : key);
    const found = findDifference(one, another, place === '' ? name : `${place}, ${name}`);
    if (found !== null) return found;
  }
  return null;
}

/** A row is named by what it is about, not by its number. Empty: it is no such row. */
function nameOf(row: unknown): string {
  const { archon_name: member, mega_motion_id: motion } = isTree(row) ? row : {};
  return Object.entries({ member, motion })
    .flatMap(([what, name]) => (typeof name === 'string' ? `${what} ${name}` : []))
    .join(', ');
}

const mostShown = 160;

/** What is recorded may be of any size: lists and objects are not written out. */
function shorten(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = isTree(value) ? `${Object.keys(value).length} entries` : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

function isTree(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
