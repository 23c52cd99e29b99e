/**
 * Lines worth a look that a pack has no room to quote: uses of what is gone, callers, tests, what changes with it, importers.
 * One line each, the most telling first.
 */
import { isDocumentPath } from '../../languages/languages.ts';
import type { Definition, DefinitionKind } from '../../words/code-index.ts';
import { type ChangedName, signatureOf } from '../changed-names.ts';
import { type CoChanged, stemOf } from './co-change.ts';
import { type ChangedPiece, type LinePointer, type LinesOf, holds, plain } from './line-range.ts';
import {
  type CodeView,
  calledName,
  callsOf,
  isCommonName,
  testsLast,
  usesOfDefinition,
} from './code-view.ts';
import type { Placed } from './fit.ts';
import type { Resolved } from './requirements.ts';
import { groupBy } from '../../groups.ts';
import { compareTexts } from '../../text.ts';

// Tests of a change that it does not touch: those that use its names, and those that are called like its files.

/** Lines of one test file that are told. */
const casesPerFile = 3;

/** A case of each test file first, those that use most of what changed; then files called like it; then more cases. */
function testPointers(material: PackMaterial) {
  const { changed, names, view, pieces } = material;
  const changedPaths = new Set(pieces.map(({ path }) => path));
  const uses = [
    ...changed.flatMap(one =>
      usesOfDefinition(one, view).map(use => ({ ...use, name: calledName(one, view) })),
    ),
    ...names.flatMap(({ name, users }) => users.map(user => ({ ...user, name }))),
  ].filter(({ path }) => view.isTest(path) && !changedPaths.has(path));
  const files = [...groupBy(uses, ({ path }) => path)]
    .map(([path, group]) => ({ path, names: new Set(group.map(({ name }) => name)), group }))
    .toSorted(
      (one, other) => other.names.size - one.names.size || compareTexts(one.path, other.path),
    )
    .map(({ path, group }) => ({ path, cases: casesOf(path, group, view) }));
  const told = (at: number): LinePointer[] =>
    files.flatMap(({ path, cases }) => {
      const one = cases[at];
      return one === undefined
        ? []
        : { ...plain(path, one.line, `tests ${one.names.join(', ')}`), quote: one.title };
    });
  return [
    ...told(0),
    ...namedAlike(material, new Set(files.map(({ path }) => path)), false).map(({ path, like }) =>
      plain(path, 1, `named like a test of ${like}`),
    ),
    ...Array.from({ length: casesPerFile - 1 }, (_, at) => told(at + 1)).flat(),
  ];
}

/** Those that use most first. */
function casesOf(
  path: string,
  uses: readonly { readonly line: number; readonly name: string }[],
  view: CodeView,
) {
  const cases = uses.map(({ line, name }) => {
    const { startLine = line, name: title = null } = caseAround(path, line, view) ?? {};
    return { name, line: startLine, title };
  });
  return [...groupBy(cases, ({ line }) => String(line)).values()]
    .map(group => ({ ...group[0], names: [...new Set(group.map(({ name }) => name))] }))
    .toSorted((one, other) => other.names.length - one.names.length || one.line - other.line)
    .map(({ line, title, names }) => ({ line, title, names: names.slice(0, 3) }));
}

/** The case around a line of a test file, else what else is around it. */
export function caseAround(path: string, line: number, view: CodeView): Definition | undefined {
  return (
    view.enclosing(path, line).findLast(({ kind }) => kind === 'test') ?? view.around(path, line)
  );
}

const mostByName = 3;

