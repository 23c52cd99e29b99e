/**
 * What a pack may hold beyond the changed lines, nearest first: code beside them, the definitions and callers of their names, the
 * repository.
 */
import { isDocumentPath } from '../../languages/path-kinds.ts';
import type { Definition } from '../../words/code-index.ts';
import type { ChangedName } from '../changed-names.ts';
import { type Candidate, lineCandidate, pointer } from './fit.ts';
import { type ChangedPiece, holds, lengthOf, type LineRange, overlaps } from './line-range.ts';
import { type CodeView, headerEnd, testsLast } from './code-view.ts';
import { usesOfDefinition } from './uses-of.ts';
import { longestExcerpt } from './local-pack.ts';
import type { Found } from './resolve.ts';
import { firstCodeLine, synopsisOf } from './synopsis.ts';

type LinesOf = (path: string) => readonly string[];

const linesOfType = 8;
const callSitesPerSymbol = 3;
const mostCallSites = 12;
const mostSynopses = 4;

/** The first lines of a definition say how it is used; the rest of it is for whoever follows the pointer. */
export function definitionCandidates(
  found: readonly Found[],
  pieces: readonly ChangedPiece[],
  view: CodeView,
  linesOf: LinesOf,
): Candidate[] {
  return found.map(({ path, startLine, endLine, name, where }) => {
    const definition = view
      .definitionsIn(path)
      .find(one => one.startLine === startLine && one.name === name);
    const isClose =
      where === 'local' || (where === 'file' && sharesClass(path, startLine, pieces, view));
    const end =
      definition === undefined
        ? endLine
        : Math.max(
            startLine,
            isClose && definition.kind === 'class'
              ? headerEnd(linesOf(path), startLine, endLine)
              : beginningOf(definition, linesOf(path)),
          );
    return lineCandidate(path, { start: startLine, end }, isClose ? 1 : 2, {
      name: where === 'local' ? null : name,
      needed: 1,
    });
  });
}

function beginningOf({ kind, endLine, nameLine }: Definition, lines: readonly string[]): number {
  const isType = kind === 'class' || kind === 'interface' || kind === 'type' || kind === 'enum';
  return isType || kind === 'constant'
    ? Math.min(endLine, nameLine + (isType ? linesOfType : 3) - 1)
    : headerEnd(lines, nameLine, endLine);
}

function sharesClass(
  path: string,
  line: number,
  pieces: readonly ChangedPiece[],
  view: CodeView,
): boolean {
  const classes = view
    .enclosing(path, line)
    .filter(({ kind }) => kind === 'class' || kind === 'interface');
  return pieces.some(
    piece =>
      piece.path === path &&
      piece.changed.some(range =>
        classes.some(({ startLine, endLine }) =>
          overlaps(range, { start: startLine, end: endLine }),
        ),
      ),
  );
}

/** Definitions that hold changed lines, the innermost ones, in the order of the change. */
export function changedDefinitions(pieces: readonly ChangedPiece[], view: CodeView): Definition[] {
  const found = new Set<Definition>();
  for (const { path, changed } of pieces) {
    const definitions = view
      .definitionsIn(path)
      .filter(({ kind }) => kind !== 'test' && kind !== 'module');
    for (const range of changed) {
      const touched = definitions.filter(({ startLine, endLine }) =>
        overlaps(range, { start: startLine, end: endLine }),
      );
      const covering = touched.filter(one => covers(one, range));
      for (const one of touched) if (!covering.some(other => isWithin(other, one))) found.add(one);
    }
  }
  return [...found];
}

function isWithin(inner: Definition, outer: Definition): boolean {
  return (
    inner.startLine >= outer.startLine &&
    inner.endLine <= outer.endLine &&
    (inner.startLine > outer.startLine || inner.endLine < outer.endLine)
  );
}

function covers({ startLine, endLine }: Definition, { start, end }: LineRange): boolean {
  return startLine <= start && end <= endLine;
}

