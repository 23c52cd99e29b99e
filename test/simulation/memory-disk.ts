/**
 * A disk in memory that keeps what is synced apart from what is not: `crash` leaves what is durable and, of the rest, as much as chance
 * decides, in any order. Bytes become durable by `sync`, names by `syncFolder`.
 */
import { dirname, basename, normalize } from 'node:path';
import type { Disk, DiskEntryKind, FileStatus, OpenFile } from '../../src/core/ports/runner.ts';

export interface MemoryDisk extends Disk {
  /**
   * The power goes: unsynced bytes are kept up to a point, unsynced names one by one. `chance`: 0 up to 1. With `tears`, blocks of what was
   * not synced may reach the disk in any order, those that did not hold zeros, or damaged, with a bit that is another one. Returns the
   * disk as the next start finds it; this one fails whoever still uses it.
   */
  crash(chance: () => number, tears?: boolean): MemoryDisk;
  /** The process goes and the machine stays: everything is as it was, and this disk fails whoever still uses it. */
  handOver(): MemoryDisk;
  /** Every file, or every one of a name, by its path, as text. */
  files(name?: string): ReadonlyMap<string, string>;
  /** Text of one of them; null where there is none. */
  textOf(path: string): string | null;
}

interface FileNode {
  readonly kind: 'file';
  readonly id: number;
  readonly mode: number;
  readonly bornMs: number;
  modifiedMs: number;
  bytes: Uint8Array;
  synced: Uint8Array;
}

interface FolderNode {
  readonly kind: 'folder';
  readonly id: number;
  readonly bornMs: number;
  names: Map<string, Node>;
  synced: Map<string, Node>;
}

type Node = FileNode | FolderNode;

export interface MemoryDiskOptions {
  /** User id that everything belongs to. */
  readonly owner?: number | null;
}

export function createMemoryDisk(options: MemoryDiskOptions = {}): MemoryDisk {
  return openMemoryDisk(options, emptyFolder(1), 1);
}

function openMemoryDisk(options: MemoryDiskOptions, root: FolderNode, begin: number): MemoryDisk {
  const { owner = null } = options;
  let time = begin;
  let isOver = false;
  const tick = (): number => (time += 1);
  const nodeAt = (path: string): Node | null => {
    if (isOver) throw failure('EIO', path);
    let node: Node | null = root;
    for (const name of namesOf(path)) {
      if (node?.kind === 'file') throw failure('ENOTDIR', path);
      node = node?.names.get(name) ?? null;
    }
    return node;
  };
  const folderAt = (path: string): FolderNode => {
    const node = nodeAt(path);
    if (node === null) throw failure('ENOENT', path);
    if (node.kind === 'file') throw failure('ENOTDIR', path);
    return node;
  };
  const parentOf = (path: string): FolderNode => folderAt(dirname(normalize(path)));
  const statusOf = (node: Node): FileStatus => ({
    kind: node.kind satisfies DiskEntryKind,
    id: node.id,
    size: node.kind === 'file' ? node.bytes.length : 0,
    mode: node.kind === 'file' ? node.mode : 0o700,
    owner,
    modifiedMs: node.kind === 'file' ? node.modifiedMs : node.bornMs,
    bornMs: node.bornMs,
  });
  const openNode = (node: Node, path: string, isWritable: boolean): OpenFile => {
    const use = (): void => {
      if (isOver) throw failure('EIO', path);
    };
    const change = (bytes: Uint8Array): void => {
      use();
      if (node.kind === 'folder' || !isWritable) throw failure('EBADF', path);
      node.bytes = bytes;
      node.modifiedMs = tick();
    };
    return {
      status: async () => (use(), statusOf(node)),
      read: async () => {
        use();
        if (node.kind === 'folder') throw failure('EISDIR', path);
        return node.bytes.slice();
      },
      write: async bytes => {
        if (node.kind === 'file') change(Buffer.concat([node.bytes, bytes]));
      },
      truncate: async size => {
        if (node.kind === 'file') change(node.bytes.slice(0, size));
      },
      sync: async () => {
        use();
        if (node.kind === 'file') node.synced = node.bytes;
      },
      close: async () => {},
    };
  };
  return {
    async open(path, access, mode = 0o600) {
      const parent = parentOf(path);
      const name = basename(normalize(path));
      const known = namesOf(path).length === 0 ? root : parent.names.get(name);
      if (known !== undefined && access === 'create') throw failure('EEXIST', path);
      if (known?.kind === 'folder' && access === 'append') throw failure('EISDIR', path);
      if (known === undefined && access === 'read') throw failure('ENOENT', path);
      const file: Node = known ?? {
        kind: 'file',
        id: tick(),
        mode,
        bornMs: time,
        modifiedMs: time,
        bytes: new Uint8Array(),
        synced: new Uint8Array(),
      };
      parent.names.set(name, file);
      return openNode(file, path, access !== 'read');
    },
    async status(path) {
      if (isOver) throw failure('EIO', path);
      const node = nodeOrNull(() => nodeAt(path));
      return node === null ? null : statusOf(node);
    },
    list: async folder => [...folderAt(folder).names].map(([name, { kind }]) => ({ name, kind })),
    async makeFolder(path) {
      const [parent, name] = [parentOf(path), basename(normalize(path))];
      if (nodeAt(path) !== null) throw failure('EEXIST', path);
      parent.names.set(name, emptyFolder(tick()));
    },
    async rename(from, to) {
      const [source, target] = [parentOf(from), parentOf(to)];
      const node = source.names.get(basename(normalize(from)));
      if (node === undefined) throw failure('ENOENT', from);
      source.names.delete(basename(normalize(from)));
      target.names.set(basename(normalize(to)), node);
    },
    async link(from, to) {
      const node = parentOf(from).names.get(basename(normalize(from)));
      if (node === undefined) throw failure('ENOENT', from);
      const target = parentOf(to);
      if (target.names.has(basename(normalize(to)))) throw failure('EEXIST', to);
      target.names.set(basename(normalize(to)), node);
    },
    async remove(path) {
      if (isOver) throw failure('EIO', path);
      nodeOrNull(() => parentOf(path))?.names.delete(basename(normalize(path)));
    },
    async syncFolder(folder) {
      const node = folderAt(folder);
      node.synced = new Map(node.names);
    },
    localPath: () => null,
    crash(chance, tears = false) {
      isOver = true;
      crashFolder(root, { chance, tears }, new Set());
      return openMemoryDisk(options, root, time);
    },
    handOver() {
      isOver = true;
      return openMemoryDisk(options, root, time);
    },
    files: name => new Map(textsIn(root, '', name)),
    textOf(path) {
      const node = nodeOrNull(() => nodeAt(path));
      return node?.kind === 'file' ? Buffer.from(node.bytes).toString('utf8') : null;
    },
  };
}

