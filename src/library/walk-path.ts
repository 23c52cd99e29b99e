/** Follows a path of a repository name by name, on disk or in a tree, and says through which links it leads where. */
import { realpath } from 'node:fs/promises';
import path from 'node:path';

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

export interface Walk {
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

/** Null for what lies outside of the repository, wherever links out there lead. */
async function placeOfAbsolute(root: string, file: string): Promise<string | null> {
  const real =
    file === root || file.startsWith(root + path.sep)
      ? file
      : await realpath(file).catch(() => file);
  return real === root || real.startsWith(root + path.sep)
    ? path.relative(root, real).split(path.sep).join('/')
    : null;
}
