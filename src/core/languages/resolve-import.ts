/**
 * Which files of a repository an import leads to: from the names of its files, and from what its manifests say about packages of its
 * own. Nothing is run, and what only a program could tell stays unresolved, as a package from outside does.
 */
import {
  type Files,
  isWithin,
  joinPath as join,
  type Package,
  readWorkspaces,
  resolveScriptImport,
} from './script-imports.ts';
import { by, groupBy } from '../groups.ts';
import { folderOf, lastOf } from '../text.ts';

export type ImportResolver = (from: string, specifier: string) => readonly string[];

/** Files looked at for one import; more of one name tell nothing. */
const mostCandidates = 200;

/** `textOf` is asked for manifests. */
export function createImportResolver(
  paths: readonly string[],
  textOf: Parameters<typeof readWorkspaces>[1] = () => null,
): ImportResolver {
  const files = { ...lookUp(paths), workspaces: readWorkspaces(paths, textOf) };
  return (from, specifier) => {
    const resolve = resolvers.get(/\.([A-Za-z]+)$/.exec(from)?.[1]?.toLowerCase() ?? '');
    return (resolve?.(from, specifier.trim(), files) ?? []).filter(path => path !== from);
  };
}

type Resolve = (from: string, specifier: string, files: Files) => readonly string[];

/**
 * A module is looked for below the folders that programs are started from or that are installed. A folder that is itself a package is
 * none: `json` is not the `json` of the project.
 */
const python: Resolve = (from, specifier, files) => {
  const [dots = ''] = /^\.*/.exec(specifier) ?? [];
  const path = specifier.slice(dots.length).replaceAll('.', '/');
  if (dots !== '')
    return pythonFiles(join(folderOf(from), '../'.repeat(dots.length - 1), path))
      .filter(files.has)
      .slice(0, 1);
  return pythonFiles(path)
    .flatMap(name => files.endingWith(name).map(found => ({ found, root: rootOf(found, name) })))
    .filter(({ root }) => isPythonRoot(root, from, path.includes('/'), files))
    .toSorted(
      by(
        ({ root }) => !isWithin(from, root),
        ({ found }) => found.length,
      ),
    )
    .slice(0, 1)
    .map(({ found }) => found);
};

function pythonFiles(name: string) {
  return [`${name}.py`, `${name}/__init__.py`];
}

/** The folder below which a file has this name. */
function rootOf(path: string, name: string) {
  return path.slice(0, Math.max(0, path.length - name.length - 1));
}

function isPythonRoot(root: string, from: string, isDotted: boolean, files: Files) {
  if (root === '') return true;
  if (files.has(`${root}/__init__.py`)) return false;
  return (
    isDotted ||
    root === folderOf(from) ||
    /(?:^|\/)(?:src|lib|python)$/.test(root) ||
    ['pyproject.toml', 'setup.py', 'setup.cfg'].some(name => files.has(`${root}/${name}`))
  );
}

/** A package is a folder; its tests are no part of it. The standard library has no dot in its first segment. */
const go: Resolve = (_, specifier, files) => {
  const goFiles = (folder: string) =>
    files.inFolder(folder).filter(path => path.endsWith('.go') && !path.endsWith('_test.go'));
  const modules = files.workspaces.goModules();
  if (modules.length > 0) return inPackages(specifier, modules).slice(0, 1).flatMap(goFiles);
  const [host = '', ...segments] = specifier.split('/').slice(0, 30);
  if (!host.includes('.')) return [];
  return (
    segments
      .map((_, at) => files.foldersNamed(segments.slice(at).join('/')).slice(0, 1).flatMap(goFiles))
      .find(found => found.length > 0) ?? []
  );
};

/** The folder of each package whose name a path begins with, with the rest of the path. */
function inPackages(path: string, packages: readonly Package[]) {
  return packages
    .filter(({ name }) => name === '' || path === name || path.startsWith(`${name}/`))
    .map(({ name, folder }) => join(folder, path.slice(name.length)));
}

/** A name with separators as paths: its last segments may name something inside a file. */
function pathsOf(specifier: string, separator: RegExp) {
  const segments = specifier
    .split(separator)
    .filter(segment => segment !== '')
    .slice(0, 30);
  return [0, 1, 2].map(cut => segments.slice(0, Math.max(0, segments.length - cut)));
}

