/** Finds a client, looks through its npm shim to the native program, asks it for its version once, and tells whom it may believe. */
import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { answered } from '../../core/ports/runner.ts';
import type { Seat } from '../../core/words/config.ts';
import type { ClientName } from '../../core/words/runner.ts';
import { readStart } from '../sandbox/view.ts';
import { isInside } from '../system/disk.ts';
import { claude } from './claude.ts';
import { type Client, isTooOld, parseVersion, versionWarning } from './client.ts';
import { codex } from './codex.ts';
import { type Enclosed, withEnclosure } from './enclose.ts';
import { type RunnerWorld, findExecutable, withoutShell } from './executable.ts';
import { gemini } from './gemini.ts';
import { opencode } from './opencode.ts';
import { runIn } from './process.ts';

export const clients: Readonly<Record<ClientName, Client>> = { claude, codex, gemini, opencode };

/**
 * `executable` of the seat, or the client's name on PATH. A shim or a stub is passed over in favour of the native program
 * of the same installation: shims hold pipes open after a kill, and stubs are all that is left of a package that was
 * installed without its scripts.
 */
export async function findClient(
  client: Pick<Client, 'name' | 'natives'>,
  seat: Pick<Seat, 'executable' | 'home'>,
  world: RunnerWorld,
) {
  const found = await findExecutable(seat.executable ?? client.name, world, seat.home);
  if (typeof found !== 'string' || client.natives.length === 0 || (await isNative(found)))
    return withoutShell(found);
  return (await findNative(found, client.natives)) ?? withoutShell(found);
}

/** Beside the package of the shim, or inside it: nowhere else, so that nothing further up is ever run by accident. */
async function findNative(shim: string, natives: readonly string[]) {
  for (let at = dirname(await realpath(shim)); dirname(at) !== at; at = dirname(at)) {
    const isTop = basename(at) === 'node_modules';
    for (const native of natives) {
      const candidate = join(at, isTop ? '' : 'node_modules', native);
      if (await isNative(candidate)) return realpath(candidate);
    }
    if (isTop) return null;
  }
  return null;
}

const magicNumbers = ['7f454c46', 'cffaedfe', 'cafebabe', '4d5a'];

/** ELF, Mach-O or PE. False for what cannot be read. */
async function isNative(path: string) {
  const start = (await readStart(path, 4)).toString('hex');
  return magicNumbers.some(magic => start.startsWith(magic));
}

const versions = new Map<string, Promise<string | null>>();
const probeMs = 5_000;

/**
 * What `--version` says, or null when it says nothing usable within five seconds or `limitMs`. Remembered for as long as
 * the file stays the same; the probe sees the same environment as a review, without the key.
 */
export async function readVersion(
  program: string,
  place: Pick<Enclosed, 'cwd' | 'environment' | 'within'> & { readonly world: RunnerWorld },
  limitMs: number,
  signal: AbortSignal,
) {
  const found = await stat(program).catch(() => null);
  if (!found) return null;
  const key = `${program}\0${found.ino}\0${found.size}\0${found.mtimeMs}`;
  const asked = versions.get(key) ?? probe(program, place, Math.min(probeMs, limitMs), signal);
  versions.set(key, asked);
  const version = await asked;
  // A probe that was interrupted or hurried says nothing about the program.
  if (version === null && (signal.aborted || limitMs < probeMs)) versions.delete(key);
  return version;
}

async function probe(
  file: string,
  { cwd, environment, within, world }: Parameters<typeof readVersion>[1],
  totalMs: number,
  signal: AbortSignal,
) {
  const { stopped, exitCode, stdout } = await runIn(
    world,
    {
      file,
      args: ['--version'],
      input: '',
      environment,
      cwd,
      within: within(),
      deadlines: { firstOutputMs: totalMs, idleMs: totalMs, totalMs },
      limits: { stdoutBytes: 65_536 },
    },
    signal,
  );
  return stopped === null && exitCode === 0 ? parseVersion(stdout) : null;
}

const variables = ['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

/**
 * The authorities that the person who runs Jury trusts besides those of the system, as in a company whose proxy opens what passes it:
 * absolute paths by variable. A file of the checkout under review is none: a change of it would choose whom a client believes.
 */
export async function certificatesOf({
  environment,
  checkout = null,
}: Pick<RunnerWorld, 'environment' | 'checkout'>): Promise<Readonly<Record<string, string>>> {
  const top = checkout === null ? null : await realpath(checkout).catch(() => checkout);
  const found: Record<string, string> = {};
  for (const variable of variables) {
    const file = environment[variable] ?? '';
    const real = isAbsolute(file) ? await realpath(file).catch(() => null) : null;
    if (real === null) continue;
    if (top === null || ![file, real].some(path => isInside(top, path))) found[variable] = file;
  }
  return found;
}

// Looks at the coding-agent clients of this machine without asking any of them a question.

export interface InspectedClient {
  readonly name: string;
  /** Absolute path of the program; null when it is not installed. */
  readonly path: string | null;
  readonly version: string | null;
  /** Variable whose key would be used; null when none is set. */
  readonly key: string | null;
  /** What stands in the way or should be known, in one sentence; null when nothing. */
  readonly problem: string | null;
}

export async function inspectClients(world: RunnerWorld): Promise<InspectedClient[]> {
  return Promise.all(Object.values(clients).map(client => inspect(client, world)));
}

const versionProbeMs = 10_000;

async function inspect(client: Client, world: RunnerWorld): Promise<InspectedClient> {
  const { name } = client;
  const key = client.keyVariables.find(variable => world.environment[variable]) ?? null;
  const seat = { id: name, runner: name, environment: [], home: world.temporaryFolder };
  const path = await findClient(client, seat, world);
  const found = { name, path: null, version: null, key };
  if (typeof path !== 'string') return { ...found, problem: path.failure.message };
  const { signal } = new AbortController();
  const looked = await withEnclosure(world, seat, { file: path }, async place =>
    answered((await readVersion(path, { ...place, world }, versionProbeMs, signal)) ?? ''),
  );
  if (looked.status === 'failed') return { ...found, path, problem: looked.failure.message };
  const version = looked.text || null;
  return { ...found, path, version, problem: problemOf(client, version, key) };
}

function problemOf(client: Client, version: string | null, key: string | null) {
  const { name, oldest, keyVariables } = client;
  if (isTooOld(client, version))
    return `${name} ${version ?? ''} is older than ${oldest ?? ''} and is refused.`;
  if (key !== null) return versionWarning(client, version);
  const how = name === 'claude' ? ' Of a subscription, "claude setup-token" makes the last.' : '';
  return `No key: set ${keyVariables.join(' or ')}.${how}`;
}
