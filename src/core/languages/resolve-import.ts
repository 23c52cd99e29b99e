/**
 * Which files of a repository an import leads to: from the names of its files, and from what its manifests say about packages of its
 * own. Nothing is run, and what only a program could tell stays unresolved, as a package from outside does.
 */
import {
  type Files,
  joinPath as join,
  readWorkspaces,
  resolveScriptImport,
} from './script-imports.ts';
import { groupBy } from '../groups.ts';
import { folderOf } from '../text.ts';

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
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const path = specifier.slice(dots).replaceAll('.', '/');
  if (dots > 0) {
    const base = join(folderOf(from), dots > 1 ? '../'.repeat(dots - 1) : '.', path);
    return firstOf([`${base}.py`, `${base}/__init__.py`].filter(files.has));
  }
  const candidates = [`${path}.py`, `${path}/__init__.py`].flatMap(suffix =>
    files.endingWith(suffix).map(found => ({
      found,
      root: found.slice(0, Math.max(0, found.length - suffix.length - 1)),
    })),
  );
  return firstOf(
    candidates
      .filter(({ root }) => isPythonRoot(root, from, path.includes('/'), files))
      .toSorted(
        (one, other) =>
          Number(isAround(other.root, from)) - Number(isAround(one.root, from)) ||
          one.found.length - other.found.length,
      )
      .map(({ found }) => found),
  );
};

function isPythonRoot(root: string, from: string, isDotted: boolean, files: Files) {
  if (root === '') return true;
  if (files.has(`${root}/__init__.py`)) return false;
  if (isDotted || root === folderOf(from)) return true;
  return (
    /(?:^|\/)(?:src|lib|python)$/.test(root) ||
    ['pyproject.toml', 'setup.py', 'setup.cfg'].some(name => files.has(`${root}/${name}`))
  );
}

function isAround(root: string, from: string) {
  return root === '' || from.startsWith(`${root}/`);
}

/** A package is a folder; its tests are no part of it. The standard library has no dot in its first segment. */
const go: Resolve = (_, specifier, files) => {
  const goModules = files.workspaces.goModules();
  if (goModules.length > 0) {
    const module = goModules.find(
      ({ name }) => specifier === name || specifier.startsWith(`${name}/`),
    );
    return module === undefined
      ? []
      : goFiles(join(module.folder, specifier.slice(module.name.length)), files);
  }
  const segments = specifier.split('/').slice(0, 30);
  if (!segments[0]?.includes('.')) return [];
  for (let drop = 1; drop < segments.length; drop += 1) {
    const folder = files.folderNamed(segments.slice(drop).join('/'));
    const found = folder === null ? [] : goFiles(folder, files);
    if (found.length > 0) return found;
  }
  return [];
};

function goFiles(folder: string, files: Files) {
  return files.inFolder(folder).filter(path => path.endsWith('.go') && !path.endsWith('_test.go'));
}

/** Names with separators, whose last segments may name something inside a file, and whose first may be mapped to a folder. */
function byName(separator: RegExp, ending: string, cutsFront: boolean): Resolve {
  return (_, specifier, files) => {
    const segments = specifier
      .split(separator)
      .filter(segment => segment !== '')
      .slice(0, 30);
    for (let end = segments.length; end > 0 && end > segments.length - 3; end -= 1) {
      for (let start = 0; start < (cutsFront ? Math.max(1, end - 1) : 1); start += 1) {
        const [found] = files.endingWith(segments.slice(start, end).join('/') + ending);
        if (found !== undefined) return [found];
      }
    }
    return [];
  };
}

