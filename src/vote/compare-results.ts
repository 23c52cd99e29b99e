/** Compares what is recorded of a vote with what its answers give. */

/** Where the two differ first: `motion M, key: says X, the answers give Y`; null: nowhere. */
export function findDifference(recorded: unknown, given: unknown, place = ''): string | null {
  if (!isTree(recorded) || !isTree(given) || Array.isArray(recorded) !== Array.isArray(given))
    return recorded === given
      ? null
      : `${place}${place === '' ? '' : ': '}says ${shorten(recorded)}, the answers give ${shorten(given)}`;
  const [own, other] = [new Map(Object.entries(recorded)), new Map(Object.entries(given))];
  for (const key of new Set([...other.keys(), ...own.keys()])) {
    const name =
      nameOf(other.get(key) ?? own.get(key)) ?? (Array.isArray(given) ? `[${key}]` : key);
    const found = findDifference(
      own.get(key),
      other.get(key),
      place === '' ? name : `${place}, ${name}`,
    );
    if (found !== null) return found;
  }
  return null;
}

/** A row is named by what it is about, not by its number. */
function nameOf(row: unknown): string | null {
  const { archon_name: member, mega_motion_id: motion } = isTree(row) ? row : {};
  const names = [
    ...(typeof member === 'string' ? [`member ${member}`] : []),
    ...(typeof motion === 'string' ? [`motion ${motion}`] : []),
  ];
  return names.length === 0 ? null : names.join(', ');
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
