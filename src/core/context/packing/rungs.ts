/**
 * What a pack may hold beyond the changed lines, nearest first: code beside them, the definitions and callers of their names, the
 * repository.
 */
import { isDocumentPath } from '../../languages/languages.ts';
import type { Definition } from '../../words/code-index.ts';
import type { Place } from '../changed-names.ts';
import { listNames } from '../risk-lines.ts';
import { type Candidate, candidateOf } from './fit.ts';
import { type ChangedPiece, holds, lengthOf, type LineRange, overlaps } from './line-range.ts';
import { type CodeView, callOf, callsOf, headerEnd, rangeOf, testsLast } from './code-view.ts';
import { longestExcerpt } from './local-pack.ts';
import type { PackMaterial } from './pointers.ts';
import { firstCodeLine, synopsisOf } from './micro-summary.ts';

const linesOfType = 8;
const callSitesPerSymbol = 3;
const mostCallSites = 12;
const mostSynopses = 4;

/** The first lines of a definition say how it is used; the rest of it is for whoever follows the pointer. */
export function definitionCandidates({ resolved, pieces, view, texts }: PackMaterial) {
  return resolved.found.map(({ path, startLine: start, endLine, name, where, definition }) => {
    const isClose =
      where === 'local' || (where === 'file' && sharesClass(path, start, pieces, view));
    const headEnd = (from: number) => headerEnd(texts.linesOf(path), from, endLine);
    const end =
      isClose && definition?.kind === 'class'
        ? headEnd(start)
        : definition && beginningOf(definition, headEnd);
    return candidateOf({
      path,
      range: { start, end: end === undefined ? endLine : Math.max(start, end) },
      distance: isClose ? 1 : 2,
      name: where === 'local' ? null : name,
      needed: 1,
    });
  });
}

function beginningOf({ kind, endLine, nameLine }: Definition, headEnd: (from: number) => number) {
  if (kind === 'constant') return Math.min(endLine, nameLine + 2);
  return /^(?:class|interface|type|enum)$/.test(kind)
    ? Math.min(endLine, nameLine + linesOfType - 1)
    : headEnd(nameLine);
}

function sharesClass(path: string, line: number, pieces: readonly ChangedPiece[], view: CodeView) {
  const classes = view
    .enclosing(path, line)
    .filter(({ kind }) => kind === 'class' || kind === 'interface')
    .map(rangeOf);
  return pieces
    .filter(piece => piece.path === path)
    .some(({ changed }) => changed.some(range => classes.some(one => overlaps(range, one))));
}

/** Definitions that hold changed lines, the innermost ones, in the order of the change. */
export function changedDefinitions(pieces: readonly ChangedPiece[], view: CodeView) {
  const found = new Set<Definition>();
  for (const { path, changed } of pieces) {
    const definitions = view
      .definitionsIn(path)
      .filter(({ kind }) => kind !== 'test' && kind !== 'module');
    for (const range of changed) {
      const touched = definitions.filter(one => overlaps(range, rangeOf(one)));
      const covering = touched.map(rangeOf).filter(one => covers(one, range));
      for (const one of touched) {
        const own = rangeOf(one);
        if (!covering.some(other => covers(own, other) && lengthOf(other) < lengthOf(own)))
          found.add(one);
      }
    }
  }
  return [...found];
}

function covers(outer: LineRange, inner: LineRange) {
  return outer.start <= inner.start && inner.end <= outer.end;
}

/** The nearest calls of what changed, tests left out. */
export function callSites({ changed, view }: PackMaterial) {
  return changed
    .filter(({ kind }) => kind !== 'constant')
    .flatMap(definition =>
      callsOf(definition, view)
        .slice(0, callSitesPerSymbol)
        .map(use => useCandidate(use, callOf(definition, view), view)),
    )
    .slice(0, mostCallSites);
}

const usesPerName = 3;
const mostUses = 8;

/** Uses that are left of names that are gone or signed anew: no line of the change shows them. */
export function remainingUses({ names, view }: PackMaterial): Candidate[] {
  return names
    .flatMap(({ name, change, users }) =>
      users
        .toSorted(testsLast(view))
        .slice(0, usesPerName)
        .map(use => ({
          ...useCandidate(
            use,
            `uses ${name} ${change === 'removed' ? 'which is removed' : 'whose signature changed'}`,
            view,
          ),
          needed: 1,
        })),
    )
    .slice(0, mostUses);
}

