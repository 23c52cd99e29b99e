/** Tests of a change that it does not touch: those that use its names, and those that are called like its files. */
import { isDocumentPath } from '../../languages/path-kinds.ts';
import type { Definition } from '../../words/code-index.ts';
import type { ChangedName } from '../changed-names.ts';
import { type LinePointer, plain } from './line-pointer.ts';
import type { ChangedPiece } from './line-range.ts';
import type { CodeView } from './references.ts';
import { stemOf } from './test-names.ts';
import { calledName, isCommon, isCommonName, type Place, usesOfDefinition } from './uses-of.ts';

interface TestedChange {
  readonly view: CodeView;
  readonly pieces: readonly ChangedPiece[];
  readonly changed: readonly Definition[];
  readonly names: readonly ChangedName[];
}

/** Lines of one test file that are told. */
export const casesPerFile = 3;

/**
 * A case of each test file first, then more of them. Files that use a name which means one thing come before those that are
 * only called like what changed, and these before files that use what may be anything.
 */
export function testPointers(material: TestedChange): LinePointer[] {
  const { changed, names, view, pieces } = material;
  const changedPaths = new Set(pieces.map(({ path }) => path));
  const files = new Map<string, TestFile>();
  const note = (name: string, isTelling: boolean, uses: readonly (Place & { kind: string })[]) => {
    for (const { path, line, kind } of uses) {
      if (!view.isTest(path) || changedPaths.has(path)) continue;
      const around = view.enclosing(path, line);
      const test =
        around.findLast(one => one.kind === 'test') ??
        around.findLast(one => one.kind !== 'constant');
      const file = files.get(path) ?? { path, cases: new Map(), telling: new Set() };
      files.set(path, file);
      if (isTelling) file.telling.add(name);
      const start = test?.startLine ?? line;
      const known = file.cases.get(start) ?? {
        title: test?.name ?? null,
        names: new Set(),
        calls: 0,
      };
      known.names.add(name);
      file.cases.set(start, { ...known, calls: known.calls + Number(kind === 'call') });
    }
  };
  for (const definition of changed)
    note(
      calledName(definition, view),
      !isCommon(definition, view),
      usesOfDefinition(definition, view),
    );
  for (const { name, path, users } of names)
    note(
      name,
      !isCommonName(name, [path], view),
      users.map(user => ({ ...user, kind: 'use' })),
    );
  const ranked = [...files.values()].toSorted(
    (one, other) => other.telling.size - one.telling.size || Number(one.path > other.path) * 2 - 1,
  );
  const casesOf = (tests: readonly TestFile[], from: number, to: number): LinePointer[] => {
    const cases = tests.map(({ path, cases: all, telling }) => ({
      path,
      told: rankCases(all, telling),
    }));
    return Array.from({ length: to - from }, (_, index) => from + index).flatMap(index =>
      cases.flatMap(({ path, told }) => {
        const one = told[index];
        return one === undefined
          ? []
          : [{ ...plain(path, one.line, `tests ${one.names.join(', ')}`), quote: one.title }];
      }),
    );
  };
  const telling = ranked.filter(one => one.telling.size > 0);
  const vague = ranked.filter(one => one.telling.size === 0);
  return [
    ...casesOf(telling, 0, 1),
    ...testsByName(material, new Set(telling.map(({ path }) => path))),
    ...casesOf(vague, 0, 1),
    ...casesOf(telling, 1, casesPerFile),
  ];
}

interface TestFile {
  readonly path: string;
  readonly cases: Map<number, TestUse>;
  /** Names that it uses and that mean one thing only. */
  readonly telling: Set<string>;
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

function rankCases(
  cases: ReadonlyMap<number, TestUse>,
  telling: ReadonlySet<string>,
): RankedCase[] {
  const tellingIn = ({ names }: TestUse): number =>
    [...names].filter(name => telling.has(name)).length;
  return [...cases]
    .toSorted(
      ([line, one], [otherLine, other]) =>
        Math.sign(tellingIn(other)) - Math.sign(tellingIn(one)) ||
        Math.sign(other.calls) - Math.sign(one.calls) ||
        other.names.size - one.names.size ||
        line - otherLine,
    )
    .map(([line, { title, names }]) => ({
      line,
      title,
      names: [...names]
        .toSorted((one, other) => Number(telling.has(other)) - Number(telling.has(one)))
        .slice(0, 3),
    }));
}

const mostByName = 3;

/** `parse.test.ts`, `test_parse.py`, `ParseTest.java` for `parse`, the nearest ones. */
function testsByName(change: TestedChange, known: ReadonlySet<string>): LinePointer[] {
  return namedAlike(change, known, false).map(({ path, like }) =>
    plain(path, 1, `named like a test of ${like}`),
  );
}

/** The other way round: what a changed test is called after, where the change leaves it alone. */
export function testedByName(change: TestedChange, known: ReadonlySet<string>): LinePointer[] {
  return namedAlike(change, known, true).map(({ path, like }) =>
    plain(path, 1, `named like what ${like} tests`),
  );
}

/** For the changed files that are tests, or are none, files of the other kind; `known` are told already. */
function namedAlike(
  { pieces, view }: TestedChange,
  known: ReadonlySet<string>,
  isOfTests: boolean,
): { readonly path: string; readonly like: string }[] {
  const changed = new Set(pieces.map(({ path }) => path));
  const isCode = (path: string): boolean => view.languageOf(path) !== null && !isDocumentPath(path);
  const sources = [...changed].filter(path => view.isTest(path) === isOfTests && isCode(path));
  if (sources.length === 0) return [];
  const stems = new Set(sources.map(stemOf));
  const others = new Map<string, string[]>();
  for (const path of view.paths) {
    if (view.isTest(path) === isOfTests || !isCode(path)) continue;
    const stem = stemOf(path);
    if (stems.has(stem)) others.set(stem, [...(others.get(stem) ?? []), path]);
  }
  return sources.flatMap(source => {
    const alike = others.get(stemOf(source)) ?? [];
    if (isOfTests && alike.some(path => changed.has(path))) return [];
    return alike
      .filter(path => !known.has(path) && !changed.has(path))
      .map(path => ({ path, like: source, shared: sharedSegments(path, source) }))
      .toSorted((one, other) => other.shared - one.shared || Number(one.path > other.path) * 2 - 1)
      .slice(0, mostByName);
  });
}

function sharedSegments(one: string, other: string): number {
  const others = new Set(other.split('/'));
  return one.split('/').filter(segment => others.has(segment)).length;
}
