/** Reads a section of a git configuration text: just enough for a few plain values. Includes are not followed. */

/** Keys in lower case; quotes around a value are taken off. The last of equal keys wins. */
export function readSection(configuration: string, name: string): Map<string, string> {
  const values = new Map<string, string>();
  let inside = false;
  for (const line of configuration.split('\n')) {
    const header = /^\s*\[([^\]]*)\](.*)$/.exec(line);
    if (header !== null) inside = header[1]?.trim().toLowerCase() === name;
    if (!inside) continue;
    const text = header?.[2] ?? line;
    const equals = text.indexOf('=');
    const key = (equals === -1 ? text : text.slice(0, equals)).trim().toLowerCase();
    if (key !== '') values.set(key, equals === -1 ? 'true' : text.slice(equals + 1).trim().replaceAll('"', ''));
  }
  return values;
}
