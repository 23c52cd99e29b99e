/** Reads personas: Markdown files with checked front matter, from the ones that ship with Jury or from a path the configuration names. */
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { didYouMean, UserError } from '../../core/errors.ts';
import { PersonaFrontMatter, type Persona } from '../../core/words/persona.ts';
import { firstProblem, formatPath, nearest } from '../../core/schema-problem.ts';
import { makeVisible } from '../../core/safety/visible-text.ts';
import { readRegularFile, whyUnreadable } from '../system/given-file.ts';
import { packageRoot } from '../system/package-root.ts';

const shippedFolder = path.join(packageRoot, 'personas');

/** `name`: a shipped persona (`security-reviewer`), or the path of a Markdown file, relative to `home`. */
export async function readPersona(name: string, home: string): Promise<Persona> {
  const own = personaFile(name, home);
  if (own === null) return readShipped(name);
  const text = await readRegularFile(own).catch((error: unknown) => error);
  if (typeof text === 'string') return { ...(await parsePersona(own, text)), isOwn: true };
  throw new UserError(`The persona ${own} cannot be read: ${whyUnreadable(text)}.`, {
    kind: 'usage',
    cause: text,
  });
}

/** Those of this program do not change while it runs: one is read once, however many seats and runs have it. */
const shipped = new Map<string, Persona>();

async function readShipped(name: string): Promise<Persona> {
  const known = shipped.get(name);
  if (known !== undefined) return known;
  const file = path.join(shippedFolder, `${name}.md`);
  const text = await readRegularFile(file).catch((error: unknown) => error);
  if (typeof text !== 'string') {
    const known = await shippedPersonas();
    throw new UserError(`There is no persona "${name}".`, {
      kind: 'usage',
      hint:
        didYouMean(nearest(name, known)) ??
        `Name a Markdown file with its path (./${name}.md), or one of ${known.join(', ')}.`,
      cause: text,
    });
  }
  const persona = await parsePersona(file, text);
  shipped.set(name, persona);
  return persona;
}

/** Absolute path of a persona that is no shipped one. */
export function personaFile(name: string, home: string): string | null {
  return name.endsWith('.md') || name.includes('/') ? path.resolve(home, name) : null;
}

/** What a repository links to on this machine would be sent to whoever is asked. */
export function linkedOut(persona: string, reviewer: string, target: string): UserError {
  return new UserError(
    makeVisible(
      `The persona ${persona} of reviewer ${reviewer} is a link out of its repository, to ${target}.`,
    ),
    { kind: 'usage', hint: 'Put the text itself there.' },
  );
}

/** Names of the personas that ship, sorted. */
export async function shippedPersonas(): Promise<string[]> {
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
    throw new UserError(`${file}:1: A persona starts with front matter between two lines "---".`, {
      kind: 'usage',
    });
  const { parse } = await import('yaml');
  let data: unknown;
  try {
    data = parse(match[1] ?? '', { maxAliasCount: 50 });
  } catch (error) {
    throw new UserError(
      `${file}: The front matter is not well-formed: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`,
      { kind: 'usage', cause: error },
    );
  }
  const checked = PersonaFrontMatter.safeParse(data, { reportInput: true });
  if (!checked.success) {
    const problem = firstProblem(PersonaFrontMatter, checked.error);
    throw new UserError(`${file}: ${formatPath(problem.path)}: ${problem.sentence}`, {
      kind: 'usage',
      hint: didYouMean(problem.suggestions),
      cause: checked.error,
    });
  }
  return { ...checked.data, instructions: text.slice(match[0].length).trim() };
}
