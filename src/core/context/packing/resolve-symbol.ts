/** Finds where a referenced name is defined: around it, in its file, where an import leads, or outside of the project. */
import type { Definition, Import } from '../../words/code-index.ts';
import { type CodeView, declares, headerEnd, isParameter, type SymbolUse } from './references.ts';

export interface Found {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly name: string;
  /** `local`: in the same function or class. `file`: beside it. `project`: in another file. */
  readonly where: 'local' | 'file' | 'project';
}

export type Resolution =
  | { readonly kind: 'found'; readonly at: Found }
  /** Built in, or from a package outside. */
  | { readonly kind: 'external' }
  /** The name of an imported file or package of the project: what is taken from it is a name of its own. */
  | { readonly kind: 'module' }
  | { readonly kind: 'unknown'; readonly reason: string };

const external: Resolution = { kind: 'external' };

export function resolveSymbol(
  use: SymbolUse,
  view: CodeView,
  lines: readonly string[],
): Resolution {
  const named = specifierWith(use, view);
  if (named !== undefined) return named.targets.length === 0 ? external : { kind: 'module' };
  return use.occurrence.role === 'bare'
    ? resolveBare(use, view, lines)
    : resolveMember(use, view, lines);
}

/** On the line of an import a name may be a part of what is imported from. */
function specifierWith({ name, path, line }: SymbolUse, view: CodeView): Import | undefined {
  return view
    .importsOf(path)
    .find(
      one =>
        one.startLine <= line &&
        line <= one.endLine &&
        one.specifier.split(/[^\p{L}\p{N}_$]+/u).includes(name),
    );
}

function resolveBare(use: SymbolUse, view: CodeView, lines: readonly string[]): Resolution {
  const { name, path, line, language } = use;
  const local = findLocal(use, view, lines);
  if (local !== null) return { kind: 'found', at: local };
  const beside = pick(
    view
      .definitionsIn(path)
      .filter(definition => definition.name === name && definition.kind !== 'method'),
    use,
    view,
  );
  if (beside !== null) return foundAt(beside, path);
  const imported = importOf(name, path, view, lines);
  if (imported !== null) return throughImport(imported, use, view, lines);
  if (language.globals.has(name)) return external;
  const elsewhere = pick(
    view
      .definitionsOf(name)
      .filter(
        ({ kind, path: other }) =>
          kind !== 'test' && (!language.importsNames || !view.isTest(other) || view.isTest(path)),
      ),
    use,
    view,
  );
  if (elsewhere !== null) return foundAt(elsewhere, path);
  const field = findField(name, use, view);
  if (field !== null) return { kind: 'found', at: field };
  return { kind: 'unknown', reason: `no definition and no import of it was found (line ${line})` };
}

function resolveMember(use: SymbolUse, view: CodeView, lines: readonly string[]): Resolution {
  const { name, path, language, occurrence } = use;
  const root = occurrence.role === 'member' ? occurrence.root : null;
  const isOwn =
    root === 'this' ||
    root === 'self' ||
    root === 'super' ||
    root === 'cls' ||
    root === 'Self' ||
    root === '$this';
  const imported = root === null || isOwn ? null : importOf(root, path, view, lines);
  if (imported !== null && imported.targets.length === 0) return external;
  if (
    root !== null &&
    !isOwn &&
    language.globals.has(root) &&
    imported === null &&
    view.definitionsIn(path).every(definition => definition.name !== root)
  )
    return external;
  if (imported !== null) {
    const exported =
      pick(
        view.definitionsOf(name).filter(definition => imported.targets.includes(definition.path)),
        use,
        view,
      ) ?? throughExports(name, imported.targets, view);
    if (exported !== null) return foundAt(exported, path);
  }
  if (language.members.has(name) && !isOwn) return external;
  const own = pick(
    view
      .definitionsIn(path)
      .filter(definition => definition.name === name && definition.kind !== 'test'),
    use,
    view,
  );
  if (own !== null) return foundAt(own, path);
  const field = findField(name, use, view);
  if (field !== null && (field.path === path || isOwn)) return { kind: 'found', at: field };
  const near = pick(
    view
      .definitionsOf(name)
      .filter(
        definition =>
          isMemberOfType(definition, view) &&
          (!view.isTest(definition.path) || view.isTest(path)) &&
          sameFamily(path, definition.path, view),
      ),
    use,
    view,
  );
  if (near !== null) return foundAt(near, path);
  // The index has everything the project defines: a member it does not know belongs to something from outside.
  return field === null ? external : { kind: 'found', at: field };
}

