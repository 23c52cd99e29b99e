/** What the import statements of a file bring in: which statement a name comes from, and which definition it leads to. */
import type { Definition, Import } from '../../words/code-index.ts';
import { isTypeLike, ownerOf } from './members.ts';
import { type Place, type Site, unknown } from './place.ts';
import type { CodeView } from './references.ts';

/** The import of a file that brings in a name; `lines` are those of the file, empty where they are not at hand. */
export function importOf(
  name: string,
  { path, view, lines }: Pick<Site, 'path' | 'view' | 'lines'>,
): Import | null {
  const imports = bringsNoName.test(path) ? [] : view.importsOf(path);
  if (imports.length === 0) return null;
  const named = new Set([
    ...view.linesUsing(path, name),
    ...(view.bindingsOf(path, name) ?? []).map(({ line }) => line),
    ...view
      .definitionsIn(path)
      .filter(one => one.name === name && one.kind === 'constant')
      .map(({ startLine }) => startLine),
  ]);
  for (const one of imports)
    for (let line = one.startLine; line <= one.endLine; line += 1)
      if (named.has(line) && (lines[line - 1] ?? name).includes(name) && bringsIn(one, name))
        return one;
  return imports.find(one => packageNames(one, lines).includes(name)) ?? null;
}

/** A file that is loaded offers all it has, and its names stand nowhere in the statement. */
const bringsNoName = /\.(?:rb|rake|c|h|cc|cpp|cxx|hpp|hh|hxx)$/;

/** Of a path of names only the last one is brought in. */
function bringsIn({ path, specifier }: Import, name: string): boolean {
  if (path.endsWith('.py')) return !specifier.split('.').includes(name);
  if (!/\.(?:java|kts?|scala|cs|php)$/.test(path)) return true;
  const segments = specifier.split(/[.\\]/);
  return segments.at(-1) === name || !segments.includes(name);
}

/** What Go and Python call a package that is imported as a whole. */
function packageNames({ path, specifier, line }: Import, lines: readonly string[]): string[] {
  if (path.endsWith('.go')) {
    const alias = /^\s*(?:import\s+)?([\p{L}_][\p{L}\p{N}_]*)\s+"/u.exec(
      lines[line - 1] ?? '',
    )?.[1];
    if (alias !== undefined && alias !== 'import') return [alias];
    const segments = specifier.split('/').filter(segment => !/^v\d+$/.test(segment));
    const last = (segments.at(-1) ?? '').replace(/\.v\d+$/, '');
    return [
      last,
      last.replace(/^go-/, ''),
      last.replace(/-go$/, ''),
      last.replaceAll('-', ''),
      last.replaceAll('-', '_'),
      ...last.split(/[-.]/),
    ];
  }
  if (path.endsWith('.py'))
    return /^\s*from\b/.test(lines[line - 1] ?? '') ? [] : [specifier.split('.')[0] ?? ''];
  if (/\.(?:java|kts?|scala|php|cs)$/.test(path)) return [specifier.split(/[.\\]/).at(-1) ?? ''];
  return [];
}

export function throughImport(name: string, imported: Import, site: Site): Place {
  const { view, lines } = site;
  // `import a.b` brings in `a`.
  if (imported.path.endsWith('.py') && imported.specifier.startsWith(`${name}.`)) {
    const targets = view.leadsTo(imported.path, name);
    if (targets.length > 0) return { kind: 'module', targets };
  }
  if (imported.targets.length === 0) return leadsNowhere(imported);
  const original = originalName(name, imported, lines);
  const module = innerModule(original, imported.targets, view);
  if (module !== null && imported.path.endsWith('.py'))
    return { kind: 'module', targets: [module] };
  const found = exportedFrom(original, imported.targets, view);
  if (found !== null) return { kind: 'definition', definition: found };
  if (module !== null) return { kind: 'module', targets: [module] };
  if (isWholeModule(name, imported, lines)) return { kind: 'module', targets: imported.targets };
  const [target] = imported.targets;
  const exported = target === undefined ? null : defaultExportOf(target, view);
  if (exported !== null) return { kind: 'definition', definition: exported };
  // The name is given by the importer to whatever the file exports.
  return target === undefined ? { kind: 'external' } : { kind: 'file', path: target, name };
}

