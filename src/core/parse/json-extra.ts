/** Keeps the keys of a reviewer that have no field here: what it took the trouble to say is not thrown away. */
import type { StatedFinding } from '../finding.ts';
import { isList, isObject, type Json, type JsonObject } from './scanner.ts';

/** Characters of all kept keys of one object together; what is beyond stays in the raw text only. */
const mostCharacters = 8_000;

type Plain = NonNullable<StatedFinding['extra']>[string];

/** Empty when no key is left. */
export function extraOf(object: JsonObject, known: ReadonlySet<string>): { readonly extra?: Record<string, Plain> } {
  const entries: [string, Plain][] = [];
  let left = mostCharacters;
  for (const [key, value] of object) {
    if (known.has(key) || value === null || key === '__proto__') continue;
    const plain = toPlain(value);
    left -= key.length + JSON.stringify(plain).length;
    if (left < 0) break;
    entries.push([key, plain]);
  }
  return entries.length === 0 ? {} : { extra: Object.fromEntries(entries) };
}

function toPlain(value: Json): Plain {
  if (isList(value)) return value.map(toPlain);
  if (isObject(value)) return Object.fromEntries([...value].filter(([key]) => key !== '__proto__').map(([key, inner]) => [key, toPlain(inner)]));
  return value;
}