/** Functions beside classes are reached by their own names; what an object is reached through is a method. */
function isMemberOfType(definition: Definition, view: CodeView): boolean {
  const { kind, path, startLine, endLine } = definition;
  if (kind !== 'method' && kind !== 'function') return false;
  if (kind === 'method' && !/\.[cm]?[jt]sx?$/.test(path)) return true;
  const around = view
    .definitionsIn(path)
    .filter(
      one =>
        one !== definition &&
        one.startLine <= startLine &&
        one.endLine >= endLine &&
        one.name !== definition.name,
    );
  return /^(?:class|interface|type)$/.test(around.at(-1)?.kind ?? '');
}

function sameFamily(one: string, other: string, view: CodeView): boolean {
  const family = (path: string): string =>
    (view.languageOf(path) ?? '')
      .replace(/^(?:typescript|tsx|vue|svelte)$/, 'javascript')
      .replace(/^cpp$/, 'c');
  return family(one) === family(other);
}

function foundAt({ path, startLine, endLine, name }: Definition, from: string): Resolution {
  return {
    kind: 'found',
    at: { path, startLine, endLine, name, where: path === from ? 'file' : 'project' },
  };
}

/** The nearest declaration above, in the functions around the line. */
function findLocal(
  { name, path, line, language }: SymbolUse,
  view: CodeView,
  lines: readonly string[],
): Found | null {
  const around = view
    .enclosing(path, line)
    .filter(
      ({ kind }) => kind === 'function' || kind === 'method' || kind === 'test' || kind === 'macro',
    );
  const top = around[0]?.startLine;
  if (top === undefined) return null;
  const declaring = view
    .linesUsing(path, name)
    .findLast(at => at >= top && at < line && declares(lines[at - 1] ?? '', name));
  if (declaring !== undefined)
    return { path, startLine: declaring, endLine: declaring, name, where: 'local' };
  for (const { startLine, endLine } of around.toReversed()) {
    const end = headerEnd(lines, startLine, endLine);
    if (isParameter(lines.slice(startLine - 1, end).join('\n'), name, language))
      return { path, startLine, endLine: end, name, where: 'local' };
  }
  return null;
}

/** The import of a file that brings in a name. */
function importOf(
  name: string,
  path: string,
  view: CodeView,
  lines: readonly string[],
): Import | null {
  const imports = view.importsOf(path);
  const onLines = new Set(view.linesUsing(path, name));
  for (const one of imports) {
    for (let line = one.startLine; line <= one.endLine; line += 1)
      if (onLines.has(line) && mentions(one, line, name, lines)) return one;
  }
  return imports.find(one => packageNames(one, lines).includes(name)) ?? null;
}

/** Several imports may share a line; the one whose specifier stands there and whose text has the name is meant. */
function mentions(
  { startLine, endLine }: Import,
  line: number,
  name: string,
  lines: readonly string[],
): boolean {
  return startLine <= line && line <= endLine && (lines[line - 1] ?? '').includes(name);
}

