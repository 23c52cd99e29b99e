/** Where an import of JavaScript or TypeScript leads: beside the file, by an alias of the compiler, to a package of the workspace. */
import { by } from '../groups.ts';
import { parseJson } from '../json.ts';
import { folderOf } from '../text.ts';

const endings = [
  '',
  ...(
    '.ts .tsx .js .jsx .mts .cts .mjs .cjs .d.ts .json .vue .svelte ' +
    '/index.ts /index.tsx /index.js /index.jsx /index.mjs'
  ).split(' '),
];

/** The files of a repository, by their names. */
export interface Files {
  readonly has: (path: string) => boolean;
  /** Paths that end with these segments, shortest first. */
  readonly endingWith: (suffix: string) => readonly string[];
  readonly inFolder: (folder: string) => readonly string[];
  readonly foldersNamed: (suffix: string) => readonly string[];
  readonly workspaces: ReturnType<typeof readWorkspaces>;
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

function targetOf(from: string, bare: string, files: Files) {
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
function fileAt(paths: readonly string[], { has }: Files) {
  return paths
    .flatMap(path => [path, path.replace(/\.(?:d\.)?([cm]?)[jt]sx?$/, '')])
    .flatMap(base => endings.map(ending => base + ending))
    .find(has);
}

/** The alias of the nearest configuration; the longest of its names that fits. */
function byAlias(bare: string, from: string, files: Files) {
  const fitting = files.workspaces
    .aliases()
    .filter(
      ({ scope, name, isOpen }) =>
        isWithin(from, scope) && (isOpen ? bare.startsWith(name) : bare === name),
    )
    .toSorted(by(({ scope }) => -scope.length));
  return fileAt(
    fitting.flatMap(({ name, targets }) => targets.map(target => target + bare.slice(name.length))),
    files,
  );
}

export function isWithin(path: string, folder: string) {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** What a package exports is often built: its source has the same name in another folder. */
function sourceOf(inner: string, { folder, entries }: ScriptPackage, files: Files) {
  const declared = entries
    .filter(({ key }) => key === inner)
    .flatMap(({ target }) => {
      const path = joinPath(target);
      const source = path.replace(/^(?:dist|lib|build|out|es|esm|cjs)\//, '');
      const deeper = source.replace(/^(?:esm|cjs|es|src|node|browser|types)\//, '');
      return [path, `src/${source}`, source, `src/${deeper}`, deeper];
    });
  const guessed =
    inner === '.' ? ['src/index', 'index', 'src/main', 'lib/index'] : [`src/${inner}`, inner];
  // What a build makes may lie there too: the source goes first.
  const candidates = [...declared, ...guessed].toSorted(by(path => built.test(path)));
  return fileAt(
    candidates.map(path => joinPath(folder, path)),
    files,
  );
}

const built = /^(?:dist|build|out)\//;

/** A folder of the project may be named without dots: `@server/models`, `~server/models`, `src/models`. */
function byFolder(bare: string, { has }: Files) {
  const path = bare.replace(/^[@~#]/, '');
  const inner = path.includes('/') ? path : `${path}/index`;
  return [path, `src/${path}`, `packages/${path}`, `packages/${inner.replace('/', '/src/')}`]
    .flatMap(base => endings.slice(1).map(ending => base + ending))
    .find(has);
}

// What the manifests of a repository say about its own packages: their names and where their sources lie. Read as plain data;
// nothing of it is run. A manifest that cannot be read says nothing.

/** A name that imports begin with, and the folder its sources lie in. */
export interface Package {
  readonly name: string;
  readonly folder: string;
}

/** What the configuration of a compiler maps: `@app/*` to `src/app/*`. */
interface Alias {
  /** Folder whose files the alias holds for. */
  readonly scope: string;
  /** Up to a `*`, where there is one. */
  readonly name: string;
  readonly isOpen: boolean;
  /** Paths from the top of the repository, up to the `*`. */
  readonly targets: readonly string[];
}

interface ScriptPackage extends Package {
  /** Where an import of the package, or of a path in it, leads; `key`: the path, `.` for the package itself. */
  readonly entries: readonly { readonly key: string; readonly target: string }[];
  /** Packages that are installed, by name. */
  readonly dependencies: ReadonlySet<string>;
}

const mostManifests = 5_000;

/** Each part is read when it is first asked for, the longest name first. `given`: text of a file; null where there is none. */
export function readWorkspaces(paths: readonly string[], given: (path: string) => string | null) {
  const textOf = (path: string) => given(path) ?? '';
  const each = <Found extends { readonly name: string }>(
    name: RegExp,
    read: (text: string, folder: string, path: string) => readonly Found[],
  ) => {
    let known: readonly Found[] | undefined;
    return () =>
      (known ??= paths
        .filter(path => name.test(path))
        .slice(0, mostManifests)
        .flatMap(path => read(textOf(path), folderOf(path), path))
        .toSorted(by(one => -one.name.length)));
  };
  return {
    scripts: each(/(?:^|\/)package\.json$/, scriptPackage),
    /** Also the `imports` of a package: names that begin with `#`. */
    aliases: each(/(?:^|\/)[jt]sconfig[^/]*\.json$|(?:^|\/)package\.json$/, (text, folder, path) =>
      path.endsWith('package.json')
        ? toAliases(asObject(readObject(text)['imports']), folder, folder)
        : compilerAliases(path, textOf),
    ),
    /** Modules of Go. */
    goModules: each(/(?:^|\/)go\.mod$/, (text, folder) => {
      const name = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
      return name === undefined ? [] : [{ name, folder }];
    }),
    /** Crates, named as code names them. */
    crates: each(/(?:^|\/)Cargo\.toml$/, crate),
    /** Namespaces of PHP with `/` for `\`. */
    namespaces: each(/(?:^|\/)composer\.json$/, composerNamespaces),
  };
}

type Plain = Readonly<Record<string, unknown>>;

/** Empty for what is no object. Comments and commas too many are allowed: compilers do. */
function readObject(text: string) {
  const strict = text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, '$1');
  return asObject(parseJson(strict));
}

function asObject(value: unknown): Plain {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Plain)
    : {};
}

function scriptPackage(text: string, folder: string): ScriptPackage[] {
  const manifest = readObject(text);
  const exported = asObject(manifest['exports']);
  const byPath = Object.keys(exported).some(key => key.startsWith('.'))
    ? Object.entries(exported)
    : [['.', manifest['exports']] as const];
  const main = ['source', 'types', 'typings', 'module', 'main'].map(
    key => ['.', manifest[key]] as const,
  );
  return [
    {
      name: textsIn(manifest['name'])[0] ?? '',
      folder,
      entries: [...byPath, ...main].flatMap(([key, value]) =>
        textsIn(value).map(target => ({ key: key.replace(/^\.\//, ''), target })),
      ),
      dependencies: new Set(
        ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
          key => Object.keys(asObject(manifest[key])),
        ),
      ),
    },
  ];
}

/** Every text in the conditions of an export. */
function textsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > 5) return [];
  return Object.values(value).flatMap(inner => textsIn(inner, depth + 1));
}

const mostExtended = 4;

/** `compilerOptions.paths` and `baseUrl`, also of a configuration that this one extends. */
function compilerAliases(path: string, textOf: (path: string) => string): Alias[] {
  const scope = folderOf(path);
  let at = path;
  for (let depth = 0; depth < mostExtended && at !== ''; depth += 1) {
    const configuration = readObject(textOf(at));
    const options = asObject(configuration['compilerOptions']);
    const folder = folderOf(at);
    const bases = textsIn(options['baseUrl']).slice(0, 1);
    const from = joinPath(folder, ...bases);
    const open = bases.map(() => ({ scope, name: '', isOpen: true, targets: [slashed(from)] }));
    if (options['paths'] !== undefined || open.length > 0)
      return [...toAliases(asObject(options['paths']), scope, from), ...open];
    const [parent = ''] = textsIn(configuration['extends']);
    at = parent.startsWith('.') ? joinPath(folder, parent.replace(/(?:\.json)?$/, '.json')) : '';
  }
  return [];
}

function toAliases(mapped: Plain, scope: string, from: string): Alias[] {
  return Object.entries(mapped).map(([name, value]) => ({
    scope,
    name: name.replace(/\*.*$/, ''),
    isOpen: name.includes('*'),
    targets: textsIn(value).map(target => {
      const open = target.replace(/\*.*$/, '');
      const path = joinPath(from, open);
      return open.endsWith('/') ? slashed(path) : path;
    }),
  }));
}

function slashed(folder: string) {
  return folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
}

/** The name of a crate is that of its library, or of its package with `_` for `-`. */
function crate(text: string, top: string): Package[] {
  const own = sectionOf(text, 'package');
  const library = sectionOf(text, 'lib');
  const name = valueOf(library, 'name') ?? valueOf(own, 'name');
  if (name === null) return [];
  const root = valueOf(library, 'path') ?? 'src/lib.rs';
  return [{ name: name.replaceAll('-', '_'), folder: joinPath(top, folderOf(root)) }];
}

function sectionOf(text: string, name: string) {
  const begin = new RegExp(`^\\s*\\[${name}\\]\\s*$`, 'm').exec(text);
  if (begin === null) return '';
  return text.slice(begin.index + begin[0].length).split(/^\s*\[/m, 1)[0] ?? '';
}

function valueOf(section: string, key: string) {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, 'm').exec(section)?.[1] ?? null;
}

function composerNamespaces(text: string, top: string): Package[] {
  const manifest = readObject(text);
  return ['autoload', 'autoload-dev'].flatMap(key => {
    const loaded = asObject(manifest[key]);
    return ['psr-4', 'psr-0'].flatMap(manner =>
      Object.entries(asObject(loaded[manner])).flatMap(([name, folders]) =>
        textsIn(folders).map(folder => ({
          name: manner === 'psr-4' ? name.replaceAll('\\', '/').replace(/\/$/, '') : '',
          folder: joinPath(top, folder),
        })),
      ),
    );
  });
}

/** Above the top there is nothing: such a path stays relative and matches no file. */
export function joinPath(...parts: readonly string[]) {
  const segments: string[] = [];
  for (const segment of parts.join('/').split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  return segments.join('/');
}
