/**
 * The names on added lines and what they mean: a declaration around them, a definition of the file, what an import brings in, or
 * the one definition of the project that stands nearest. A wrong definition is worse than none: of several nobody chooses.
 */
import { type SymbolUse, isSameFamily, vocabularyOf } from '../../languages/languages.ts';
import { by } from '../../groups.ts';
import { folderOf, identifiersOf, splitIdentifier } from '../../text.ts';
import type { Definition, Import } from '../../words/code-index.ts';
import { type CodeView, isImportLine } from './code-view.ts';
import { type ChangedPiece, holds, type LinesOf } from './line-range.ts';

/** Each once per file: no reserved words, nothing declared in the hunk. `linesOf`: text of the new side of a changed file. */
export function symbolsUsed(pieces: readonly ChangedPiece[], view: CodeView, linesOf: LinesOf) {
  const uses = new Map<string, SymbolUse>();
  for (const { path, hunk, added } of pieces) {
    const language = vocabularyOf(view.languageOf(path));
    if (language === null) continue;
    const isDeclared = (line: number) => holds(hunk, line) && !isImportLine(path, line, view);
    for (const line of added)
      for (const use of view.usesOn(path, line)) {
        const { name } = use;
        if (name.length < 2) continue;
        const owner = ownerBefore(name, linesOf(path)[line - 1] ?? '');
        // `errors.New` is another thing than `New`.
        const key = `${path}\0${name}\0${owner === null}`;
        if (uses.has(key)) continue;
        if (language.keywords.has(name) && !/^(?:this|self)$/.test(owner ?? '')) continue;
        const bound = owner === null ? bindingAt(name, path, line, view) : null;
        if (bound !== null && isDeclared(bound.line)) continue;
        if (
          bound === null &&
          view.membersIn(path).some(one => one.name === name && isDeclared(one.startLine))
        )
          continue;
        uses.set(key, { ...use, owner, language });
      }
  }
  return [...uses.values()].toSorted((one, other) =>
    one.path === other.path ? one.line - other.line : 0,
  );
}

/**
 * The declaration that a name means on a line: the innermost scope, and in it the nearest line above. Null for none that a
 * grammar tells.
 */
function bindingAt(name: string, path: string, line: number, view: CodeView) {
  const [best = null] = view
    .bindingsOf(path, name)
    .filter(one => one.startLine === 0 || (one.startLine <= line && line <= one.endLine))
    .toSorted(
      by(
        ({ startLine, endLine }) => (startLine === 0 ? Infinity : endLine - startLine),
        ({ line: at }) => (at <= line ? line - at : Infinity),
      ),
    );
  return best;
}

const access = /(?:[?!&]?\.|\??->|::)\s*$/;

/** Where it stands alone once, it stands alone. */
function ownerBefore(name: string, text: string) {
  let owner: string | null = null;
  const line = text.slice(0, 2_000);
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + name.length)) {
    if (/[\p{L}\p{N}_$]/u.test(`${line[at - 1] ?? ' '}${line[at + name.length] ?? ' '}`)) continue;
    const before = line.slice(Math.max(0, at - 200), at);
    const sign = access.exec(before);
    if (sign === null || /\.\.\s*$/.test(before)) return null;
    owner ??=
      /@{0,2}([\p{L}_$][\p{L}\p{N}_$]*)(?:\([^()]*\)|\[[^[\]]*\])?[?!]?$/u.exec(
        before.slice(0, before.length - sign[0].length),
      )?.[1] ?? '';
  }
  return owner;
}

export interface Found {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly name: string;
  /** Where it says what it is: an annotation before it does not. */
  readonly nameLine: number;
  /** `local`: in the same function or class. `file`: beside it. `project`: in another file. */
  readonly where: 'local' | 'file' | 'project';
  /** Absent: a file, a field, or what no grammar tells. */
  readonly definition?: Definition | undefined;
}

