/**
 * The best sandbox that this machine has for a program: bubblewrap, else `unshare`. Whether there is one is found out by making
 * one: what a kernel, a container or a security module forbids shows only then.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import type { Enclosure } from '../../core/ports/runner.ts';
import type { Mechanism } from '../../core/words/isolation.ts';
import { isExecutable, isInside } from '../system/disk.ts';
import { isSeen, kernelSettings, type View, viewOf, type Wanted } from './view.ts';

/** For a folder of its own and what may be seen besides. Makes what it needs in that folder, and holds for one start. */
type Enclose = (place: Wanted & Placement) => Enclosure & {
  /** Is what lies at an absolute path outside there inside as well? */
  sees: (path: string) => boolean;
};

export interface Sandbox {
  readonly mechanism: Mechanism;
  /** Null where there is none. */
  readonly enclose: Enclose | null;
}

let known: Promise<Sandbox> | undefined;

/** Found once in a process. `inFolder` lends a private folder, absolute and without links, for the trial. */
export function findSandbox(
  inFolder: (use: (folder: string) => Promise<Sandbox>) => Promise<Sandbox>,
) {
  return (known ??= process.platform === 'linux' ? inFolder(tryAll) : Promise.resolve(elsewhere));
}

const elsewhere = noSandbox('Only Linux has the namespaces that a sandbox is made of.');

export function noSandbox(reason: string): Sandbox {
  return { mechanism: { by: null, reason }, enclose: null };
}

/** All at once first: where a machine can do it, one start tells. */
async function tryAll(folder: string): Promise<Sandbox> {
  const faults = new Set<string>();
  for (const { by, hasLoopback, enclose } of [limitWords(), []].flatMap(candidates)) {
    const noProxy = hasLoopback
      ? await faultOf(enclose, folder, true)
      : 'The program ip, which makes a loopback, is not in the folders of the system';
    const fault = noProxy === null ? null : await faultOf(enclose, folder);
    if (fault === null)
      return { mechanism: { by, noProxy: noProxy === null ? null : `${noProxy}.` }, enclose };
    faults.add(`${by}: ${fault}`);
  }
  return noSandbox(
    faults.size === 0
      ? 'Neither bwrap nor unshare, mount and setpriv of util-linux are in the folders of the system.'
      : [
          ...faults,
          ...forbidding
            .filter(([name, value]) => settingOf(name) === value)
            .map(([name, value]) => `${name.replace('/', '.')} is ${value}`),
        ].join('; '),
  );
}

function candidates(limits: readonly string[]) {
  const [bwrap, shell, unshare, mount, setpriv, ip = null] = 'bwrap sh unshare mount setpriv ip'
    .split(' ')
    .map(findProgram);
  const found: { by: NonNullable<Mechanism['by']>; hasLoopback: boolean; enclose: Enclose }[] = [];
  const enclosing =
    (wordsFor: (view: View, wanted: Placement) => string[], outlastsAll: boolean): Enclose =>
    wanted => {
      const view = viewOf(wanted);
      const words = [...wordsFor(view, wanted), ...limits];
      return { words, outlastsAll, sees: path => isSeen(view, path) };
    };
  if (bwrap)
    found.push({
      by: 'bubblewrap',
      hasLoopback: true,
      // It ends with the program; its namespace follows a moment later.
      enclose: enclosing((...asked) => bubblewrapWords(bwrap, ...asked), false),
    });
  if (shell && unshare && mount && setpriv)
    found.push({
      by: 'unshare',
      hasLoopback: ip !== null,
      enclose: enclosing(
        (...asked) => unshareWords({ shell, unshare, mount, setpriv, ip }, ...asked),
        true,
      ),
    });
  return found;
}

/** Bytes of memory that a process may write, and of a file; processes of the namespace, which the kernel does not count for root. */
const mostOf = { data: 8 * 2 ** 30, fsize: 2 ** 30, nproc: 4_096 };

