/**
 * Finds where a referenced name is defined: around it, in its file, where an import leads, in the type of what stands before it, or
 * outside of the project. A wrong definition is worse than none: what cannot be told is unknown.
 */
import { splitIdentifier } from '../../text.ts';
import type { Definition, Import } from '../../words/code-index.ts';
import { declares, isParameter } from './declarations.ts';
import { exportedFrom, importOf, throughImport } from './imported-names.ts';
import { definitionsFor, isTypeLike, lineageOf, membersOf, ownerOf } from './members.ts';
import { placeOf } from './named-places.ts';
import { type Place, type Site, type Unknown, unknown } from './place.ts';
import { isOwn, type Receiver, receiverOf } from './receivers.ts';
import { type CodeView, headerEnd, type Link, type SymbolUse } from './references.ts';

export interface Found {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly name: string;
  /** `local`: in the same function or class. `file`: beside it. `project`: in another file. */
  readonly where: 'local' | 'file' | 'project';
}

/** Where it says what it is: an annotation before it does not. */
export function nameLineOf({ path, startLine, name }: Found, view: CodeView): number {
  return (
    view.membersIn(path).find(one => one.startLine === startLine && one.name === name)?.nameLine ??
    startLine
  );
}

type Resolution =
  | { readonly kind: 'found'; readonly at: Found }
  /** Built in, or from a package outside. */
  | { readonly kind: 'external' }
  /** The name of an imported file or package of the project: what is taken from it is a name of its own. */
  | { readonly kind: 'module' }
  | Unknown;

const external: Resolution = { kind: 'external' };

/** `lines`: of the file that uses the name. */
export function resolveSymbol(
  use: SymbolUse,
  view: CodeView,
  lines: readonly string[],
): Resolution {
  const { name, path, line, language, occurrence } = use;
  const site: Site = { path, line, lines, language, view };
  const named = specifierWith(use, view);
  if (named !== undefined) return named.targets.length === 0 ? external : { kind: 'module' };
  const imported = importOf(name, site);
  if (imported !== null && imported.startLine <= line && line <= imported.endLine)
    return fromPlace(throughImport(name, imported, site), name, site);
  if (occurrence.role === 'field') return onlyField(name, site);
  if (occurrence.role === 'symbol') return onlyCallable(name, site);
  if (occurrence.role === 'bare') {
    const local = view.bindingsOf(path, name) === null ? findLocal(use, view, lines) : null;
    return local === null
      ? fromPlace(placeOf(name, site), name, site)
      : { kind: 'found', at: local };
  }
  return resolveMember(name, occurrence.chain, site);
}

/** On the line of an import a name may be a part of the path that is imported from. */
function specifierWith({ name, path, line }: SymbolUse, view: CodeView): Import | undefined {
  if (!/\.(?:py|rs|java|kts?|scala|php|cs)$/.test(path)) return undefined;
  return view.importsOf(path).find(({ startLine, endLine, specifier }) => {
    if (line < startLine || line > endLine) return false;
    if (path.endsWith('.rs')) return new RegExp(`\\b${name}\\s*::`).test(specifier);
    const segments = specifier.split(/[^\p{L}\p{N}_$]+/u);
    return (path.endsWith('.py') ? segments : segments.slice(0, -1)).includes(name);
  });
}

function fromPlace(place: Place, name: string, { path, view }: Site): Resolution {
  if (place.kind === 'definition') return foundAt(place.definition, path);
  if (place.kind === 'local') {
    const { line, isTop } = place;
    const where = isTop ? 'file' : 'local';
    return { kind: 'found', at: { path, startLine: line, endLine: line, name, where } };
  }
  if (place.kind === 'file') {
    const endLine = Math.max(1, Math.min(3, view.linesOf(place.path)));
    return {
      kind: 'found',
      at: { path: place.path, startLine: 1, endLine, name, where: 'project' },
    };
  }
  return place.kind === 'module' ? { kind: 'module' } : place;
}

function resolveMember(name: string, chain: readonly Link[], site: Site): Resolution {
  const { path, view, language } = site;
  const receiver: Receiver = chain.length === 0 ? { kind: 'unknown' } : receiverOf(chain, site);
  if (receiver.kind === 'external') return external;
  if (receiver.kind === 'module') {
    const exported = exportedFrom(name, receiver.targets, view);
    if (exported !== null) return foundAt(exported, path);
  }
  const isOwnMember = chain.length === 1 && isOwn(chain[0]?.name ?? '');
  if (receiver.kind === 'type') {
    const member = memberOf(receiver.type, name, chain, view);
    if (member !== undefined) return foundAt(member, path);
    if (lineageOf(receiver.type, view).leadsOut && !isOwnMember) return external;
  }
  if (isOwnMember) {
    const beside = besideWithoutType(name, site);
    if (beside !== undefined) return foundAt(beside, path);
    if (receiver.kind === 'type' && lineageOf(receiver.type, view).leadsOut) return external;
  }
  if (language.members.has(name)) return external;
  return onlyOne(name, site, receiver);
}