/** What Go and Python call a package that is imported as a whole. */
function packageNames({ path, specifier, line }: Import, lines: readonly string[]): string[] {
  const text = lines[line - 1] ?? '';
  if (path.endsWith('.go')) {
    const alias = /^\s*(?:import\s+)?([\p{L}_][\p{L}\p{N}_]*)\s+"/u.exec(text)?.[1];
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
  if (path.endsWith('.py')) return [specifier.split('.')[0] ?? ''];
  if (/\.(?:java|kt|scala|php|cs)$/.test(path)) return [specifier.split(/[.\\]/).at(-1) ?? ''];
  return [];
}

function throughImport(
  imported: Import,
  use: SymbolUse,
  view: CodeView,
  lines: readonly string[],
): Resolution {
  if (imported.targets.length === 0) return external;
  const { name, path } = use;
  const original = originalName(name, imported, lines);
  const direct =
    pick(
      view.definitionsOf(original).filter(definition => imported.targets.includes(definition.path)),
      use,
      view,
    ) ?? throughExports(original, imported.targets, view);
  if (direct !== null) return foundAt(direct, path);
  if (isWholeModule(name, imported, lines)) return { kind: 'module' };
  const [target] = imported.targets;
  // The name is given by the importer to whatever the file exports.
  return target === undefined
    ? external
    : {
        kind: 'found',
        at: { path: target, ...defaultExportOf(target, view), name, where: 'project' },
      };
}

/** `import { a as name }`, `from x import a as name`. */
function originalName(
  name: string,
  { startLine, endLine }: Import,
  lines: readonly string[],
): string {
  const text = lines.slice(startLine - 1, Math.min(endLine, startLine + 200)).join('\n');
  if (!/\bas\b/.test(text)) return name;
  const escaped = name.replaceAll('$', '\\$');
  return (
    new RegExp(`([\\p{L}_$][\\p{L}\\p{N}_$]*)\\s+as\\s+${escaped}(?![\\p{L}\\p{N}_$])`, 'u').exec(
      text,
    )?.[1] ?? name
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

/** Follows files that only pass a name on. */
function throughExports(
  name: string,
  targets: readonly string[],
  view: CodeView,
): Definition | null {
  const seen = new Set(targets);
  let front = [...targets];
  for (let depth = 0; depth < 3 && front.length > 0 && seen.size < 500; depth += 1) {
    front = [
      ...new Set(front.flatMap(path => view.importsOf(path).flatMap(one => one.targets))),
    ].filter(path => !seen.has(path));
    for (const path of front) seen.add(path);
    const found = view.definitionsOf(name).find(definition => front.includes(definition.path));
    if (found !== undefined) return found;
  }
  return null;
}

/** Its last definition at the top, or its first lines. */
function defaultExportOf(
  path: string,
  view: CodeView,
): { readonly startLine: number; readonly endLine: number } {
  const exported =
    view.definitionsIn(path).find(({ signature }) => signature.includes('export default')) ??
    view.definitionsIn(path).find(({ kind }) => kind === 'class' || kind === 'function');
  return exported === undefined
    ? { startLine: 1, endLine: Math.max(1, Math.min(3, view.linesOf(path))) }
    : { startLine: exported.startLine, endLine: exported.endLine };
}

/** A use of the name directly inside a type is where the field is declared. */
function findField(name: string, { path }: SymbolUse, view: CodeView): Found | null {
  const candidates: (Found & { readonly rank: number })[] = [];
  for (const reference of view.referencesTo(name).slice(0, 400)) {
    if (reference.kind !== 'use' || !sameFamily(path, reference.path, view)) continue;
    const inner = view.enclosing(reference.path, reference.line).at(-1);
    if (inner === undefined || !/^(?:class|interface|type|enum)$/.test(inner.kind)) continue;
    candidates.push({
      path: reference.path,
      startLine: reference.line,
      endLine: reference.line,
      name,
      where: reference.path === path ? 'file' : 'project',
      rank: nearness(path, reference.path, view),
    });
    if (candidates.length >= 50) break;
  }
  const best = candidates.toSorted((one, other) => one.rank - other.rank)[0];
  return best === undefined
    ? null
    : {
        path: best.path,
        startLine: best.startLine,
        endLine: best.endLine,
        name,
        where: best.where,
      };
}

/** The nearest one: same file, imported from there, same folder, then the longest common path. */
function pick(
  definitions: readonly Definition[],
  { path }: SymbolUse,
  view: CodeView,
): Definition | null {
  if (definitions.length <= 1) return definitions[0] ?? null;
  return (
    definitions
      .slice(0, 200)
      .map(definition => ({ definition, rank: nearness(path, definition.path, view) }))
      .toSorted((one, other) => one.rank - other.rank)[0]?.definition ?? null
  );
}

function nearness(from: string, to: string, view: CodeView): number {
  if (from === to) return 0;
  if (view.importsOf(from).some(({ targets }) => targets.includes(to))) return 1;
  const [left, right] = [from.split('/'), to.split('/')];
  let common = 0;
  while (common < left.length - 1 && left[common] === right[common]) common += 1;
  return 2 + (left.length - 1 - common) + (right.length - 1 - common) + (view.isTest(to) ? 20 : 0);
}
