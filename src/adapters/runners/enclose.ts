/** Gives a seat the sandbox it gets on this machine, or the reason why it cannot be asked. */
import { constants, existsSync } from 'node:fs';
import { mkdir, open, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, join, resolve } from 'node:path';
import type { Enclosure } from '../../core/ports/processes.ts';
import type { Answer, NotAnswered } from '../../core/ports/runner.ts';
import { failedAnswer } from '../../core/words/answer.ts';
import type { Seat } from '../../core/words/config.ts';
import type { Isolation } from '../../core/words/isolation.ts';
import { type EndpointProxy, openEndpointProxy } from '../sandbox/endpoint-proxy.ts';
import { filesOf } from '../sandbox/program-files.ts';
import { findSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import type { Told } from '../sandbox/host-proxy.ts';
import { makeTemporaryFolder, type TemporaryFolder } from '../system/temporary-folder.ts';
import type { AttemptFolder } from './attempt-folder.ts';
import { endpointsOf, isolationOn } from './client-hosts.ts';
import { findExecutable } from './executable.ts';
import type { RunnerWorld } from './runner-world.ts';
import { tellWithheld } from './withheld.ts';

/** What a seat starts: nothing else of the disk is shown to it, but for the system and what its configuration names. */
export interface Started {
  /** Absolute path of the program. */
  readonly file: string;
  /** Absolute paths among its words. */
  readonly named: readonly string[];
  /** Folders and files it reads for Jury's sake. */
  readonly besides?: readonly string[];
  /** Absolute path of the file it is told to write: in a sandbox its folder is one of the attempt. */
  readonly outputFile?: string | undefined;
}

export interface Enclosed {
  readonly isolation: Isolation;
  /** Of the attempt, with the interpreters of its program on the way. */
  readonly environment: Readonly<Record<string, string>>;
  /** Says of a failure what the sandbox withheld. */
  readonly explain: (answer: Answer) => Answer;
  /** What to put around the program, for one start; undefined for nothing. */
  readonly within: () => Enclosure | undefined;
  /** The same for as long as `use` takes, with a way to what alone it may reach; an answer when there can be none. */
  readonly withEndpoint: <Result>(
    use: (reaching: Reaching) => Promise<Result>,
  ) => Promise<Result | NotAnswered>;
  /** Puts what it wrote of its file in the place it was told. */
  readonly takeOutput: () => Promise<void>;
}

export interface Reaching {
  readonly within: () => Enclosure | undefined;
  /** Without these it does not find the way. */
  readonly environment: Readonly<Record<string, string>>;
  /** What was asked of a way to hosts that are named. */
  readonly told: () => Told;
}

/** Nobody asked who was in between. */
const untold: Omit<Reaching, 'within'> = {
  environment: {},
  told: () => ({ opened: 0, unreached: [] }),
};

type Asked = Pick<Seat, 'runner' | 'isolation' | 'home' | 'baseUrl'>;

/** The level that a seat gets, or the answer that it is not asked. */
export async function isolationOf(
  seat: Asked,
  world: RunnerWorld,
): Promise<Isolation | NotAnswered> {
  const granted = isolationOn((await openSandbox(world)).mechanism, seat);
  return typeof granted === 'string' ? failedAnswer('isolation', granted) : granted;
}

export async function enclose(
  seat: Asked,
  { root, cwd, environment }: Pick<AttemptFolder, 'root' | 'cwd' | 'environment'>,
  { file, named, besides = [], outputFile }: Started,
  world: RunnerWorld,
): Promise<Enclosed | NotAnswered> {
  const isolation = await isolationOf(seat, world);
  if ('status' in isolation) return isolation;
  const { enclose: wordsFor } = await openSandbox(world);
  if (isolation.level === 'L0' || wordsFor === null)
    return {
      isolation,
      environment,
      explain: answer => answer,
      within: () => undefined,
      withEndpoint: use => use({ ...untold, within: () => undefined }),
      takeOutput: () => Promise.resolve(),
    };
  const home = world.environment.HOME ?? homedir();
  const [read, write] = [seat.isolation?.read ?? [], seat.isolation?.write ?? []].map(names =>
    names.map(name => resolve(seat.home, name.replace(/^~(?=\/|$)/, home))),
  ) as [string[], string[]];
  const fault = faultOf([...read, ...write]);
  if (fault !== null) return failedAnswer('isolation', fault);
  const hidden = [home, ...(world.checkout ? [world.checkout] : []), dirname(root)];
  const folders: string[] = [];
  const find = async (name: string): Promise<string | null> => {
    const found = await findExecutable(name, world);
    if (!found.found) return null;
    folders.push(dirname(found.path));
    return found.path;
  };
  const own = await filesOf({ file, named, find, hidden });
  const written = join(root, 'written');
  if (outputFile !== undefined)
    for (const folder of [written, dirname(outputFile)])
      await mkdir(folder, { recursive: true, mode: 0o700 });
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
  const path = [...new Set([...folders, ...(environment.PATH ?? '').split(delimiter)])];
  return {
    isolation,
    environment: { ...environment, PATH: path.join(delimiter) },
    explain: answer =>
      answer.status === 'failed' ? tellWithheld(answer, isolation, wordsFor(place).sees) : answer,
    within: () => wordsFor(place),
    async withEndpoint(use) {
      if (!hasProxy(isolation)) return use({ ...untold, within: () => wordsFor(place) });
      const proxy = await openProxyFor(isolation, seat, { root, cwd }, world).catch(whyNone);
      if (typeof proxy === 'string')
        return failedAnswer('isolation', `There is no way to its endpoint: ${proxy}.`);
      const within = (): Enclosure => {
        const { words, ...kept } = wordsFor(place);
        return { ...kept, words: [...words, ...proxy.words] };
      };
      try {
        return await use({ ...untold, ...proxy, within });
      } finally {
        await proxy.close();
      }
    },
    takeOutput: () =>
      outputFile === undefined ? Promise.resolve() : takeOver(written, outputFile),
  };
}

function hasProxy({ endpoint, hosts = [] }: Isolation): boolean {
  return endpoint !== undefined || hosts.length > 0;
}

async function openProxyFor(
  { endpoint }: Isolation,
  seat: Asked,
  place: Pick<AttemptFolder, 'root' | 'cwd'>,
  { environment }: RunnerWorld,
): Promise<EndpointProxy & Partial<Reaching>> {
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