function useCandidate({ path, line }: Place, name: string, view: CodeView) {
  const { startLine = 1, endLine = line + 1 } = view.enclosing(path, line).at(-1) ?? {};
  const range = {
    start: Math.max(1, line - 1, startLine),
    end: Math.min(line + 1, endLine, Math.max(line, view.linesOf(path))),
  };
  return candidateOf({ path, range, distance: 2, name });
}

/** What a file says about itself at its top, with the signatures it offers. */
export function synopses({ pieces, view, texts }: PackMaterial) {
  return pathsOf(pieces)
    .filter(path => !view.isTest(path) && !isDocumentPath(path))
    .slice(0, mostSynopses)
    .flatMap(path => {
      const told = synopsisOf(texts.linesOf(path));
      const offered = view
        .definitionsIn(path)
        .filter(
          ({ signature, kind }) =>
            kind !== 'test' &&
            /^(?:export|pub|public|func [A-Z(]|def [^_]|class [^_]|type [A-Z])/.test(signature),
        );
      if (told === null && offered.length === 0) return [];
      const top = firstCodeLine(texts.linesOf(path));
      const range = told ?? { start: top, end: top };
      const names = [...new Set(offered.map(({ name }) => name))].slice(0, 12);
      return [
        candidateOf({
          path,
          range,
          distance: 3,
          name: 'synopsis',
          summary: names.length === 0 ? null : `offers ${names.join(', ')}`,
        }),
      ];
    });
}

function pathsOf(pieces: readonly ChangedPiece[]) {
  return [...new Set(pieces.map(({ path }) => path))];
}

/** Lines shown above and below a change where they belong to the same definition. */
const surroundings = 3;

/** Lines that are told of each run that was taken away. */
const mostRemoved = 24;

/** Rung 1: every changed hunk, with what stood there before and the first lines of the functions and classes around it. */
export function nearbyCode({ pieces, view, texts, oldLinesOf }: PackMaterial) {
  return pieces.flatMap(piece => {
    const lines = texts.linesOf(piece.path);
    const oldLines = oldLinesOf(piece.path);
    return [
      ...piece.changed.map(range =>
        candidateOf({
          path: piece.path,
          range: surround(range, piece.path, view, lines),
          distance: 0,
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
function surround(range: LineRange, path: string, view: CodeView, lines: readonly string[]) {
  const definitions = view.definitionsIn(path);
  const { startLine: top = 1 } = view.enclosing(path, range.start).at(-1) ?? {};
  const { endLine: bottom = lines.length } = view.enclosing(path, range.end).at(-1) ?? {};
  const { endLine: before = 0 } = definitions.findLast(one => one.endLine < range.start) ?? {};
  const { startLine: behind = Infinity } = definitions.find(one => one.startLine > range.end) ?? {};
  let start = Math.max(range.start - surroundings, top, before + 1);
  let end = Math.min(lines.length, range.end + surroundings, bottom, behind - 1);
  while (start < range.start && (lines[start - 1] ?? '').trim() === '') start += 1;
  while (end > range.end && (lines[end - 1] ?? '').trim() === '') end -= 1;
  return { start: Math.min(start, range.start), end: Math.max(end, range.end) };
}

function headersOf({ path, changed }: ChangedPiece, view: CodeView, lines: readonly string[]) {
  const around = new Set(
    changed
      .flatMap(({ start, end }) => [...view.enclosing(path, start), ...view.enclosing(path, end)])
      .filter(({ kind }) => kind !== 'constant' && kind !== 'module'),
  );
  return [...around].map(({ startLine: start, endLine, name }) =>
    candidateOf({
      path,
      range: { start, end: headerEnd(lines, start, endLine) },
      distance: 1,
      name,
      needed: 1,
    }),
  );
}

const mostMaps = 4;

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
export function dependencyMaps({ pieces, view }: PackMaterial) {
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
        candidateOf({
          path,
          range: { start, end },
          distance: 3,
          name: 'dependencies',
          summary:
            [list('imports', inside), list('imported by', users)]
              .filter(text => text !== '')
              .join('; ') || null,
        }),
      ];
    });
}

function list(verb: string, paths: readonly string[]) {
  return paths.length === 0 ? '' : `${verb} ${listNames(paths, 4)}`;
}

export function commitPointers(commits: readonly Commit[]) {
  return commits.map(({ id, date, title, sentence }) =>
    candidateOf({
      kind: 'artifact',
      ref: `git:${id.slice(0, 12)}`,
      distance: 6,
      summary: [date, title, sentence].filter(text => text !== '').join('; '),
    }),
  );
}
