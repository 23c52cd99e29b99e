/**
 * Lines worth a look that a pack has no room to quote: uses of what is gone, callers, tests, what changes with it, importers.
 * One line each, the most telling first.
 */
import { by, groupBy, groupsBy, sumOf } from '../../groups.ts';
import { isDocumentPath, isSameFamily, kindsOf } from '../../languages/languages.ts';
import { folderOf } from '../../text.ts';
import type { Definition, DefinitionKind } from '../../words/code-index.ts';
import { type ChangedName, signatureOf } from '../changed-names.ts';
import {
  type CodeView,
  calledName,
  callOf,
  callsOf,
  isCommonName,
  testsLast,
  usesOfDefinition,
} from './code-view.ts';
import { type Placed, candidateOf, type Resolved } from './fit.ts';
import { type ChangedPiece, type LinePointer, type LinesOf, holds } from './line-range.ts';

/** Of each test file the case that uses most of what changed, those files first that use most. */
function testPointers({ changed, names, view, pieces }: PackMaterial) {
  const changedPaths = new Set(pieces.map(({ path }) => path));
  const uses = [
    ...changed.flatMap(one =>
      usesOfDefinition(one, view).map(use => ({ ...use, name: calledName(one, view) })),
    ),
    ...names.flatMap(({ name, users }) => users.map(user => ({ ...user, name }))),
  ]
    .filter(({ path }) => view.isTest(path) && !changedPaths.has(path))
    .map(({ path, line, name }) => {
      const { startLine = line, name: title = null } = caseAround(path, line, view) ?? {};
      return { path, line: startLine, title, name };
    });
  return groupsBy(uses, ({ path }) => path)
    .toSorted(
      by(
        file => -namesOf(file).length,
        ([{ path }]) => path,
      ),
    )
    .flatMap(file => {
      const [best] = groupsBy(file, ({ line }) => line).toSorted(
        by(
          one => -namesOf(one).length,
          ([{ line }]) => line,
        ),
      );
      if (best === undefined) return [];
      const [{ path, line, title }] = best;
      return {
        ...plain(path, line, `tests ${namesOf(best).slice(0, 3).join(', ')}`),
        quote: title,
      };
    });
}

function plain(path: string, line: number, what: string): LinePointer {
  return { path, line, what, brief: null, quote: null };
}

function namesOf(uses: readonly { readonly name: string }[]) {
  return [...new Set(uses.map(({ name }) => name))];
}

/** The case around a line of a test file, else what else is around it. */
function caseAround(path: string, line: number, view: CodeView) {
  return (
    view.enclosing(path, line).findLast(({ kind }) => kind === 'test') ?? view.around(path, line)
  );
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
  readonly resolved: Pick<Resolved, 'found'>;
  /** `times`: commits that touched it and one of the changed files. `of`: those that touched one of the changed files. */
  readonly together: ReturnType<typeof rankCoChanged>;
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
  { of: material => usersOfNames(material, true), share: 15 },
  { of: possibleUsers, share: 15 },
  { of: importersOf, share: 10, isOfNewFiles: true },
];

/** Lines of one group that are looked at: a name that stands everywhere tells nothing by its hundredth place. */
const mostOfGroup = 300;

