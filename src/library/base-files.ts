/**
 * What a reviewer is made of: its program, recorded answers, the files its command names and what those load from around them.
 * Where the change under review touches any of it, it is put together anew from the base, outside of the checkout.
 */
import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { explicitPath } from '../adapters/runners/executable.ts';
import type { ReviewerConfig } from '../core/words/config.ts';
import { namedAround, shadowsFor } from '../core/safety/program-names.ts';
import { mostFileBytes, type TrustedBase, type TrustedFile, type StandIn } from './trusted-base.ts';

interface Substitute {
  /** What the change touches of it; empty: it is asked as its seat says. */
  readonly touched: readonly string[];
  /** Null: the base does not have all of it, so nobody can be asked. */
  readonly standIn: StandIn | null;
}

export async function substituteFor(
  reviewer: ReviewerConfig,
  home: string,
  ground: TrustedBase,
): Promise<Substitute> {
  const parts = ground.touched.length === 0 ? [] : partsOf(reviewer, home, ground.fileAt(''));
  const gathered = await gather(parts, ground);
  const touched = [
    ...new Set(
      [...gathered.values()].flatMap(({ trustedFile }) =>
        trustedFile.from === 'base' ? trustedFile.touched : [],
      ),
    ),
  ];
  if (touched.length === 0) return { touched, standIn: {} };
  const lacking = parts.some(({ file }) => isLacking(gathered.get(file)?.trustedFile));
  return {
    touched,
    standIn: lacking ? null : await standInFor(reviewer, parts, { gathered, ground }),
  };
}

/** A piece of the reviewer's settings that names a file. */
interface Part {
  readonly key: 'command' | 'answers' | 'executable';
  /** Word of the command; 0 otherwise. */
  readonly index: number;
  /** As it is written there. */
  readonly written: string;
  readonly file: string;
}

/** `root`: top of the repository, which a word may name anywhere in it. */
export function partsOf(
  { command = [], answers, executable }: Pick<ReviewerConfig, Part['key']>,
  home: string,
  root: string,
): Part[] {
  const named = (key: Part['key'], word: string | undefined, index = 0): Part[] => {
    const file =
      word === undefined
        ? null
        : key === 'answers'
          ? path.resolve(home, word)
          : explicitPath(word, home);
    return word === undefined || file === null ? [] : [{ key, index, written: word, file }];
  };
  const inside = (word: string, index: number): Part[] =>
    namesInside(word, root).map(file => ({
      key: 'command',
      index,
      written: file,
      file,
    }));
  return [
    ...command.flatMap((word, index) =>
      explicitPath(word, home) === null ? inside(word, index) : named('command', word, index),
    ),
    ...named('answers', answers),
    ...named('executable', executable),
  ];
}

