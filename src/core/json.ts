/** JSON that programs wrote: read without an error, written so that people can read it. What people wrote goes through `parseJsonText`. */

/** Undefined for no text, and for one that is no JSON; null is a value of JSON. */
export function parseJson(text: string | null): unknown {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** As it stands in a file. */
export function toJsonText(value: unknown) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
