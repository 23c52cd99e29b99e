/** Reads personas: Markdown files with checked front matter, from the ones that ship with Jury or from a path the configuration names. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { didYouMean, usageError, type UserError } from '../../core/errors.ts';
import { PersonaFrontMatter, type Persona } from '../../core/words/persona.ts';
import { nearest } from '../../core/schema-problem.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';
import { packageRoot } from '../system/package-root.ts';
import { readYaml } from '../system/yaml-file.ts';

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
const shipped = new Map<string, Persona>();

async function readShipped(name: string) {
  const known = shipped.get(name);
  if (known) return known;
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
  const persona = await parsePersona(file, text);
  shipped.set(name, persona);
  return persona;
}

/** Absolute path of a persona that is no shipped one. */
export function personaFile(name: string, home: string) {
  return name.endsWith('.md') || name.includes('/') ? path.resolve(home, name) : null;
}

/** What a repository links to on this machine would be sent to whoever is asked. */
export function linkedOut(persona: string, reviewer: string, target: string): UserError {
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
