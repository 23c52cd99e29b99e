/** Where an import of JavaScript or TypeScript leads: beside the file, by an alias of the compiler, to a package of the workspace. */
import { folderOf } from '../text.ts';
import { parseJson } from '../json.ts';

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
  readonly folderNamed: (suffix: string) => string | null;
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
  for (const path of paths)
    for (const base of new Set([path, path.replace(/\.(?:d\.)?([cm]?)[jt]sx?$/, '')]))
      for (const ending of endings)
        if (base + ending !== '' && has(base + ending)) return base + ending;
  return undefined;
}

/** The alias of the nearest configuration; the longest of its names that fits. */
function byAlias(bare: string, from: string, files: Files) {
  const fitting = files.workspaces
    .aliases()
    .filter(
      ({ scope, name, isOpen }) =>
        isWithin(from, scope) && (isOpen ? bare.startsWith(name) : bare === name),
    )
    .toSorted((one, other) => other.scope.length - one.scope.length);
  return fileAt(
    fitting.flatMap(({ name, targets, isOpen }) =>
      targets.map(target => (isOpen ? target + bare.slice(name.length) : target)),
    ),
    files,
  );
}

function isWithin(path: string, folder: string) {
  return folder === '' || path.startsWith(`${folder}/`);
}

/** What a package exports is often built: its source has the same name in another folder. */
function sourceOf(inner: string, { folder, entries }: ScriptPackage, files: Files) {
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
function byFolder(bare: string, { has }: Files) {
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

// What the manifests of a repository say about its own packages: their names and where their sources lie. Read as plain data;
// nothing of it is run. A manifest that cannot be read says nothing.

/** A name that imports begin with, and the folder its sources lie in. */
interface Package {
  readonly name: string;
  readonly folder: string;
}

/** Text of a file of the repository; null where there is none. */
type TextOf = (path: string) => string | null;

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
  /** Where an import of the package, or of a path in it, leads: by the path, `.` for the package itself. */
  readonly entries: ReadonlyMap<string, readonly string[]>;
  /** Packages that are installed, by name. */
  readonly dependencies: ReadonlySet<string>;
}

const mostManifests = 5_000;

/** Each part is read when it is first asked for, the longest name first. */
export function readWorkspaces(paths: readonly string[], textOf: TextOf) {
  const each = <Found extends { readonly name: string }>(
    name: RegExp,
    read: (path: string, textOf: TextOf) => readonly Found[],
  ) =>
    lazily(() =>
      paths
        .filter(path => name.test(path))
        .slice(0, mostManifests)
        .flatMap(path => read(path, textOf))
        .toSorted((one, other) => other.name.length - one.name.length),
    );
  return {
    scripts: each(/(?:^|\/)package\.json$/, scriptPackage),
    aliases: each(/(?:^|\/)[jt]sconfig[^/]*\.json$|(?:^|\/)package\.json$/, path =>
      path.endsWith('package.json') ? innerAliases(path, textOf) : compilerAliases(path, textOf),
    ),
    /** Modules of Go. */
    goModules: each(/(?:^|\/)go\.mod$/, path => {
      const name = /^\s*module\s+"?([^\s"]+)/m.exec(textOf(path) ?? '')?.[1];
      return name === undefined ? [] : [{ name, folder: folderOf(path) }];
    }),
    /** Crates, named as code names them. */
    crates: each(/(?:^|\/)Cargo\.toml$/, crate),
    /** Namespaces of PHP with `/` for `\`. */
    namespaces: each(/(?:^|\/)composer\.json$/, composerNamespaces),
  };
}

function lazily<Value>(read: () => Value) {
  let known: { value: Value } | null = null;
  return () => (known ??= { value: read() }).value;
}

type Plain = Readonly<Record<string, unknown>>;

/** Null for what is no object. Comments and commas too many are allowed: compilers do. */
function readObject(text: string | null) {
  if (text === null) return null;
  const strict = text
    .replace(/("(?:[^"\\\n]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/("(?:[^"\\\n]|\\.)*")|,(?=\s*[}\]])/g, '$1');
  return asObject(parseJson(strict));
}