/** Where a manifest maps namespaces to folders, what it does not map is from outside; without one any first segments may be mapped. */
const php: Resolve = (from, specifier, files) => {
  if (/[/.]/.test(specifier)) return near(from, specifier.replace(/^\//, ''), files);
  const namespaces = files.workspaces.namespaces();
  const found =
    namespaces.length === 0
      ? pathsOf(specifier, /\\/)
          .flatMap(path =>
            path.slice(0, Math.max(1, path.length - 1)).map((_, start) => path.slice(start)),
          )
          .flatMap(path => files.endingWith(`${path.join('/')}.php`))
      : inPackages(specifier.replaceAll('\\', '/').replace(/^\//, ''), namespaces)
          .map(path => `${path}.php`)
          .filter(files.has);
  return found.slice(0, 1);
};

/** On the path of Ruby lie the folders that gems and programs name for it. */
const ruby: Resolve = (from, specifier, files) =>
  near(from, specifier, files, ['.rb', '']).filter(path => {
    const root = rootOf(path.replace(/\.rb$/, ''), specifier.replace(/\.rb$/, ''));
    return (
      /^\.{1,2}\//.test(specifier) ||
      root === folderOf(from) ||
      /^$|(?:^|\/)(?:lib|app|ext|test|tests|spec|features)$|(?:^|\/)app\/[^/]+$/.test(root)
    );
  });

/** `use a::{b::C, d}` leads to several files. */
const rust: Resolve = (from, specifier, files) => [
  ...new Set(
    expandUse(specifier.replace(/\s+/g, ' ').replace(/ as \w+/g, '')).flatMap(path =>
      rustPath(from, path, files),
    ),
  ),
];

const mostPaths = 100;

/** What stands before braces goes before each name in them, the innermost first. One that was cut has lost the closing ones. */
function expandUse(text: string): string[] {
  const flat = text.replace(/([^{},]*)\{([^{}]*)(?:\}|$)/, (_, front: string, names: string) =>
    names
      .split(',')
      .filter(name => name.trim() !== '')
      .map(name => front + name.trim())
      .join(),
  );
  return flat === text ? text.split(',').slice(0, mostPaths) : expandUse(flat);
}

function rustPath(from: string, path: string, files: Files) {
  const folder = folderOf(from);
  const own = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from) ? folder : from.replace(/\.rs$/, '');
  const segments = path
    .replace(/[{*].*$/s, '')
    .split('::')
    .map(segment => segment.trim())
    .filter(segment => segment !== '');
  const [head = '', ...rest] = segments;
  if (head === 'crate') return rustModule(crateRoot(from, files), rest, files);
  if (head === 'self') return rustModule(own, rest, files, [from]);
  if (head === 'super') {
    const inner = segments.filter(segment => segment !== 'super');
    return rustModule(join(own, '../'.repeat(segments.length - inner.length)), inner, files);
  }
  const beside = rustModule(own, segments, files, []);
  const crate = files.workspaces.crates().find(({ name }) => name === head);
  return beside.length > 0 || rest.length === 0 || crate === undefined
    ? beside
    : rustModule(crate.folder, rest, files);
}

/** The deepest file that the segments lead to; the module itself where they name what stands in it. */
function rustModule(
  base: string,
  segments: readonly string[],
  files: Files,
  itself: readonly string[] = ownerFiles(base, files),
) {
  const deepest = segments
    .map((_, cut) => join(base, ...segments.slice(0, segments.length - cut)))
    .flatMap(path => [`${path}.rs`, `${path}/mod.rs`])
    .filter(files.has);
  return [...deepest, ...itself].slice(0, 1);
}

/** Files that may hold what a folder of modules shares. */
function ownerFiles(folder: string, { has }: Files) {
  const inside = ['lib.rs', 'mod.rs', 'main.rs'].map(name => join(folder, name));
  return [...inside, `${folder}.rs`].filter(has);
}

function crateRoot(from: string, files: Files) {
  for (let folder = folderOf(from); ; folder = folderOf(folder)) {
    if (['lib.rs', 'main.rs'].some(name => files.has(join(folder, name)))) return folder;
    // Each file there is the root of a crate, and shares the modules beside it.
    const isOfPackage = files.has(join(folderOf(folder), 'Cargo.toml'));
    if (/(?:^|\/)(?:tests|benches|examples)$/.test(folder) && isOfPackage) return folder;
    if (folder === '') return folderOf(from);
  }
}

/** A class in the file of its name, or anything in a file of the package. */
const jvm: Resolve = (_, specifier, files) => {
  const [found] = ['.java', '.kt', '.scala', '.groovy'].flatMap(ending =>
    pathsOf(specifier, /\./).flatMap(path => files.endingWith(path.join('/') + ending)),
  );
  if (found !== undefined) return [found];
  const [, name = ''] = /^(.*)\.[^.]*$/s.exec(specifier) ?? [];
  return files
    .foldersNamed(name.replaceAll('.', '/'))
    .slice(0, 1)
    .flatMap(files.inFolder)
    .filter(path => /\.(?:java|kts?|scala)$/.test(path))
    .slice(0, 50);
};

const resolvers = new Map(
  (
    [
      [resolveScriptImport, 'js mjs cjs jsx ts mts cts tsx vue svelte'],
      [python, 'py'],
      [go, 'go'],
      [jvm, 'java kt kts scala'],
      [php, 'php'],
      [ruby, 'rb rake'],
      [rust, 'rs'],
      [near, 'c h cc cpp cxx hh hpp hxx'],
    ] as const
  ).flatMap(([resolve, endings]) =>
    endings.split(' ').map((ending): [string, Resolve] => [ending, resolve]),
  ),
);

/** Beside the file first, then anywhere. */
function near(from: string, specifier: string, files: Files, endings: readonly string[] = ['']) {
  const inside = specifier.replace(/^(?:\.\.?\/)+/, '');
  return [
    ...endings.map(ending => join(folderOf(from), specifier) + ending).filter(files.has),
    ...endings.flatMap(ending => files.endingWith(inside + ending)),
  ].slice(0, 1);
}

function lookUp(paths: readonly string[]): Omit<Files, 'workspaces'> {
  const all = new Set(paths);
  const byLast = groupBy(paths, lastOf);
  const byFolder = groupBy(paths, folderOf);
  const foldersByLast = groupBy(byFolder.keys(), lastOf);
  return {
    has: path => all.has(path),
    endingWith: suffix => matching(byLast, suffix),
    inFolder: folder => byFolder.get(folder) ?? [],
    foldersNamed: suffix => matching(foldersByLast, suffix),
  };
}

/** Shortest first: the one that is nearest to the top is meant most often. */
function matching(byLastSegment: ReadonlyMap<string, readonly string[]>, suffix: string) {
  const candidates = byLastSegment.get(lastOf(suffix)) ?? [];
  return candidates
    .slice(0, mostCandidates)
    .filter(path => path === suffix || path.endsWith(`/${suffix}`))
    .toSorted(by(path => path.length));
}
