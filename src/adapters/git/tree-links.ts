/**
 * Every symbolic link of a commit. Equal folders are read once, and only those with a link below them are followed along every way to
 * them: how many files the folders name does not matter.
 */
import { inputError, type UserError } from '../../core/errors.ts';
import type { OpenedGit } from './object-reader.ts';
import { readFolder, treeOf } from './tree-size.ts';

export interface Link {
  /** From the top of the repository. */
  readonly path: string;
  readonly target: string;
}

const mostFolders = 500_000;
const mostLinks = 20_000;
const mostTargetBytes = 65_536;
const readAtOnce = 256;

interface Held {
  readonly name: string;
  readonly id: string;
}

interface Folder {
  readonly links: readonly Held[];
  readonly folders: readonly Held[];
}

/** `revision`: a commit or tree by full id. Throws `UserError` for a missing or forged folder, and for more links than can be followed. */
export async function listLinks(git: OpenedGit, revision: string): Promise<readonly Link[]> {
  const top = await treeOf(git, revision);
  const folders = await readFolders(git, top);
  const found = expand(top, folders, holdersOfLinks(folders));
  return Promise.all(
    found.map(async ({ name, id }) => ({
      path: Buffer.from(name, 'latin1').toString('utf8'),
      target: (await git.objects.read(id, mostTargetBytes))?.bytes?.toString('utf8') ?? '',
    })),
  );
}

/** Each with all that is below it: of the commits of one repository, which mostly hold the same. */
const readBefore = new WeakMap<OpenedGit['objects'], ReadonlyMap<string, Folder>>();

/** More than `top` holds, where another commit was asked about before. */
async function readFolders(git: OpenedGit, top: string): Promise<ReadonlyMap<string, Folder>> {
  const known = new Map(readBefore.get(git.objects));
  let level = [top].filter(id => !known.has(id));
  while (level.length > 0) {
    const below = new Set<string>();
    for (let at = 0; at < level.length; at += readAtOnce) {
      const read = level.slice(at, at + readAtOnce).map(async id => {
        const entries = [...(await readFolder(git, id))];
        const held = (mode: RegExp): Held[] =>
          entries.filter(([, one]) => mode.test(one.mode)).map(([name, one]) => ({ ...one, name }));
        return [id, { links: held(/^120000$/), folders: held(/^0?40000$/) }] as const;
      });
      for (const [id, folder] of await Promise.all(read)) {
        known.set(id, folder);
        for (const one of folder.folders) below.add(one.id);
      }
      if (known.size > mostFolders) throw tooMany(`${mostFolders} folders`);
    }
    level = [...below].filter(id => !known.has(id));
  }
  readBefore.set(git.objects, known);
  return known;
}

/** Folders that hold a link, or one that does. */
function holdersOfLinks(folders: ReadonlyMap<string, Folder>): ReadonlySet<string> {
  const above = new Map<string, string[]>();
  for (const [id, folder] of folders)
    for (const one of folder.folders) {
      const holders = above.get(one.id);
      if (holders === undefined) above.set(one.id, [id]);
      else holders.push(id);
    }
  const holding = new Set<string>();
  const pending = [...folders].filter(([, { links }]) => links.length > 0).map(([id]) => id);
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    if (holding.has(id)) continue;
    holding.add(id);
    pending.push(...(above.get(id) ?? []));
  }
  return holding;
}

function expand(
  top: string,
  folders: ReadonlyMap<string, Folder>,
  holding: ReadonlySet<string>,
): Held[] {
  const found: Held[] = [];
  const pending: Held[] = holding.has(top) ? [{ name: '', id: top }] : [];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const { links = [], folders: below = [] } = folders.get(at.id) ?? {};
    const within = (one: Held): Held => ({ name: `${at?.name ?? ''}${one.name}`, id: one.id });
    found.push(...links.map(within));
    pending.push(...below.filter(({ id }) => holding.has(id)).map(within));
    if (found.length + pending.length > mostLinks) throw tooMany(`${mostLinks} links`);
  }
  return found;
}

function tooMany(what: string): UserError {
  return inputError(`The tree of the repository holds more than ${what}.`);
}