/** `parse.test.ts`, `test_parse.py` for `parse`, or for changed tests the other way round, the nearest ones; `known` are told already. */
function namedAlike(
  { pieces, view }: PackMaterial,
  known: ReadonlySet<string>,
  isOfTests: boolean,
) {
  const changed = new Set(pieces.map(({ path }) => path));
  const isCode = (path: string) => view.languageOf(path) !== null && !isDocumentPath(path);
  const sources = [...changed].filter(path => view.isTest(path) === isOfTests && isCode(path));
  if (sources.length === 0) return [];
  const stems = new Set(sources.map(stemOf));
  const others = groupBy(
    view.paths.filter(
      path => view.isTest(path) !== isOfTests && isCode(path) && stems.has(stemOf(path)),
    ),
    stemOf,
  );
  return sources.flatMap(source => {
    const alike = others.get(stemOf(source)) ?? [];
    if (isOfTests && alike.some(path => changed.has(path))) return [];
    return alike
      .filter(path => !known.has(path) && !changed.has(path))
      .map(path => ({ path, like: source, shared: sharedSegments(path, source) }))
      .toSorted((one, other) => other.shared - one.shared || compareTexts(one.path, other.path))
      .slice(0, mostByName);
  });
}

function sharedSegments(one: string, other: string) {
  const others = new Set(other.split('/'));
  return one.split('/').filter(segment => others.has(segment)).length;
}

/** What a pack is made of. */
export interface PackMaterial {
  readonly view: CodeView;
  readonly texts: {
    /** Secrets taken out; empty for a file that was not read. */
    readonly shownOf: LinesOf;
    readonly linesOf: LinesOf;
  };
  readonly pieces: readonly ChangedPiece[];
  readonly changed: readonly Definition[];
  readonly names: readonly ChangedName[];
  readonly resolved: Pick<Resolved, 'found' | 'possible'>;
  readonly together: readonly CoChanged[];
  /** As they were, by the path of today. */
  readonly oldLinesOf: LinesOf;
}

interface PointerGroup {
  readonly of: (material: PackMaterial) => LinePointer[];
  /** Of the room, in hundredths, what it may have before the others had theirs. */
  readonly share: number;
  /** Is an excerpt worth less? */
  readonly isReserved?: boolean;
  /** Nothing of it is told of a file that is named already. */
  readonly isOfNewFiles?: boolean;
}

/** In the order in which they are told. */
const groups: readonly PointerGroup[] = [
  { of: bareSignatures, share: 60 },
  { of: material => usersOfNames(material, false), share: 60, isReserved: true },
  { of: callersOf, share: 40, isReserved: true },
  { of: testPointers, share: 25, isReserved: true },
  { of: togetherPointers, share: 30, isReserved: true, isOfNewFiles: true },
  { of: possibleSignatures, share: 30 },
  { of: material => usersOfNames(material, true), share: 15 },
  { of: importersOf, share: 10, isOfNewFiles: true },
];

/** Lines of one group that are looked at: a name that stands everywhere tells nothing by its hundredth place. */
const mostOfGroup = 300;

/** Each group is worked out when it is first asked for. */
export function openPointers(material: PackMaterial) {
  return groups.map(({ of, share, isReserved = false, isOfNewFiles = false }) => {
    let known: LinePointer[] | undefined;
    const find = () => {
      const seen = new Set<string>();
      return of(material)
        .filter(({ path, line }) => seen.size < seen.add(`${path}:${line}`).size)
        .slice(0, mostOfGroup);
    };
    return { share, isReserved, isOfNewFiles, pointers: () => (known ??= find()) };
  });
}

/**
 * What is left of a name that is gone breaks; of one with another signature its calls may. Those with few uses tell most; of a name
 * that something else has too another thing may be meant.
 */
function usersOfNames({ names, view }: PackMaterial, areCommon: boolean) {
  return (['removed', 'signature'] as const).flatMap(kind =>
    leastFirst(
      names
        .filter(
          ({ change, name, path }) =>
            change === kind && isCommonName(name, [path], view) === areCommon,
        )
        .map(one => {
          const why = kind === 'removed' ? 'is removed' : 'has another signature';
          return [...usesToShow(one, view), ...one.imports]
            .toSorted(testsLast(view))
            .map(({ path, line }) => within(path, line, `uses ${one.name} which ${why}`, view));
        }),
    ),
  );
}

