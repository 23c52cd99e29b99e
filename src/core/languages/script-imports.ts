/** Where an import of JavaScript or TypeScript leads: beside the file, by an alias of the compiler, to a package of the workspace. */
import { type Alias, joinPath, type ScriptPackage, type Workspaces } from './workspaces.ts';
import { folderOf } from '../text.ts';

const endings = [
  '',
  '.ts',
  '.tsx',
  '.js',
  '.jsx',
  '.mts',
  '.cts',
  '.mjs',
  '.cjs',
  '.d.ts',
  '.json',
  '.vue',
  '.svelte',
  '/index.ts',
  '/index.tsx',
  '/index.js',
  '/index.jsx',
  '/index.mjs',
];

interface Files {
  readonly has: (path: string) => boolean;
  readonly endingWith: (suffix: string) => readonly string[];
  readonly workspaces: Workspaces;
}

/** A script with declarations beside it offers to typed code what those say. */
export function resolveScriptImport(
  from: string,
  specifier: string,
  files: Files,
): readonly string[] {
  const targets = targetsOf(from, specifier, files);
  if (!/\.[cm]?tsx?$/.test(from)) return targets;
  return targets.flatMap(path => {
    const declared = path.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
    return declared !== path && declared !== from && files.has(declared)
      ? [declared, path]
      : [path];
  });
}

function targetsOf(from: string, specifier: string, files: Files): readonly string[] {
  const bare = specifier.replace(/[?].*$|(?!^)#.*$/s, '');
  if (/^\.{1,2}(?:\/|$)/.test(bare)) return first(fileAt(joinPath(folderOf(from), bare), files));
  const aliased = byAlias(bare, from, files);
  if (aliased !== null) return [aliased];
  const workspace = byPackage(bare, files);
  if (workspace !== null) return workspace;
  if (/^[@~]\//.test(bare))
    return first(
      endings.map(ending => files.endingWith(bare.slice(2) + ending)[0]).find(isThere) ?? null,
    );
  return bare.startsWith('node:') || isInstalled(bare, from, files)
    ? []
    : first(byFolder(bare, files));
}

/** With the endings a compiler tries; the name that a source is compiled to means the source. */
function fileAt(path: string, { has }: Files): string | null {
  const stem = path.replace(/\.(?:d\.)?([cm]?)[jt]sx?$/, '');
  const bases = stem === path ? [path] : [path, stem];
  for (const base of bases)
    for (const ending of endings) {
      const candidate = base + ending;
      if (candidate !== '' && has(candidate)) return candidate;
    }
  return null;
}

/** The alias of the nearest configuration; the longest of its names that fits. */
function byAlias(bare: string, from: string, files: Files): string | null {
  const fitting = files.workspaces
    .aliases()
    .filter(alias => isWithin(from, alias.scope) && fits(bare, alias))
    .toSorted(
      (one, other) =>
        other.scope.length - one.scope.length || other.prefix.length - one.prefix.length,
    );
  for (const { prefix, targets, isOpen } of fitting)
    for (const target of targets) {
      const found = fileAt(isOpen ? target + bare.slice(prefix.length) : target, files);
      if (found !== null) return found;
    }
  return null;
}

function fits(bare: string, { prefix, isOpen }: Alias): boolean {
  return isOpen ? bare.startsWith(prefix) : bare === prefix;
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** Null for a name that no package of the repository has; empty where its sources cannot be told. */
function byPackage(bare: string, files: Files): readonly string[] | null {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(bare)?.[0] ?? '';
  const found = files.workspaces.scripts().find(one => one.name === name);
  if (found === undefined) return null;
  const inner = bare.slice(name.length).replace(/^\//, '');
  return first(sourceOf(inner === '' ? '.' : inner, found, files));
}

/** What a package exports is often built: its source has the same name in another folder. */
function sourceOf(inner: string, { folder, entries }: ScriptPackage, files: Files): string | null {
  const declared = (entries.get(inner) ?? []).flatMap(target => {
    const path = joinPath(target);
    const source = path.replace(/^(?:dist|lib|build|out|es|esm|cjs)\//, '');
    const deeper = source.replace(/^(?:esm|cjs|es|src|node|browser|types)\//, '');
    return [path, `src/${source}`, source, `src/${deeper}`, deeper];
  });
  const guessed =
    inner === '.' ? ['src/index', 'index', 'src/main', 'lib/index'] : [`src/${inner}`, inner];
  // What a build makes may lie there too: the source goes first.
  const candidates = [...declared, ...guessed].toSorted(
    (one, other) => Number(isBuilt(one)) - Number(isBuilt(other)),
  );
  for (const candidate of candidates) {
    const found = fileAt(joinPath(folder, candidate), files);
    if (found !== null) return found;
  }
  return null;
}

function isBuilt(path: string): boolean {
  return /^(?:dist|build|out)\//.test(path);
}

function isInstalled(bare: string, from: string, { workspaces }: Files): boolean {
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(bare)?.[0] ?? '';
  return workspaces
    .scripts()
    .some(({ folder, dependencies }) => isWithin(from, folder) && dependencies.has(name));
}

/** A folder of the project may be named without dots: `@server/models`, `~server/models`, `src/models`. */
function byFolder(bare: string, files: Files): string | null {
  const [top = '', ...rest] = bare.replace(/^[@~#]/, '').split('/');
  const inner = rest.join('/');
  for (const folder of [top, `src/${top}`, `packages/${top}`]) {
    const path = inner === '' ? folder : `${folder}/${inner}`;
    for (const base of folder.startsWith('packages/')
      ? [path, inner === '' ? `${folder}/src/index` : `${folder}/src/${inner}`]
      : [path])
      for (const ending of endings.slice(1)) if (files.has(base + ending)) return base + ending;
  }
  return null;
}

function isThere<Value>(value: Value | undefined): value is Value {
  return value !== undefined;
}

function first(path: string | null): readonly string[] {
  return path === null ? [] : [path];
}
