/**
 * Everything a configuration is made of, under one hash: its own text and every file below its project that it names or that a
 * program of it loads, links followed. Whoever allows the hash allows exactly these bytes.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { explicitPath, hashFile, hashValue } from '../adapters/runners/executable.ts';
import { namedAround, shadowsFor } from '../core/safety/agent-files.ts';
import { folderOf } from '../core/text.ts';
import { Config, type ReviewerConfig } from '../core/words/config.ts';
import { type FileKey, fileKeys } from '../core/words/runner.ts';
import { type Found, type TreeView, mostNamedFiles, viewDisk } from './tree-view.ts';
import { chmod, mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { type TrustedBase, viewDeciding } from './trusted-base.ts';
import {
  type ConfigurationFile,
  linkedOut,
  parseConfiguration,
  personaFile,
} from '../adapters/configuration/read-configuration.ts';
import { findGitFolder } from '../adapters/git/git-folder.ts';
import { sha256 } from '../core/hash.ts';
import { usageError } from '../core/errors.ts';
import { type Demand, demandsOf, demandsOfRoster } from '../core/safety/demands.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { parseSessionJson } from '../core/given-json.ts';
import { readRoster, rosterName } from '../core/words/roster.ts';

export interface Manifest extends ConfigurationFile {
  readonly config: Config;
  /** SHA-256 in hex over all of it. */
  readonly hash: string;
  /** In the order of their names. */
  readonly files: readonly ManifestFile[];
  /** Everything that any command could make of it. */
  readonly demands: readonly Demand[];
}

interface ManifestFile {
  /** Relative to the folder of the configuration, with slashes. */
  name: string;
  /** Absolute. */
  file: string;
  /** SHA-256 in hex of the bytes; null for what a link makes of it outside of the project. */
  digest: string | null;
  /** Where such a link leads. */
  leadsTo: string | null;
  /** Null where it leads out. */
  bytes: Buffer | null;
}

/** The folder whose files a configuration answers for: the repository it lies in, or its own folder where there is none. */
export async function projectOf(file: string) {
  const folder = path.dirname(file);
  return (await findGitFolder(folder))?.root ?? (await realpath(folder).catch(() => folder));
}

/** Throws `UserError`: a configuration that cannot be used, a persona that leads out of the project, more files than can be looked at. */
export async function manifestOf(
  found: ConfigurationFile,
  view: TreeView,
  runners: readonly string[],
): Promise<Manifest> {
  // A roster says nothing else.
  const config = isRoster(found) ? Config.parse({}) : await parseConfiguration(found, runners);
  const home = path.dirname(found.file);
  const files = await readNamed(config, home, view);
  const content = files.map(({ name, digest, leadsTo }) => [name, digest, leadsTo]);
  return {
    ...found,
    config,
    files,
    hash: sha256(JSON.stringify(['jury.grant/1', sha256(found.text), content])),
    demands: [
      ...(isRoster(found) ? rosterDemands(found) : demandsOf(config)),
      ...(await personasElsewhere(config, home, view)),
    ],
  };
}

/** The members of a vote may be asked at hosts of their own: their roster is allowed in the same way. */
function isRoster({ file }: ConfigurationFile) {
  return path.basename(file) === rosterName;
}

function rosterDemands({ file, text }: ConfigurationFile) {
  const name = path.basename(file);
  return demandsOfRoster(readRoster(parseSessionJson(name, text), name), {});
}