/** Each group is worked out when it is first asked for. */
export function openPointers(material: PackMaterial) {
  return groups.map(({ of, ...group }) => {
    let known: LinePointer[] | undefined;
    const find = () =>
      groupsBy(of(material), ({ path, line }) => `${path}:${line}`)
        .map(([first]) => first)
        .slice(0, mostOfGroup);
    return { ...group, pointers: () => (known ??= find()) };
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

/** Calls of the same name, on what nobody can tell. */
function possibleUsers({ names, view }: PackMaterial) {
  return names.flatMap(({ name, path, users }) => {
    const known = new Set(users.map(user => user.path));
    return view
      .referencesTo(name)
      .filter(
        ({ kind, path: user }) =>
          kind === 'call' &&
          isSameFamily(view.languageOf(user), view.languageOf(path)) &&
          !view.isTest(user) &&
          !known.has(user),
      )
      .map(use => within(use.path, use.line, `may use ${name}`, view));
  });
}

/** Of a name that is gone every use; of one with another signature the calls. */
export function usesToShow({ name, kind, change, users }: ChangedName, view: CodeView) {
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

function bareSignatures({ resolved, texts }: PackMaterial) {
  return resolved.found.map(one => {
    const brief = `${one.where === 'local' ? 'declares' : 'defines'} ${one.name}`;
    const { path, nameLine, definition } = one;
    const lines = texts.shownOf(path);
    const text =
      definition !== undefined && isCallable(definition.kind)
        ? signatureOf(definition, lines)
        : (lines[nameLine - 1]?.trim() ?? '');
    return { ...plain(path, nameLine, text.slice(0, longestSignature) || brief), brief };
  });
}

function callersOf({ changed, view }: PackMaterial) {
  return leastFirst(
    changed
      .filter(({ kind }) => isCallable(kind))
      .map(definition =>
        callsOf(definition, view).map(({ path, line }) =>
          within(path, line, callOf(definition, view), view),
        ),
      ),
  );
}

function leastFirst(groups: readonly (readonly LinePointer[])[]) {
  return groups.toSorted(by(({ length }) => length)).flat();
}

/** Code before what is read by people only. */
function togetherPointers({ together, view }: PackMaterial) {
  return together
    .filter(({ path }) => view.linesOf(path) > 0)
    .toSorted(by(({ path }) => isDocumentPath(path)))
    .map(({ path, times, of }) => plain(path, 1, `changed with this in ${times} of ${of} commits`));
}

function importersOf({ pieces, view }: PackMaterial) {
  const changed = new Set(pieces.map(({ path }) => path));
  return [...changed]
    .filter(path => !view.isTest(path))
    .flatMap(path =>
      groupsBy(
        view.importersOf(path).filter(one => !changed.has(one.path) && !view.isTest(one.path)),
        one => one.path,
      ).map(([one]) => plain(one.path, one.line, `imports ${path}`)),
    );
}

/** True when the line is part of the change, or of what is quoted already. */
export function isQuoted(
  { path, line }: Pick<LinePointer, 'path' | 'line'>,
  quoted: readonly Pick<Placed, 'path' | 'range'>[],
) {
  return quoted.some(one => one.path === path && one.range !== null && holds(one.range, line));
}

// Files that used to change together with those of a change, by the history before it.

/** All files that a commit touched, one of the changed files among them. */
export interface PastChange {
  readonly files: readonly string[];
}

const mostPaths = 10;
/** After so many commits a memory counts half. */
const halfLife = 60;

/** What is read by people or written by programs changes with everything. */
const worthOfOther = 0.1;
/** A test and what it tests, a file and its neighbours: where the history says little, the name says the rest. */
const namedAlike = 3;
const beside = 1.3;

/** `past`: latest first. A file that seldom changes says more by changing with another; a commit shares one voice among all its files. */
export function rankCoChanged(
  past: readonly PastChange[],
  changed: ReadonlySet<string>,
  isKnown: (path: string) => boolean,
) {
  const ownOf = (files: readonly string[]) => files.filter(file => changed.has(file));
  const touched = groupBy(
    past.flatMap(({ files }) => ownOf(files)),
    file => file,
  );
  const voices = past.flatMap(({ files }, index) => {
    const rarity = sumOf(ownOf(files), file => 1 / Math.sqrt(touched.get(file)?.length ?? 1));
    const weight = (rarity * 0.5 ** (index / halfLife)) / files.length;
    return files
      .filter(file => !changed.has(file) && isKnown(file))
      .map(path => ({ path, weight }));
  });
  const stems = new Set([...changed].map(stemOf));
  const folders = new Set([...changed].map(folderOf));
  const worthOf = (path: string) =>
    (kindsOf({ path }).has('code') ? 1 : worthOfOther) *
    (stems.has(stemOf(path)) ? namedAlike : 1) *
    (folders.has(folderOf(path)) ? beside : 1);
  return groupsBy(voices, ({ path }) => path)
    .map(own => ({
      path: own[0].path,
      times: own.length,
      score: sumOf(own, ({ weight }) => weight) * worthOf(own[0].path),
    }))
    .toSorted(
      by(
        ({ score }) => -score,
        ({ path }) => path,
      ),
    )
    .slice(0, mostPaths)
    .map(({ path, times }) => ({ path, times, of: past.length }));
}

// What a file is called apart from being a test: `parse` for `parse.ts`, `parse.test.ts`, `test_parse.py` and `ParseTest.java`.

/** Without case and signs. The folder speaks for a file that is called like every other one. */
function stemOf(path: string) {
  const segments = path.split('/');
  const stem = (segments.at(-1) ?? '')
    .replace(/\.[^.]*$/, '')
    .replace(/[._-](?:tests?|specs?)$|Tests?$|^Test(?=[A-Z])|^(?:tests?|specs?)[_-]/i, '')
    .replace(/\..*$/, '');
  const name = /^(?:|index|__init__|mod|lib|main|tests?|specs?)$/i.test(stem)
    ? (segments.at(-2) ?? stem)
    : stem;
  return name.toLowerCase().replace(/[-_]/g, '');
}

// The modules a change touches: the nearest folder with a manifest, or two segments below a source root, or the top folder.

const manifest = new RegExp(
  '(?:^|/)(?:package\\.json|go\\.mod|Cargo\\.toml|pyproject\\.toml|setup\\.(?:py|cfg)|pom\\.xml|' +
    'build\\.gradle(?:\\.kts)?|composer\\.json|Gemfile|mix\\.exs|pubspec\\.yaml|Package\\.swift|CMakeLists\\.txt)$',
);
const sourceRoots = 'src lib pkg internal packages apps services'.split(' ');
const testFolder = /^(?:tests?|__tests__|specs?|testdata)$/;

/** `paths`: every file of the repository, to know where manifests lie. */
export function createModules(paths: readonly string[]) {
  const folders = new Set(paths.filter(path => manifest.test(path)).map(folderOf));
  const roots = sourceRoots.filter(root => paths.some(path => path.startsWith(`${root}/`)));
  return (path: string) => {
    const place = withoutTests(path, roots);
    return nearestFolder(place, folders) ?? bySegments(place);
  };
}

/** Tests belong to what they test: their folder is not there, and a tree of tests mirrors the first source root. */
function withoutTests(path: string, roots: readonly string[]) {
  const segments = path.split('/');
  const kept = segments.filter(
    (segment, index) => index === segments.length - 1 || !testFolder.test(segment),
  );
  const isMirror =
    testFolder.test(segments[0] ?? '') &&
    segments.length > 1 &&
    !sourceRoots.includes(kept[0] ?? '');
  return isMirror && roots[0] !== undefined ? [roots[0], ...kept].join('/') : kept.join('/');
}

function nearestFolder(path: string, folders: ReadonlySet<string>) {
  for (let folder = folderOf(path); ; folder = folderOf(folder)) {
    if (folders.has(folder)) return folder;
    if (folder === '') return null;
  }
}

function bySegments(path: string) {
  const segments = path.split('/').slice(0, -1);
  const root = segments.findIndex(segment => sourceRoots.includes(segment));
  if (root === -1) return segments[0] ?? '';
  return segments.slice(0, root + 3).join('/');
}

const testsPerSymbol = 3;
const mostTests = 8;
const linesOfTest = 15;

/** Test cases that use what changed, those that call it first. */
export function testsOf({ changed, view }: PackMaterial) {
  return changed
    .flatMap(definition => {
      const cases = usesOfDefinition(definition, view)
        .filter(({ path }) => view.isTest(path))
        .flatMap(({ path, line }) => caseAround(path, line, view) ?? []);
      return [...new Set(cases)].slice(0, testsPerSymbol);
    })
    .slice(0, mostTests)
    .map(({ path, startLine: start, endLine, name }) =>
      candidateOf({
        path,
        range: { start, end: Math.min(endLine, start + linesOfTest - 1) },
        distance: 2,
        name,
      }),
    );
}
