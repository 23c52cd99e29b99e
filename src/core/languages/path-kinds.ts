/**
 * What a path, and the lines that changed below it, say about a file; the table beside this file says which. Hints only: they lower
 * a severity, keep a rule quiet or order the reading; they never hide a file.
 */
import { familyOf } from './languages.ts';
import table from './path-kinds.json' with { type: 'json' };

const patterns = new Map(
  Object.entries(table.paths).map(([word, byFlags]) => [
    word,
    Object.entries(byFlags).map(([flags, parts]) => new RegExp(parts.join('|'), flags)),
  ]),
);

function says(word: keyof typeof table.paths): (path: string) => boolean {
  return path => patterns.get(word)?.some(pattern => pattern.test(path)) === true;
}

export const isTestPath = says('test');
export const isFixturePath = says('fixture');
/** Prose, for people. */
export const isDocumentPath = says('document');
/** Examples, demonstrations and samples. */
export const isExamplePath = says('example');
/** Code that talks to a terminal or serves the project itself: printing is its work. */
export const isToolPath = says('tool');
/** Programs that people of the project run on their own machines, with input of their own. */
export const isScriptPath = says('script');
export const isConfigurationSchema = says('schema');

/**
 * All that is made of a path here, as one text: a file that has the same by its old name was merely moved. What configures something
 * does so for the folder it lies in, and so does what lies in a folder of a tool.
 */
export function roleOf(path: string): string {
  const kinds = kindsOf({ path });
  const folder =
    kinds.has('manifest') || kinds.has('configuration') ? /^.*\// : /^(?:.*\/)?\.[^/]+\//;
  return JSON.stringify([
    /\.[^./]*$/.exec(path)?.[0].toLowerCase(),
    folder.exec(path)?.[0],
    familyOf(path),
    [...kinds],
    [isFixturePath, isDocumentPath, isExamplePath, isToolPath, isScriptPath].map(isSo =>
      isSo(path),
    ),
  ]);
}

/** What a file of the scope is, by its path and the lines that changed: decides who has it in the domain and when it is read. */
export interface ScopeFile {
  readonly path: string;
  /** Added and removed lines, without their marks; default: none is known. */
  readonly changedLines?: readonly string[];
}

const kinds = {
  test: isTestPath,
  code: says('code'),
  documentation: says('documentation'),
  manifest: (path: string) => says('manifest')(path) || isLockfile(path),
  configuration: (path: string) => says('configuration')(path) || isConfigurationSchema(path),
  'entry-point': says('entry-point'),
  'public-api': says('public-api'),
  'command-line': (path: string) => says('command-line')(path) && says('code')(path),
};
export type FileKind = keyof typeof kinds;

/** What a test exports or calls is nobody's interface. */
const notOfTests = new Set(['entry-point', 'public-api', 'command-line']);
const lines = Object.entries(table.lines).map(([kind, line]) => [kind, new RegExp(line)] as const);

export function kindsOf({ path, changedLines = [] }: ScopeFile): ReadonlySet<FileKind> {
  const found = new Set<string>(
    Object.entries(kinds).flatMap(([kind, isSo]) => (isSo(path) ? kind : [])),
  );
  if (found.has('code'))
    for (const [kind, line] of lines) if (changedLines.some(one => line.test(one))) found.add(kind);
  if (found.has('test')) for (const kind of notOfTests) found.delete(kind);
  return found as Set<FileKind>;
}

const locks = table.locks.map(({ lock, flags = 'i', manifests }) => ({
  lock: new RegExp(lock, flags),
  manifests: new RegExp(manifests),
}));

/** What a package manager writes down of what it chose. */
export function isLockfile(path: string): boolean {
  return lockAt(path) !== undefined;
}

/** Is `manifest` what the lockfile `lock` is written from, by their names alone? */
export function isManifestOf(manifest: string, lock: string): boolean {
  return lockAt(lock)?.manifests.test(nameOf(manifest)) ?? false;
}

function lockAt(path: string) {
  const name = nameOf(path);
  return locks.find(({ lock }) => lock.test(name));
}

function nameOf(path: string) {
  return path.slice(path.lastIndexOf('/') + 1);
}
