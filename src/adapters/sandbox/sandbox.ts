/**
 * The best sandbox that this machine has for a program: bubblewrap, else `unshare`. Whether there is one is found out by making
 * one: what a kernel, a container or a security module forbids shows only then.
 */
import { readFileSync } from 'node:fs';
import { messageOf } from '../../core/errors.ts';
import type { Enclosure } from '../../core/ports/machine.ts';
import type { Mechanism } from '../../core/words/isolation.ts';
import { faultOfStart, findProgram } from './system-programs.ts';
import { type Placement, unshareWords } from './unshare.ts';
import { type Bind, isSeen, kernelSettings, type View, viewOf, type Wanted } from './view.ts';

/** For a folder of its own and what may be seen besides. Makes what it needs in that folder, and holds for one start. */
type Enclose = (place: Wanted & Placement) => Enclosure & {
  /** Is what lies at an absolute path outside there inside as well? */
  readonly sees: (path: string) => boolean;
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
): Promise<Sandbox> {
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
      : [...faults, ...restrictions()].join('; '),
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

function restrictions() {
  return forbidding
    .filter(([name, value]) => settingOf(name) === value)
    .map(([name, value]) => `${name.replace('/', '.')} is ${value}`);
}

function settingOf(name: string) {
  try {
    return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
  } catch {
    return null;
  }
}

// A sandbox by bubblewrap, which does in one process what `unshare.ts` asks several programs for.

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

function bindWords({ source, target, writable, isFolder }: Bind) {
  if (source === null) return isFolder ? ['--tmpfs', target] : ['--ro-bind', '/dev/null', target];
  return [writable ? '--bind' : '--ro-bind', source, target];
}
