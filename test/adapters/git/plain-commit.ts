/**
 * What `git add -A` and `git commit` make of a plain repository, byte for byte of their objects, in this process: the suite makes some
 * thousand commits, and starting git twice for each takes longer than all that git does then.
 */
import { createHash } from 'node:crypto';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';

interface Entry {
  readonly name: string;
  readonly mode: number;
  readonly id: string;
  /** Stat data, mode and size as the index holds them. */
  readonly head: Buffer;
}

const who = 'Ada <ada@example.org> 1704164645 +0000';
const sha1 = (content: Buffer): Buffer => createHash('sha1').update(content).digest();

/** Ends of the indexes that were written here: only what they say is known to hold nothing that git was told besides. */
const known = new Set<string>();

/** Null: something in the repository is unusual, so that git has to do it. `settings`: what `.git/config` must say. */
export function commitPlainly(
  root: string,
  message: string,
  settings: string | undefined,
): string | null {
  const git = join(root, '.git');
  if (!/^\S+(?: \S+)*$/.test(message) || !isPlain(git, settings)) return null;
  const entries = readEntries(root, git);
  if (entries === null) return null;
  const branch = readFileSync(join(git, 'HEAD'), 'utf8').slice('ref: '.length).trim();
  const ref = join(git, branch);
  const parent = existsSync(ref) ? readFileSync(ref, 'utf8').trim() : null;
  const lines = [
    `tree ${writeTree(git, entries, '')}`,
    ...(parent === null ? [] : [`parent ${parent}`]),
    `author ${who}`,
    `committer ${who}`,
  ];
  const id = writeObject(git, 'commit', Buffer.from(`${lines.join('\n')}\n\n${message}\n`));
  writeIndex(git, entries);
  put(ref, `${id}\n`);
  const said = `commit${parent === null ? ' (initial)' : ''}: ${message}`;
  for (const log of ['HEAD', branch])
    put(join(git, 'logs', log), `${parent ?? '0'.repeat(40)} ${id} ${who}\t${said}\n`, 'a');
  return id;
}

/** The files of `.git` that have a say in what is added and committed, beside the index and the branch. */
const unusual = [
  'MERGE_HEAD CHERRY_PICK_HEAD REVERT_HEAD packed-refs shallow modules info/attributes',
  'info/sparse-checkout info/grafts hooks/pre-commit hooks/commit-msg hooks/prepare-commit-msg',
  'hooks/post-commit hooks/post-index-change hooks/reference-transaction',
].flatMap(names => names.split(' '));

/** Of a configuration, what says nothing about commits. */
const elsewhere = /^\[(?:remote|branch) "[^"]*"\]\n(?:\t.*\n)*/gm;

function isPlain(git: string, settings: string | undefined): boolean {
  try {
    const index = join(git, 'index');
    return (
      readFileSync(join(git, 'config'), 'utf8').replace(elsewhere, '') === settings &&
      unusual.every(name => !existsSync(join(git, name))) &&
      !/^[^#\n]/m.test(readFileSync(join(git, 'info/exclude'), 'utf8')) &&
      /^ref: refs\/heads\/\S+\n$/.test(readFileSync(join(git, 'HEAD'), 'utf8')) &&
      (!existsSync(index) || known.has(readFileSync(index).subarray(-20).toString('hex')))
    );
  } catch {
    return false;
  }
}

/** In the order of the index. Null where a name says what git leaves out or changes, and where a file is none that it takes as it is. */
function readEntries(root: string, git: string): Entry[] | null {
  const entries: Entry[] = [];
  const read = (folder: string): boolean =>
    readdirSync(join(root, folder), { withFileTypes: true }).every(each => {
      const name = folder + each.name;
      if (name === '.git') return true;
      if (/^(?:\.git(?!hub$|keep$)|git~)/i.test(each.name) || /[\ufffd\\]/.test(name)) return false;
      if (each.isDirectory()) return read(`${name}/`);
      const isLink = each.isSymbolicLink();
      if (!isLink && !each.isFile()) return false;
      const at = join(root, name);
      const content = isLink ? readlinkSync(at, { encoding: 'buffer' }) : readFileSync(at);
      const stat = lstatSync(at, { bigint: true });
      const mode = isLink ? 0o120_000 : (stat.mode & 0o100n) === 0n ? 0o100_644 : 0o100_755;
      const head = [stat.ctimeNs, stat.mtimeNs].flatMap(ns => [ns / 10n ** 9n, ns % 10n ** 9n]);
      const rest = [stat.dev, stat.ino, BigInt(mode), stat.uid, stat.gid, stat.size];
      entries.push({
        name,
        mode,
        id: writeObject(git, 'blob', content),
        head: Buffer.concat([...head, ...rest].map(value => word(Number(value & 0xffff_ffffn)))),
      });
      return true;
    });
  if (!read('')) return null;
  return entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}

function word(value: number): Buffer {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value);
  return buffer;
}

function writeIndex(git: string, entries: readonly Entry[]): void {
  const parts = [Buffer.from('DIRC'), word(2), word(entries.length)];
  for (const { name, id, head } of entries) {
    const text = Buffer.from(name);
    const length = Buffer.from([0, 0]);
    length.writeUInt16BE(Math.min(text.length, 0xfff));
    // Up to a multiple of eight, by one zero at least.
    const padding = Buffer.alloc(8 - ((62 + text.length) % 8));
    parts.push(head, Buffer.from(id, 'hex'), length, text, padding);
  }
  const content = Buffer.concat(parts);
  const end = sha1(content);
  known.add(end.toString('hex'));
  writeFileSync(join(git, 'index'), Buffer.concat([content, end]));
}

/** The tree of the entries below `prefix`, each of which begins with it. */
function writeTree(git: string, entries: readonly Entry[], prefix: string): string {
  const rows = new Map<string, Entry[]>();
  for (const entry of entries) {
    const [name = ''] = /^[^/]*\/?/.exec(entry.name.slice(prefix.length)) ?? [];
    const inside = rows.get(name);
    if (inside === undefined) rows.set(name, [entry]);
    else inside.push(entry);
  }
  // Git sorts a folder as if its name ended in a slash.
  const content = [...rows]
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .flatMap(([name, inside]) => {
      const [mode, id] = name.endsWith('/')
        ? ['40000', writeTree(git, inside, prefix + name)]
        : [inside[0]?.mode.toString(8), inside[0]?.id ?? ''];
      return [Buffer.from(`${mode} ${name.replace(/\/$/, '')}\0`), Buffer.from(id, 'hex')];
    });
  return writeObject(git, 'tree', Buffer.concat(content));
}

function writeObject(git: string, kind: string, content: Buffer): string {
  const whole = Buffer.concat([Buffer.from(`${kind} ${content.length}\0`), content]);
  const id = sha1(whole).toString('hex');
  const file = join(git, 'objects', id.slice(0, 2), id.slice(2));
  if (!existsSync(file)) put(file, deflateSync(whole, { level: 1 }));
  return id;
}

function put(file: string, content: string | Buffer, flag = 'w'): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content, { flag });
}
