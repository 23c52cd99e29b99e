/**
 * Words of a member, whatever shape it gave them. Asked for a text, models answer with lists and with objects such as
 * `{"Clause 1": "…"}`; all of it is kept as text, a line for each entry.
 */

/** Null when nothing is said; a bare number says nothing. Objects may be plain ones or maps. */
export function statedText(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'object') return null;
  const text = linesOf(value, 0).join('\n');
  return text.trim() === '' ? null : text;
}

/** One text for each thing that is listed; a single one is a list of one. */
export function statedTexts(value: unknown): string[] {
  const items = Array.isArray(value) ? value : [value];
  return items.map(item => statedText(item)).filter(text => text !== null);
}

/** As deep as the scanner of answers goes; a file can go deeper. */
const deepest = 64;

function linesOf(value: unknown, depth: number): string[] {
  if (value === null || value === undefined) return [];
  if (typeof value === 'string') return value.split('\n');
  if (typeof value !== 'object') return [JSON.stringify(value)];
  if (depth === deepest) return ['…'];
  if (Array.isArray(value)) return value.flatMap(item => linesOf(item, depth + 1));
  const entries: Iterable<readonly [unknown, unknown]> = value instanceof Map ? value : Object.entries(value);
  return [...entries].flatMap(([key, inner]) => entryOf(String(key), linesOf(inner, depth + 1)));
}

function entryOf(key: string, lines: readonly string[]): string[] {
  const [only = ''] = lines;
  return lines.length <= 1 ? [`${key}: ${only}`.trimEnd()] : [`${key}:`, ...lines.map(line => `  ${line}`)];
}
