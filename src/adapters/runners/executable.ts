/** Finds a program once and names it by its absolute path, so that nothing looks it up again later. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, existsSync } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, dirname, isAbsolute, join, resolve, sep } from 'node:path';
import {
  type Answer,
  type NotAnswered,
  type Processes,
  type AnsweredDetails,
  answered,
  failedAnswer,
} from '../../core/ports/runner.ts';
import { type Environment, isExecutable, isInside } from '../system/disk.ts';
import { sha256 } from '../../core/hash.ts';

/** Absolute path; else a failed answer of cause `not-found`, which names refused PATH entries, when there are any. */
type Executable = string | NotAnswered;

/**
 * `name`: a bare name is looked up on the trusted part of PATH; an absolute path, one that starts with `~/`, or one that starts with
 * `./` or `../` (relative to `home`), was written down by the operator and only has to be executable. Other relative paths are refused.
 */
export async function findExecutable(
  name: string,
  world: RunnerWorld,
  home: string | null = null,
  platform: NodeJS.Platform = process.platform,
): Promise<Executable> {
  const { folders, refused } = await readSearchPath(world);
  const named = explicitPath(name, home);
  if (named !== null)
    return isExecutable(named)
      ? throughShim(named, folders, world)
      : notFound(`${named} is not an executable file.`);
  if (name.includes('/') || name.includes(sep))
    return notFound(
      `"${name}" is neither a name, nor absolute, nor relative to the configuration file.`,
    );

  for (const folder of folders) {
    for (const program of programNames(name, platform)) {
      const candidate = join(folder, program);
      if (isExecutable(candidate)) return throughShim(candidate, folders, world);
    }
  }
  return notFound([`No program "${name}" on PATH.`, ...refused].join(' '));
}

/** npm puts a script for another shell beside each `.cmd`, without an ending, which Windows cannot start either. */
function programNames(name: string, platform: NodeJS.Platform) {
  return platform !== 'win32' || /\.(?:exe|com|cmd|bat)$/i.test(name)
    ? [name]
    : ['.exe', '.com', '.cmd', '.bat'].map(ending => name + ending);
}

/**
 * What was found, unless only a shell could start it, and there is none: arguments of a script for the command line of Windows are a
 * program to that shell. Cause `not-found`.
 */
export function withoutShell(found: Executable, platform = process.platform) {
  return typeof found === 'string' && platform === 'win32' && /\.(?:cmd|bat)$/i.test(found)
    ? notFound(
        `${found} can only be started by a shell, and Jury starts none: name the program behind it, such as [node, its .js file].`,
      )
    : found;
}

/** The absolute form of a word that names a file by `~/`, `./`, `../` or absolutely; null for every other word. */
export function explicitPath(word: string, home: string | null) {
  if (isAbsolute(word)) return word;
  if (word.startsWith('~/')) return join(homedir(), word.slice(2));
  return home !== null && /^\.\.?[/\\]/.test(word) ? resolve(home, word) : null;
}

function notFound(message: string) {
  return failedAnswer('not-found', message);
}

// Which folders of PATH may be trusted: a program planted by the change under review must not be found.

/** Refuses entries that are empty, relative, writable by everybody or inside the checkout. */
export async function readSearchPath(world: RunnerWorld) {
  const checkout = await resolveFolder(world.checkout ?? null);
  const folders: string[] = [];
  const refused: string[] = [];
  for (const entry of (world.environment.PATH ?? '').split(delimiter)) {
    const fault = await faultOf(entry, checkout);
    if (fault === null) folders.push(entry);
    else if (fault !== 'missing') refused.push(`The PATH entry "${entry}" is ${fault}.`);
  }
  return { folders: [...new Set(folders)], refused };
}

async function faultOf(entry: string, checkout: string | null): Promise<string | null> {
  if (entry === '') return 'empty';
  if (!isAbsolute(entry)) return 'relative';
  const real = await resolveFolder(entry);
  if (real === null) return 'missing';
  if (checkout !== null && isInside(checkout, real)) return 'inside the checkout';
  const { mode } = await stat(real);
  // The sticky bit keeps others from replacing a program; it does not keep them from adding one.
  if (process.platform !== 'win32' && (mode & 0o002) !== 0) return 'writable by everybody';
  return null;
}

/** The real path; null when there is none. */
async function resolveFolder(path: string | null) {
  if (path === null) return null;
  return realpath(path).catch(() => null);
}

// Version managers put one small program in the place of many. It looks its own folders up by the home, which a reviewer does not see.

const shims = new Map<string, Promise<string>>();

