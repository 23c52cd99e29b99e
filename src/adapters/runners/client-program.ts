/** Finds a client, looks through its npm shim to the native program, and asks it for its version once. */
import { open, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Seat } from '../../core/words/config.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import type { Client } from './client.ts';
import { parseVersion } from './client-versions.ts';
import type { Enclosed } from './enclose.ts';
import { type Executable, findExecutable, withoutShell } from './executable.ts';
import { runIn } from './process.ts';
import type { RunnerWorld } from './runner-world.ts';

/**
 * `executable` of the seat, or the client's name on PATH. A shim or a stub is passed over in favour of the native program
 * of the same installation: shims hold pipes open after a kill, and stubs are all that is left of a package that was
 * installed without its scripts.
 */
export async function findClient(
  client: Pick<Client, 'name' | 'natives'>,
  seat: Pick<Seat, 'executable' | 'home'>,
  world: RunnerWorld,
): Promise<Executable> {
  const found = await findExecutable(seat.executable ?? client.name, world, seat.home);
  if (!found.found || client.natives.length === 0 || (await isNative(found.path)))
    return withoutShell(found);
  const native = await findNative(found.path, client.natives);
  return native === null ? withoutShell(found) : { found: true, path: native };
}

/** Beside the package of the shim, or inside it: nowhere else, so that nothing further up is ever run by accident. */
async function findNative(shim: string, natives: readonly string[]): Promise<string | null> {
  const real = await realpath(shim);
  for (let at = dirname(real); dirname(at) !== at; at = dirname(at)) {
    for (const native of natives) {
      for (const candidate of basename(at) === 'node_modules'
        ? [join(at, native)]
        : [join(at, 'node_modules', native)]) {
        if (await isNative(candidate)) return realpath(candidate);
      }
    }
    if (basename(at) === 'node_modules') return null;
  }
  return null;
}

const magicNumbers = ['7f454c46', 'cffaedfe', 'cafebabe', '4d5a'];

/** ELF, Mach-O or PE. False for what cannot be read. */
async function isNative(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return false;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.subarray(0, bytesRead).toString('hex');
    return magicNumbers.some(magic => start.startsWith(magic));
  } catch {
    // A folder of that name.
    return false;
  } finally {
    await file.close();
  }
}

const versions = new Map<string, Promise<string | null>>();
const probeMs = 5_000;

type ProbeFolder = Pick<AttemptFolder, 'cwd' | 'environment'> &
  Pick<Enclosed, 'within'> & { readonly world: RunnerWorld };

/**
 * What `--version` says, or null when it says nothing usable within five seconds or `limitMs`. Remembered for as long as
 * the file stays the same; the probe sees the same environment as a review, without the key.
 */
export async function readVersion(
  program: string,
  folder: ProbeFolder,
  limitMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const found = await stat(program).catch(() => null);
  if (found === null) return null;
  const key = `${program}\0${found.ino}\0${found.size}\0${found.mtimeMs}`;
  const asked = versions.get(key) ?? probe(program, folder, Math.min(probeMs, limitMs), signal);
  versions.set(key, asked);
  const version = await asked;
  // A probe that was interrupted or hurried says nothing about the program.
  if (version === null && (signal.aborted || limitMs < probeMs)) versions.delete(key);
  return version;
}

async function probe(
  program: string,
  { cwd, environment, within, world }: ProbeFolder,
  totalMs: number,
  signal: AbortSignal,
): Promise<string | null> {
  const deadlines = { firstOutputMs: totalMs, idleMs: totalMs, totalMs };
  const result = await runIn(
    world,
    {
      file: program,
      args: ['--version'],
      input: '',
      environment,
      cwd,
      within: within(),
      deadlines,
      limits: { stdoutBytes: 65_536 },
    },
    signal,
  );
  return result.stopped === null && result.exitCode === 0 ? parseVersion(result.stdout) : null;
}
