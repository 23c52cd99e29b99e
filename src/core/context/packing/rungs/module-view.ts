/** Rung 2: where the names on the changed lines are defined, who calls what changed, and what the files are for. */
import type { Definition } from '../../../code-index.ts';
import { lineCandidate, type Candidate } from '../candidate.ts';
import type { ChangedPiece } from '../changed-lines.ts';
import type { CodeView } from '../code-view.ts';
import { headerEnd } from '../declaration.ts';
import { overlaps, type LineRange } from '../line-range.ts';
import type { Found } from '../resolve-symbol.ts';

export type LinesOf = (path: string) => readonly string[];

const linesOfType = 8;
const callSitesPerSymbol = 3;
const mostCallSites = 12;
const mostSynopses = 4;

/** The first lines of a definition say how it is used; the rest of it is for whoever follows the pointer. */
export function definitionCandidates(found: readonly Found[], pieces: readonly ChangedPiece[], view: CodeView, linesOf: LinesOf): Candidate[] {
  return found.map(({ path, startLine, endLine, name, where }) => {
    const definition = view.definitionsIn(path).find(one => one.startLine === startLine && one.name === name);
    const end = definition === undefined ? endLine : Math.max(startLine, beginningOf(definition, linesOf(path)));
    const isClose = where === 'local' || (where === 'file' && sharesClass(path, startLine, pieces, view));
    return lineCandidate(path, { start: startLine, end }, isClose ? 1 : 2, { name: where === 'local' ? null : name, needed: 1 });
  });
}

function beginningOf({ kind, startLine, endLine }: Definition, lines: readonly string[]): number {
  const isType = kind === 'class' || kind === 'interface' || kind === 'type' || kind === 'enum';
  return isType || kind === 'constant' ? Math.min(endLine, startLine + (isType ? linesOfType : 3) - 1) : headerEnd(lines, startLine, endLine);
}

function sharesClass(path: string, line: number, pieces: readonly ChangedPiece[], view: CodeView): boolean {
  const classes = view.enclosing(path, line).filter(({ kind }) => kind === 'class' || kind === 'interface');
  return pieces.some(piece => piece.path === path && piece.changed.some(range => classes.some(({ startLine, endLine }) => overlaps(range, { start: startLine, end: endLine }))));
}

/** Definitions that hold changed lines, the innermost ones, in the order of the change. */
export function changedDefinitions(pieces: readonly ChangedPiece[], view: CodeView): Definition[] {
  const found = new Set<Definition>();
  for (const { path, changed } of pieces) {
    const definitions = view.definitionsIn(path).filter(({ kind }) => kind !== 'test' && kind !== 'module');
    for (const range of changed) {
      const touched = definitions.filter(({ startLine, endLine }) => overlaps(range, { start: startLine, end: endLine }));
      for (const one of touched) if (!touched.some(other => other !== one && isWithin(other, one) && covers(other, range))) found.add(one);
    }
  }
  return [...found];
}

function isWithin(inner: Definition, outer: Definition): boolean {
  return inner.startLine >= outer.startLine && inner.endLine <= outer.endLine && (inner.startLine > outer.startLine || inner.endLine < outer.endLine);
}

function covers({ startLine, endLine }: Definition, { start, end }: LineRange): boolean {
  return startLine <= start && end <= endLine;
}

/** The nearest calls of what changed, tests left out. */
export function callSites(changed: readonly Definition[], view: CodeView): Candidate[] {
  const sites = changed.filter(({ kind }) => kind !== 'constant').flatMap(({ name, path }) => {
    const calls = view.referencesTo(name).filter(({ kind, path: other }) => kind === 'call' && !view.isTest(other)).slice(0, 200);
    const near = calls.toSorted((one, other) => Number(other.path === path) - Number(one.path === path)).slice(0, callSitesPerSymbol);
    return near.map(({ path: other, line }) => lineCandidate(other, callRange(other, line, view), 2, { name: `calls ${name}` }));
  });
  return sites.slice(0, mostCallSites);
}

function callRange(path: string, line: number, view: CodeView): LineRange {
  const around = view.enclosing(path, line).at(-1);
  return { start: Math.max(1, line - 1, around?.startLine ?? 1), end: Math.min(line + 1, around?.endLine ?? line + 1, Math.max(line, view.linesOf(path))) };
}

/** What a file says about itself at its top, with the signatures it offers. */
export function synopses(pieces: readonly ChangedPiece[], view: CodeView, linesOf: LinesOf): Candidate[] {
  return pathsOf(pieces).filter(path => !view.isTest(path)).slice(0, mostSynopses).flatMap(path => {
    const end = commentEnd(linesOf(path));
    const offered = view.definitionsIn(path).filter(({ signature, kind }) => kind !== 'test' && /^(?:export|pub|public|func [A-Z(]|def [^_]|class [^_]|type [A-Z])/.test(signature)).map(({ name }) => name);
    if (end === 0 && offered.length === 0) return [];
    return [lineCandidate(path, { start: 1, end: Math.max(1, end) }, 3, { name: 'synopsis', summary: offered.length === 0 ? null : `offers ${[...new Set(offered)].slice(0, 12).join(', ')}` })];
  });
}

export function pathsOf(pieces: readonly ChangedPiece[]): string[] {
  return [...new Set(pieces.map(({ path }) => path))];
}

/** Last line of the comment at the top of a file, at most ten; 0 when there is none. */
function commentEnd(lines: readonly string[]): number {
  let end = 0;
  while (end < Math.min(10, lines.length) && /^\s*(?:\/\/|\/\*|\*|#|"""|'''|--)/.test(lines[end] ?? '')) end += 1;
  return end;
}