/** Words to put before a program within the sandbox; left out where the system cannot set limits, or has stricter ones. */
function limitWords() {
  const prlimit = findProgram('prlimit');
  return prlimit === null
    ? []
    : [prlimit, ...Object.entries(mostOf).map(([name, most]) => `--${name}=${most}`)];
}

/** Null when a sandbox without network could be made and a program ran in it. */
async function faultOf(enclose: Enclose, folder: string, loopback = false) {
  try {
    const { words } = enclose({
      root: folder,
      cwd: folder,
      network: false,
      loopback,
      own: [],
      read: [],
      write: [],
      hidden: [],
    });
    return await faultOfStart([...words, '/bin/sh', '-c', ':']);
  } catch (error) {
    return messageOf(error);
  }
}

/** Settings of the kernel that forbid it, and the value that does. */
const forbidding = [
  ['kernel/unprivileged_userns_clone', '0'],
  ['kernel/apparmor_restrict_unprivileged_userns', '1'],
  ['user/max_user_namespaces', '0'],
] as const;

function settingOf(name: string) {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}

// A sandbox by bubblewrap, which does in one process what `unshare` is asked for by several programs.

/** Words to put before the program. */
function bubblewrapWords(
  bwrap: string,
  { links, system, binds }: View,
  { cwd, network }: Omit<Placement, 'root'>,
) {
  return [
    bwrap,
    '--unshare-user',
    '--unshare-pid',
    '--unshare-ipc',
    ...(network ? [] : ['--unshare-net']),
    '--die-with-parent',
    '--cap-drop',
    'ALL',
    ...links.flatMap(({ path, target }) => ['--symlink', target, path]),
    ...system.flatMap(bindWords),
    '--proc',
    '/proc',
    ...kernelSettings().flatMap(name => ['--ro-bind', `/proc/${name}`, `/proc/${name}`]),
    ...'--dev /dev --tmpfs /tmp --tmpfs /var/tmp'.split(' '),
    ...binds.flatMap(bindWords),
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
    '--',
  ];
}

function bindWords({ source, target, writable, isFolder }: View['binds'][number]) {
  if (source === null) return isFolder ? ['--tmpfs', target] : ['--ro-bind', '/dev/null', target];
  return [writable ? '--bind' : '--ro-bind', source, target];
}

// A sandbox by `unshare` and `mount` of util-linux. In namespaces of its own the system's shell, as their first process, mounts
// what the reviewer may see under a new root and starts it there as the same user in one more user namespace, so that it has no
// power over the mounts. With the first process all others of the namespace end; it ends with `unshare`, and that with Jury.

interface UnshareTools {
  shell: string;
  unshare: string;
  mount: string;
  setpriv: string;
  /** Brings up the loopback of a namespace; null where it is not there. */
  ip: string | null;
}

interface Placement {
  /** Folder of the attempt: what is mounted is prepared in a new folder in it. */
  root: string;
  cwd: string;
  network: boolean;
  /** Without a network: its own loopback is up. Bubblewrap always brings it up. */
  loopback?: boolean;
}

/** First line of standard error when a sandbox could not be made; the exit code is 125. */
const failedMark = 'jury-sandbox:';

/** Its words come as arguments and are never read as a script. What the shell says and sets of its own is nobody's. */
const script = `mount=$1 table=$2 ip=$3 count=$4
shift 4
fail() { echo '${failedMark} it could not be mounted' >&2; exit 125; }
[ -z "$ip" ] || "$ip" link set lo up >&2 || fail
"$mount" -n -a -T "$table" >&2 || fail
while [ "$count" -gt 0 ]; do
  "$mount" -n -o "$1" "$2" >&2 || fail
  shift 2
  count=$((count - 1))
done
unset PWD OLDPWD SHLVL
exec 4>&2 2>/dev/null
"$@" 2>&4 4>&-
exit "$?"
`;

