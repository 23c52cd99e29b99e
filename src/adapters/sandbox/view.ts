/**
 * What a reviewer in a sandbox sees of the disk: the folders of the system and what it is made of, read-only; the folder of its
 * attempt and what its seat names, to write; nothing else. Everything stands at the path it has outside.
 */
import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, relative, sep } from 'node:path';

export interface Bind {
  /** Real path. */
  readonly source: string;
  readonly target: string;
  readonly writable: boolean;
  readonly isFolder: boolean;
}

export interface View {
  readonly links: readonly { readonly path: string; readonly target: string }[];
  /** Folders of the system. */
  readonly system: readonly Bind[];
  /** Files and folders in those of the system that are empty here. */
  readonly covered: readonly Pick<Bind, 'target' | 'isFolder'>[];
  /** Outer ones first. */
  readonly binds: readonly Bind[];
}

export interface Wanted {
  /** Folder of the attempt. */
  readonly root: string;
  readonly read: readonly string[];
  readonly write: readonly string[];
  /** Folders to write that stand elsewhere in it than outside. */
  readonly moved?: readonly { readonly source: string; readonly target: string }[];
  /** Absolute folders that hold what is nobody's business: home, checkout. */
  readonly hidden: readonly string[];
}

const systemFolders = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/etc',
  '/opt',
  '/nix',
  '/gnu',
  '/run/current-system',
  '/var/lib/ca-certificates',
];

/** For root nothing is unreadable that is its own, in whatever namespace. */
const ownersOnly = [
  '/etc/shadow',
  '/etc/gshadow',
  '/etc/sudoers',
  '/etc/sudoers.d',
  '/etc/ssh',
  '/etc/ssl/private',
  '/etc/pki/tls/private',
  '/etc/kubernetes',
];

/** Names in the process table of what root outside may write without any power. */
export function kernelSettings(): string[] {
  return ['sys', 'sysrq-trigger', 'irq', 'bus', 'fs'].filter(name => kindOf(`/proc/${name}`));
}

let system: Pick<View, 'links' | 'system'> | undefined;

export function viewOf({ root, read, write, moved = [], hidden }: Wanted): View {
  system ??= readSystem();
  const secret = process.getuid?.() === 0 ? ownersOnly : [];
  const covered = [...new Set([...hidden, homedir(), ...secret])].flatMap(path => {
    const kind = isInSystem(path) ? kindOf(path) : null;
    return kind === null || kind === 'link' ? [] : [{ target: path, isFolder: kind === 'folder' }];
  });
  const isThere = (path: string): boolean =>
    isInSystem(path) && !covered.some(({ target }) => isInside(target, path));
  const binds = new Map<string, Bind>();
  const writable = [root, ...write].flatMap(path => bindOf(path, true));
  const readable = [...read, '/etc/resolv.conf'].flatMap(path => bindOf(path, false));
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
    covered,
    binds: [...binds.values()].toSorted((one, other) => one.target.length - other.target.length),
  };
}

function readSystem(): Pick<View, 'links' | 'system'> {
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
function kindOf(path: string): 'link' | 'folder' | 'file' | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) return null;
  return found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file';
}

function isInSystem(path: string): boolean {
  return systemFolders.some(folder => isInside(folder, path));
}

/** Nothing for what is not there. */
function bindOf(path: string, writable: boolean): Bind[] {
  try {
    const source = realpathSync(path);
    return [{ source, target: path, writable, isFolder: lstatSync(source).isDirectory() }];
  } catch {
    return [];
  }
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
