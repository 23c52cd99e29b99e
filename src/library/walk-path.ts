/** Follows a path of a repository name by name, on disk or in a tree, and says through which links it leads where. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Link } from '../adapters/git/tree-links.ts';

export type Entry =
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder' }
  | { readonly kind: 'file'; readonly id: string; readonly isProgram: boolean }
  | { readonly kind: 'link'; readonly target: string };

/** `path` relative to the top of the repository; of what lies outside absolute. */
export type WalkEnd =
  | { readonly kind: 'absent' }
  | { readonly kind: 'folder'; readonly path: string }
  | {
      readonly kind: 'file';
      readonly path: string;
      readonly id: string;
      readonly isProgram: boolean;
    }
  | { readonly kind: 'outside'; readonly path: string };

interface Walk {
  /** Every link on the way and the end of it, relative to the top of the repository. */
  readonly trail: readonly string[];
  readonly end: WalkEnd;
}

/** As many as Linux follows. */
const mostLinks = 40;

/** `root`: absolute real path of the top. `place`: relative to it, with slashes. */
export async function walkPath(
  root: string,
  place: string,
  look: (place: string) => Promise<Entry>,
): Promise<Walk> {
  const trail: string[] = [];
  let at: string[] = [];
  let pending = place.split('/');
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '' || name === '.') continue;
    if (name === '..' && at.length > 0) {
      at = at.slice(0, -1);
      continue;
    }
    const here = [...at, name].join('/');
    const entry: Entry =
      name === '..' ? { kind: 'link', target: path.dirname(root) } : await look(here);
    if (entry.kind === 'folder') {
      at = [...at, name];
      continue;
    }
    trail.push(entry.kind === 'link' ? here : [here, ...pending].join('/'));
    if (entry.kind === 'file' && pending.length === 0)
      return { trail, end: { ...entry, path: here } };
    if (entry.kind !== 'link' || ++links > mostLinks) return { trail, end: { kind: 'absent' } };
    const [target, rest] = [entry.target, pending];
    if (!path.isAbsolute(target)) {
      pending = [...target.split('/'), ...rest];
      continue;
    }
    const inside = await placeOfAbsolute(root, path.join(target, ...rest));
    if (inside === null)
      return { trail, end: { kind: 'outside', path: path.join(target, ...rest) } };
    [at, pending] = [[], inside.split('/')];
  }
  return { trail: [...trail, at.join('/')], end: { kind: 'folder', path: at.join('/') } };
}

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
    const known = leading.get(place);
    if (known === undefined) leading.set(place, [one]);
    else known.push(one);
  };
  for (const { path: link } of links) {
    const { trail, end } = await walkPath(root, link, async place => {
      const target = targets.get(place);
      return target === undefined ? { kind: 'folder' } : { kind: 'link', target };
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

/** Both absolute. A folder is inside of itself. */
export function isInside(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder + path.sep);
}

/** Null for what lies outside of the repository, wherever links out there lead. */
async function placeOfAbsolute(root: string, file: string): Promise<string | null> {
  const real = isInside(root, file) ? file : await realpath(file).catch(() => file);
  return isInside(root, real) ? path.relative(root, real).split(path.sep).join('/') : null;
}
