/** Tests of a change that it does not touch: those that use its names, and those that are called like its files. */
import { isDocumentPath } from '../../languages/path-kinds.ts';
import { groupBy } from '../../groups.ts';
import { compareTexts } from '../../text.ts';
import type { Definition } from '../../words/code-index.ts';
import type { ChangedName } from '../changed-names.ts';
import { type LinePointer, plain } from './line-pointer.ts';
import type { ChangedPiece } from './line-range.ts';
import type { CodeView } from './code-view.ts';
import { stemOf } from './test-names.ts';
import { calledName, usesOfDefinition } from './uses-of.ts';

interface TestedChange {
  readonly view: CodeView;
  readonly pieces: readonly ChangedPiece[];
  readonly changed: readonly Definition[];
  readonly names: readonly ChangedName[];
}

/** Lines of one test file that are told. */
const casesPerFile = 3;

/** A case of each test file first, those that use most of what changed; then files called like it; then more cases. */
export function testPointers(material: TestedChange): LinePointer[] {
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
        : [{ ...plain(path, one.line, `tests ${one.names.join(', ')}`), quote: one.title }];
    });
  return [
    ...told(0),
    ...namedAlike(material, new Set(files.map(({ path }) => path)), false).map(({ path, like }) =>
      plain(path, 1, `named like a test of ${like}`),
    ),
    ...Array.from({ length: casesPerFile - 1 }, (_, at) => told(at + 1)).flat(),
  ];
}

interface Case {
  readonly line: number;
  readonly title: string | null;
  readonly names: readonly string[];
}

/** Those that use most first. */
function casesOf(
  path: string,
  uses: readonly { readonly line: number; readonly name: string }[],
  view: CodeView,
): Case[] {
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

/** The other way round: what a changed test is called after, where the change leaves it alone. */
export function testedByName(change: TestedChange, known: ReadonlySet<string>): LinePointer[] {
  return namedAlike(change, known, true).map(({ path, like }) =>
    plain(path, 1, `named like what ${like} tests`),
  );
}

/** `parse.test.ts`, `test_parse.py` for `parse`, or for changed tests the other way round, the nearest ones; `known` are told already. */
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

function sharedSegments(one: string, other: string): number {
  const others = new Set(other.split('/'));
  return one.split('/').filter(segment => others.has(segment)).length;
}
