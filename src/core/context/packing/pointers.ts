/**
 * Lines worth a look that a pack has no room to quote: uses of what is gone, callers, tests, what changes with it, importers.
 * One line each, the most telling first.
 */
import { isDocumentPath, isExamplePath } from '../../languages/path-kinds.ts';
import type { Definition, DefinitionKind } from '../../words/code-index.ts';
import { type ChangedName, signatureOf } from '../changed-names.ts';
import type { CoChanged } from './co-change.ts';
import { type ChangedPiece, holds } from './line-range.ts';
import type { CodeView } from './references.ts';
import { type Found, nameLineOf } from './resolve-symbol.ts';
import { usesOf } from './uses-of.ts';

export interface LinePointer {
  readonly path: string;
  readonly line: number;
  /** Our words, names, and lines with their secrets taken out: it is shown without another look. */
  readonly what: string;
  /** A piece of the file that may be told behind it where it holds no secret. */
  readonly quote: string | null;
}

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

/** What is left of a name that is gone breaks; of one with another signature it may. */
function usersOfNames({ names, view }: PointerMaterial): LinePointer[] {
  return [...names]
    .toSorted(
      (one, other) => Number(one.change === 'signature') - Number(other.change === 'signature'),
    )
    .flatMap(({ name, change, users }) =>
      [...users]
        .toSorted((one, other) => Number(view.isTest(one.path)) - Number(view.isTest(other.path)))
        .map(({ path, line }) =>
          plain(
            path,
            line,
            `${inFront(path, line, view)}uses ${name} ${change === 'removed' ? 'which is removed' : 'whose signature changed'}`,
          ),
        ),
    );
}

function plain(path: string, line: number, what: string): LinePointer {
  return { path, line, what, quote: null };
}