function emptyFolder(id: number): FolderNode {
  return { kind: 'folder', id, bornMs: id, names: new Map(), synced: new Map() };
}

interface Crash {
  readonly chance: () => number;
  readonly tears: boolean;
}

function crashFolder(folder: FolderNode, crash: Crash, seen: Set<Node>): void {
  const kept = new Map<string, Node>();
  for (const name of new Set([...folder.synced.keys(), ...folder.names.keys()])) {
    const [before, after] = [folder.synced.get(name), folder.names.get(name)];
    const node = before === after || crash.chance() < 0.5 ? after : before;
    if (node !== undefined) kept.set(name, node);
  }
  folder.names = kept;
  folder.synced = new Map(kept);
  for (const node of kept.values()) {
    if (seen.has(node)) continue;
    seen.add(node);
    if (node.kind === 'folder') crashFolder(node, crash, seen);
    else crashFile(node, crash);
  }
}

/** What was appended is kept up to a point or in pieces; a file that was cut is as before or as after. */
function crashFile(file: FileNode, { chance, tears }: Crash): void {
  const { bytes, synced } = file;
  if (bytes === synced) return;
  const added = bytes.length - synced.length;
  // Of what is torn all places are often there.
  const share = tears && chance() < 0.5 ? 1 : chance();
  const kept =
    added < 0
      ? chance() < 0.5
        ? bytes
        : synced
      : bytes.slice(0, synced.length + Math.min(added, Math.floor(share * (added + 1))));
  file.bytes = tears && added > 0 ? torn(kept, synced.length, chance) : kept;
  file.synced = file.bytes;
}

/** Small beside a record of the journal, so that many a record is torn. */
const blockBytes = 64;

function torn(bytes: Uint8Array, from: number, chance: () => number): Uint8Array {
  const left = new Uint8Array(bytes);
  for (let start = from; start < left.length; start += blockBytes) {
    const end = Math.min(start + blockBytes, left.length);
    const drawn = chance();
    const at = start + Math.floor(chance() * (end - start));
    if (drawn < 0.2) left.fill(0, start, end);
    else if (drawn < 0.3) left[at] = (left[at] ?? 0) ^ 1;
  }
  return left;
}

function* textsIn(
  folder: FolderNode,
  prefix: string,
  wanted?: string,
): Generator<[string, string]> {
  for (const [name, node] of folder.names) {
    if (node.kind === 'folder') yield* textsIn(node, `${prefix}/${name}`, wanted);
    else if (wanted === undefined || name === wanted)
      yield [`${prefix}/${name}`, decoded(node.bytes)];
  }
}

/** Of the paths of late: each is looked up many times. */
let split = new Map<string, readonly string[]>();

function namesOf(path: string): readonly string[] {
  const known = split.get(path);
  if (known !== undefined) return known;
  const names = normalize(path)
    .split(/[\\/]/)
    .filter(name => name !== '' && name !== '.');
  if (split.size > 10_000) split = new Map();
  split.set(path, names);
  return names;
}

const texts = new WeakMap<Uint8Array, string>();

function decoded(bytes: Uint8Array): string {
  const text = texts.get(bytes) ?? Buffer.from(bytes).toString('utf8');
  texts.set(bytes, text);
  return text;
}

function nodeOrNull<Result>(look: () => Result): Result | null {
  try {
    return look();
  } catch {
    return null;
  }
}

function failure(code: string, path: string): Error {
  const { stackTraceLimit } = Error;
  // Many a failure is an answer, and a stack takes longer to write down than all the rest.
  Error.stackTraceLimit = 0;
  const error = Object.assign(new Error(`${code}: ${path}`), { code, path });
  Error.stackTraceLimit = stackTraceLimit;
  return error;
}