/** The nearest calls of what changed, tests left out. */
export function callSites(changed: readonly Definition[], view: CodeView): Candidate[] {
  return changed
    .filter(({ kind }) => kind !== 'constant')
    .flatMap(definition =>
      usesOfDefinition(definition, view)
        .filter(({ kind, path }) => kind === 'call' && !view.isTest(path))
        .slice(0, callSitesPerSymbol)
        .map(({ path, line }) =>
          lineCandidate(path, callRange(path, line, view), 2, { name: `calls ${definition.name}` }),
        ),
    )
    .slice(0, mostCallSites);
}

const usesPerName = 3;
const mostUses = 8;

/** Uses that are left of names that are gone or signed anew: no line of the change shows them. */
export function remainingUses(names: readonly ChangedName[], view: CodeView): Candidate[] {
  return names
    .flatMap(({ name, change, users }) =>
      users
        .toSorted(testsLast(view))
        .slice(0, usesPerName)
        .map(({ path, line }) =>
          lineCandidate(path, callRange(path, line, view), 2, {
            name: `uses ${name} ${change === 'removed' ? 'which is removed' : 'whose signature changed'}`,
            needed: 1,
          }),
        ),
    )
    .slice(0, mostUses);
}

function callRange(path: string, line: number, view: CodeView): LineRange {
  const around = view.enclosing(path, line).at(-1);
  return {
    start: Math.max(1, line - 1, around?.startLine ?? 1),
    end: Math.min(line + 1, around?.endLine ?? line + 1, Math.max(line, view.linesOf(path))),
  };
}

