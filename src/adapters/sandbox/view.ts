/**
 * What a reviewer in a sandbox sees of the disk: the folders of the system and what it is made of, read-only; the folder of its
 * attempt and what its seat names, to write; nothing else. Everything stands at the path it has outside.
 */
import { createReadStream, existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isInside } from '../system/disk.ts';

interface Bind {
  /** Real path; null: nothing of it is shown. */
  source: string | null;
  target: string;
  writable: boolean;
  isFolder: boolean;
}

export interface View {
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Folders of the system. */
  readonly system: readonly (Bind & { readonly source: string })[];
  /** Outer ones first: what lies in another comes after it. */
  readonly binds: readonly Bind[];
}

export interface Wanted {
  /** Folder of the attempt. */
  readonly root: string;
  /** What its program is made of. */
  readonly own: readonly string[];
  /** What somebody grants it: nothing of that is hidden. */
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Folders to write that stand elsewhere in it than outside. */
  readonly moved?: readonly { readonly source: string; readonly target: string }[];
  /** Absolute folders that hold what is nobody's business: home, state, checkout and other work trees. */
  readonly hidden: readonly string[];
}

const systemFolders =
  '/usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /run/current-system /var/lib/ca-certificates'.split(
    ' ',
  );

/** For root nothing is unreadable that is its own, in whatever namespace. */
const ownersOnly =
  '/etc/shadow /etc/gshadow /etc/sudoers /etc/sudoers.d /etc/ssh /etc/ssl/private /etc/pki/tls/private /etc/kubernetes'.split(
    ' ',
  );

/** Names in the process table of what root outside may write without any power. */
export function kernelSettings() {
  return 'sys sysrq-trigger irq bus fs'.split(' ').filter(name => kindOf(`/proc/${name}`));
}

let system: Pick<View, 'links' | 'system'> | undefined;

export function viewOf({ root, own, read, write, moved = [], hidden }: Wanted): View {
  system ??= readSystem();
  const writable = [root, ...write].flatMap(path => bindOf(path, true));
  const granted = read.flatMap(path => bindOf(path, false));
  const readable = [
    ...granted,
    ...[...own, '/etc/resolv.conf'].flatMap(path => bindOf(path, false)),
  ];
  const isGranted = (path: string) =>
    [...writable, ...granted].some(({ source, target }) =>
      [source, target].some(folder => isInside(folder, path)),
    );
  const isOwn = (path: string) => readable.some(({ source }) => isInside(source, path));
  const secret = process.getuid?.() === 0 ? ownersOnly : [];
  const covered = [...new Set([...hidden, homedir(), ...secret].flatMap(withReal))].filter(
    path => (isInSystem(path) || isOwn(path)) && !isGranted(path),
  );
  const isThere = (path: string) =>
    isInSystem(path) && !covered.some(target => isInside(target, path));
  const binds = new Map<string, Bind>();
  for (const target of covered) {
    const kind = kindOf(target);
    if (kind === 'folder' || kind === 'file')
      binds.set(target, { source: null, target, writable: false, isFolder: kind === 'folder' });
  }
  for (const bind of [
    // A place in a folder that may be changed may be changed.
    ...readable.filter(({ source }) => !writable.some(each => isInside(each.source, source))),
    ...writable,
  ]) {
    // What a link leads to is there as well, and for a link of the system that is all it needs.
    for (const target of [bind.source, bind.target])
      if (target === bind.source ? bind.writable || !isThere(target) : !isThere(target))
        binds.set(target, { ...bind, target });
  }
  for (const { source, target } of moved)
    binds.set(target, { source, target, writable: true, isFolder: true });
  return {
    ...system,
    binds: [...binds.values()].toSorted((one, other) => one.target.length - other.target.length),
  };
}