/** Words to put before the program. Makes what they need on disk. */
function unshareWords(
  { shell, unshare, mount, setpriv, ip }: UnshareTools,
  view: View,
  { root, cwd, network, loopback = false }: Placement,
) {
  const { target, table, below } = prepare(view, root);
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return [
    unshare,
    ...'--user --map-root-user --mount --pid --ipc'.split(' '),
    ...(network ? [] : ['--net']),
    '--fork',
    '--kill-child',
    '--propagation',
    'private',
    shell,
    '-c',
    script,
    'jury-sandbox',
    mount,
    table,
    loopback ? (ip ?? '') : '',
    String(below.length),
    ...below.flat(),
    unshare,
    '--user',
    `--map-user=${uid}`,
    `--map-group=${gid}`,
    `--root=${target}`,
    `--wd=${cwd}`,
    // Everybody else loses the powers of the new namespace with the next program.
    ...(uid === 0 ? [setpriv, '--bounding-set=-all', '--inh-caps=-all', '--no-new-privs'] : []),
  ];
}

interface Prepared {
  /** Holds a place for each mount. */
  skeleton: string;
  /** Where the root of the sandbox is put together. */
  target: string;
}

function prepare(view: View, root: string) {
  // The name is new for each start: what an earlier program of the attempt left in its folder is never mounted.
  const folder = mkdtempSync(join(root, 'sandbox-'));
  const prepared: Prepared = { skeleton: join(folder, 'skeleton'), target: join(folder, 'root') };
  makeSkeleton(view, prepared.skeleton);
  mkdirSync(prepared.target);
  const table = join(folder, 'table');
  // What is mounted where, as Jury sees it.
  const mounted = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap(line => {
      const [, , , , path, options] = line.split(' ');
      return path === undefined || options === undefined
        ? []
        : [{ path: unescape(path), options: options.split(',') }];
    });
  writeFileSync(table, tableOf(view, prepared, mounted), { mode: 0o600 });
  return { table, target: prepared.target, below: mountsBelow(view, prepared.target, mounted) };
}

const devices = 'null zero full random urandom tty'.split(' ');
const privateFolders = ['/tmp', '/var/tmp'];
const sharedMemory = '/dev/shm';

/** The places to mount on: without them the root of the sandbox would have to stay writable. */
function makeSkeleton({ links, system, binds }: View, skeleton: string) {
  const places = [
    ...[...system, ...binds].map(({ target, isFolder }) => ({ target, isFolder })),
    ...[sharedMemory, '/proc', ...privateFolders].map(target => ({ target, isFolder: true })),
    ...devices.map(name => ({ target: `/dev/${name}`, isFolder: false })),
  ];
  for (const { target, isFolder } of places) {
    const path = join(skeleton, target);
    mkdirSync(isFolder ? path : dirname(path), { recursive: true });
    if (!isFolder) writeFileSync(path, '', { flag: 'a' });
  }
  for (const { path, target } of [...links, ...descriptors]) {
    mkdirSync(dirname(join(skeleton, path)), { recursive: true });
    symlinkSync(target, join(skeleton, path));
  }
}

const descriptors: View['links'] = [
  { path: '/dev/fd', target: '/proc/self/fd' },
  ...['stdin', 'stdout', 'stderr'].map((name, fd) => ({
    path: `/dev/${name}`,
    target: `/proc/self/fd/${fd}`,
  })),
];

type Mount = readonly [source: string, target: string, type: string, options: string];

