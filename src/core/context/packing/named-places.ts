/** Where a name that stands alone leads to: the functions around it, its file, an import, its package, the language. */
import type { Definition } from '../../words/code-index.ts';
import { exportedFrom, importOf, throughImport } from './imported-names.ts';
import { definitionsFor, isTypeLike, membersOf, ownerOf, topOf } from './members.ts';
import { type Place, type Site, unknown } from './place.ts';
import { bindingAt, type CodeView } from './references.ts';
import { folderOf } from '../../text.ts';

/** Languages in which a member of the type around is called without saying so. */
const impliesThis = /\.(?:java|kts?|scala|groovy|cs|swift|cc|cpp|cxx|hpp|hh|hxx|rb|rake)$/;

export function placeOf(name: string, site: Site): Place {
  const { path, line, view, language } = site;
  const imported = importOf(name, site);
  const isImport = (at: number): boolean =>
    imported !== null && imported.startLine <= at && at <= imported.endLine;
  const bound = bindingAt(name, path, line, view);
  if (bound !== null && bound.startLine > 0 && !isImport(bound.line))
    return { kind: 'local', line: bound.line, isTop: false };
  const beside = besides(name, site);
  if (beside !== null && !isImport(beside.startLine))
    return { kind: 'definition', definition: beside };
  if (imported !== null) return throughImport(name, imported, site);
  if (bound !== null) return { kind: 'local', line: bound.line, isTop: bound.startLine === 0 };
  const implied = impliedMember(name, site);
  if (implied !== null) return { kind: 'definition', definition: implied };
  const near = inPackage(name, site);
  if (near !== null) return { kind: 'definition', definition: near };
  if (language.globals.has(name)) return { kind: 'external' };
  return elsewhere(name, site);
}

/** A definition of the same file that can be reached by its name alone from this line. */
function besides(name: string, { path, line, view }: Site): Definition | null {
  const around = view.enclosing(path, line);
  const visible = view
    .membersIn(path)
    .filter(one => one.name === name && one.kind !== 'test' && one.kind !== 'extension')
    .flatMap(one => {
      const owner = ownerOf(one, view);
      if (owner !== null)
        return owner.around !== null &&
          (impliesThis.test(path) ? around.includes(owner.around) : around.at(-1) === owner.around)
          ? [{ one, depth: around.length }]
          : isTypeLike(one)
            ? [{ one, depth: 0 }]
            : [];
      const holder = view
        .enclosing(path, one.startLine)
        .findLast(
          other =>
            other !== one &&
            !(other.startLine === one.startLine && other.name === one.name) &&
            other.endLine >= one.endLine &&
            other.kind !== 'test' &&
            other.kind !== 'constant',
        );
      if (holder === undefined || isTypeLike(one)) return [{ one, depth: 0 }];
      const depth = around.indexOf(holder);
      return depth === -1 && holder.kind !== 'module' ? [] : [{ one, depth: depth + 1 }];
    });
  return visible.toSorted((left, right) => right.depth - left.depth)[0]?.one ?? null;
}

/** A member of the types around the line, the inner one first. */
function impliedMember(name: string, { path, line, view }: Site): Definition | null {
  if (!impliesThis.test(path)) return null;
  const types = view
    .enclosing(path, line)
    .filter(one => isTypeLike(one) || one.kind === 'module' || one.kind === 'extension');
  for (const type of types.toReversed()) {
    const [member] = membersOf(type, name, view);
    if (member !== undefined) return member;
  }
  return null;
}

/** What needs no import: files of the same package, and statements that bring in everything. */
function inPackage(name: string, { path, view, language }: Site): Definition | null {
  const candidates = definitionsFor(name, path, view).filter(
    one => one.kind !== 'field' && one.path !== path && ownerOf(one, view) === null,
  );
  if (candidates.length === 0 || isReopened(candidates)) return null;
  if (!language.importsNames || path.endsWith('.go')) {
    const own = packageOf(path);
    const beside = candidates.find(one => packageOf(one.path) === own);
    if (beside !== undefined) return beside;
  }
  const all = view
    .importsOf(path)
    .filter(one => one.targets.length > 0 && bringsAll(one, view))
    .flatMap(({ targets }) => targets);
  return all.length === 0 ? null : exportedFrom(name, all, view);
}

function bringsAll(
  { path, specifier, startLine }: { path: string; specifier: string; startLine: number },
  view: CodeView,
): boolean {
  if (/\.(?:c|h|cc|cpp|cxx|hpp|hh|hxx|rb|rake)$/.test(path)) return true;
  if (path.endsWith('.rs') || path.endsWith('.java')) return specifier.includes('*');
  if (!path.endsWith('.py')) return false;
  const words = new Set(specifier.split('.'));
  return view.namesOn(path, startLine).every(name => words.has(name));
}

/** The folder, below the root of the sources where a language keeps tests of a package beside it. */
function packageOf(path: string): string {
  return folderOf(path).replace(/^.*?(?:^|\/)(?:java|kotlin|scala|groovy)\//, '');
}

/** Only where the languages look: anywhere for constants of Ruby, namespaces of C#, macros; and there only when one is meant. */
function elsewhere(name: string, { path, line, view, language }: Site): Place {
  const reach = /\.(?:rb|rake|php|cs|swift|c|h|cc|cpp|cxx|hpp|hh|hxx)$/.test(path);
  const candidates = definitionsFor(name, path, view).filter(
    one =>
      one.kind !== 'field' &&
      (reach || one.kind === 'macro' || !(language.importsNames || path.endsWith('.go'))) &&
      (isTypeLike(one) ||
        one.kind === 'module' ||
        ownerOf(one, view) === null ||
        path.endsWith('.rb')),
  );
  const types = candidates.filter(one => isTypeLike(one) || one.kind === 'module');
  const meant = (types.length > 0 ? types : candidates).toSorted(
    (one, other) =>
      Number(view.isTest(one.path)) - Number(view.isTest(other.path)) ||
      one.path.length - other.path.length,
  );
  const places = new Set(meant.map(one => one.path));
  const [first] = meant;
  if (first !== undefined && isReopened(meant)) return { kind: 'definition', definition: first };
  const close = meant.filter(one => topOf(one.path) === topOf(path));
  if (places.size > 1 && close.length === 1 && close[0] !== undefined)
    return { kind: 'definition', definition: close[0] };
  // A crate of the workspace is reached by its name alone.
  const crate = path.endsWith('.rs') && first === undefined ? view.leadsTo(path, `${name}::*`) : [];
  if (crate.length > 0) return { kind: 'module', targets: crate };
  if (first !== undefined && places.size === 1) return { kind: 'definition', definition: first };
  return first === undefined
    ? unknown(`no definition and no import of it was found (line ${line})`)
    : unknown(`${places.size} files define it, none of them near (line ${line})`, meant);
}

/** The modules of Ruby are opened in every file that adds to them: the shortest path is where they are at home. */
function isReopened(definitions: readonly Definition[]): boolean {
  return definitions.every(({ kind, path }) => kind === 'module' && path.endsWith('.rb'));
}
