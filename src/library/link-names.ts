/** The names that the links of a repository give to its files besides their own. */
import type { Link } from '../adapters/git/tree-links.ts';
import { walkPath } from './tree-view.ts';

/** A link that goes through a place, or ends there. */
interface Leading {
  readonly link: string;
  readonly isEnd: boolean;
}

const mostNames = 1_000;

/**
 * The other names that links give to each of some paths: those that lead to it or to a folder above it, through one another too, and
 * through it where it is a link itself. `links` are those of one state of the repository. `'many'`: more than can be followed.
 */
export async function namesThrough(
  root: string,
  links: readonly Link[],
  paths: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | 'many'>> {
  const targets = new Map(links.map(link => [link.path, link.target]));
  const leading = new Map<string, Leading[]>();
  const add = (place: string, one: Leading): void => {
    const known = leading.get(place) ?? [];
    leading.set(place, known);
    known.push(one);
  };
  for (const { path: link } of links) {
    const { trail, end } = await walkPath(root, link, {
      look: async place => {
        const target = targets.get(place);
        return target === undefined ? { kind: 'folder' } : { kind: 'link', target };
      },
      filesBelow: async () => [],
    });
    for (const place of trail.slice(1, -1)) add(place, { link, isEnd: false });
    if (end.kind === 'folder') add(end.path, { link, isEnd: true });
  }
  return new Map(paths.map(place => [place, namesOf(place, leading)]));
}

function namesOf(
  place: string,
  leading: ReadonlyMap<string, readonly Leading[]>,
): readonly string[] | 'many' {
  const names: string[] = [];
  const pending = [{ name: place, through: [] as readonly string[] }];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { name, through } = at;
    const parts = name.split('/');
    for (let length = parts.length; length >= 0; length -= 1) {
      const rest = parts.slice(length);
      for (const { link, isEnd } of leading.get(parts.slice(0, length).join('/')) ?? []) {
        // What goes through a link a second time has no part in its name that it had not before.
        if (through.includes(link) || (!isEnd && rest.length > 0)) continue;
        const longer = [link, ...rest].join('/');
        names.push(longer);
        pending.push({ name: longer, through: [...through, link] });
        if (names.length > mostNames) return 'many';
      }
    }
  }
  return names;
}
