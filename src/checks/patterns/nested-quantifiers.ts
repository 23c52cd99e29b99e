/**
 * Regular expressions that take a time without bound: a repeated group whose contents can be cut into rounds in more than one way.
 * Only the shapes that are certain: one repeated atom in the group, beside nothing that must be there.
 */

interface Atom {
  readonly text: string;
  readonly quantifier: string;
}

const atomic = /\\[^]|\[\^?(?:\\[^]|[^\]\\])*\]|[^()[\]|\\*+?{}]/y;
const repeated = /^(?:[*+]|\{\d+,\})/;

/** True for `([a-z]+)+$` and `(\w+\s?)*$`; false for `(\w+,)*`, alternatives, and what nothing follows that could fail. */
export function hasNestedQuantifier(pattern: string): boolean {
  if (pattern.length > 1_000) return false;
  for (const match of pattern.matchAll(
    /(?<!\\)\((?:\?:)?([^()|]{1,200})\)([*+]|\{\d+,\})(?!\+)([^]{0,1})/g,
  )) {
    const [, inner = '', , after = ''] = match;
    const atoms = readAtoms(inner);
    if (after !== '' && atoms !== null && isAmbiguous(atoms)) return true;
  }
  return false;
}

function readAtoms(text: string): readonly Atom[] | null {
  const atoms: Atom[] = [];
  let at = 0;
  while (at < text.length) {
    atomic.lastIndex = at;
    const atom = atomic.exec(text)?.[0];
    if (atom === undefined) return null;
    at += atom.length;
    const quantifier = /^(?:[*+?]|\{\d+(?:,\d*)?\})/.exec(text.slice(at, at + 12))?.[0] ?? '';
    at += quantifier.length;
    if (/^[+?]/.test(text.slice(at, at + 1)) && quantifier !== '') at += 1;
    atoms.push({ text: atom, quantifier });
  }
  return atoms;
}

/** Exactly one atom must be there and is repeated, or none must and one is repeated. */
function isAmbiguous(atoms: readonly Atom[]): boolean {
  const needed = atoms.filter(({ quantifier }) => !/^(?:[*?]|\{0,)/.test(quantifier));
  const [only] = needed;
  if (needed.length === 0) return atoms.some(({ quantifier }) => repeated.test(quantifier));
  return needed.length === 1 && only !== undefined && repeated.test(only.quantifier);
}
