/** Gives the program of a seat a folder and the sandbox that it gets on this machine, or the reason why it cannot be asked. */
import { constants, existsSync } from 'node:fs';
import { mkdir, open, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { Enclosure } from '../../core/ports/processes.ts';
import type { Answer, NotAnswered } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Isolation } from '../../core/words/isolation.ts';
import type { Cause } from '../../core/words/review.ts';
import { type EndpointProxy, openEndpointProxy } from '../sandbox/endpoint-proxy.ts';
import { filesOf } from '../sandbox/program-files.ts';
import { findSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import type { Told, Unreached } from '../sandbox/host-proxy.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../system/temporary-folder.ts';
import { type AttemptFolder, withAttemptFolder } from './attempt-folder.ts';
import { endpointsOf, isolationOn } from './client-hosts.ts';
import { findExecutable } from './executable.ts';
import type { RunnerWorld } from './runner-world.ts';

/** What a seat starts: nothing else of the disk is shown to it, but for the system and what its configuration names. */
interface Started {
  /** Absolute path of the program. */
  readonly file: string;
  /** Absolute paths among its words. */
  readonly named: readonly string[];
  /** Folders and files it reads for Jury's sake. */
  readonly besides?: readonly string[];
  /** Absolute path of the file it is told to write: in a sandbox its folder is one of the attempt. */
  readonly outputFile?: string | undefined;
}

/** Where a program is started: the folder of its attempt, with what is put around it. */
export interface Enclosed extends AttemptFolder {
  readonly isolation: Isolation;
  /** What to put around the program, for one start; undefined for nothing. */
  readonly within: () => Enclosure | undefined;
  /** The same, with a way to what alone it may reach. */
  readonly reaching: Reaching;
}

interface Reaching {
  readonly within: () => Enclosure | undefined;
  /** Without these it does not find the way. */
  readonly environment: Readonly<Record<string, string>>;
}

function nothing(): undefined {}

const anywhere: Reaching = { within: nothing, environment: {} };

type Asked = Pick<Seat, 'runner' | 'isolation' | 'home' | 'baseUrl'>;

/** The level that a seat gets, or the answer that it is not asked. */
export async function isolationOf(
  seat: Asked,
  world: RunnerWorld,
): Promise<Isolation | NotAnswered> {
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
      isolation.level === 'L0' || enclose === null
        ? await use({ ...folder, isolation, within: nothing, reaching: anywhere })
        : await useEnclosed(world, seat, started, { ...folder, isolation, enclose }, use);
    return { ...answer, isolation };
  });
}

