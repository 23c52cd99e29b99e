/**
 * Everything a configuration is made of, under one hash: its own text and every file below its project that it names or that a
 * program of it loads, links followed. Whoever allows the hash allows exactly these bytes.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { linkedOut, personaFile } from '../adapters/configuration/personas.ts';
import {
  parseConfiguration,
  type ConfigurationFile,
} from '../adapters/configuration/read-configuration.ts';
import { findGitFolder } from '../adapters/git/git-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { Config } from '../core/words/config.ts';
import { type UserError, usageError } from '../core/errors.ts';
import { demandsOf, demandsOfRoster, type Demand } from '../core/safety/demands.ts';
import { namedAround, shadowsFor } from '../core/safety/program-names.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { parseSessionJson } from '../core/given-json.ts';
import { readRoster, rosterName } from '../core/words/roster.ts';
import { partsOf } from './base-files.ts';
import type { Content, FileView } from './file-view.ts';

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
  readonly name: string;
  /** Absolute. */
  readonly file: string;
  /** SHA-256 in hex of the bytes; null for what a link makes of it outside of the project. */
  readonly digest: string | null;
  /** Where such a link leads. */
  readonly leadsTo: string | null;
  /** Null where it leads out. */
  readonly bytes: Buffer | null;
}

/** The folder whose files a configuration answers for: the repository it lies in, or its own folder where there is none. */
export async function projectOf(file: string): Promise<string> {
  const folder = path.dirname(file);
  return (await findGitFolder(folder))?.root ?? (await realpath(folder).catch(() => folder));
}

/** Throws `UserError`: a configuration that cannot be used, a persona that leads out of the project, more files than can be looked at. */
export async function manifestOf(
  found: ConfigurationFile,
  view: FileView,
  runners: readonly string[] = [],
): Promise<Manifest> {
  const config = await configurationIn(found, runners);
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
function isRoster({ file }: Pick<ConfigurationFile, 'file'>): boolean {
  return path.basename(file) === rosterName;
}

/** A roster says nothing else. */
async function configurationIn(
  found: ConfigurationFile,
  runners: readonly string[],
): Promise<Config> {
  return isRoster(found) ? Config.parse({}) : parseConfiguration(found, runners);
}

function rosterDemands({ file, text }: ConfigurationFile): Demand[] {
  const name = path.basename(file);
  return demandsOfRoster(readRoster(parseSessionJson(name, text), name), {});
}

const mostFiles = 1_000;
const longestProgram = 262_144;

async function readNamed(config: Config, home: string, view: FileView): Promise<ManifestFile[]> {
  const { programs, others } = namesOf(config, home, view);
  const homePlace = (await view.placeOf(home)) ?? '';
  const read = new Map<string, ManifestFile>();
  const pending = [...others, ...programs].map(file => ({
    file,
    isProgram: programs.includes(file),
  }));
  const seen = new Set<string>();
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    const place = await view.placeOf(next.file);
    // The top of the project is what a program works on, no part of it.
    if (place === null || place === '' || seen.has(place)) continue;
    seen.add(place);
    if (seen.size > mostFiles) throw tooMany(home);
    const content = await view.contentOf(place);
    const { isProgram } = next;
    if (content.kind === 'folder')
      pending.push(
        ...content.files.map(name => ({
          file: path.join(view.root, place, name),
          isProgram: false,
        })),
      );
    else if (content.kind !== 'absent')
      read.set(place, describe(path.posix.relative(homePlace, place), next.file, content));
    if (isProgram && content.kind === 'file')
      for (const name of await loadedBy(place, content.bytes, view))
        pending.push({ file: path.join(view.root, name), isProgram: true });
  }
  return [...read.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

interface Named {
  /** Absolute paths of what is run, and may load more. */
  readonly programs: readonly string[];
  readonly others: readonly string[];
}

function namesOf(
  { reviewers = [], motions, guidelines }: Config,
  home: string,
  { root }: FileView,
): Named {
  const asked = [...reviewers, ...(motions?.reviewer === undefined ? [] : [motions.reviewer])];
  const parts = asked.flatMap(reviewer => partsOf(reviewer, home, root));
  const personas = reviewers
    .map(({ persona }) => personaFile(persona, home))
    .filter(file => file !== null);
  return {
    programs: parts.filter(({ key }) => key !== 'answers').map(({ file }) => file),
    others: [
      ...parts.filter(({ key }) => key === 'answers').map(({ file }) => file),
      ...personas,
      ...guidelines.flatMap(each =>
        typeof each === 'string' || each.file === undefined ? [] : [path.resolve(home, each.file)],
      ),
    ],
  };
}

/** As far as its text tells. Packages that somebody installs beside a project are not looked through. */
async function loadedBy(place: string, bytes: Buffer, view: FileView): Promise<string[]> {
  if (bytes.length > longestProgram || bytes.includes(0)) return [];
  const folder = path.posix.dirname(place) === '.' ? '' : path.posix.dirname(place);
  const beside = (await view.namesIn(folder))
    .flatMap(name => [name, `${name}/__init__.py`])
    .map(name => path.posix.join(folder, name))
    .filter(name => name !== place && shadowsFor(place, name));
  const named = namedAround(place, bytes.toString('utf8')).files;
  const there: string[] = [];
  for (const name of [...named, ...beside])
    if (['file', 'outside'].includes((await view.contentOf(name)).kind)) there.push(name);
  return there;
}

function describe(
  name: string,
  file: string,
  content: Exclude<Content, { readonly kind: 'absent' | 'folder' }>,
): ManifestFile {
  const shown = { name, file };
  return content.kind === 'outside'
    ? { ...shown, digest: null, leadsTo: content.path, bytes: null }
    : { ...shown, digest: sha256(content.bytes), leadsTo: null, bytes: content.bytes };
}

function tooMany(home: string): UserError {
  return usageError(
    `The configuration in ${makeVisible(home)} names more than ${mostFiles} files of its project, which nobody can look at.`,
    'Name fewer, or name it with --config.',
  );
}

/** A persona is sent to whoever is asked: one that lies elsewhere on this machine is a wish, one behind a link is refused. */
async function personasElsewhere(
  { reviewers = [] }: Config,
  home: string,
  view: FileView,
): Promise<Demand[]> {
  const wanted: Demand[] = [];
  for (const { id, persona } of reviewers) {
    const file = personaFile(persona, home);
    if (file === null) continue;
    const place = await view.placeOf(file);
    if (place === null) {
      wanted.push({ kind: 'read', what: file, by: `reviewer ${id}` });
      continue;
    }
    const content = await view.contentOf(place);
    if (content.kind === 'outside') throw linkedOut(persona, id, content.path);
  }
  return wanted;
}
