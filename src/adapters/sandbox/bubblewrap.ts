/** A sandbox by bubblewrap, which does in one process what `unshare.ts` asks several programs for. */
import type { Placement } from './unshare.ts';
import { kernelSettings, type Bind, type View } from './view.ts';

/** Words to put before the program. */
export function bubblewrapWords(
  bwrap: string,
  { links, system, binds }: View,
  { cwd, network }: Omit<Placement, 'root'>,
): string[] {
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
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--tmpfs',
    '/var/tmp',
    ...binds.flatMap(bindWords),
    '--remount-ro',
    '/',
    '--chdir',
    cwd,
    '--',
  ];
}

function bindWords({ source, target, writable, isFolder }: Bind): string[] {
  if (source === null) return isFolder ? ['--tmpfs', target] : ['--ro-bind', '/dev/null', target];
  return [writable ? '--bind' : '--ro-bind', source, target];
}