/** `handle() ` for a line of a function of that name. */
function inFront(path: string, line: number, view: CodeView): string {
  const around = view
    .enclosing(path, line)
    .findLast(({ kind, name }) => kind !== 'constant' && kind !== 'test' && isWord(name));
  if (around === undefined) return '';
  return isCallable(around.kind) ? `${around.name}() ` : `${around.name} `;
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
    return plain(
      path,
      line,
      text === ''
        ? `${where === 'local' ? 'declares' : 'defines'} ${name}`
        : text.slice(0, longestSignature),
    );
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
function callersOf({ changed, view }: PointerMaterial): LinePointer[] {
  return leastFirst(
    changed
      .filter(({ kind }) => isCallable(kind))
      .map(definition =>
        usesOfDefinition(definition, view)
          .filter(({ kind, path }) => kind === 'call' && !view.isTest(path))
          .map(({ path, line }) =>
            plain(path, line, `${inFront(path, line, view)}calls ${calledName(definition, view)}`),
          ),
      ),
  );
}

/** Places of a definition outside of itself, those of its own file and folder first, examples last. */
function usesOfDefinition(
  definition: Definition,
  view: CodeView,
): readonly { readonly path: string; readonly line: number; readonly kind: 'call' | 'use' }[] {
  const { path, startLine, endLine } = definition;
  const folder = path.slice(0, path.lastIndexOf('/') + 1);
  const farness = (other: string): number =>
    other === path ? 0 : isExamplePath(other) ? 3 : other.startsWith(folder) ? 1 : 2;
  const thing = { name: calledName(definition, view), paths: [path], isOwnOnly: false };
  return view
    .usesMeaning(definition, usesOf(thing, view))
    .filter(use => use.path !== path || use.line < startLine || use.line > endLine)
    .toSorted((one, other) => farness(one.path) - farness(other.path));
}

/** Whoever makes an object calls its class. */
function calledName({ name, path, startLine }: Definition, view: CodeView): string {
  if (!/^(?:constructor|__init__|__new__|initialize|__construct)$/.test(name)) return name;
  return view.enclosing(path, startLine).findLast(({ kind }) => kind === 'class')?.name ?? name;
}

function leastFirst(groups: readonly (readonly LinePointer[])[]): LinePointer[] {
  return groups.toSorted((one, other) => one.length - other.length).flat();
}

const casesPerFile = 3;

/** A case of each test file first, then more of them; at last the files that are only called like what changed. */
function testPointers(material: PointerMaterial): LinePointer[] {
  const { changed, names, view, pieces } = material;
  const changedPaths = new Set(pieces.map(({ path }) => path));
  const files = new Map<string, Map<number, TestUse>>();
  const note = (name: string, uses: readonly { path: string; line: number; kind: string }[]) => {
    for (const { path, line, kind } of uses) {
      if (!view.isTest(path) || changedPaths.has(path)) continue;
      const around = view.enclosing(path, line);
      const test =
        around.findLast(one => one.kind === 'test') ??
        around.findLast(one => one.kind !== 'constant');
      const cases = files.get(path) ?? new Map<number, TestUse>();
      files.set(path, cases);
      const start = test?.startLine ?? line;
      const known = cases.get(start) ?? { title: test?.name ?? null, names: new Set(), calls: 0 };
      known.names.add(name);
      cases.set(start, { ...known, calls: known.calls + Number(kind === 'call') });
    }
  };
  for (const definition of changed)
    note(calledName(definition, view), usesOfDefinition(definition, view));
  for (const { name, users } of names)
    note(
      name,
      users.map(user => ({ ...user, kind: 'use' })),
    );
  const ranked = [...files]
    .map(([path, cases]) => ({ path, cases: rankCases(cases) }))
    .toSorted(
      (one, other) =>
        namesIn(other.cases) - namesIn(one.cases) || Number(one.path > other.path) * 2 - 1,
    );
  const told = Array.from({ length: casesPerFile }, (_, index) => index).flatMap(index =>
    ranked.flatMap(({ path, cases }) => {
      const one = cases[index];
      return one === undefined
        ? []
        : [{ path, line: one.line, what: `tests ${one.names.join(', ')}`, quote: one.title }];
    }),
  );
  return [
    ...told.slice(0, ranked.length),
    ...testsByName(material, files),
    ...told.slice(ranked.length),
  ];
}

interface TestUse {
  readonly title: string | null;
  readonly names: Set<string>;
  readonly calls: number;
}

interface RankedCase {
  readonly line: number;
  readonly title: string | null;
  readonly names: readonly string[];
}

function rankCases(cases: ReadonlyMap<number, TestUse>): RankedCase[] {
  return [...cases]
    .toSorted(
      ([line, one], [otherLine, other]) =>
        Math.sign(other.calls) - Math.sign(one.calls) ||
        other.names.size - one.names.size ||
        line - otherLine,
    )
    .map(([line, { title, names }]) => ({ line, title, names: [...names].slice(0, 3) }));
}

function namesIn(cases: readonly RankedCase[]): number {
  return new Set(cases.flatMap(({ names }) => names)).size;
}

const mostByName = 3;

/** `parse.test.ts`, `test_parse.py`, `ParseTest.java` for `parse`, the nearest ones. */
function testsByName(
  { pieces, view }: PointerMaterial,
  known: ReadonlyMap<string, unknown>,
): LinePointer[] {
  const changed = new Set(pieces.map(({ path }) => path));
  const sources = [...changed].filter(path => !view.isTest(path) && view.languageOf(path) !== null);
  if (sources.length === 0) return [];
  const tests = new Map<string, string[]>();
  for (const path of view.paths)
    if (view.isTest(path) && !isDocumentPath(path)) {
      const stem = testedStem(path);
      tests.set(stem, [...(tests.get(stem) ?? []), path]);
    }
  return sources.flatMap(source =>
    (tests.get(stemOf(source)) ?? [])
      .filter(path => !known.has(path) && !changed.has(path))
      .map(path => ({ path, shared: sharedSegments(path, source) }))
      .toSorted((one, other) => other.shared - one.shared || Number(one.path > other.path) * 2 - 1)
      .slice(0, mostByName)
      .map(({ path }) => plain(path, 1, `named like a test of ${source}`)),
  );
}

/** The folder speaks for a file that is called like every other one. */
function stemOf(path: string): string {
  const segments = path.toLowerCase().split('/');
  const stem = (segments.at(-1) ?? '').replace(/\..*$/, '');
  const name = /^(?:index|__init__|mod|lib|main)$/.test(stem) ? (segments.at(-2) ?? stem) : stem;
  return name.replace(/[-_]/g, '');
}

function testedStem(path: string): string {
  const segments = path.split('/');
  const name = (segments.at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[._-](?:tests?|specs?)$|Tests?$|^Test(?=[A-Z])|^tests?[_-]/i, '')
    .replace(/\..*$/, '')
    .toLowerCase()
    .replace(/[-_]/g, '');
  return name === '' || /^(?:index|main|tests?)$/.test(name)
    ? (segments.at(-2) ?? name).toLowerCase().replace(/[-_]/g, '')
    : name;
}

function sharedSegments(one: string, other: string): number {
  const others = new Set(other.split('/'));
  return one.split('/').filter(segment => others.has(segment)).length;
}

/** Code before what is read by people only. */
function togetherPointers({ together, view }: PointerMaterial): LinePointer[] {
  return [...together]
    .filter(({ path }) => view.linesOf(path) > 0)
    .toSorted((one, other) => Number(isDocumentPath(one.path)) - Number(isDocumentPath(other.path)))
    .map(({ path, times, of }) => plain(path, 1, `changed with this in ${times} of ${of} commits`));
}

function usesOfTypes({ changed, view }: PointerMaterial): LinePointer[] {
  return leastFirst(
    changed
      .filter(({ kind }) => !isCallable(kind) || kind === 'class')
      .map(definition =>
        usesOfDefinition(definition, view)
          .filter(({ path }) => !view.isTest(path))
          .map(({ path, line }) =>
            plain(path, line, `${inFront(path, line, view)}uses ${definition.name}`),
          ),
      ),
  );
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