function asObject(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Plain)
    : null;
}

function scriptPackage(path: string, textOf: TextOf): ScriptPackage[] {
  const manifest = readObject(textOf(path));
  if (manifest === null) return [];
  const entries = new Map<string, string[]>();
  const add = (key: string, value: unknown): void =>
    void entries.set(key, [...(entries.get(key) ?? []), ...textsIn(value)]);
  const exported = asObject(manifest['exports']);
  if (exported !== null && Object.keys(exported).some(key => key.startsWith('.')))
    for (const [key, value] of Object.entries(exported)) add(key.replace(/^\.\//, ''), value);
  else add('.', manifest['exports']);
  for (const key of ['source', 'types', 'typings', 'module', 'main']) add('.', manifest[key]);
  return [
    {
      name: textsIn(manifest['name'])[0] ?? '',
      folder: folderOf(path),
      entries,
      dependencies: new Set(
        ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'].flatMap(
          key => Object.keys(asObject(manifest[key]) ?? {}),
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

/** `imports` of a package: names that begin with `#`. */
function innerAliases(path: string, textOf: TextOf): Alias[] {
  const imports = asObject(readObject(textOf(path))?.['imports']);
  return imports === null ? [] : toAliases(imports, folderOf(path), folderOf(path));
}

const mostExtended = 4;

/** `compilerOptions.paths` and `baseUrl`, also of a configuration that this one extends. */
function compilerAliases(path: string, textOf: TextOf): Alias[] {
  const scope = folderOf(path);
  let at: string | null = path;
  for (let depth = 0; depth < mostExtended && at !== null; depth += 1) {
    const configuration = readObject(textOf(at));
    const options = asObject(configuration?.['compilerOptions']);
    const folder = folderOf(at);
    const [base] = textsIn(options?.['baseUrl']);
    const from = joinPath(folder, base ?? '');
    const mapped = asObject(options?.['paths']);
    if (mapped !== null || base !== undefined)
      return [
        ...(mapped === null ? [] : toAliases(mapped, scope, from)),
        ...(base === undefined
          ? []
          : [{ scope, name: '', isOpen: true, targets: [slashed(from)] }]),
      ];
    const [parent = ''] = textsIn(configuration?.['extends']);
    at = parent.startsWith('.')
      ? joinPath(folder, parent.endsWith('.json') ? parent : `${parent}.json`)
      : null;
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
function crate(path: string, textOf: TextOf): Package[] {
  const text = textOf(path) ?? '';
  const own = sectionOf(text, 'package');
  const library = sectionOf(text, 'lib');
  const name = valueOf(library, 'name') ?? valueOf(own, 'name');
  if (name === null) return [];
  const root = valueOf(library, 'path') ?? 'src/lib.rs';
  return [{ name: name.replaceAll('-', '_'), folder: joinPath(folderOf(path), folderOf(root)) }];
}

function sectionOf(text: string, name: string) {
  const begin = new RegExp(`^\\s*\\[${name}\\]\\s*$`, 'm').exec(text);
  if (begin === null) return '';
  const rest = text.slice(begin.index + begin[0].length);
  return rest.split(/^\s*\[/m, 1)[0] ?? '';
}

function valueOf(section: string, key: string) {
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"']+)["']`, 'm').exec(section)?.[1] ?? null;
}

function composerNamespaces(path: string, textOf: TextOf): Package[] {
  const manifest = readObject(textOf(path));
  return ['autoload', 'autoload-dev'].flatMap(key => {
    const loaded = asObject(manifest?.[key]);
    return ['psr-4', 'psr-0'].flatMap(manner =>
      Object.entries(asObject(loaded?.[manner]) ?? {}).flatMap(([name, folders]) =>
        textsIn(folders).map(folder => ({
          name: manner === 'psr-4' ? name.replaceAll('\\', '/').replace(/\/$/, '') : '',
          folder: joinPath(folderOf(path), folder),
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
