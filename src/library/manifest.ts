/**
 * Everything a configuration is made of, under one hash: its own text and every file below its project that it names or that a
 * program of it loads, links followed. Whoever allows the hash allows exactly these bytes.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { linkedOut, personaFile } from '../adapters/configuration/personas.ts';
import {
  type ConfigurationFile,
  parseConfiguration,
} from '../adapters/configuration/read-configuration.ts';
import { findGitFolder } from '../adapters/git/git-folder.ts';
import { sha256 } from '../adapters/system/ids.ts';
import { Config } from '../core/words/config.ts';
import { usageError } from '../core/errors.ts';
import { type Demand, demandsOf, demandsOfRoster } from '../core/safety/demands.ts';
import { makeVisible } from '../core/safety/visible-text.ts';
import { parseSessionJson } from '../core/given-json.ts';
import { readRoster, rosterName } from '../core/words/roster.ts';
import { gatherFiles, mostNamedFiles, partsOf } from './named-files.ts';
import type { TreeView } from './tree-view.ts';

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
  view: TreeView,
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

/** Of what there is, in the order of the names. */
async function readNamed(config: Config, home: string, view: TreeView): Promise<ManifestFile[]> {
  const homePlace = (await view.placeOf(home)) ?? '';
  const gathered = await gatherFiles(namesOf(config, home, view), view);
  if (gathered.size > mostNamedFiles)
    throw usageError(
      `The configuration in ${makeVisible(home)} names more than ${mostNamedFiles} files of its project, which nobody can look at.`,
      'Name fewer, or name it with --config.',
    );
  const files: ManifestFile[] = [];
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
): Parameters<typeof gatherFiles>[0] {
  const asked = [...reviewers, ...(motions?.reviewer === undefined ? [] : [motions.reviewer])];
  const parts = asked
    .flatMap(reviewer => partsOf(reviewer, home, root))
    .map(({ file, key }) => ({ file, isProgram: key !== 'answers' }));
  const texts = [
    ...reviewers.map(({ persona }) => personaFile(persona, home)),
    ...guidelines.map(each =>
      typeof each === 'string' || each.file === undefined ? null : path.resolve(home, each.file),
    ),
  ];
  return [...parts, ...texts.flatMap(file => (file === null ? [] : [{ file, isProgram: false }]))];
}

/** A persona is sent to whoever is asked: one that lies elsewhere on this machine is a wish, one behind a link is refused. */
async function personasElsewhere(
  { reviewers = [] }: Config,
  home: string,
  view: TreeView,
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
    const found = await view.find(place);
    if (found.kind === 'outside') throw linkedOut(persona, id, found.path);
  }
  return wanted;
}