/** Of what there is, in the order of the names. */
async function readNamed(config: Config, home: string, view: TreeView) {
  const homePlace = (await view.placeOf(home)) ?? '';
  const gathered = await gatherFiles(namesOf(config, home, view), view);
  if (gathered.size > mostNamedFiles)
    throw usageError(
      `The configuration in ${makeVisible(home)} names more than ${mostNamedFiles} files of its project, which nobody can look at.`,
      'Name fewer, or name it with --config.',
    );
  const files = [];
  for (const [place, { file, found }] of gathered) {
    if (found.kind === 'absent' || found.kind === 'folder') continue;
    const bytes = found.kind === 'file' ? await found.read() : null;
    files.push({
      name: path.posix.relative(homePlace, place),
      file,
      digest: bytes && sha256(bytes),
      leadsTo: found.kind === 'outside' ? found.path : null,
      bytes,
    });
  }
  return files.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

function namesOf(
  { reviewers = [], motions, guidelines }: Config,
  home: string,
  { root }: TreeView,
) {
  const asked = [...reviewers, ...(motions?.reviewer ? [motions.reviewer] : [])];
  const parts = asked.flatMap(reviewer => partsOf(reviewer, home, root));
  const texts = [
    ...reviewers.map(({ persona }) => personaFile(persona, home)),
    ...guidelines.map(each =>
      typeof each === 'string' || each.file === undefined ? null : path.resolve(home, each.file),
    ),
  ];
  return [...parts, ...texts.flatMap(file => (file === null ? [] : [{ file, isProgram: false }]))];
}

/** A persona is sent to whoever is asked: one that lies elsewhere on this machine is a wish, one behind a link is refused. */
async function personasElsewhere({ reviewers = [] }: Config, home: string, view: TreeView) {
  const wanted: Demand[] = [];
  for (const { id, persona } of reviewers) {
    const file = personaFile(persona, home);
    if (file === null) continue;
    const place = await view.placeOf(file);
    if (place === null) {
      wanted.push({ kind: 'read', what: file, by: `reviewer ${id}` });
      continue;
    }
    const found = await view.find(place);
    if (found.kind === 'outside') throw linkedOut(persona, id, found.path);
  }
  return wanted;
}

/** A piece of a reviewer's settings that names a file. */
interface Part extends NamedFile {
  key: FileKey;
  /** Of the word of its command; 0 otherwise. */
  index: number;
  /** As it is written there. */
  written: string;
}

/** `root`: top of the repository, which a word may name anywhere in it. */
function partsOf(reviewer: Pick<ReviewerConfig, FileKey>, home: string, root: string) {
  return keysOf(reviewer).flatMap(key =>
    [reviewer[key] ?? []].flat().flatMap((word, index) => {
      const part = { key, isProgram: fileKeys[key], index };
      const file = part.isProgram ? explicitPath(word, home) : path.resolve(home, word);
      return file === null
        ? namesInside(word, root).map(name => ({ ...part, file: name, written: name }))
        : [{ ...part, file, written: word }];
    }),
  );
}

function keysOf(reviewer: Pick<ReviewerConfig, FileKey>) {
  return (Object.keys(fileKeys) as FileKey[]).filter(key => reviewer[key] !== undefined);
}

/** Absolute paths below a folder in the middle of a word, as in `--rules=/project/rules`, or of a text. */
function namesInside(text: string, root: string) {
  const top = root.endsWith(path.sep) ? root : root + path.sep;
  return text.split(/[\s'"`;|&<>()$]+|[:,](?=\/)/).flatMap(word => {
    const at = word.indexOf(top);
    return at === -1 ? [] : [word.slice(at)];
  });
}

interface NamedFile {
  /** Absolute. */
  file: string;
  /** Is it run, and may load more? */
  isProgram: boolean;
}

interface Gathered {
  /** Absolute, as it was named. */
  file: string;
  found: Awaited<ReturnType<TreeView['find']>>;
}

const longestProgram = 262_144;

/**
 * What some names lead to, and what the programs among it load, and so on, by place; of a folder all that is below it. What lies
 * outside of the view is not among it. `touchedAt`: paths that a change touches at a place; then what it touches of packages counts
 * too. Ends when more than `most` have been found.
 */
async function gatherFiles(
  named: readonly NamedFile[],
  view: TreeView,
  touchedAt?: (place: string) => readonly string[],
  most = mostNamedFiles,
) {
  const gathered = new Map<string, Gathered>();
  const pending = [...named];
  for (let next = pending.shift(); next; next = pending.shift()) {
    const { file, isProgram } = next;
    const place = await view.placeOf(file);
    // The top of the project is what a program works on, no part of it.
    if (place === null || place === '' || gathered.has(place)) continue;
    const found = await view.find(place);
    gathered.set(place, { file, found });
    if (gathered.size > most) break;
    const inside = found.kind === 'folder' ? await found.files() : [];
    pending.push(
      ...inside.map(name => ({ file: path.join(view.root, place, name), isProgram: false })),
    );
    if (!isProgram || found.kind !== 'file') continue;
    const bytes = await found.read(longestProgram).catch(() => null);
    if (!bytes || bytes.includes(0)) continue;
    const loaded = await loadedBy(place, bytes.toString('utf8'), view, touchedAt);
    pending.push(...loaded.map(name => ({ file: path.join(view.root, name), isProgram: true })));
  }
  return gathered;
}

/**
 * As far as its text tells: what is there, and what a change touches. Packages that somebody installs beside a project are not
 * looked through.
 */
async function loadedBy(
  place: string,
  text: string,
  view: TreeView,
  touchedAt?: (place: string) => readonly string[],
) {
  const folder = folderOf(place);
  const { files, packages } = namedAround(place, text);
  const beside = (await view.namesIn(folder))
    .flatMap(name => [name, `${name}/__init__.py`])
    .map(name => path.posix.join(folder, name))
    .filter(name => shadowsFor(place, name));
  const there = touchedAt ? packages.flatMap(touchedAt) : [];
  for (const name of new Set([...files, ...beside])) {
    const isTouched = touchedAt?.(name).some(each => depthOf(each) <= depthOf(name));
    if (isTouched || ['file', 'outside'].includes((await view.find(name)).kind)) there.push(name);
  }
  // A copy that stands in would still lead there. What is named otherwise, such as a log, is not loaded.
  for (const file of touchedAt ? [] : namesInside(text, view.root)) {
    const name = (await view.placeOf(file)) ?? '';
    const found = await view.find(name);
    if (found.kind === 'file' && (found.isProgram || script.test(name))) there.push(name);
  }
  return there;
}

const script = /\.(?:[cm]?[jt]s|py|sh|rb|pl)$/;

function depthOf(place: string) {
  return place.split('/').length;
}

/**
 * Names the files of a command by their content, and what its programs load as far as a manifest sees it, wherever they lie; null
 * where that is more than is looked at whenever a review starts, or cannot be read.
 */
export async function hashLoaded(program: string, ...words: string[]) {
  const { root } = path.parse(program);
  const disk = viewDisk(root);
  const seen = new Map<string, ReturnType<typeof disk.find>>();
  // Of the names that a text may mean most are not there.
  const find = async (place: string) => {
    const found = seen.get(place) ?? (existsSync(root + place) ? disk.find(place) : absent);
    seen.set(place, found);
    return found;
  };
  const parts = partsOf({ command: [program, ...words] }, root, root);
  const gathered = await gatherFiles(parts, { ...disk, find }, undefined, mostLoadedFiles);
  if (gathered.size > mostLoadedFiles) return null;
  // What a program only names, such as its own log, is not loaded; a word of the command is what it was given.
  const given = new Set(parts.map(({ file }) => file));
  const files = [...gathered.values()].filter(
    ({ file, found }) =>
      found.kind === 'file' && (given.has(file) || found.isProgram || script.test(file)),
  );
  // Interpreters are large.
  const hashes = await Promise.all(files.map(({ file }) => hashFile(file, 16 << 20)));
  return hashes.includes(null) ? null : hashValue(hashes);
}

const mostLoadedFiles = 100;
const absent = Promise.resolve({ kind: 'absent' } as const);

export async function substituteFor(reviewer: ReviewerConfig, home: string, ground: TrustedBase) {
  if (ground.touched.length === 0 || ground.root === null) return { touched: [], standIn: {} };
  const view = viewDeciding(ground.root, ground);
  const parts = partsOf(reviewer, home, view.root);
  const gathered = await gatherFiles(parts, view, ground.touchedAt);
  const touched = [...new Set([...gathered.values()].flatMap(({ found }) => found.touched ?? []))];
  if (touched.length === 0) return { touched, standIn: {} };
  const places = new Map<string, string>();
  for (const { file } of parts) {
    const place = (await view.placeOf(file)) ?? '';
    if (gathered.has(place)) places.set(file, place);
  }
  const isLacking = [...places.values()].some(place => {
    const found = gathered.get(place)?.found;
    return found?.kind === 'absent' && found.touched !== undefined;
  });
  if (isLacking) return { touched, standIn: null };
  const top = await ground.makeFolder();
  for (const [place, { found }] of gathered) await copyTo(path.join(top, place), found);
  await copyManifests(top, [...gathered.keys()], view);
  const newPlaces = new Map([...places].map(([file, place]) => [file, path.join(top, place)]));
  return { touched, standIn: namedAnew(reviewer, parts, newPlaces) };
}

/** Settings that name the same files where they are now: in the same layout, so that programs find what they load. */
function namedAnew(
  reviewer: ReviewerConfig,
  parts: readonly Part[],
  places: ReadonlyMap<string, string>,
) {
  const replaced = (key: FileKey, word: string, index = 0) =>
    parts
      .filter(part => part.key === key && part.index === index)
      .reduce(
        (text, { written, file }) => text.replace(written, () => places.get(file) ?? written),
        word,
      );
  return Object.fromEntries(
    keysOf(reviewer).map(key => {
      const named = reviewer[key] ?? '';
      return [
        key,
        typeof named === 'string'
          ? replaced(key, named)
          : named.map((word, index) => replaced(key, word, index)),
      ];
    }),
  );
}

/** What says how scripts below it are read. */
async function copyManifests(top: string, places: string[], view: TreeView) {
  const folders = places.flatMap(place =>
    place.split('/').map((_, depth, names) => names.slice(0, depth).join('/')),
  );
  for (const folder of new Set(folders)) {
    const place = path.posix.join(folder, 'package.json');
    if (!places.includes(place)) await copyTo(path.join(top, place), await view.find(place));
  }
}

/** Nothing for what the base does not have, and for a folder: what lies in it is copied by itself. */
async function copyTo(target: string, found: Found) {
  if (found.kind !== 'file' && found.kind !== 'outside') return;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  if (found.kind === 'outside') return symlink(found.path, target);
  await writeFile(target, await found.read(), { mode: 0o600 });
  await chmod(target, found.isProgram ? 0o500 : 0o400);
}