/**
 * The program that a shim of pyenv, rbenv, nodenv, asdf or mise starts; any other program as it is. Its manager is asked once, and
 * found in its own folder or in these.
 */
function throughShim(program: string, folders: readonly string[], { environment }: RunnerWorld) {
  if (basename(dirname(program)) !== 'shims') return Promise.resolve(program);
  const root = dirname(dirname(program));
  const places = [join(root, 'bin'), join(root, 'libexec'), ...folders];
  const asked =
    shims.get(program) ?? ask(program, { ...environment, PATH: places.join(delimiter) });
  shims.set(program, asked);
  return asked;
}

async function ask(program: string, env: NodeJS.ProcessEnv) {
  const real = await realpath(program);
  const name = basename(program);
  // A shim that is a link leads to its manager; else its folder is called like that.
  const manager =
    basename(real) === name ? basename(dirname(dirname(program))).replace(/^\./, '') : real;
  // The folder of the caller may choose another version.
  const options = { cwd: homedir(), env, timeout: 5_000 };
  const said = await new Promise<string>(resolve => {
    execFile(manager, ['which', name], options, (_, stdout) => resolve(stdout.trim()));
  });
  return isAbsolute(said) && existsSync(said) ? said : program;
}

/** What a runner may take from the world. The composition root fills it in once; nothing below reads `process.env` itself. */
export interface RunnerWorld {
  readonly environment: Environment;
  /** Absolute; attempt folders are made below it. Must not lie inside a repository. */
  readonly temporaryFolder: string;
  readonly fetch?: typeof globalThis.fetch;
  /** Starts programs; default: on this machine. */
  readonly run?: Processes['run'];
  /** Absolute path of the checkout under review: programs inside it are never found on PATH. Null: there is none. */
  readonly checkout?: string | null;
  /** Absolute folders that no reviewer sees besides, wherever they lie: the state, other work trees. */
  readonly hidden?: () => Promise<readonly string[]>;
  /** Absolute path of the MCP program that clients start to have a reviewer's tools; default: the built one of this package. */
  readonly toolProgram?: string;
  /** Names a program, the files of its words and what they load by their content; null where that cannot be told. Default: never. */
  readonly hashLoaded?: (program: string, ...words: string[]) => Promise<string | null>;
  /** What the person should know that belongs to no reviewer. */
  readonly note?: (message: string) => void;
}

// Judges bytes that should be an answer, whoever wrote them (size, encoding, something in it), and keeps credentials out of it.

/** Bytes of the largest answer that is read. */
export const answerLimit = 4_194_304;

interface Text {
  text: string;
  isUtf8?: boolean;
}

export function textAnswer({ text, isUtf8 = true }: Text, details: AnsweredDetails): Answer {
  const { usage, model = null, transcript = text } = details;
  const known = { ...(usage && { usage }), model, transcript };
  if (!isUtf8) return failedAnswer('encoding', 'The answer is not valid UTF-8.', known);
  if (text.trim() === '') return failedAnswer('empty', 'The answer has no text.', known);
  return answered(text, { ...details, transcript });
}

/** The answer with every copy of a secret replaced: endpoints and clients like to quote the key they refuse. */
export function withoutSecret(answer: Answer, secret: string): Answer {
  const hide = (text: string) => text.replaceAll(secret, '⟦SECRET:key⟧');
  const transcript = hide(answer.transcript);
  if (answer.status === 'answered') return { ...answer, text: hide(answer.text), transcript };
  return {
    ...answer,
    failure: { ...answer.failure, message: hide(answer.failure.message) },
    transcript,
    ...(answer.text !== undefined && { text: hide(answer.text) }),
  };
}

// Hashes of what decides an answer besides the turn: an edited script is another reviewer.

/** SHA-256 of a list as JSON, in hex. Equal values give equal hashes: pass records with a fixed order of keys. */
export function hashValue(values: readonly unknown[]) {
  return sha256(JSON.stringify(values));
}

const known = new Map<string, Promise<string | null>>();

/**
 * SHA-256 of a file, in hex, or for one of more than `most` bytes its place, size and times; null when it is no readable file.
 * Remembered while size and times stay: clients are large.
 */
export async function hashFile(path: string, most = Infinity) {
  const found = await stat(path, { bigint: true }).catch(() => null);
  if (!found || !found.isFile()) return null;
  const key = `${path}\0${found.ino}\0${found.size}\0${found.mtimeNs}\0${found.ctimeNs}`;
  if (found.size > most) return key;
  const hash = known.get(key) ?? readHash(path);
  known.set(key, hash);
  return hash;
}

async function readHash(path: string) {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
    return hash.digest('hex');
  } catch {
    return null;
  }
}
