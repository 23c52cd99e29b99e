/**
 * Lines worth a look that a pack has no room to quote: uses of what is gone, callers, tests, what changes with it, importers.
 * One line each, the most telling first.
 */
import { isDocumentPath } from '../../languages/path-kinds.ts';
import type { Definition, DefinitionKind } from '../../words/code-index.ts';
import { type ChangedName, signatureOf } from '../changed-names.ts';
import type { CoChanged } from './co-change.ts';
import { type LinePointer, plain } from './line-pointer.ts';
import { type ChangedPiece, holds } from './line-range.ts';
import { type CodeView, testsLast } from './references.ts';
import { type Found, nameLineOf } from './resolve-symbol.ts';
import { casesPerFile, testedByName, testPointers } from './test-pointers.ts';
import { calledName, isCommon, isCommonName, possibleCalls, usesOfDefinition } from './uses-of.ts';

export interface PointerMaterial {
  readonly view: CodeView;
  /** Secrets taken out; empty for a file that was not read. */
  readonly shownOf: (path: string) => readonly string[];
  readonly pieces: readonly ChangedPiece[];
  readonly changed: readonly Definition[];
  readonly names: readonly ChangedName[];
  /** What the changed lines refer to. */
  readonly found: readonly Found[];
  /** What they may refer to. */
  readonly possible: readonly Definition[];
  readonly together: readonly CoChanged[];
}

/** In the order in which they are told. */
export const pointerGroups = [
  'definitions',
  'users',
  'callers',
  'tests',
  'together',
  'possible',
  'namesakes',
  'uses',
  'importers',
] as const;
export type PointerGroup = (typeof pointerGroups)[number];

/** Lines of one group that are looked at: a name that stands everywhere tells nothing by its hundredth place. */
const mostOfGroup = 300;

const makers: Readonly<Record<PointerGroup, (material: PointerMaterial) => LinePointer[]>> = {
  users: usersOfNames,
  definitions: bareSignatures,
  callers: callersOf,
  tests: testPointers,
  together: togetherPointers,
  possible: possibleSignatures,
  namesakes: namesakesOf,
  uses: usesOfTypes,
  importers: importersOf,
};

export function pointersOf(group: PointerGroup, material: PointerMaterial): LinePointer[] {
  const seen = new Set<string>();
  return makers[group](material)
    .filter(({ path, line }) => {
      const place = `${path}:${line}`;
      if (seen.has(place)) return false;
      seen.add(place);
      return true;
    })
    .slice(0, mostOfGroup);
}

/** What is left of a name that is gone breaks; of one with another signature its calls may. */
function usersOfNames(material: PointerMaterial): LinePointer[] {
  return usersOfThese(
    material.names.filter(one => !isCommonName(one.name, [one.path], material.view)),
    material,
  );
}

function usersOfThese(names: readonly ChangedName[], material: PointerMaterial): LinePointer[] {
  return [
    ...leastFirst(
      names
        .filter(({ change }) => change === 'removed')
        .map(one => usersOfName(one, [...one.users, ...one.imports], material)),
    ),
    ...leastFirst(
      names
        .filter(({ change }) => change === 'signature')
        .map(one => usersOfName(one, callsOf(one, material.view).calls, material)),
    ),
  ];
}

/** Of names that something else has too: as likely as not another thing is meant. */
function namesakesOf(material: PointerMaterial): LinePointer[] {
  const { names, changed, view } = material;
  return [
    ...usersOfThese(
      names.filter(one => isCommonName(one.name, [one.path], view)),
      material,
    ),
    ...callersOfThese(
      changed.filter(one => isCommon(one, view)),
      material,
    ),
    ...leastFirst([
      ...names.map(({ name, path, change }) =>
        mayUse(
          name,
          path,
          change === 'removed' ? ' which is removed' : ' whose signature changed',
          view,
        ),
      ),
      ...changed
        .filter(({ kind }) => isCallable(kind))
        .map(one => mayUse(calledName(one, view), one.path, '', view)),
    ]),
  ];
}

function mayUse(name: string, path: string, why: string, view: CodeView): LinePointer[] {
  return possibleCalls({ name, paths: [path], isOwnOnly: false }, view).map(use =>
    within(use.path, use.line, `may call ${name}${why}`, view),
  );
}

function usersOfName(
  { name, change }: ChangedName,
  users: ChangedName['users'],
  { view }: PointerMaterial,
): LinePointer[] {
  const inTests = new Map<string, number>();
  return users
    .filter(({ path }) => {
      if (change === 'removed' || !view.isTest(path)) return true;
      inTests.set(path, (inTests.get(path) ?? 0) + 1);
      return (inTests.get(path) ?? 0) <= casesPerFile;
    })
    .toSorted(testsLast(view))
    .map(({ path, line }) =>
      within(
        path,
        line,
        `uses ${name} ${change === 'removed' ? 'which is removed' : 'whose signature changed'}`,
        view,
      ),
    );
}

/** Of a name that is gone every use; of one with another signature the calls, of which tests tell when they fail. */
export function usesToShow(one: ChangedName, view: CodeView): ChangedName['users'] {
  return one.change === 'removed'
    ? one.users
    : callsOf(one, view).calls.filter(({ path }) => !view.isTest(path));
}

