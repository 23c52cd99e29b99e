/** Finds the JSON objects of an answer wherever they stand: bare, between prose, in fences, in lists, in what a client wraps around them. */
import { unwrapEnvelope } from '../parse/wrappings.ts';
import { isList, isObject, scanJson, type Json, type JsonObject } from '../parse/scanner.ts';

/**
 * The outermost objects that hold `key`, in order. Nothing is completed or corrected: of a text that breaks off, the
 * objects before the break are found. Each character is looked at a bounded number of times.
 */
export function findObjects(text: string, key: string): JsonObject[] {
  const values = scanAll(text);
  const found = values.flatMap(value => gather(value, key));
  return found.length > 0 ? found : wrappedTexts(values).flatMap(scanAll).flatMap(value => gather(value, key));
}

function scanAll(text: string): Json[] {
  const values: Json[] = [];
  for (let at = nextOpener(text, 0); at !== -1; ) {
    const scanned = scanJson(text, at);
    if (scanned.ok) values.push(scanned.value);
    // What fails from here may still hold whole objects further in, unless it is nested as no answer is.
    at = nextOpener(text, scanned.ok ? scanned.end : scanned.cause === 'depth' ? scanned.at : at + 1);
  }
  return values;
}

function nextOpener(text: string, from: number): number {
  const opener = /[{[]/g;
  opener.lastIndex = from;
  return opener.exec(text)?.index ?? -1;
}

function gather(value: Json, key: string): JsonObject[] {
  if (isList(value)) return value.flatMap(item => gather(item, key));
  if (!isObject(value)) return [];
  return value.has(key) ? [value] : [...value.values()].flatMap(item => gather(item, key));
}

function wrappedTexts(values: readonly Json[]): readonly string[] {
  return values.filter(isObject).flatMap(object => {
    const unwrapped = unwrapEnvelope(object);
    return unwrapped?.kind === 'wrapping' ? unwrapped.texts : [];
  });
}
