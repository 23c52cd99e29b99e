/** The index as packs ask it: every question once, with what stands around a line worked out here. */
import { isTestPath } from '../../languages/path-kinds.ts';
import type { CodeIndex } from '../../ports/code-index.ts';
import type { Binding, Definition, Reference } from '../../words/code-index.ts';
import { groupBy, remember } from '../../groups.ts';
import type { LineRange } from './line-range.ts';

export type CodeView = ReturnType<typeof createCodeView>;

export function createCodeView(index: CodeIndex) {
  const files = new Map(index.files().map(file => [file.path, file]));
  const membersIn = remember(index.definitionsIn);
  const definitionsIn = remember(path => membersIn(path).filter(({ kind }) => kind !== 'field'));
  const bindingsIn = remember(path => groupBy(index.bindingsIn(path) ?? [], ({ name }) => name));
  const usesIn = remember(index.usesIn);
  const byLine = remember(path => groupBy(usesIn(path), ({ line }) => String(line)));
  /** Outermost first. */
  const enclosing = (path: string, line: number) =>
    definitionsIn(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine);
  return {
    has: (path: string) => files.has(path),
    paths: [...files.keys()] as string[],
    /** Null for a file that is not indexed. */
    languageOf: (path: string) => files.get(path)?.language ?? null,
    linesOf: (path: string) => files.get(path)?.lines ?? 0,
    definitionsOf: remember(index.definitionsOf),
    /** What may hold changed lines: fields are `membersIn`. */
    definitionsIn,
    /** With the fields of its types. */
    membersIn,
    /** Empty where no grammar tells them. */
    bindingsOf: (path: string, name: string): Binding[] => bindingsIn(path).get(name) ?? [],
    enclosing,
    /** The innermost definition around a line that is no value. */
    around: (path: string, line: number) =>
      enclosing(path, line).findLast(({ kind }) => kind !== 'constant'),
    referencesTo: remember(index.referencesTo),
    usesIn,
    /** What a line uses, each name once. */
    usesOn: (path: string, line: number): Reference[] => byLine(path).get(String(line)) ?? [],
    importsOf: index.importsOf,
    /** Files that an import would lead to if this file had it. */
    leadsTo: index.leadsTo,
    importersOf: index.importersOf,
    isTest: remember(isTestPath),
  };
}

export function rangeOf({ startLine: start, endLine: end }: Definition): LineRange {
  return { start, end };
}

/** Those of the product go first. */
export function testsLast(view: CodeView) {
  return (one: { path: string }, other: { path: string }) =>
    Number(view.isTest(one.path)) - Number(view.isTest(other.path));
}

/** An import brings a name from elsewhere: that is no declaration of it. */
export function isImportLine(path: string, line: number, view: CodeView): boolean {
  return view
    .importsOf(path)
    .some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/**
 * The declaration that a name means on a line: the innermost scope, and in it the nearest line above. Null for none that a
 * grammar tells.
 */
export function bindingAt(
  name: string,
  path: string,
  line: number,
  view: CodeView,
): Binding | null {
  const farness = ({ startLine, endLine, line: at }: Binding): [number, number] => [
    startLine === 0 ? Number.MAX_SAFE_INTEGER : endLine - startLine,
    at <= line ? line - at : Number.MAX_SAFE_INTEGER,
  ];
  const [best = null] = view
    .bindingsOf(path, name)
    .filter(one => one.startLine === 0 || (one.startLine <= line && line <= one.endLine))
    .map(one => ({ ...one, farness: farness(one) }))
    .toSorted(({ farness: one }, { farness: other }) => one[0] - other[0] || one[1] - other[1]);
  return best;
}

/** What makes an object is called by the name of its class. */
export const makesObject = /^(?:constructor|__init__|__new__|initialize|__construct)$/;

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** Lines of the header of a definition: up to where its body opens, at most twelve. */
export function headerEnd(lines: readonly string[], startLine: number, endLine: number): number {
  const last = Math.min(endLine, startLine + 11, lines.length);
  let depth = 0;
  for (let line = startLine; line <= last; line += 1) {
    const text = (lines[line - 1] ?? '').slice(0, longestLine);
    for (const character of text) depth += Number(character === '(') - Number(character === ')');
    if (
      depth <= 0 &&
      /[{:;=>)\w\]]\s*(?:(?:\/\/|#).*)?$|=>|\{/.test(text) &&
      !/^\s*(?:@|#\[)/.test(text)
    )
      return line;
  }
  return Math.min(startLine, last);
}