async function useEnclosed(
  world: RunnerWorld,
  seat: Asked,
  { file, named, besides = [], outputFile }: Started,
  {
    enclose,
    ...folder
  }: Omit<Enclosed, 'within' | 'reaching'> & { enclose: NonNullable<Sandbox['enclose']> },
  use: (place: Enclosed) => Promise<Answer>,
): Promise<Answer> {
  const { root, cwd, environment, isolation } = folder;
  const home = world.environment.HOME ?? homedir();
  const pathsOf = (names: readonly string[] = []): string[] =>
    names.map(name => resolve(seat.home, name.replace(/^~(?=\/|$)/, home)));
  const [read, write] = [pathsOf(seat.isolation?.read), pathsOf(seat.isolation?.write)];
  const fault = faultOf([...read, ...write]);
  if (fault !== null) return failedAnswer('isolation', fault);
  const hidden = [home, ...(world.checkout ? [world.checkout] : []), dirname(root)];
  const folders: string[] = [];
  const find = async (name: string): Promise<string | null> => {
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
  const within = (): ReturnType<typeof enclose> => enclose(place);
  const proxy = hasProxy(isolation)
    ? await openProxyFor(isolation, seat, folder, world).catch(whyNone)
    : null;
  if (typeof proxy === 'string')
    return failedAnswer('isolation', `There is no way to its endpoint: ${proxy}.`);
  const reach = (): Enclosure => {
    const { words, ...kept } = within();
    return { ...kept, words: [...words, ...(proxy?.words ?? [])] };
  };
  const path = [...new Set([...folders, ...(environment.PATH ?? '').split(delimiter)])];
  try {
    const answer = await use({
      ...folder,
      environment: { ...environment, PATH: path.join(delimiter) },
      within,
      reaching: { ...anywhere, ...proxy, within: reach },
    });
    const told = proxy?.told === undefined ? answer : withWay(answer, proxy.told(), isolation);
    return told.status === 'failed' ? tellWithheld(told, isolation, within().sees) : told;
  } finally {
    await proxy?.close();
    // What it wrote of its file is put in the place it was told.
    if (outputFile !== undefined) await takeOver(written, outputFile);
  }
}

function hasProxy({ endpoint, hosts = [] }: Isolation): boolean {
  return endpoint !== undefined || hosts.length > 0;
}

async function openProxyFor(
  { endpoint }: Isolation,
  seat: Asked,
  place: Pick<AttemptFolder, 'root' | 'cwd'>,
  { environment }: RunnerWorld,
): Promise<EndpointProxy & Partial<Reaching & { told(): Told }>> {
  if (endpoint !== undefined) return openEndpointProxy(endpoint, place);
  const { openHostProxy } = await import('../sandbox/host-proxy.ts');
  const isConfigured = seat.baseUrl !== undefined;
  return openHostProxy({ endpoints: endpointsOf(seat), isConfigured, environment }, place);
}

function whyNone(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const mostOutputBytes = 4_194_304;

/** Finished or not, and nothing else that it may have left there. */
async function takeOver(folder: string, outputFile: string): Promise<void> {
  for (const ending of ['', '.partial']) {
    const text = await readPlain(join(folder, basename(outputFile) + ending));
    if (text === null) continue;
    await writeFile(outputFile + ending, text, { mode: 0o600 });
  }
}

/** Null for what is no file, or too large to be one that a reviewer wrote. A link may lead out of the folder. */
async function readPlain(path: string): Promise<Buffer | null> {
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch(() => null);
  if (file === null) return null;
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= mostOutputBytes ? await file.readFile() : null;
  } finally {
    await file.close();
  }
}

function faultOf(paths: readonly string[]): string | null {
  const missing = paths.find(path => !existsSync(path));
  if (missing !== undefined) return `Its isolation names ${missing}, which is not there.`;
  return paths.includes('/')
    ? 'Its isolation names the root of the disk, which leaves nothing of a sandbox; say "sandbox: false" instead.'
    : null;
}

/** Finds out what this machine has while there is other work to do: the first start need not wait for it. */
export function prepareSandbox(world: Pick<RunnerWorld, 'temporaryFolder'>): void {
  void openSandbox(world);
}

export function openSandbox({
  temporaryFolder,
}: Pick<RunnerWorld, 'temporaryFolder'>): Promise<Sandbox> {
  return findSandbox(async use => {
    let folder: TemporaryFolder | null = null;
    try {
      folder = await makeTemporaryFolder(await realpath(temporaryFolder), 'attempt');
      return await use(folder.path);
    } catch (error) {
      const reason = `No folder to try it in: ${whyNone(error)}`;
      return { mechanism: { by: null, reason }, enclose: null };
    } finally {
      await folder?.remove();
    }
  });
}

// What a sandbox keeps from a program that failed in it, and the line of the configuration that gives it.

/** Only where the program itself failed. `sees`: does it see what lies at an absolute path? */
function tellWithheld(
  answer: NotAnswered,
  isolation: Isolation,
  sees: (path: string) => boolean,
): NotAnswered {
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

function tell({ target, why, times }: Unreached): string {
  return `${target} ${why}${times > 1 ? ` (${times} times)` : ''}.`;
}
