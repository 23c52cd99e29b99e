/**
 * Which files of a repository an import leads to, from the names of its files alone. Rules of the languages, not of their
 * configuration: an alias that only a configuration explains stays unresolved, as a package from outside does.
 */

export type ImportResolver = (from: string, specifier: string) => readonly string[];

/** Files looked at for one import; more of one name tell nothing. */
const mostCandidates = 200;

const scriptEndings = [
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
  /** Paths that end with these segments, shortest first. */
  readonly endingWith: (suffix: string) => readonly string[];
  readonly inFolder: (folder: string) => readonly string[];
  readonly folderNamed: (suffix: string) => string | null;
}

export function createImportResolver(paths: readonly string[]): ImportResolver {
  const files = lookUp(paths);
  return (from, specifier) => {
    const resolve = resolvers[/\.([A-Za-z]+)$/.exec(from)?.[1]?.toLowerCase() ?? ''];
    return (resolve?.(from, specifier.trim(), files) ?? []).filter(path => path !== from);
  };
}

type Resolve = (from: string, specifier: string, files: Files) => readonly string[];

const script: Resolve = (from, specifier, files) => {
  const bare = specifier.replace(/[?#].*$/s, '');
  if (/^[@~]\//.test(bare))
    return firstOf(scriptEndings.map(ending => files.endingWith(bare.slice(2) + ending)[0]));
  if (!bare.startsWith('.')) return aliased(bare, files);
  const target = join(folderOf(from), bare);
  const stem = target.replace(/\.[cm]?jsx?$/, '');
  return firstOf(
    [target, ...(stem === target ? [] : [stem])]
      .flatMap(base => scriptEndings.map(ending => base + ending))
      .filter(files.has),
  );
};

/** A folder of the project may be named without dots: `@server/models`, `~server/models`, `src/models`, or a package of a workspace. */
function aliased(bare: string, files: Files): readonly string[] {
  const [first = '', ...rest] = bare.replace(/^[@~#]/, '').split('/');
  const inner = rest.join('/');
  const folders = [
    first,
    `src/${first}`,
    `packages/${first}`,
    ...(bare.startsWith('@') && rest.length > 0 ? [`packages/${rest[0] ?? ''}`] : []),
  ];
  const deeper = rest.slice(1).join('/');
  return firstOf(
    folders
      .flatMap((folder, index) => {
        const path = index === 3 ? deeper : inner;
        return [
          path === '' ? folder : `${folder}/${path}`,
          ...(folder.startsWith('packages/')
            ? [path === '' ? `${folder}/src/index` : `${folder}/src/${path}`]
            : []),
        ].flatMap(base => scriptEndings.slice(1).map(ending => base + ending));
      })
      .filter(files.has),
  );
}

const python: Resolve = (from, specifier, files) => {
  const dots = /^\.*/.exec(specifier)?.[0].length ?? 0;
  const path = specifier.slice(dots).replaceAll('.', '/');
  if (dots > 0) {
    const base = join(folderOf(from), dots > 1 ? '../'.repeat(dots - 1) : '.', path);
    return firstOf([`${base}.py`, `${base}/__init__.py`].filter(files.has));
  }
  return firstOf([...files.endingWith(`${path}.py`), ...files.endingWith(`${path}/__init__.py`)]);
};

/** A package is a folder; its tests are no part of it. The standard library has no dot in its first segment. */
const go: Resolve = (_, specifier, files) => {
  const segments = specifier.split('/').slice(0, 30);
  if (!segments[0]?.includes('.')) return [];
  for (let drop = 1; drop < segments.length; drop += 1) {
    const folder = files.folderNamed(segments.slice(drop).join('/'));
    const found =
      folder === null
        ? []
        : files.inFolder(folder).filter(path => path.endsWith('.go') && !path.endsWith('_test.go'));
    if (found.length > 0) return found;
  }
  return [];
};

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

const php: Resolve = (from, specifier, files) =>
  /[/.]/.test(specifier)
    ? near(from, specifier.replace(/^\//, ''), files, [''])
    : byName(/\\/, '.php', true)(from, specifier, files);
const ruby: Resolve = (from, specifier, files) => near(from, specifier, files, ['.rb', '']);
const include: Resolve = (from, specifier, files) => near(from, specifier, files, ['']);

const rust: Resolve = (from, specifier, files) => {
  const folder = folderOf(from);
  const own = /(?:^|\/)(?:mod|lib|main)\.rs$/.test(from) ? folder : from.replace(/\.rs$/, '');
  const segments = specifier
    .replace(/[{*].*$/s, '')
    .replace(/ as .*$/s, '')
    .split('::')
    .map(segment => segment.trim())
    .filter(segment => segment !== '');
  if (segments.length === 1)
    return firstOf(
      [`${join(own, segments[0] ?? '')}.rs`, `${join(own, segments[0] ?? '')}/mod.rs`].filter(
        files.has,
      ),
    );
  if (!/^(?:crate|self|super)$/.test(segments[0] ?? '')) return [];
  const rest = segments.filter(segment => !/^(?:crate|self|super)$/.test(segment)).join('::');
  return [
    ...byName(/::/, '.rs', false)(from, rest, files),
    ...byName(/::/, '/mod.rs', false)(from, rest, files),
  ].slice(0, 1);
};

const java = byName(/\./, '.java', false);

const resolvers: Readonly<Record<string, Resolve>> = {
  js: script,
  mjs: script,
  cjs: script,
  jsx: script,
  ts: script,
  mts: script,
  cts: script,
  tsx: script,
  vue: script,
  svelte: script,
  py: python,
  go,
  java,
  kt: java,
  scala: java,
  php,
  rb: ruby,
  rake: ruby,
  rs: rust,
  c: include,
  h: include,
  cc: include,
  cpp: include,
  cxx: include,
  hh: include,
  hpp: include,
  hxx: include,
};

/** Beside the file first, then anywhere. */
function near(
  from: string,
  specifier: string,
  files: Files,
  endings: readonly string[],
): readonly string[] {
  const beside = endings.map(ending => join(folderOf(from), specifier) + ending).filter(files.has);
  return firstOf([
    ...beside,
    ...endings.map(ending => files.endingWith(specifier.replace(/^(?:\.\.?\/)+/, '') + ending)[0]),
  ]);
}

function lookUp(paths: readonly string[]): Files {
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
function matching(byLastSegment: ReadonlyMap<string, readonly string[]>, suffix: string): string[] {
  const candidates = byLastSegment.get(suffix.slice(suffix.lastIndexOf('/') + 1)) ?? [];
  return candidates
    .slice(0, mostCandidates)
    .filter(path => path === suffix || path.endsWith(`/${suffix}`))
    .toSorted((one, other) => one.length - other.length);
}

function groupBy(
  values: readonly string[],
  keyOf: (value: string) => string,
): ReadonlyMap<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group === undefined) groups.set(keyOf(value), [value]);
    else group.push(value);
  }
  return groups;
}

function firstOf(candidates: readonly (string | undefined)[]): readonly string[] {
  return candidates.filter(path => path !== undefined).slice(0, 1);
}

function folderOf(path: string): string {
  return path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
}

/** Above the top there is nothing: such a path stays relative and matches no file. */
function join(...parts: readonly string[]): string {
  const segments: string[] = [];
  for (const segment of parts.join('/').split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..' && segments.length > 0 && segments.at(-1) !== '..') segments.pop();
    else segments.push(segment);
  }
  return segments.join('/');
}