/** `super.run()` is not that of the class itself. */
function memberOf(
  type: Definition,
  name: string,
  chain: readonly Link[],
  view: CodeView,
): Definition | undefined {
  const [root, ...rest] = chain;
  const isAbove = rest.length === 0 && (root?.name === 'super' || root?.name === 'parent');
  if (!isAbove) return membersOf(type, name, view)[0];
  for (const above of lineageOf(type, view).types.slice(1)) {
    const [member] = membersOf(above, name, view);
    if (member !== undefined) return member;
  }
  return undefined;
}

/** Objects without a class: functions and values that are assigned to one, in the same file. */
function besideWithoutType(name: string, { path, view }: Site): Definition | undefined {
  if (!/\.(?:[cm]?[jt]sx?|vue|svelte)$/.test(path)) return undefined;
  return view
    .membersIn(path)
    .find(one => one.name === name && one.kind !== 'test' && ownerOf(one, view) !== null);
}

/**
 * Nobody said what stands before the dot. A name that is defined once in the whole project is meant all the same, unless it is a plain
 * word for a value; one that is defined nowhere belongs to something from outside; of several nobody knows.
 */
function onlyOne(name: string, site: Site, receiver: Receiver): Resolution {
  const { path, line, view } = site;
  const definitions = definitionsFor(name, path, view).filter(one => isReachable(one, site));
  const [first] = definitions;
  if (first === undefined) return external;
  const owners = new Set(
    definitions.map(one => `${one.path}:${ownerOf(one, view)?.around?.startLine ?? one.startLine}`),
  );
  const isMeant = !isTypeAlone(first, path) && !isAnybodys(first, path);
  if (owners.size === 1 && receiver.kind === 'unknown' && isMeant) return foundAt(first, path);
  const places = definitions.slice(0, 2).map(one => `${one.path}:${one.startLine}`);
  return unknown(
    definitions.length === 1
      ? `whether ${places.join('')} is meant is not known (line ${line})`
      : `which of ${definitions.length} is meant is not known (line ${line}): ${places.join(', ')}`,
    definitions,
  );
}

/** A value by one plain word: objects from outside have one by that name as often as not. */
function isAnybodys({ name, kind, path }: Definition, from: string): boolean {
  return (
    (kind === 'field' || kind === 'constant') && path !== from && splitIdentifier(name).length === 1
  );
}

/** A function that stands alone is none of an object's, in languages whose members are declared with their type. */
function isReachable(definition: Definition, { path, view }: Site): boolean {
  return (
    definition.kind !== 'function' ||
    !/\.(?:go|rs|py|java|cs|php)$/.test(path) ||
    ownerOf(definition, view) !== null
  );
}

/** Nothing is reached through an object but what belongs to one. */
function isTypeAlone(definition: Definition, from: string): boolean {
  return isTypeLike(definition) && !/\.(?:rb|[cm]?[jt]sx?|py)$/.test(from);
}

/** The name that a value is given under: only where the project has one such field and nothing else of that name. */
function onlyField(name: string, site: Site): Resolution {
  const [first, ...others] = definitionsFor(name, site.path, site.view);
  return first?.kind === 'field' && others.length === 0
    ? foundAt(first, site.path)
    : { kind: 'module' };
}

/** What is told by its name may be called by it: only where the project has one such method. */
function onlyCallable(name: string, site: Site): Resolution {
  const [first, ...others] = definitionsFor(name, site.path, site.view);
  return first !== undefined &&
    others.length === 0 &&
    (first.kind === 'method' || first.kind === 'function') &&
    !site.language.members.has(name)
    ? foundAt(first, site.path)
    : { kind: 'module' };
}

function foundAt({ path, startLine, endLine, name, kind }: Definition, from: string): Resolution {
  return {
    kind: 'found',
    at: {
      path,
      startLine,
      endLine: kind === 'field' ? Math.min(endLine, startLine + 2) : endLine,
      name,
      where: path === from ? 'file' : 'project',
    },
  };
}

/** Where no grammar tells them: the nearest declaration above, in the functions around the line. */
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