/** Of a name that is gone every use; of one with another signature the calls. */
export function usesToShow(
  { name, kind, change, users }: ChangedName,
  view: CodeView,
): ChangedName['users'] {
  if (change === 'removed' || !isCallable(kind)) return users;
  const calls = view.referencesTo(name).filter(use => use.kind === 'call');
  const called = new Set(calls.map(({ path, line }) => `${path}:${line}`));
  return users.filter(({ path, line }) => called.has(`${path}:${line}`));
}

/** With the function or type that the line is part of. */
function within(path: string, line: number, what: string, view: CodeView): LinePointer {
  const around = view
    .enclosing(path, line)
    .findLast(({ kind, name }) => kind !== 'constant' && kind !== 'test' && isWord.test(name));
  const place = around && ` in ${around.name}${isCallable(around.kind) ? '()' : ''}`;
  return plain(path, line, what + (place ?? ''));
}

const isWord = /^[\p{L}_$][\p{L}\p{N}_$]{0,79}$/u;

function isCallable(kind: DefinitionKind) {
  return /^(?:function|method|macro|class)$/.test(kind);
}

const longestSignature = 160;

function bareSignatures({ resolved, texts }: PackMaterial): LinePointer[] {
  return resolved.found.map(one => {
    const brief = `${one.where === 'local' ? 'declares' : 'defines'} ${one.name}`;
    const text = signatureAt(one, one.definition, texts);
    return { ...plain(one.path, one.nameLine, text || brief), brief };
  });
}

function signatureAt(
  { path, nameLine }: Pick<Definition, 'path' | 'nameLine'>,
  definition: Definition | undefined,
  { shownOf }: PackMaterial['texts'],
) {
  const lines = shownOf(path);
  const text =
    definition !== undefined && isCallable(definition.kind)
      ? signatureOf(definition, lines)
      : (lines[nameLine - 1]?.trim() ?? '');
  return text.slice(0, longestSignature);
}

function possibleSignatures({ resolved, texts }: PackMaterial) {
  return resolved.possible.map(one =>
    plain(one.path, one.nameLine, `perhaps ${signatureAt(one, one, texts) || one.name}`),
  );
}

function callersOf({ changed, view }: PackMaterial) {
  return leastFirst(
    changed
      .filter(({ kind }) => isCallable(kind))
      .map(definition =>
        callsOf(definition, view).map(({ path, line }) =>
          within(path, line, `calls ${calledName(definition, view)}`, view),
        ),
      ),
  );
}

function leastFirst(groups: readonly (readonly LinePointer[])[]) {
  return groups.toSorted((one, other) => one.length - other.length).flat();
}

/** Code before what is read by people only. */
function togetherPointers(material: PackMaterial) {
  const { together, view } = material;
  return [
    ...together
      .filter(({ path }) => view.linesOf(path) > 0)
      .toSorted(
        (one, other) => Number(isDocumentPath(one.path)) - Number(isDocumentPath(other.path)),
      )
      .map(({ path, times, of }) =>
        plain(path, 1, `changed with this in ${times} of ${of} commits`),
      ),
    // The other way round: what a changed test is called after, where the change leaves it alone.
    ...namedAlike(material, new Set(together.map(({ path }) => path)), true).map(({ path, like }) =>
      plain(path, 1, `named like what ${like} tests`),
    ),
  ];
}

function importersOf({ pieces, view }: PackMaterial) {
  const changed = new Set(pieces.map(({ path }) => path));
  return [...changed]
    .filter(path => !view.isTest(path))
    .flatMap(path => {
      const seen = new Set(changed);
      return view
        .importersOf(path)
        .filter(one => !view.isTest(one.path) && seen.size < seen.add(one.path).size)
        .map(one => plain(one.path, one.line, `imports ${path}`));
    });
}

/** True when the line is part of the change, or of what is quoted already. */
export function isQuoted(
  { path, line }: Pick<LinePointer, 'path' | 'line'>,
  quoted: readonly Pick<Placed, 'path' | 'range'>[],
): boolean {
  return quoted.some(one => one.path === path && one.range !== null && holds(one.range, line));
}
