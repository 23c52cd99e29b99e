/**
 * What a program is made of, as far as its place tells: the installation of its executable and of the interpreter that a script
 * names, the folder of a script, and the files its words name. A reviewer in a sandbox may read these.
 */
import { open, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { existsSync } from 'node:fs';
import { isInside } from '../system/real-path.ts';

interface Program {
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
export async function filesOf({ file, named, find, hidden }: Program) {
  const [script, ...data] = named;
  const interpreter = await interpreterOf(file, find);
  const scriptInterpreter = script === undefined ? null : await interpreterOf(script, find);
  const programs = [file, interpreter, scriptInterpreter].filter(path => path !== null);
  const places = await Promise.all(
    [...programs, ...(script === undefined ? [] : [script])].map(withTarget),
  );
  return [
    ...places
      .flat()
      .map(path => installationsOf(path).find(folder => !isTooMuch(folder, hidden)) ?? path),
    ...data,
  ];
}

/** Itself and what it leads to, where that is another. */
async function withTarget(path: string) {
  const real = await realpath(path).catch(() => path);
  return real === path ? [path] : [path, real];
}

/** The largest first. */
function installationsOf(path: string) {
  const at = path.indexOf('/node_modules/');
  const above = at === -1 ? dirname(path) : path.slice(0, at);
  const isPlace = (at === -1 ? ['bin', 'sbin', 'shims'] : ['lib']).includes(basename(above));
  return [...(isPlace ? [dirname(above)] : []), at === -1 ? above : join(above, 'node_modules')];
}

/** `~/.local` has a `bin` too, and everything else that programs keep. */
function isTooMuch(folder: string, hidden: readonly string[]) {
  return (
    [homedir(), join(homedir(), '.local'), ...hidden].some(each => isInside(folder, each)) ||
    existsSync(join(folder, '.git'))
  );
}

const longestLine = 256;

/** What the first line of a script names; null for everything else. */
async function interpreterOf(path: string, find: Program['find']) {
  const [line = ''] = (await readStart(path, longestLine)).toString('latin1').split('\n');
  const [program, ...words] = /^#!\s*(\S.*)$/.exec(line)?.[1]?.trim().split(/\s+/) ?? [];
  if (program === undefined) return null;
  const asked = words.find(word => !word.startsWith('-') && !word.includes('='));
  return basename(program) === 'env' && asked !== undefined ? find(asked) : program;
}

/** The first bytes of a file; none of what cannot be read, such as a folder. */
export async function readStart(path: string, most: number) {
  const file = await open(path, 'r').catch(() => null);
  try {
    const read = await file?.read(Buffer.alloc(most), 0, most, 0);
    return read?.buffer.subarray(0, read.bytesRead) ?? Buffer.alloc(0);
  } catch {
    return Buffer.alloc(0);
  } finally {
    await file?.close();
  }
}
