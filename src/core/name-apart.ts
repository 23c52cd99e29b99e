/** Names for the findings of one reviewer that gave several answers, each of which may use the same ids. */

/**
 * A position (`#n`) that is taken moves to the next free one; an id of the reviewer's own that comes again becomes
 * `<id>#2`. What comes first keeps its name. People type a position without its hash, so that it keeps clear of own ids
 * that are plain numbers.
 */
export function nameApart<Named extends { readonly originalId: string }>(named: readonly Named[]): Named[] {
  const own = new Set(named.map(({ originalId }) => originalId).filter(id => !isPosition(id)));
  const taken = new Set<string>();
  let position = 0;
  const isFree = (name: string): boolean => !taken.has(name) && !(isPosition(name) && own.has(name.slice(1)));
  return named.map(entry => {
    const { originalId } = entry;
    let name = originalId;
    if (isPosition(name)) while (!isFree(name)) name = `#${++position}`;
    for (let use = 2; !isFree(name); use++) name = `${originalId}#${use}`;
    taken.add(name);
    return name === originalId ? entry : { ...entry, originalId: name };
  });
}

function isPosition(id: string): boolean {
  return /^#\d+$/.test(id);
}
