/** Where an import of JavaScript or TypeScript leads: beside the file, by an alias of the compiler, to a package of the workspace. */
import { joinPath, type ScriptPackage, type Workspaces } from './workspaces.ts';
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
  const target = targetOf(from, specifier.replace(/[?].*$|(?!^)#.*$/s, ''), files);
  if (target === undefined) return [];
  const declared = target.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
  const isDeclared =
    /\.[cm]?tsx?$/.test(from) && declared !== target && declared !== from && files.has(declared);
  return isDeclared ? [declared, target] : [target];
}

function targetOf(from: string, bare: string, files: Files): string | undefined {
  if (/^\.{1,2}(?:\/|$)/.test(bare)) return fileAt([joinPath(folderOf(from), bare)], files);
  const aliased = byAlias(bare, from, files);
  if (aliased !== undefined) return aliased;
  const name = /^(?:@[^/]+\/)?[^/]+/.exec(bare)?.[0] ?? '';
  const packages = files.workspaces.scripts();
  const own = packages.find(one => one.name === name);
  if (own !== undefined)
    return sourceOf(bare.slice(name.length).replace(/^\//, '') || '.', own, files);
  if (/^[@~]\//.test(bare))
    return endings.flatMap(ending => files.endingWith(bare.slice(2) + ending).slice(0, 1))[0];
  const isInstalled = packages.some(
    ({ folder, dependencies }) => isWithin(from, folder) && dependencies.has(name),
  );
  return bare.startsWith('node:') || isInstalled ? undefined : byFolder(bare, files);
}

/** With the endings a compiler tries; the name that a source is compiled to means the source. */
function fileAt(paths: readonly string[], { has }: Files): string | undefined {
  for (const path of paths)
    for (const base of new Set([path, path.replace(/\.(?:d\.)?([cm]?)[jt]sx?$/, '')]))
      for (const ending of endings)
        if (base + ending !== '' && has(base + ending)) return base + ending;
  return undefined;
}

/** The alias of the nearest configuration; the longest of its names that fits. */
function byAlias(bare: string, from: string, files: Files): string | undefined {
  const fitting = files.workspaces
    .aliases()
    .filter(
      ({ scope, prefix, isOpen }) =>
        isWithin(from, scope) && (isOpen ? bare.startsWith(prefix) : bare === prefix),
    )
    .toSorted(
      (one, other) =>
        other.scope.length - one.scope.length || other.prefix.length - one.prefix.length,
    );
  return fileAt(
    fitting.flatMap(({ prefix, targets, isOpen }) =>
      targets.map(target => (isOpen ? target + bare.slice(prefix.length) : target)),
    ),
    files,
  );
}

function isWithin(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** What a package exports is often built: its source has the same name in another folder. */
function sourceOf(
  inner: string,
  { folder, entries }: ScriptPackage,
  files: Files,
): string | undefined {
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
    (one, other) => Number(built.test(one)) - Number(built.test(other)),
  );
  return fileAt(
    candidates.map(path => joinPath(folder, path)),
    files,
  );
}

const built = /^(?:dist|build|out)\//;

/** A folder of the project may be named without dots: `@server/models`, `~server/models`, `src/models`. */
function byFolder(bare: string, { has }: Files): string | undefined {
  const [top = '', ...rest] = bare.replace(/^[@~#]/, '').split('/');
  const inner = rest.map(segment => `/${segment}`).join('');
  return [
    `${top}${inner}`,
    `src/${top}${inner}`,
    `packages/${top}${inner}`,
    `packages/${top}/src${inner === '' ? '/index' : inner}`,
  ]
    .flatMap(base => endings.slice(1).map(ending => base + ending))
    .find(has);
}