/** Its uses that call it, and those that pass it on or only share its name. */
function callsOf(
  { name, kind, users }: ChangedName,
  view: CodeView,
): { readonly calls: ChangedName['users']; readonly others: ChangedName['users'] } {
  if (!isCallable(kind)) return { calls: users, others: [] };
  const calls = new Set(
    view
      .referencesTo(name)
      .filter(use => use.kind === 'call')
      .map(({ path, line }) => `${path}:${line}`),
  );
  const isCall = ({ path, line }: ChangedName['users'][number]): boolean =>
    calls.has(`${path}:${line}`);
  return { calls: users.filter(isCall), others: users.filter(one => !isCall(one)) };
}

/** With the function or type that the line is part of. */
function within(path: string, line: number, what: string, view: CodeView): LinePointer {
  const around = view
    .enclosing(path, line)
    .findLast(({ kind, name }) => kind !== 'constant' && kind !== 'test' && isWord(name));
  if (around === undefined) return plain(path, line, what);
  return {
    ...plain(path, line, what),
    place: isCallable(around.kind) ? `${around.name}()` : around.name,
  };
}

function isWord(name: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]{0,79}$/u.test(name);
}

function isCallable(kind: DefinitionKind): boolean {
  return kind === 'function' || kind === 'method' || kind === 'macro' || kind === 'class';
}

const longestSignature = 160;

function bareSignatures({ found, view, shownOf }: PointerMaterial): LinePointer[] {
  return found.map(one => {
    const { path, name, where } = one;
    const line = nameLineOf(one, view);
    const definition = view
      .definitionsIn(path)
      .find(each => each.nameLine === line && each.name === name);
    const lines = shownOf(path);
    const text =
      definition !== undefined && isCallable(definition.kind)
        ? signatureOf(definition, lines)
        : (lines[line - 1]?.trim() ?? '');
    const brief = { what: where === 'local' ? 'declares' : 'defines', place: name };
    const pointer = plain(path, line, text.slice(0, longestSignature));
    return text === '' ? { ...pointer, ...brief } : { ...pointer, brief };
  });
}

function possibleSignatures({ possible, shownOf }: PointerMaterial): LinePointer[] {
  return possible.map(one => {
    const lines = shownOf(one.path);
    const text = isCallable(one.kind)
      ? signatureOf(one, lines)
      : (lines[one.nameLine - 1]?.trim() ?? '');
    return plain(
      one.path,
      one.nameLine,
      `perhaps ${(text === '' ? one.name : text).slice(0, longestSignature)}`,
    );
  });
}

/** Of the names that are called least first: those calls tell most. */
function callersOf(material: PointerMaterial): LinePointer[] {
  const { changed, view } = material;
  return callersOfThese(
    changed.filter(one => !isCommon(one, view)),
    material,
  );
}

function callersOfThese(
  definitions: readonly Definition[],
  { view }: PointerMaterial,
): LinePointer[] {
  return leastFirst(
    definitions
      .filter(({ kind }) => isCallable(kind))
      .map(definition =>
        usesOfDefinition(definition, view)
          .filter(({ kind, path }) => kind === 'call' && !view.isTest(path))
          .map(({ path, line }) =>
            within(path, line, `calls ${calledName(definition, view)}`, view),
          ),
      ),
  );
}

function leastFirst(groups: readonly (readonly LinePointer[])[]): LinePointer[] {
  return groups.toSorted((one, other) => one.length - other.length).flat();
}

/** Code before what is read by people only. */
function togetherPointers(material: PointerMaterial): LinePointer[] {
  const { together, view } = material;
  return [
    ...[...together]
      .filter(({ path }) => view.linesOf(path) > 0)
      .toSorted(
        (one, other) => Number(isDocumentPath(one.path)) - Number(isDocumentPath(other.path)),
      )
      .map(({ path, times, of }) =>
        plain(path, 1, `changed with this in ${times} of ${of} commits`),
      ),
    ...testedByName(material, new Set(together.map(({ path }) => path))),
  ];
}

/** Of types, and of functions that are passed on; at last what shares the name of one that is signed anew. */
function usesOfTypes(material: PointerMaterial): LinePointer[] {
  const { changed, names, view } = material;
  return [
    ...leastFirst(
      changed.map(definition =>
        usesOfDefinition(definition, view)
          .filter(
            ({ path, kind }) =>
              !view.isTest(path) && (kind === 'use' || !isCallable(definition.kind)),
          )
          .map(({ path, line }) => within(path, line, `uses ${definition.name}`, view)),
      ),
    ),
    ...names.flatMap(one =>
      one.change === 'removed' ? [] : usersOfName(one, callsOf(one, view).others, material),
    ),
  ];
}

function importersOf({ pieces, view }: PointerMaterial): LinePointer[] {
  const changed = new Set(pieces.map(({ path }) => path));
  return [...changed]
    .filter(path => !view.isTest(path))
    .flatMap(path =>
      view
        .importersOf(path)
        .filter(one => !changed.has(one.path) && !view.isTest(one.path))
        .filter((one, index, all) => all.findIndex(({ path: each }) => each === one.path) === index)
        .map(one => plain(one.path, one.line, `imports ${path}`)),
    );
}

/** True when the line is part of the change, or of what is quoted already. */
export function isQuoted(
  { path, line }: Pick<LinePointer, 'path' | 'line'>,
  quoted: readonly {
    readonly path: string | null;
    readonly range: { readonly start: number; readonly end: number } | null;
  }[],
): boolean {
  return quoted.some(one => one.path === path && one.range !== null && holds(one.range, line));
}
