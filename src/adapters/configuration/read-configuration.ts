/**
 * Finds and reads `jury.config.{yaml,yml,json}`: upwards from the caller's working directory, or the file the caller
 * names. YAML and JSON are data here; nothing of a configuration is ever executed.
 */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { didYouMean, usageError } from '../../core/errors.ts';
import { remember } from '../../core/groups.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { nearest } from '../../core/schema-problem.ts';
import {
  type Config,
  type ConfigInput,
  type ReviewerConfig,
  configWith,
} from '../../core/words/config.ts';
import { type Persona, PersonaFrontMatter } from '../../core/words/persona.ts';
import { traitsOf } from '../../core/words/runner.ts';
import {
  readGivenFile,
  readRegularFile,
  readYaml,
  unlikeSchema,
  whyUnreadable,
} from '../system/given-file.ts';
import { packageRoot } from '../system/package-root.ts';

const configurationNames = ['jury.config.yaml', 'jury.config.yml', 'jury.config.json'] as const;

export interface ConfigurationFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
}

/**
 * The named file, or the nearest one upwards from `cwd`; null when nobody wrote one. Throws `UserError` when a named one cannot
 * be read.
 */
export async function findConfiguration(
  cwd: string,
  named: string | null,
  signal?: AbortSignal,
): Promise<ConfigurationFile | null> {
  if (named !== null) {
    const file = path.resolve(cwd, named);
    const text = await readGivenFile(file, signal).catch((error: unknown) => {
      signal?.throwIfAborted();
      throw unreadable(file, error);
    });
    return { file, text };
  }
  for (const file of configurationCandidates(cwd)) {
    const text = await readIfThere(file);
    if (text !== null) return { file, text };
  }
  return null;
}

/** Where a configuration may lie, absolute: the first that is there counts. */
export function configurationCandidates(cwd: string): string[] {
  const folder = path.resolve(cwd);
  const here = configurationNames.map(name => path.join(folder, name));
  return folder === path.dirname(folder)
    ? here
    : [...here, ...configurationCandidates(path.dirname(folder))];
}

/** Checks a configuration that a program gives as an object, which may seat runners of these names. The error names the key. */
export function checkConfiguration(given: ConfigInput, runners: readonly string[]) {
  const schema = configWith(runners);
  const checked = schema.safeParse(given, { reportInput: true });
  if (!checked.success) throw unlikeSchema(schema, checked.error, () => 'config');
  refuseDuplicates(checked.data, 'config');
  return checked.data;
}

/**
 * Checks the text of a configuration, which may seat runners of these names besides the built-in ones. The error names file, line
 * and key.
 */
export async function parseConfiguration(
  { file, text }: ConfigurationFile,
  runners: readonly string[] = [],
) {
  const { value: config, lineOf } = await readYaml(file, text, configWith(runners));
  refuseDuplicates(config, file);
  for (const [index, reviewer] of (config.reviewers ?? []).entries())
    if (lackedKey(reviewer) !== null)
      throw lacks(reviewer, `${file}:${lineOf(['reviewers', index])}: `);
  return config;
}

/** The key that its runner cannot do without; null where it is there. */
export function lackedKey(reviewer: ReviewerConfig) {
  const [key] = traitsOf(reviewer.runner).needs ?? [];
  return key !== undefined && reviewer[key] === undefined ? key : null;
}

/** `place`: file and line, where they are known. */
export function lacks(reviewer: ReviewerConfig, place = '') {
  const [key = '', example = ''] = traitsOf(reviewer.runner).needs ?? [];
  return usageError(
    `${place}Reviewer "${reviewer.id}": runner ${reviewer.runner} needs the key "${key}", such as ${key}: ${example}.`,
    'See "jury help configuration".',
  );
}

function refuseDuplicates(config: Config, file: string) {
  const seen = new Set<string>();
  for (const { id } of config.reviewers ?? []) {
    // Reviewer names double as file names, and some disks do not tell A from a.
    if (seen.has(id.toLowerCase()))
      throw usageError(
        `${file}: Two reviewers are called "${id}".`,
        'Give each reviewer an id of its own.',
      );
    seen.add(id.toLowerCase());
  }
}

/** Null when nothing is there. Throws `UserError` for what cannot be read. */
export async function readIfThere(file: string) {
  return readRegularFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw unreadable(file, error);
  });
}

function unreadable(file: string, error: unknown) {
  return usageError(
    `The configuration ${file} cannot be read: ${whyUnreadable(error)}.`,
    null,
    error,
  );
}

// Reads personas: Markdown files with checked front matter, from the ones that ship with Jury or from a path the configuration
// names.

const shippedFolder = path.join(packageRoot, 'personas');

/** `name`: a shipped persona (`security-reviewer`), or the path of a Markdown file, relative to `home`. */
export async function readPersona(name: string, home: string): Promise<Persona> {
  const own = personaFile(name, home);
  if (own === null) return readShipped(name);
  const text = await readRegularFile(own).catch((error: unknown) => {
    throw usageError(`The persona ${own} cannot be read: ${whyUnreadable(error)}.`, null, error);
  });
  return { ...(await parsePersona(own, text)), isOwn: true };
}

/** Those of this program do not change while it runs: one is read once, however many seats and runs have it. */
const readShipped = remember(async (name: string) => {
  const file = path.join(shippedFolder, `${name}.md`);
  const text = await readRegularFile(file).catch(async (error: unknown) => {
    const all = await shippedPersonas();
    throw usageError(
      `There is no persona "${name}".`,
      didYouMean(nearest(name, all)) ??
        `Name a Markdown file with its path (./${name}.md), or one of ${all.join(', ')}.`,
      error,
    );
  });
  return parsePersona(file, text);
});

/** Absolute path of a persona that is no shipped one. */
export function personaFile(name: string, home: string) {
  return name.endsWith('.md') || name.includes('/') ? path.resolve(home, name) : null;
}

/** What a repository links to on this machine would be sent to whoever is asked. */
export function linkedOut(persona: string, reviewer: string, target: string) {
  return usageError(
    makeVisible(
      `The persona ${persona} of reviewer ${reviewer} is a link out of its repository, to ${target}.`,
    ),
    'Put the text itself there.',
  );
}

/** Names of the personas that ship, sorted. */
export async function shippedPersonas() {
  const names = await readdir(shippedFolder);
  return names
    .filter(name => name.endsWith('.md'))
    .map(name => name.slice(0, -'.md'.length))
    .toSorted();
}

/** Splits the front matter by itself: libraries for it run `---js` blocks. */
export async function parsePersona(file: string, text: string): Promise<Persona> {
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  if (!match)
    throw usageError(`${file}:1: A persona starts with front matter between two lines "---".`);
  // It begins on the second line of the file.
  const { value } = await readYaml(file, `\n${match[1]}`, PersonaFrontMatter);
  return { ...value, instructions: text.slice(match[0].length).trim() };
}