/** In the form of `fstab`: one call of `mount` reads all of it. */
function tableOf(
  { system, binds }: View,
  { skeleton, target: root }: Prepared,
  mounted: readonly Mounted[],
) {
  const bind = (source: string, at: string, access?: 'ro'): Mount => [
    source,
    join(root, at),
    'none',
    [
      // The folder that holds the sandbox itself must not bring its mounts along; what others mounted in a folder belongs to it.
      mounted.some(({ path }) => path !== source && isInside(source, path)) ? 'rbind' : 'bind',
      ...(access === undefined ? [] : [access]),
      'nosuid',
      'nodev',
      ...flagsAt(source, mounted),
    ].join(','),
  ];
  const proc = join(root, 'proc');
  const mounts: Mount[] = [
    bind(skeleton, '/', 'ro'),
    ...system.map(({ source, target }) => bind(source, target, 'ro')),
    ['proc', proc, 'proc', 'nosuid,nodev,noexec'],
    ...kernelSettings().map((name): Mount => [
      join(proc, name),
      join(proc, name),
      'none',
      'bind,ro,nosuid,nodev,noexec',
    ]),
    ...devices.map((name): Mount => [`/dev/${name}`, join(root, 'dev', name), 'none', 'bind']),
    // A new one has no place to mount on: whoever keeps his files there has one on his disk instead.
    binds.some(({ target }) => isInside(sharedMemory, target))
      ? bind(join(skeleton, sharedMemory), sharedMemory)
      : ['tmpfs', join(root, sharedMemory), 'tmpfs', 'nosuid,nodev,size=64m'],
    ...privateFolders.map(path => bind(join(skeleton, path), path)),
    ...binds.map(({ source, target, writable }) =>
      bind(source ?? join(skeleton, target), target, writable ? undefined : 'ro'),
    ),
  ];
  return mounts.map(words => `${words.map(escape).join(' ')} 0 0\n`).join('');
}

/** As `mount` reads it back. */
function escape(word: string) {
  return word.replace(
    /[ \t\r\n\\]/g,
    each => `\\${each.charCodeAt(0).toString(8).padStart(3, '0')}`,
  );
}

interface Mounted {
  path: string;
  options: readonly string[];
}

function unescape(word: string) {
  return word.replace(/\\([0-7]{3})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}

const locked: ReadonlySet<string> = new Set(['ro', 'nosuid', 'nodev', 'noexec']);

/** What the mount that holds a path forbids must stay forbidden: a user namespace may not take it back. */
function flagsAt(path: string, mounted: readonly Mounted[]) {
  const holding = mounted
    .filter(each => isInside(each.path, path))
    .reduce((one, other) => (other.path.length >= one.path.length ? other : one), {
      path: '',
      options: [] as readonly string[],
    });
  return holding.options.filter(option => locked.has(option));
}

/** Mounts that come along with a folder that is only to be read, as options and place for `mount`: each stays as it was otherwise. */
function mountsBelow({ system, binds }: View, root: string, mounted: readonly Mounted[]) {
  const covered = binds.filter(({ source }) => source === null);
  return [...system, ...binds].flatMap(({ source, target, writable }) =>
    source === null || writable
      ? []
      : mounted
          .filter(({ path }) => path !== source && isInside(source, path))
          .filter(({ path }) => !covered.some(each => isInside(each.target, path)))
          .map(({ path, options }) => [
            ['remount', 'bind', 'ro', ...options.filter(each => locked.has(each))].join(','),
            join(root, target, relative(source, path)),
          ]),
  );
}

// Programs in the folders of the system alone: nobody's PATH decides what encloses a reviewer.

const folders = '/usr/bin /bin /usr/sbin /sbin /usr/local/bin /run/current-system/sw/bin'.split(
  ' ',
);

export function findProgram(name: string) {
  return folders.map(folder => `${folder}/${name}`).find(isExecutable) ?? null;
}

/** What a container forbids shows when it is tried: null when the words ran well. */
export function faultOfStart([file = '', ...args]: readonly string[]): Promise<string | null> {
  return new Promise(resolve => {
    execFile(file, args, { env: {}, timeout: 5_000 }, (error, _, stderr) =>
      resolve(error === null ? null : lastLine(stderr) || error.message),
    );
  });
}

function lastLine(text: string) {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith(failedMark));
  return lines.at(-1)?.replace(/\.$/, '') ?? '';
}
