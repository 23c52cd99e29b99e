/** Gives the program of a seat a folder and the sandbox that it gets on this machine, or the reason why it cannot be asked. */
import { existsSync } from 'node:fs';
import { lstat, mkdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import { present } from '../../core/groups.ts';
import {
  type Answer,
  type Enclosure,
  type NotAnswered,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { destinationOf } from '../../core/context/egress.ts';
import type { Seat } from '../../core/words/config.ts';
import {
  grantIsolation,
  type Isolation,
  type Mechanism,
  type SeatIsolation,
} from '../../core/words/isolation.ts';
import type { Cause } from '../../core/words/review.ts';
import { kindOf } from '../../core/words/runner.ts';
import { readPlainFile } from '../system/given-file.ts';
import { type EndpointProxy, hostOf, openEndpointProxy } from '../sandbox/endpoint-proxy.ts';
import { filesOf } from '../sandbox/view.ts';
import { findSandbox, noSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import type { HostProxy } from '../sandbox/host-proxy.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../system/temporary-folder.ts';

import { type RunnerWorld, findExecutable, readSearchPath } from './executable.ts';
import { attemptMarker } from './process-tree.ts';
import { sweepStaleFolders } from './stale-folders.ts';

/** What a seat starts: nothing else of the disk is shown to it, but for the system and what its configuration names. */
interface Started {
  /** Absolute path of the program. */
  file: string;
  /** Absolute paths among its words. */
  named?: readonly string[];
  /** Folders and files it reads for Jury's sake. */
  besides?: readonly string[];
  /** Absolute path of the file it is told to write: in a sandbox its folder is one of the attempt. */
  outputFile?: string | undefined;
}

/** Where a program is started: the folder of its attempt, with what is put around it. */
export interface Enclosed extends AttemptFolder {
  readonly isolation: Isolation;
  /** What to put around the program, for one start, with a way to what alone it may reach where it `reaches`; undefined for nothing. */
  readonly within: (reaches?: true) => Enclosure | undefined;
  /** Without these it does not find the way. */
  readonly way: Readonly<Record<string, string>>;
}

type Asked = Pick<Seat, 'runner' | 'isolation' | 'home' | 'baseUrl'>;

/**
 * What a client has to reach, as URLs; none for what is no coding agent. A reviewer of Jury brings its key along and reads no login of
 * its home, so that the host that hands out or renews tokens of a login is needed by none (`auth.openai.com`, `oauth2.googleapis.com`;
 * `CLAUDE_CODE_OAUTH_TOKEN` is good for a year). What a client tells its vendor besides (telemetry, updates, lists of models, plugins)
 * goes to other hosts, and the client does without: `npm run test:clients` asks each of them behind these hosts alone.
 */
function endpointsOf(seat: AskedHosts) {
  return kindOf(seat.runner) === 'client' ? present(destinationOf(seat)) : [];
}

type AskedHosts = Pick<Seat, 'runner' | 'baseUrl'> & {
  isolation?: SeatIsolation | undefined;
};

/** The level that a reviewer gets on a machine, or a sentence: it is not asked. */
export function isolationOn(mechanism: Mechanism, seat: AskedHosts) {
  return grantIsolation({ ...seat, hosts: endpointsOf(seat).map(hostOf) }, mechanism);
}

/** The level that a seat gets, or the answer that it is not asked. */
export async function isolationOf(seat: Asked, world: RunnerWorld) {
  const granted = isolationOn((await openSandbox(world)).mechanism, seat);
  return typeof granted === 'string' ? failedAnswer('isolation', granted) : granted;
}

/** Lends a place for the program of a seat, as long as `use` takes; a failed answer where there can be none. */
export function withEnclosure(
  world: RunnerWorld,
  seat: Asked & Pick<Seat, 'id' | 'environment'>,
  started: Started,
  use: (place: Enclosed) => Promise<Answer>,
): Promise<Answer> {
  return withAttemptFolder(world, seat, async folder => {
    const isolation = await isolationOf(seat, world);
    if ('status' in isolation) return isolation;
    const { enclose } = await openSandbox(world);
    const answer =
      isolation.level === 'L0' || !enclose
        ? await use({ ...folder, isolation, within: () => undefined, way: {} })
        : await useEnclosed(world, seat, started, { ...folder, isolation, enclose }, use);
    return { ...answer, isolation };
  });
}

async function useEnclosed(
  world: RunnerWorld,
  seat: Asked,
  { file, named = [], besides = [], outputFile }: Started,
  {
    enclose,
    ...folder
  }: Omit<Enclosed, 'within' | 'way'> & { enclose: NonNullable<Sandbox['enclose']> },
  use: (place: Enclosed) => Promise<Answer>,
) {
  const { root, cwd, environment, isolation } = folder;
  const home = world.environment.HOME ?? homedir();
  const pathsOf = (names: readonly string[] = []) =>
    names.map(name => resolve(seat.home, name.replace(/^~(?=\/|$)/, home)));
  const [read, write] = [pathsOf(seat.isolation?.read), pathsOf(seat.isolation?.write)];
  const fault = faultOf([...read, ...write]);
  if (fault !== null) return failedAnswer('isolation', fault);
  const hidden = [home, ...(world.checkout ? [world.checkout] : []), dirname(root)];
  const folders: string[] = [];
  const find = async (name: string) => {
    const found = await findExecutable(name, world);
    if (typeof found !== 'string') return null;
    folders.push(dirname(found));
    return found;
  };
  const own = await filesOf({ file, named, find, hidden });
  const written = join(root, 'written');
  if (outputFile !== undefined)
    for (const made of [written, dirname(outputFile)])
      await mkdir(made, { recursive: true, mode: 0o700 });
  const place = {
    root,
    cwd,
    network: isolation.network,
    loopback: hasProxy(isolation),
    own: [...own, ...besides, ...(hasProxy(isolation) ? [process.execPath] : [])],
    read,
    write,
    moved: outputFile === undefined ? [] : [{ source: written, target: dirname(outputFile) }],
    hidden: [...hidden, ...((await world.hidden?.()) ?? [])],
  };
  const proxy = hasProxy(isolation)
    ? await openProxyFor(isolation, seat, folder, world).catch(messageOf)
    : null;
  if (typeof proxy === 'string')
    return failedAnswer('isolation', `There is no way to its endpoint: ${proxy}.`);
  const within = (reaches?: true) => {
    const enclosed = enclose(place);
    return reaches && proxy
      ? { ...enclosed, words: [...enclosed.words, ...proxy.words] }
      : enclosed;
  };
  const path = [...new Set([...folders, ...(environment.PATH ?? '').split(delimiter)])];
  try {
    const answer = await use({
      ...folder,
      environment: { ...environment, PATH: path.join(delimiter) },
      within,
      way: proxy?.environment ?? {},
    });
    const told = proxy?.told ? withWay(answer, proxy.told(), isolation) : answer;
    return told.status === 'failed' ? tellWithheld(told, isolation, within().sees) : told;
  } finally {
    await proxy?.close();
    // What it wrote of its file is put in the place it was told.
    if (outputFile !== undefined) await takeOver(written, outputFile);
  }
}

function hasProxy({ endpoint, hosts = [] }: Isolation) {
  return endpoint !== undefined || hosts.length > 0;
}

async function openProxyFor(
  { endpoint }: Isolation,
  seat: Asked,
  place: Pick<AttemptFolder, 'root' | 'cwd'>,
  { environment }: RunnerWorld,
): Promise<EndpointProxy & Partial<Pick<HostProxy, 'environment' | 'told'>>> {
  if (endpoint !== undefined) return openEndpointProxy(endpoint, place);
  const { openHostProxy } = await import('../sandbox/host-proxy.ts');
  return openHostProxy(
    { endpoints: endpointsOf(seat), isConfigured: seat.baseUrl !== undefined, environment },
    place,
  );
}

const mostOutputBytes = 4_194_304;

/** Finished or not, and nothing else that it may have left there. A link may lead out of the folder. */
async function takeOver(folder: string, outputFile: string) {
  for (const ending of ['', '.partial']) {
    const text = await readPlainFile(join(folder, basename(outputFile) + ending), mostOutputBytes);
    if (text) await writeFile(outputFile + ending, text, { mode: 0o600 });
  }
}

function faultOf(paths: readonly string[]) {
  const missing = paths.find(path => !existsSync(path));
  if (missing !== undefined) return `Its isolation names ${missing}, which is not there.`;
  return paths.includes('/')
    ? 'Its isolation names the root of the disk, which leaves nothing of a sandbox; say "sandbox: false" instead.'
    : null;
}

/** Finds out what this machine has while there is other work to do: the first start need not wait for it. */
export function prepareSandbox(world: Pick<RunnerWorld, 'temporaryFolder'>) {
  void openSandbox(world);
}

export function openSandbox({ temporaryFolder }: Pick<RunnerWorld, 'temporaryFolder'>) {
  return findSandbox(async use => {
    let folder: TemporaryFolder | null = null;
    try {
      folder = await makeTemporaryFolder(await realpath(temporaryFolder), 'attempt');
      return await use(folder.path);
    } catch (error) {
      return noSandbox(`No folder to try it in: ${messageOf(error)}`);
    } finally {
      await folder?.remove();
    }
  });
}

// What a sandbox keeps from a program that failed in it, and the line of the configuration that gives it.

/** Only where the program itself failed. `sees`: does it see what lies at an absolute path? */
function tellWithheld(answer: NotAnswered, isolation: Isolation, sees: (path: string) => boolean) {
  const { failure, transcript } = answer;
  if (!ownFailures.has(failure.cause)) return answer;
  const said = transcript.slice(-20_000);
  const paths = [...new Set(said.match(/(?<![\w.:/~-])(?:~|\/)[\w.@+/-]*\w/g) ?? [])]
    .map(path => path.replace(/^~/, homedir()))
    .filter(
      path => !/^\/(?:proc|sys|dev(?!\/shm\/))\b/.test(path) && existsSync(path) && !sees(path),
    )
    .slice(0, 3);
  // What a client could not reach is told by its way.
  const isClient = isolation.hosts !== undefined || isolation.endpoint !== undefined;
  if (isClient && paths.length === 0) return answer;
  const isOffline = !isClient && !isolation.network;
  const [withheld, read] = paths.length === 0 ? [['your home folder'], ['PATH']] : [paths, paths];
  const what = [...withheld, ...(isOffline ? ['the network'] : [])].join(', ');
  const line = `read: [${read.join(', ')}]${isOffline ? ', network: true' : ''}`;
  const hint = `It ran in a sandbox that withholds ${what}; what it needs is given by isolation: { ${line} }.`;
  return { ...answer, failure: { ...failure, message: `${hint} ${failure.message}` } };
}

const ownFailures: ReadonlySet<Cause> = new Set(['exit', 'spawn', 'not-found', 'killed', 'empty']);

// What the way to its hosts says about an answer: clients tell of a proxy in many words, and seldom why.

type Told = ReturnType<HostProxy['told']>;

/** All of it stands in the transcript; the message of a failure names what can have been its reason. */
export function withWay(answer: Answer, told: Told, { hosts = [] }: Isolation): Answer {
  const { opened, unreached } = told;
  if (unreached.length === 0) return answer;
  const transcript = `${answer.transcript}\n--- network ---\n${unreached.map(tell).join('\n')}`;
  if (answer.status === 'answered') return { ...answer, transcript };
  // Clients ask for more than they need, and go on without it.
  const reasons = unreached.filter(({ isOwn }) => isOwn || opened === 0);
  if (reasons.length === 0) return { ...answer, transcript };
  const { failure } = answer;
  const isStranger = reasons.every(({ isOwn }) => !isOwn);
  return {
    ...answer,
    transcript,
    failure: {
      ...failure,
      // Nothing was said by any provider.
      ...(opened === 0 &&
        unreachable.has(failure.cause) && { cause: 'unreachable', httpStatus: null }),
      message: [
        failure.message,
        ...reasons.slice(0, 3).map(tell),
        ...(isStranger
          ? [`It may reach ${hosts.join(', ')}; its baseUrl, or isolation.network, says otherwise.`]
          : []),
      ].join(' '),
    },
  };
}

/** What clients make of a proxy that refuses. */
const unreachable: ReadonlySet<Cause> = new Set(['auth', 'provider', 'exit', 'protocol', 'empty']);

function tell({ target, why, times }: Told['unreached'][number]) {
  return `${target} ${why}${times > 1 ? ` (${times} times)` : ''}.`;
}

// One fresh folder per attempt: a home, a temporary folder and an empty working directory, outside every repository, with an
// environment built from an allow-list. It is deleted whatever happens; what a killed Jury left is swept.

export interface AttemptFolder {
  /** Absolute, mode 0700. Room for files of the adapter's own: `system.md`, `mcp.json`, a standard output file. */
  readonly root: string;
  readonly home: string;
  readonly temp: string;
  /** Empty. */
  readonly cwd: string;
  /** The allow-list, plus the variables that the seat asks for by name. An adapter adds its own switches and the key. */
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * Runs `use` in a fresh folder and deletes the folder. A folder that cannot be had is a failed answer: `isolation` when
 * the temporary folder lies inside a repository, `spawn` for a full or read-only disk.
 */
export async function withAttemptFolder<Result>(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
  use: (folder: AttemptFolder) => Promise<Result>,
) {
  let made: TemporaryFolder | null = null;
  let folder: AttemptFolder;
  try {
    const base = await realpath(world.temporaryFolder);
    const repository = await repositoryAbove(base);
    if (repository !== null)
      return failedAnswer(
        'isolation',
        `The temporary folder lies inside the repository ${repository}; set TMPDIR to a folder outside it.`,
      );
    await sweepStaleFolders(base, world.note);
    made = await makeTemporaryFolder(base, 'attempt');
    const root = made.path;
    const [home, temp, cwd] = [join(root, 'home'), join(root, 'temp'), join(root, 'cwd')];
    for (const folder of [home, temp, cwd]) await mkdir(folder, { mode: 0o700 });
    const environment = await buildEnvironment(world, seat, { root, home, temp });
    folder = { root, home, temp, cwd, environment };
  } catch (error) {
    await made?.remove();
    return failedAnswer('spawn', `No folder for the attempt: ${messageOf(error)}`);
  }
  try {
    return await use(folder);
  } finally {
    await made.remove();
  }
}

async function buildEnvironment(
  world: RunnerWorld,
  seat: Pick<Seat, 'id' | 'environment'>,
  { root, home, temp }: Pick<AttemptFolder, 'root' | 'home' | 'temp'>,
) {
  const asked = seat.environment.flatMap(name => {
    const value = world.environment[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return {
    ...Object.fromEntries(asked),
    PATH: (await readSearchPath(world)).folders.join(delimiter),
    HOME: home,
    TMPDIR: temp,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local', 'share'),
    XDG_STATE_HOME: join(home, '.local', 'state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
    NO_COLOR: '1',
    CI: '1',
    // Git must neither find a repository above the folder nor trust a bare one inside it.
    GIT_CEILING_DIRECTORIES: root,
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'safe.bareRepository',
    GIT_CONFIG_VALUE_0: 'explicit',
    JURY_REVIEWER: seat.id,
    // The name of the folder: while it is there, whoever finds it can tell what belongs to the attempt.
    [attemptMarker]: basename(root),
  };
}

/** The nearest folder, upwards, that holds a `.git`; clients look there for instructions and configuration. */
async function repositoryAbove(folder: string) {
  for (let at = folder; ; at = dirname(at)) {
    if (await lstat(join(at, '.git')).catch(() => null)) return at;
    if (dirname(at) === at) return null;
  }
}