interface Resolution {
  /**
   * `external`: built in, or from a package outside. `other`: a package or a value of which nothing has to be shown. `ambiguous`:
   * several things are called so. `unknown`: it is called, and nothing of the project is called so.
   */
  readonly kind: 'found' | 'external' | 'other' | 'ambiguous' | 'unknown';
  readonly at?: Found;
  /** Why it is unknown. */
  readonly reason?: string;
}

const [external, other] = [{ kind: 'external' }, { kind: 'other' }] as const;
const mostDefinitions = 2_000;

/** `lines`: of the file that uses the name. */
export function resolveSymbol(
  use: SymbolUse,
  view: CodeView,
  lines: readonly string[],
): Resolution {
  const { name, path, line, owner, language, kind } = use;
  if (owner === null) {
    const bound = bindingAt(name, path, line, view);
    if (bound !== null && bound.startLine > 0 && !isImportLine(path, bound.line, view)) {
      const { line: at } = bound;
      const definition = view
        .definitionsIn(path)
        .find(one => one.nameLine === at && one.name === name);
      const lines = { startLine: at, endLine: at, nameLine: at };
      return { kind: 'found', at: { path, name, ...lines, where: 'local', definition } };
    }
  }
  // What is reached through an import is looked for where that leads.
  const imported =
    importOf(owner === null ? name : owner, path, view, lines) ??
    (owner === null ? null : importOf(name, path, view, lines));
  if (imported !== null && (owner !== null || !isDefinedBeside(use, view))) {
    if (imported.targets.length > 0) {
      const found = exportedFrom(originalName(name, imported, lines), imported.targets, view);
      if (found !== null) return foundIn(found, path);
      if (owner === null) return other;
    } else if (!leadsInside(imported)) return external;
    else if (owner === null)
      return kind === 'call'
        ? unknown(`its import leads to no file (line ${imported.line})`)
        : other;
  }
  if (owner !== null && language.members.has(name) && !/^(?:this|self)$/.test(owner))
    return external;
  if (owner === null && !isDefinedBeside(use, view)) {
    const found = exportedFrom(
      name,
      view
        .importsOf(path)
        // `use a::*`: its names stand nowhere in the statement.
        .filter(({ specifier }) => specifier.includes('*'))
        .flatMap(one => one.targets),
      view,
    );
    if (found !== null) return foundIn(found, path);
  }
  const candidates = definitionsFor(name, path, view);
  const hints = hintsOf(use, view, lines);
  const meant = nearest(candidates, hints, use, view);
  const [first] = meant;
  const isOfOne = (one: Definition) =>
    one.path === first?.path && ownerOf(one, view) === ownerOf(first, view);
  // Made by something from outside it is something from outside.
  const isForeign =
    owner !== null &&
    !(first !== undefined && hints.has(ownerOf(first, view) ?? '')) &&
    [...hints].some(word => {
      const from = importOf(word, path, view, lines);
      return from !== null && from.targets.length === 0 && !leadsInside(from);
    });
  if (isForeign) return external;
  if (first !== undefined && meant.every(isOfOne)) return foundIn(first, path);
  if (first === undefined && owner === null && language.globals.has(name)) return external;
  if (meant.length > 0) return { kind: 'ambiguous' };
  return owner === null && kind === 'call'
    ? unknown(`no definition and no import of it was found (line ${line})`)
    : candidates.length === 0 && owner !== null
      ? external
      : other;
}

function unknown(reason: string): Resolution {
  return { kind: 'unknown', reason };
}

function foundIn(definition: Definition, from: string): Resolution {
  const { path, name, kind, startLine, nameLine } = definition;
  const isField = kind === 'field';
  const endLine = Math.min(definition.endLine, isField ? startLine + 2 : Infinity);
  const where = path === from ? 'file' : 'project';
  const at = { path, name, startLine, endLine, nameLine, where } as const;
  return { kind: 'found', at: isField ? at : { ...at, definition } };
}