/** A path within the project that leads to no file: made by a build, not there, or of a file whose name is not to be told. */
function leadsNowhere({ specifier, path, line }: Import): Place {
  if (/(?:^|\/)(?:vendor|third[-_]party|node_modules)\//.test(specifier))
    return { kind: 'external' };
  const isInside =
    /^\.{1,2}(?:\/|$)|^[@~]\/|^#/.test(specifier) ||
    (path.endsWith('.py') && specifier.startsWith('.')) ||
    (path.endsWith('.rs') && /^(?:crate|self|super)\b/.test(specifier));
  return isInside ? unknown(`its import leads to no file (line ${line})`) : { kind: 'external' };
}

/** A module of its own below others: `from package import module`, `crate::module`, also where another module passes it on. */
export function innerModule(
  name: string,
  targets: readonly string[],
  view: CodeView,
): string | null {
  const seen = new Set(targets);
  for (let front = targets, depth = 0; depth < 3 && front.length > 0; depth += 1) {
    for (const target of front) {
      const found = moduleBelow(name, target, view);
      if (found !== undefined && found !== target) return found;
    }
    front = front
      .filter(path => path.endsWith('.rs'))
      .flatMap(path => view.importsOf(path).filter(one => passesAll(one, view)))
      .flatMap(one => one.targets)
      .filter(path => !seen.has(path));
    for (const path of front) seen.add(path);
  }
  return null;
}

function moduleBelow(name: string, target: string, view: CodeView): string | undefined {
  if (target.endsWith('.rs')) return view.leadsTo(target, `self::${name}`)[0];
  if (!target.endsWith('__init__.py')) return undefined;
  const base = target.slice(0, -'__init__.py'.length) + name;
  return [`${base}.py`, `${base}/__init__.py`].find(view.has);
}

/** What files offer under a name, themselves or by passing it on. */
export function exportedFrom(
  name: string,
  targets: readonly string[],
  view: CodeView,
): Definition | null {
  const candidates = view
    .definitionsOf(name)
    .filter(one => one.kind !== 'field' && one.kind !== 'test' && one.kind !== 'extension');
  if (candidates.length === 0) return null;
  const among = (paths: ReadonlySet<string>): Definition | null => {
    const there = candidates.filter(({ path }) => paths.has(path));
    const alone = there.filter(one => ownerOf(one, view) === null);
    // `exports.run = run` only passes on what stands beside it.
    return (
      alone.find(({ kind }) => kind !== 'constant') ??
      alone[0] ??
      there.find(isTypeLike) ??
      there[0] ??
      null
    );
  };
  const seen = new Set(targets);
  let front: ReadonlySet<string> = seen;
  for (let depth = 0; depth < 4 && front.size > 0; depth += 1) {
    const found = among(front);
    if (found !== null) return found;
    const next = [...front].flatMap(path => passedOn(path, name, view));
    front = new Set(next.filter(path => !seen.has(path)).slice(0, 500));
    for (const path of front) seen.add(path);
  }
  return null;
}

/** Where a file has the name from: statements that say it, and those that pass on everything. */
function passedOn(path: string, name: string, view: CodeView): readonly string[] {
  if (/\.(?:go|java|kts?|php|cs)$/.test(path)) return [];
  return view
    .importsOf(path)
    .filter(one => saysName(one, name, view) || passesAll(one, view))
    .flatMap(({ targets }) => targets);
}

function saysName({ path, startLine, endLine }: Import, name: string, view: CodeView): boolean {
  return view.linesUsing(path, name).some(line => startLine <= line && line <= endLine);
}

function passesAll({ path, specifier, startLine, endLine }: Import, view: CodeView): boolean {
  if (/\.(?:rb|c|h|cc|cpp|cxx|hpp|hh|hxx)$/.test(path)) return true;
  if (path.endsWith('.rs')) return specifier.includes('*');
  const words = new Set(specifier.split(/[^\p{L}\p{N}_$]+/u));
  for (let line = startLine; line <= endLine; line += 1)
    if (view.namesOn(path, line).some(name => !words.has(name) && name !== 'require')) return false;
  return true;
}

/** `import { a as name }`, `from x import a as name`, `{ a: name } = require(…)`. */
function originalName(
  name: string,
  { startLine, endLine }: Import,
  lines: readonly string[],
): string {
  const text = lines.slice(startLine - 1, Math.min(endLine, startLine + 200)).join('\n');
  if (!/\bas\b|:\s/.test(text)) return name;
  const escaped = name.replaceAll('$', '\\$');
  return (
    new RegExp(
      `([\\p{L}_$][\\p{L}\\p{N}_$]*)(?:\\s+as\\s+|\\s*:\\s+)${escaped}(?![\\p{L}\\p{N}_$])`,
      'u',
    ).exec(text)?.[1] ?? name
  );
}

function isWholeModule(
  name: string,
  { path, specifier, startLine, endLine }: Import,
  lines: readonly string[],
): boolean {
  const text = lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .slice(0, 5_000);
  if (/\.(?:go|java|kt|scala|rb|c|h|cc|cpp|hpp)$/.test(path)) return true;
  if (path.endsWith('.py')) return /^\s*import\s/.test(text) || !specifier.endsWith(`.${name}`);
  return (
    text.includes('*') ||
    /\brequire\s*\(/.test(text) ||
    path.endsWith('.rs') ||
    path.endsWith('.php')
  );
}

/** What it says to export, or the one thing at its top. */
function defaultExportOf(path: string, view: CodeView): Definition | null {
  const definitions = view.definitionsIn(path);
  return (
    definitions.find(({ signature }) => signature.includes('export default')) ??
    definitions.find(({ kind }) => kind === 'class' || kind === 'function') ??
    null
  );
}