/** Where a manifest maps namespaces to folders, what it does not map is from outside. */
const php: Resolve = (from, specifier, files) => {
  if (/[/.]/.test(specifier)) return near(from, specifier.replace(/^\//, ''), files, ['']);
  const namespaces = files.workspaces.namespaces();
  if (namespaces.length === 0) return byName(/\\/, '.php', true)(from, specifier, files);
  const path = specifier.replaceAll('\\', '/').replace(/^\//, '');
  return firstOf(
    namespaces
      .filter(({ name }) => name === '' || path === name || path.startsWith(`${name}/`))
      .map(({ name, folder }) => `${join(folder, path.slice(name.length))}.php`)
      .filter(files.has),
  );
};

/** On the path of Ruby lie the folders that gems and programs name for it. */
const ruby: Resolve = (from, specifier, files) => {
  const found = near(from, specifier, files, ['.rb', '']);
  if (/^\.{1,2}\//.test(specifier)) return found;
  return found.filter(path => {
    const inside = path.endsWith('.rb') && !specifier.endsWith('.rb') ? 3 : 0;
    const root = path.slice(0, Math.max(0, path.length - inside - specifier.length - 1));
    return (
      root === folderOf(from) ||
      /^$|(?:^|\/)(?:lib|app|ext|test|tests|spec|features)$|(?:^|\/)app\/[^/]+$/.test(root)
    );
  });
};
const include: Resolve = (from, specifier, files) => near(from, specifier, files, ['']);

/** `use a::{b::C, d}` leads to several files. */
const rust: Resolve = (from, specifier, files) => [
  ...new Set(expandUse(specifier).flatMap(path => rustPath(from, path, files))),
];

const mostPaths = 100;

function expandUse(specifier: string) {
  const text = specifier.replace(/\s+/g, ' ').replace(/ as [\w]+/g, '');
  const open = text.indexOf('{');
  if (open === -1) return [text];
  const front = text.slice(0, open);
  const paths: string[] = [];
  let depth = 0;
  let start = open + 1;
  for (let at = open; at < text.length && paths.length < mostPaths; at += 1) {
    const character = text[at];
    if (character === '{') depth += 1;
    else if (character === '}') depth -= 1;
    if ((character === ',' && depth === 1) || (character === '}' && depth === 0)) {
      const part = text.slice(start, at).trim();
      if (part !== '') paths.push(...expandUse(front + part));
      start = at + 1;
    }
  }
  return paths.slice(0, mostPaths);
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
  if (head === 'self') return rustModule(own, rest, files, from);
  if (head === 'super') {
    const ups = segments.findIndex(segment => segment !== 'super');
    const count = ups === -1 ? segments.length : ups;
    const base = join(own, '../'.repeat(count));
    return rustModule(base, segments.slice(count), files, ownerFile(base, files));
  }
  const beside = rustModule(own, segments, files, null);
  if (beside.length > 0 || segments.length === 1) return beside;
  const crate = files.workspaces.crates().find(({ name }) => name === head);
  return crate === undefined ? [] : rustModule(crate.folder, rest, files);
}

/** The deepest file that the segments lead to; the module itself where they name what stands in it. */
function rustModule(
  base: string,
  segments: readonly string[],
  files: Files,
  itself: string | null = ownerFile(base, files),
) {
  for (let end = segments.length; end > 0; end -= 1) {
    const path = join(base, segments.slice(0, end).join('/'));
    const found = [`${path}.rs`, `${path}/mod.rs`].find(files.has);
    if (found !== undefined) return [found];
  }
  return firstOf([itself ?? undefined]);
}

/** The file that holds what a folder of modules shares. */
function ownerFile(folder: string, files: Files) {
  return (
    [join(folder, 'lib.rs'), join(folder, 'mod.rs'), join(folder, 'main.rs'), `${folder}.rs`].find(
      files.has,
    ) ?? null
  );
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
const jvm: Resolve = (from, specifier, files) => {
  for (const ending of ['.java', '.kt', '.scala', '.groovy']) {
    const found = byName(/\./, ending, false)(from, specifier, files);
    if (found.length > 0) return found;
  }
  const folder = files.folderNamed(specifier.replace(/\.[^.]*$/, '').replaceAll('.', '/'));
  return folder === null || !specifier.includes('.')
    ? []
    : files
        .inFolder(folder)
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
      [include, 'c h cc cpp cxx hh hpp hxx'],
    ] as const
  ).flatMap(([resolve, endings]) =>
    endings.split(' ').map((ending): [string, Resolve] => [ending, resolve]),
  ),
);

/** Beside the file first, then anywhere. */
function near(from: string, specifier: string, files: Files, endings: readonly string[]) {
  const beside = endings.map(ending => join(folderOf(from), specifier) + ending).filter(files.has);
  return firstOf([
    ...beside,
    ...endings.map(ending => files.endingWith(specifier.replace(/^(?:\.\.?\/)+/, '') + ending)[0]),
  ]);
}

function lookUp(paths: readonly string[]): Omit<Files, 'workspaces'> {
  const all = new Set(paths);
  const byLast = groupBy(paths, path => path.slice(path.lastIndexOf('/') + 1));
  const byFolder = groupBy(paths, folderOf);
  const foldersByLast = groupBy([...byFolder.keys()], folder =>
    folder.slice(folder.lastIndexOf('/') + 1),
  );
  return {
    has: path => all.has(path),
    endingWith: suffix => matching(byLast, suffix),
    inFolder: folder => byFolder.get(folder) ?? [],
    folderNamed: suffix => matching(foldersByLast, suffix)[0] ?? null,
  };
}

/** Shortest first: the one that is nearest to the top is meant most often. */
function matching(byLastSegment: ReadonlyMap<string, readonly string[]>, suffix: string) {
  const candidates = byLastSegment.get(suffix.slice(suffix.lastIndexOf('/') + 1)) ?? [];
  return candidates
    .slice(0, mostCandidates)
    .filter(path => path === suffix || path.endsWith(`/${suffix}`))
    .toSorted((one, other) => one.length - other.length);
}

function firstOf(candidates: readonly (string | undefined)[]) {
  return candidates.filter(path => path !== undefined).slice(0, 1);
}
