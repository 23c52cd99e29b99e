/** File names of a patch: C quoting undone, the `a/` and `b/` of git taken off, time stamps behind a tab ignored. */
import { decodeName } from './raw-diff.ts';

const nowhere = '/dev/null';

export interface PatchNames {
  /** Null stands for `/dev/null`. */
  readonly oldName: string | null;
  readonly newName: string | null;
}

/** From the lines behind `--- ` and `+++ `. Prefixes come off only when both sides carry one. */
export function namesOfSides(oldLine: string, newLine: string): PatchNames {
  const [oldName, newName] = [readName(oldLine), readName(newLine)];
  const prefixed = (oldName === nowhere || /^[aciow]\//.test(oldName)) && (newName === nowhere || /^[bciow]\//.test(newName));
  const clean = (name: string): string | null => (name === nowhere ? null : prefixed ? name.slice(2) : name);
  return { oldName: clean(oldName), newName: clean(newName) };
}

/**
 * From the rest of a `diff --git ` line, which names the same file twice when no other line names it. Null when the two
 * halves differ: then nobody can tell where the first name ends.
 */
export function namesOfHeader(rest: string): PatchNames | null {
  if (rest.startsWith('"')) {
    const end = closingQuote(rest);
    return end === -1 ? null : samePair(rest.slice(0, end + 1), rest.slice(end + 2));
  }
  const middle = (rest.length - 1) / 2;
  return rest[middle] === ' ' ? samePair(rest.slice(0, middle), rest.slice(middle + 1)) : null;
}

/** A name as it stands behind `rename from ` and the like: quoted when needed, never prefixed. */
export function readName(text: string): string {
  if (text.startsWith('"')) return unquote(text.slice(1, closingQuote(text)));
  const tab = text.indexOf('\t');
  return tab === -1 ? text : text.slice(0, tab);
}

function samePair(one: string, other: string): PatchNames | null {
  const names = namesOfSides(one, other);
  return names.oldName !== null && names.oldName === names.newName ? names : null;
}

function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '"') return at;
  }
  return -1;
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

function unquote(text: string): string {
  const bytes: Buffer[] = [];
  for (const [, octal, escape, plain] of text.matchAll(/\\([0-7]{3})|\\(.)|([^\\]+)/gs)) {
    if (octal !== undefined) bytes.push(Buffer.from([Number.parseInt(octal, 8) & 0xff]));
    else if (escape !== undefined) bytes.push(Buffer.from([escapes[escape] ?? escape.charCodeAt(0)]));
    else bytes.push(Buffer.from(plain ?? ''));
  }
  return decodeName(Buffer.concat(bytes));
}