/** Is what lies at an absolute path outside there inside as well? */
export function isSeen({ system: folders, binds }: View, path: string) {
  return withReal(path).some(place => {
    const holding = [...folders, ...binds].findLast(({ target }) => isInside(target, place));
    return (holding?.source ?? null) !== null;
  });
}

function withReal(path: string) {
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}

function readSystem() {
  const found = systemFolders.flatMap(path => {
    const kind = kindOf(path);
    return kind === null ? [] : [{ path, kind }];
  });
  return {
    links: found
      .filter(({ kind }) => kind === 'link')
      .map(({ path }) => ({ path, target: readlinkSync(path) })),
    system: found
      .filter(({ kind }) => kind === 'folder')
      .map(({ path }) => ({ source: path, target: path, writable: false, isFolder: true })),
  };
}

/** Without the last step, which may be a link. */
function kindOf(path: string) {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
}

function isInSystem(path: string) {
  return systemFolders.some(folder => isInside(folder, path));
}

/** Nothing for what is not there. */
function bindOf(path: string, writable: boolean) {
  try {
    const source = realpathSync(path);
    return [{ source, target: path, writable, isFolder: lstatSync(source).isDirectory() }];
  } catch {
    return [];
  }
}

// What a program is made of, as far as its place tells: the installation of its executable and of the interpreter that a script
// names, the folder of a script, and the files its words name. A reviewer in a sandbox may read these.

interface Program {
  /** Absolute. */
  file: string;
  /** Absolute paths that its words name, in their order. */
  named: readonly string[];
  /** Finds a bare name on the search path. */
  find: (name: string) => Promise<string | null>;
  /** Folders nobody sees as a whole for holding a program: home, checkout, the folder of all attempts. */
  hidden: readonly string[];
}

/** Absolute paths, those of the system among them. */
export async function filesOf({ file, named, find, hidden }: Program) {
  const [script, ...data] = named;
  const interpreter = await interpreterOf(file, find);
  const scriptInterpreter = script === undefined ? null : await interpreterOf(script, find);
  const programs = [file, interpreter, scriptInterpreter].filter(path => path !== null);
  const places = await Promise.all(
    [...programs, ...(script === undefined ? [] : [script])].map(withTarget),
  );
  return [
    ...places
      .flat()
      .map(path => installationsOf(path).find(folder => !isTooMuch(folder, hidden)) ?? path),
    ...data,
  ];
}

/** Itself and what it leads to, where that is another. */
async function withTarget(path: string) {
  const real = await realpath(path).catch(() => path);
  return real === path ? [path] : [path, real];
}

/** The largest first. */
function installationsOf(path: string) {
  const at = path.indexOf('/node_modules/');
  const above = at === -1 ? dirname(path) : path.slice(0, at);
  const isPlace = (at === -1 ? ['bin', 'sbin', 'shims'] : ['lib']).includes(basename(above));
  return [...(isPlace ? [dirname(above)] : []), at === -1 ? above : join(above, 'node_modules')];
}

/** `~/.local` has a `bin` too, and everything else that programs keep. */
function isTooMuch(folder: string, hidden: readonly string[]) {
  return (
    [homedir(), join(homedir(), '.local'), ...hidden].some(each => isInside(folder, each)) ||
    existsSync(join(folder, '.git'))
  );
}

const longestLine = 256;

/** What the first line of a script names; null for everything else. */
async function interpreterOf(path: string, find: Program['find']) {
  const [line = ''] = (await readStart(path, longestLine)).toString('latin1').split('\n');
  const [program, ...words] = /^#!\s*(\S.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
  if (program === undefined) return null;
  const asked = words.find(word => !word.startsWith('-') && !word.includes('='));
  return basename(program) === 'env' && asked !== undefined ? find(asked) : program;
}

/** The first bytes of a file; none of what cannot be read, such as a folder. */
export function readStart(path: string, most: number) {
  return buffer(createReadStream(path, { end: most - 1 })).catch(() => Buffer.alloc(0));
}
