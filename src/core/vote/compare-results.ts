/** Compares a result as it is recorded with the one that the answers give, and names the first thing that is not the same. */

/** What differs between two ways through one vote: known by no answer. Whether there is one at all is compared. */
const durations: ReadonlySet<string> = new Set(['duration_seconds']);
const times: ReadonlySet<string> = new Set([
  'aggregated_at',
  'calculated_at',
  'completed_at',
  'concluded_at',
  'generated_at',
  'occurred_at',
  'ratified_at',
  'reviewed_at',
  'scheduled_at',
  'started_at',
  'triaged_at',
]);
/** The chain is checked by itself. */
const links: ReadonlySet<string> = new Set(['prev_sha256', 'head_sha256']);

/** Which recorded time stands for a moment of the recount: one moment has one time wherever it stands. */
export type Moments = Map<string, string>;

export interface Compared {
  readonly file: string;
  readonly moments: Moments;
}

/** `FILE: motion M, key: says X, the answers give Y`; null: they are the same. Goes as deep as what the answers give. */
export function findDifference(
  recorded: unknown,
  given: unknown,
  { file, moments }: Compared,
): string | null {
  const found = compare(recorded, given, { moments, key: '', place: [] });
  return found === null ? null : `${file}: ${found}`;
}

/** Of texts, line by line; lines that begin with one of `free` are not compared. */
export function findOtherLine(
  recorded: string,
  given: string,
  { file, free }: { readonly file: string; readonly free: readonly string[] },
): string | null {
  const [lines, expected] = [recorded.split('\n'), given.split('\n')];
  const isFree = (line: string | undefined): boolean =>
    line !== undefined && free.some(start => line.startsWith(start));
  for (let at = 0; at < Math.max(lines.length, expected.length); at++) {
    const [line, other] = [lines[at], expected[at]];
    if (line === other || (isFree(line) && isFree(other))) continue;
    return `${file}: ${contrast(`line ${at + 1}`, line, other)}`;
  }
  return null;
}

interface Place {
  readonly moments: Moments;
  /** Of the innermost object. */
  readonly key: string;
  /** From outside. */
  readonly place: readonly string[];
}

function compare(recorded: unknown, given: unknown, at: Place): string | null {
  if (Array.isArray(given))
    return Array.isArray(recorded)
      ? compareLists(recorded, given, at)
      : contrast(nameOf(at), recorded, given);
  if (isRecord(given))
    return isRecord(recorded)
      ? compareObjects(recorded, given, at)
      : contrast(nameOf(at), recorded, given);
  return isSame(recorded, given, at) ? null : contrast(nameOf(at), recorded, given);
}

function isSame(recorded: unknown, given: unknown, { key, moments }: Place): boolean {
  if (durations.has(key)) return typeof recorded === typeof given;
  if (recorded === given) return true;
  if (typeof recorded !== 'string' || typeof given !== 'string') return false;
  if (links.has(key)) return true;
  if (!times.has(key)) return false;
  const known = moments.get(given);
  if (known === undefined) moments.set(given, recorded);
  return known === undefined || known === recorded;
}

function compareLists(
  recorded: readonly unknown[],
  given: readonly unknown[],
  at: Place,
): string | null {
  for (let index = 0; index < Math.max(recorded.length, given.length); index++) {
    const place = [...at.place, `[${index}]`];
    const found = compare(recorded[index], given[index], { ...at, place });
    if (found !== null) return found;
  }
  return null;
}

function compareObjects(
  recorded: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
  at: Place,
): string | null {
  const place = [...whoseIn(given, at.place)];
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const own = Object.hasOwn(recorded, key) ? recorded[key] : undefined;
    const found = compare(own, value, { moments: at.moments, key, place: [...place, key] });
    if (found !== null) return found;
  }
  const more = Object.keys(recorded).find(
    key => !Object.hasOwn(given, key) || given[key] === undefined,
  );
  return more === undefined
    ? null
    : contrast(nameOf({ ...at, place: [...place, more] }), recorded[more], undefined);
}

/** A row is named by what it is about, not by its number. */
function whoseIn(row: Readonly<Record<string, unknown>>, place: readonly string[]): string[] {
  const named = [
    ...(typeof row['archon_name'] === 'string' ? [`member ${row['archon_name']}`] : []),
    ...(typeof row['mega_motion_id'] === 'string' ? [`motion ${row['mega_motion_id']}`] : []),
  ];
  if (named.length === 0) return [...place];
  const rest = place.at(-1)?.startsWith('[') === true ? place.slice(0, -1) : place;
  return [...rest, ...named.map(name => `${name}, `)];
}

function nameOf({ place }: Place): string {
  let name = '';
  for (const step of place) {
    const joins = name === '' || step.startsWith('[') || name.endsWith(', ');
    name += joins ? step : step.endsWith(', ') ? `, ${step}` : `.${step}`;
  }
  return name.replace(/, $/, '');
}

function contrast(name: string, recorded: unknown, given: unknown): string {
  const place = name === '' ? '' : `${name}: `;
  return `${place}says ${shorten(recorded)}, the answers give ${shorten(given)}`;
}

const mostShown = 160;

function shorten(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'object' && value !== null ? outline(value) : JSON.stringify(value);
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text;
}

/** What is recorded may be of any size and depth: nothing of it is written out. */
function outline(value: object): string {
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : `an object with ${Object.keys(value).length} keys`;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
