/** Private key blocks, found by their marks without a pattern that could run away on hostile text. */

const begin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const longestKey = 16_384;

/** Half-open ranges. A mark with hardly any key behind it (code that looks for the mark) is left out. */
export function findPrivateKeys(text: string): { readonly start: number; readonly end: number; readonly kind: 'private-key' }[] {
  const found: { start: number; end: number; kind: 'private-key' }[] = [];
  let covered = 0;
  for (const match of text.matchAll(begin)) {
    if (match.index < covered) continue;
    const body = match.index + match[0].length;
    const stop = endOfKey(text, body);
    if (countKeyCharacters(text.slice(body, stop)) < 40) continue;
    found.push({ start: match.index, end: stop, kind: 'private-key' });
    covered = stop;
  }
  return found;
}

/** Behind the closing mark; without one, where the text stops looking like a key. */
function endOfKey(text: string, body: number): number {
  const window = text.slice(body, body + longestKey);
  const next = window.indexOf('-----BEGIN');
  const reach = next === -1 ? window : window.slice(0, next);
  end.lastIndex = 0;
  const closing = end.exec(reach);
  if (closing !== null) return body + closing.index + closing[0].length;
  return body + (/^(?:[A-Za-z0-9+/=\s\\-]|: )*/.exec(reach)?.[0].trimEnd().length ?? 0);
}

function countKeyCharacters(text: string): number {
  return text.replace(/\\[nr]|[^A-Za-z0-9+/=]/g, '').length;
}