function isDefinedBeside({ name, path, line }: SymbolUse, view: CodeView) {
  return view
    .definitionsIn(path)
    .some(
      one =>
        one.name === name &&
        !/^(?:test|extension)$/.test(one.kind) &&
        one.startLine !== line &&
        !isImportLine(path, one.startLine, view) &&
        ownerOf(one, view) === null,
    );
}

/** The definitions that a line of this file can mean by a name: in its language, those of tests from tests alone. */
function definitionsFor(name: string, from: string, view: CodeView) {
  const language = view.languageOf(from);
  return view
    .definitionsOf(name)
    .slice(0, mostDefinitions)
    .filter(
      ({ kind, path, startLine }) =>
        kind !== 'test' &&
        kind !== 'extension' &&
        isSameFamily(view.languageOf(path), language) &&
        (!view.isTest(path) || view.isTest(from)) &&
        !(path === from && isImportLine(path, startLine, view)),
    );
}

/** Words that tell whose member a name is: what stands before the dot and the line that declares that; the types around and theirs. */
function hintsOf({ owner, path, line }: SymbolUse, view: CodeView, lines: readonly string[]) {
  if (owner === null || /^(?:this|self|cls|Self|static|super|parent)$/.test(owner))
    return new Set(
      view
        .enclosing(path, line)
        .filter(one => isHolder(one) || one.kind === 'constant')
        .flatMap(({ signature }) => [...identifiersOf(signature)]),
    );
  const declared =
    bindingAt(owner, path, line, view)?.line ??
    view.membersIn(path).find(({ name }) => name === owner)?.startLine;
  // Its own part of the line: parameters beside it have types of theirs.
  const parts = declared === undefined ? [] : (lines[declared - 1] ?? '').split(/[,(]/);
  return identifiersOf(parts.find(part => identifiersOf(part).has(owner)) ?? owner);
}

/** Of a name that stands alone what its language lets be reached, the nearest; of a member what the hints name, else the only one. */
function nearest(
  candidates: readonly Definition[],
  hints: ReadonlySet<string>,
  { owner, path, language }: SymbolUse,
  view: CodeView,
) {
  const targets = new Set(view.importsOf(path).flatMap(one => one.targets));
  const folder = packageOf(path);
  const ranked = candidates.flatMap(one => {
    const holder = ownerOf(one, view);
    const isHinted = holder !== null && hints.has(holder);
    if (owner !== null) {
      // A plain word is as often a value, or a function, of something from outside.
      const isTelling =
        splitIdentifier(one.name).length > 1 ||
        (holder !== null && !/^(?:field|constant)$/.test(one.kind));
      return isHinted || isTelling || one.path === path ? { one, rank: Number(!isHinted) } : [];
    }
    if (holder !== null && !isHinted && !isHolder(one)) return [];
    const isBeside = packageOf(one.path) === folder && language.reach !== 'import';
    const rank = isHinted || one.path === path ? 0 : targets.has(one.path) ? 1 : isBeside ? 2 : 3;
    return rank < 3 || language.reach === 'project' || one.kind === 'macro' ? { one, rank } : [];
  });
  const best = Math.min(...ranked.map(({ rank }) => rank));
  return ranked.filter(({ rank }) => rank === best).map(({ one }) => one);
}

/** Below the root of the sources, where a language keeps tests of a package beside it. */
function packageOf(path: string) {
  return folderOf(path).replace(/^.*?(?:^|\/)(?:java|kotlin|scala|groovy)\//, '');
}

function isHolder({ kind }: Definition) {
  return /^(?:class|interface|type|enum|extension|module)$/.test(kind);
}

const owners = new WeakMap<Definition, string | null>();

/** The type that has it: the innermost around it, or the one its first line names, as `func (s *Store) find` does. */
function ownerOf(definition: Definition, view: CodeView) {
  const known = owners.get(definition);
  if (known !== undefined) return known;
  const { path, name, signature, startLine, endLine, kind } = definition;
  const at = signature.indexOf(name);
  const written =
    /(?:\(\s*(?:\w+\s+)?\*?(\w+)(?:\[[^\]]*\])?\s*\)\s*|(\w+)(?:<[^<>]*>)?(?:\.prototype)?(?:\.|::)~?)$/.exec(
      signature.slice(0, Math.max(0, at)),
    );
  const around = view
    .definitionsIn(path)
    .findLast(
      one =>
        one.startLine <= startLine &&
        one.endLine >= endLine &&
        one.name !== name &&
        (isHolder(one) || (kind === 'method' && one.kind === 'constant')),
    );
  const owner = written?.[1] ?? written?.[2] ?? around?.name ?? null;
  const found = owner === 'exports' || owner === 'module' ? null : owner;
  owners.set(definition, found);
  return found;
}

/** The import of a file whose statement has the name, with the module of that name it may mean. */
function importOf(name: string, path: string, view: CodeView, lines: readonly string[]) {
  const all = view.importsOf(path).filter(one => wordsOf(one, lines).has(name));
  // Of a block with several it is the one on its own line; where the file of one is called so too, the one that gives the name.
  const there = all.filter(({ line }) => identifiersOf(lines[line - 1] ?? '').has(name));
  const [found] = [
    ...there.filter(({ line, specifier }) =>
      identifiersOf((lines[line - 1] ?? '').replace(specifier, '')).has(name),
    ),
    ...there,
    ...all,
  ];
  if (found === undefined) return null;
  const inner = path.endsWith('.py')
    ? view.leadsTo(path, `${found.specifier.replace(/([^.])$/, '$1.')}${name}`)
    : [];
  return inner.length === 0 ? found : { ...found, targets: inner };
}

const words = new WeakMap<Import, ReadonlySet<string>>();

/** Of the whole statement. */
function wordsOf(imported: Import, lines: readonly string[]) {
  const found =
    words.get(imported) ??
    identifiersOf(lines.slice(imported.startLine - 1, imported.endLine).join('\n'));
  words.set(imported, found);
  return found;
}

/** A path within the project: what it should lead to is made by a build, or not there. */
function leadsInside({ specifier }: Import) {
  return /^\.{1,2}(?:\/|$|\w)|^[@~]\/|^(?:crate|self|super)\b/.test(specifier);
}

/** `import { a as name }`, `from x import a as name`, `{ a: name } = require(…)`. */
function originalName(name: string, { startLine, endLine }: Import, lines: readonly string[]) {
  const text = lines
    .slice(startLine - 1, endLine)
    .join('\n')
    .slice(0, 5_000);
  const at = new RegExp(
    `([\\w$]+)(?:\\s+as\\s+|\\s*:\\s+)${name.replaceAll('$', '\\$')}(?![\\w$])`,
  );
  return at.exec(text)?.[1] ?? name;
}

const mostSteps = 4;

/** What files offer under a name, themselves or by passing it on. */
function exportedFrom(name: string, targets: readonly string[], view: CodeView) {
  const candidates = view
    .definitionsOf(name)
    .filter(({ kind }) => !/^(?:field|test|extension)$/.test(kind));
  const seen = new Set<string>();
  let front = targets;
  for (let step = 0; step < mostSteps && front.length > 0; step += 1) {
    const there = candidates.filter(({ path }) => front.includes(path));
    const alone = there.filter(one => ownerOf(one, view) === null);
    const [found] = alone.length > 0 ? alone : there;
    if (found !== undefined) return alone.find(({ kind }) => kind !== 'constant') ?? found;
    for (const path of front) seen.add(path);
    front = front
      .flatMap(path => view.importsOf(path).flatMap(one => one.targets))
      .filter(path => !seen.has(path))
      .slice(0, 200);
  }
  return defaultOf(name, targets, view);
}

/** What the importer named itself. */
function defaultOf(name: string, targets: readonly string[], view: CodeView) {
  const [target] = targets;
  return target === undefined || targets.length > 1 || view.definitionsOf(name).length > 0
    ? null
    : (view.definitionsIn(target).find(({ signature }) => /\bexport default\b/.test(signature)) ??
        null);
}
