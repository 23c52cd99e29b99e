/**
 * What a program is made of, as far as its place tells: the installation of its executable and of the interpreter that a script
 * names, the folder of a script, and the files its words name. A reviewer in a sandbox may read these.
 */
import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { existsSync, statSync } from 'node:fs';
import { namedAround } from '../../core/safety/program-names.ts';
import { isInside } from './view.ts';

export interface Program {
  /** Absolute. */
  readonly file: string;
  /** Absolute paths that its words name, in their order. */
  readonly named: readonly string[];
  /** Finds a bare name on the search path. */
  readonly find: (name: string) => Promise<string | null>;
  /** Folders nobody sees as a whole for holding a program: home, checkout, the folder of all attempts. */
  readonly hidden: readonly string[];
}

/** Absolute paths, those of the system among them. */
export async function filesOf({ file, named, find, hidden }: Program): Promise<string[]> {
  const [script, ...data] = named;
  const interpreter = await interpreterOf(file, find);
  const scriptInterpreter = script === undefined ? null : await interpreterOf(script, find);
  const programs = [file, interpreter, scriptInterpreter].filter(path => path !== null);
  const places = await Promise.all(
    [...programs, ...(script === undefined ? [] : [script])].map(withTarget),
  );
  const shown = await Promise.all(places.flat().map(path => installationOf(path, hidden)));
  return [...shown.flat(), ...data];
}

/** Itself and what it leads to, where that is another. */
async function withTarget(path: string): Promise<string[]> {
  const real = await realpath(path).catch(() => path);
  return real === path ? [path] : [path, real];
}

/**
 * The folder that a program was installed into: above `bin`, above `lib/node_modules`, the outermost `node_modules`; else the
 * folder it stands in. Where that would show a home, a checkout or what holds one: the file, and those beside it that it names.
 */
async function installationOf(path: string, hidden: readonly string[]): Promise<string[]> {
  const folder = [packageFolderOf(path) ?? folderOf(path), dirname(path)].find(
    each => !isTooMuch(each, hidden),
  );
  return folder === undefined ? [...(await neighboursOf(path))] : [folder];
}

const mostNeighbours = 200;
const mostRead = 262_144;

/** What it loads from its folder, and what that loads; no settings and secrets, whose names begin with a dot. */
async function neighboursOf(program: string): Promise<ReadonlySet<string>> {
  const found = new Set([program]);
  for (const file of found) {
    const text = await readStart(file, mostRead);
    if (text === null || text.includes('\0')) continue;
    for (const name of namedAround(basename(file), text).files) {
      const path = join(dirname(file), name);
      if (found.size < mostNeighbours && !/(?:^|\/)\./.test(name) && isFile(path)) found.add(path);
    }
  }
  return found;
}

function isFile(path: string): boolean {
  return existsSync(path) && statSync(path).isFile();
}

function packageFolderOf(path: string): string | null {
  const at = path.indexOf('/node_modules/');
  if (at === -1) return null;
  const above = path.slice(0, at);
  return basename(above) === 'lib' ? dirname(above) : join(above, 'node_modules');
}

function folderOf(path: string): string {
  const folder = dirname(path);
  return ['bin', 'sbin', 'shims'].includes(basename(folder)) ? dirname(folder) : folder;
}

/** `~/.local` has a `bin` too, and everything else that programs keep. */
function isTooMuch(folder: string, hidden: readonly string[]): boolean {
  return (
    [homedir(), join(homedir(), '.local'), ...hidden].some(each => isInside(folder, each)) ||
    existsSync(join(folder, '.git'))
  );
}

const longestLine = 256;

/** What the first line of a script names; null for everything else. */
async function interpreterOf(path: string, find: Program['find']): Promise<string | null> {
  const [line = ''] = (await readStart(path, longestLine))?.split('\n') ?? [];
  const [program, ...words] = /^#!\s*(\S.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
  if (program === undefined) return null;
  const asked = words.find(word => !word.startsWith('-') && !word.includes('='));
  return basename(program) === 'env' && asked !== undefined ? await find(asked) : program;
}

/** A character a byte; null for what cannot be read. */
async function readStart(path: string, bytes: number): Promise<string | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(bytes), 0, bytes, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } catch {
    // A folder of that name.
    return null;
  } finally {
    await file.close();
  }
}