/** What a file says about itself at its top, with the signatures it offers. */
export function synopses(
  pieces: readonly ChangedPiece[],
  view: CodeView,
  linesOf: LinesOf,
): Candidate[] {
  return pathsOf(pieces)
    .filter(path => !view.isTest(path) && !isDocumentPath(path))
    .slice(0, mostSynopses)
    .flatMap(path => {
      const told = synopsisOf(linesOf(path));
      const offered = view
        .definitionsIn(path)
        .filter(
          ({ signature, kind }) =>
            kind !== 'test' &&
            /^(?:export|pub|public|func [A-Z(]|def [^_]|class [^_]|type [A-Z])/.test(signature),
        );
      if (told === null && offered.length === 0) return [];
      const top = firstCodeLine(linesOf(path));
      const range = told ?? { start: top, end: top };
      const names = [...new Set(offered.map(({ name }) => name))].slice(0, 12);
      return [
        lineCandidate(path, range, 3, {
          name: 'synopsis',
          summary: names.length === 0 ? null : `offers ${names.join(', ')}`,
        }),
      ];
    });
}

function pathsOf(pieces: readonly ChangedPiece[]): string[] {
  return [...new Set(pieces.map(({ path }) => path))];
}

/** Lines shown above and below a change where they belong to the same definition. */
const surroundings = 3;

/** Lines that are told of each run that was taken away. */
const mostRemoved = 24;

/** Rung 1: every changed hunk, with what stood there before and the first lines of the functions and classes around it. */
export function nearbyCode(
  pieces: readonly ChangedPiece[],
  view: CodeView,
  linesOf: (path: string) => readonly string[],
  oldLinesOf: (path: string) => readonly string[],
): Candidate[] {
  return pieces.flatMap(piece => {
    const lines = linesOf(piece.path);
    const oldLines = oldLinesOf(piece.path);
    return [
      ...piece.changed.map(range =>
        lineCandidate(piece.path, surround(range, piece.path, view, lines), 0, {
          needed: 1,
          core: [range],
          removed: piece.removed
            .filter(({ at }) => holds(range, at))
            .map(({ old, ...place }) => {
              const told = oldLines.slice(old.start - 1, old.end).slice(0, mostRemoved);
              return { ...place, lines: told, more: lengthOf(old) - told.length };
            }),
        }),
      ),
      ...headersOf(piece, view, lines),
    ];
  });
}

/** Never out of the definition that holds the lines, nor into another one. */
function surround(
  range: LineRange,
  path: string,
  view: CodeView,
  lines: readonly string[],
): LineRange {
  const definitions = view.definitionsIn(path);
  const top = innermost(definitions, range.start);
  const bottom = innermost(definitions, range.end);
  const before = definitions
    .filter(({ endLine }) => endLine < range.start)
    .map(({ endLine }) => endLine + 1);
  const behind = definitions
    .filter(({ startLine }) => startLine > range.end)
    .map(({ startLine }) => startLine - 1);
  let start = Math.max(1, range.start - surroundings, top?.startLine ?? 1, ...before.slice(-1));
  let end = Math.min(
    lines.length,
    range.end + surroundings,
    bottom?.endLine ?? lines.length,
    ...behind.slice(0, 1),
  );
  while (start < range.start && (lines[start - 1] ?? '').trim() === '') start += 1;
  while (end > range.end && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return { start: Math.min(start, range.start), end: Math.max(end, range.end) };
}

function innermost(definitions: readonly Definition[], line: number): Definition | undefined {
  return definitions.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

function headersOf(
  { path, changed }: ChangedPiece,
  view: CodeView,
  lines: readonly string[],
): Candidate[] {
  const around = new Set(
    changed
      .flatMap(({ start, end }) => [...view.enclosing(path, start), ...view.enclosing(path, end)])
      .filter(({ kind }) => kind !== 'constant' && kind !== 'module'),
  );
  return [...around].map(({ startLine, endLine, name }) =>
    lineCandidate(path, { start: startLine, end: headerEnd(lines, startLine, endLine) }, 1, {
      name,
      needed: 1,
    }),
  );
}

const mostMaps = 4;
const testsPerSymbol = 3;
const mostTests = 8;
const linesOfTest = 15;

/** Rung 3: which modules lean on which, the tests of what changed, and the last commits that touched it. */
export interface Commit {
  readonly id: string;
  /** `YYYY-MM-DD` */
  readonly date: string;
  readonly title: string;
  /** First sentence of the message behind its title; empty when there is none. */
  readonly sentence: string;
}

/** The import lines of each changed file, with who imports it. */
export function dependencyMaps(pieces: readonly ChangedPiece[], view: CodeView): Candidate[] {
  return pathsOf(pieces)
    .slice(0, mostMaps)
    .flatMap(path => {
      const imports = view.importsOf(path);
      const users = [...new Set(view.importersOf(path).map(({ path: other }) => other))];
      if (imports.length + users.length === 0) return [];
      const start = imports.length === 0 ? 1 : Math.min(...imports.map(one => one.startLine));
      const end = Math.min(
        Math.max(start, ...imports.map(({ endLine }) => endLine)),
        start + longestExcerpt - 1,
      );
      const inside = [...new Set(imports.flatMap(({ targets }) => targets.slice(0, 1)))];
      return [
        lineCandidate(path, { start, end }, 3, {
          name: 'dependencies',
          summary:
            [list('imports', inside), list('imported by', users)]
              .filter(text => text !== '')
              .join('; ') || null,
        }),
      ];
    });
}

function list(verb: string, paths: readonly string[]): string {
  return paths.length === 0
    ? ''
    : `${verb} ${paths.slice(0, 4).join(', ')}${paths.length > 4 ? ` and ${paths.length - 4} more` : ''}`;
}

/** Test cases that use what changed, those that call it first. */
export function testsOf(changed: readonly Definition[], view: CodeView): Candidate[] {
  return changed
    .flatMap(definition => {
      const cases = usesOfDefinition(definition, view).flatMap(({ path, line }) => {
        const around = view.isTest(path) ? view.enclosing(path, line) : [];
        const whole =
          around.findLast(({ kind }) => kind === 'test') ??
          around.findLast(({ kind }) => kind !== 'constant');
        return whole === undefined ? [] : [whole];
      });
      return [...new Set(cases)].slice(0, testsPerSymbol);
    })
    .slice(0, mostTests)
    .map(({ path, startLine, endLine, name }) =>
      lineCandidate(
        path,
        { start: startLine, end: Math.min(endLine, startLine + linesOfTest - 1) },
        2,
        { kind: 'test', name },
      ),
    );
}

export function commitPointers(commits: readonly Commit[]): Candidate[] {
  return commits.map(({ id, date, title, sentence }) =>
    pointer('artifact', `git:${id.slice(0, 12)}`, 6, {
      summary: [date, title, sentence].filter(text => text !== '').join('; '),
    }),
  );
}