/** Absolute paths of the repository in the middle of a word, as in `--rules=/project/rules` or a line for a shell. */
function namesInside(word: string, root: string): string[] {
  const found: string[] = [];
  for (
    let at = word.indexOf(root + path.sep);
    at !== -1;
    at = word.indexOf(root + path.sep, at + 1)
  )
    found.push(/^[^\s'"`;|&<>()$]+/.exec(word.slice(at))?.[0] ?? '');
  return found.filter(file => file !== '');
}

interface Gathered {
  readonly trustedFile: TrustedFile;
  /** Path below the top of the repository. */
  readonly place: string;
}

const mostCompanions = 100;
const longestProgram = 262_144;

/** By absolute path: what is named, and what that loads, and so on. Files outside of the repository are not among it. */
async function gather(parts: readonly Part[], ground: TrustedBase): Promise<Map<string, Gathered>> {
  const gathered = new Map<string, Gathered>();
  const pending = parts.map(({ file }) => file);
  for (
    let file = pending.shift();
    file !== undefined && gathered.size < parts.length + mostCompanions;
    file = pending.shift()
  ) {
    const place = gathered.has(file) ? null : await ground.placeOf(file);
    if (place === null || place === '') continue;
    const trustedFile = await ground.trustedFileOf(file);
    gathered.set(file, { trustedFile, place });
    if (parts.some(part => part.file === file && part.key === 'answers')) continue;
    const bytes = await bytesOf(file, trustedFile, ground);
    if (bytes !== null && bytes.length <= longestProgram && !bytes.includes(0))
      pending.push(...(await companionsOf(place, bytes.toString('utf8'), ground)));
  }
  return gathered;
}

/** Those that the change touches, and those that are there. */
async function companionsOf(place: string, text: string, ground: TrustedBase): Promise<string[]> {
  const { files, packages } = namedAround(place, text);
  const touched = [
    ...files.filter(name => ground.touchedAt(name).some(each => depthOf(each) <= depthOf(name))),
    ...packages.flatMap(name => ground.touchedAt(name)),
    ...ground.touched.filter(name => shadowsFor(place, name)),
  ];
  const there: string[] = [];
  for (const name of files) if (await isFile(ground.fileAt(name))) there.push(name);
  return [...new Set([...touched, ...there])]
    .filter(name => name !== place)
    .map(name => ground.fileAt(name));
}

function depthOf(place: string): number {
  return place.split('/').length;
}

function isLacking(trustedFile: TrustedFile | undefined): boolean {
  return (
    trustedFile?.from === 'base' &&
    (trustedFile.file.kind === 'absent' || trustedFile.file.kind === 'unknown')
  );
}

interface Making {
  readonly gathered: ReadonlyMap<string, Gathered>;
  readonly ground: TrustedBase;
}

/** The same layout as in the repository, so that programs find what they load. */
async function standInFor(
  reviewer: ReviewerConfig,
  parts: readonly Part[],
  { gathered, ground }: Making,
): Promise<StandIn> {
  const top = await ground.makeFolder();
  for (const [file, { trustedFile, place }] of gathered)
    await copyInto(path.join(top, place), file, trustedFile, ground);
  await copyManifests(top, gathered, ground);
  const replaced = (key: Part['key'], index: number, word: string): string =>
    parts
      .filter(part => part.key === key && part.index === index)
      .reduce((text, { written, file }) => {
        const known = gathered.get(file);
        return known === undefined ? text : text.replace(written, () => newPlaceOf(known, top));
      }, word);
  const { command, answers, executable } = reviewer;
  return {
    ...(command !== undefined && {
      command: command.map((word, index) => replaced('command', index, word)),
    }),
    ...(answers !== undefined && { answers: replaced('answers', 0, answers) }),
    ...(executable !== undefined && { executable: replaced('executable', 0, executable) }),
  };
}

function newPlaceOf({ trustedFile, place }: Gathered, top: string): string {
  return trustedFile.from === 'base' && trustedFile.file.kind === 'outside'
    ? trustedFile.file.path
    : path.join(top, place);
}

async function copyInto(
  target: string,
  file: string,
  trustedFile: TrustedFile,
  ground: TrustedBase,
): Promise<void> {
  if (trustedFile.from === 'base' && trustedFile.file.kind === 'folder') {
    const folder = trustedFile.file.path;
    for (const { path: name, id, isProgram } of await ground.filesBelow(folder))
      await write(
        path.join(target, name.slice(folder.length + 1)),
        await ground.bytesOf(id),
        isProgram,
      );
    return;
  }
  const entries =
    trustedFile.from === 'disk'
      ? await readdir(file, { withFileTypes: true }).catch(() => null)
      : null;
  for (const entry of entries ?? [])
    await copyInto(path.join(target, entry.name), path.join(file, entry.name), trustedFile, ground);
  if (entries === null)
    await write(
      target,
      await bytesOf(file, trustedFile, ground),
      await isProgramAt(file, trustedFile),
    );
}

/** What says how scripts below it are read. */
async function copyManifests(
  top: string,
  gathered: ReadonlyMap<string, Gathered>,
  ground: TrustedBase,
): Promise<void> {
  const folders = new Set(
    [...gathered.values()].flatMap(({ place }) =>
      place.split('/').map((_, depth, names) => names.slice(0, depth).join('/')),
    ),
  );
  for (const folder of folders) {
    const file = ground.fileAt(path.posix.join(folder, 'package.json'));
    if (!gathered.has(file))
      await copyInto(
        path.join(top, folder, 'package.json'),
        file,
        await ground.trustedFileOf(file),
        ground,
      );
  }
}

async function write(target: string, bytes: Buffer | null, isProgram: boolean): Promise<void> {
  if (bytes === null) return;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  await writeFile(target, bytes, { mode: 0o600 });
  await chmod(target, isProgram ? 0o500 : 0o400);
}

/** Null for what is no file, and for what the base does not have. */
async function bytesOf(
  file: string,
  trustedFile: TrustedFile,
  ground: TrustedBase,
): Promise<Buffer | null> {
  if (trustedFile.from === 'disk') return (await isFile(file)) ? readFile(file) : null;
  return trustedFile.file.kind === 'file' ? ground.bytesOf(trustedFile.file.id) : null;
}

async function isFile(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return found?.isFile() === true && found.size <= mostFileBytes;
}

async function isProgramAt(file: string, trustedFile: TrustedFile): Promise<boolean> {
  if (trustedFile.from === 'base')
    return trustedFile.file.kind === 'file' && trustedFile.file.isProgram;
  return (((await stat(file).catch(() => null))?.mode ?? 0) & 0o100) !== 0;
}
