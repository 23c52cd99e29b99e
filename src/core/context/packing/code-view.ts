/** The index as packs ask it: every question once, with what stands around a line worked out here. */
import { isTestPath } from '../../languages/path-kinds.ts';
import type { CodeIndex } from '../../ports/code-index.ts';
import type { Binding, Reference } from '../../words/code-index.ts';
import { groupBy } from '../../groups.ts';

export type CodeView = ReturnType<typeof createCodeView>;

export function createCodeView(index: CodeIndex) {
  const files = new Map(
    index.files().map(({ path, language, lines }) => [path, { language, lines }]),
  );
  const membersIn = remember(index.definitionsIn);
  const definitionsIn = remember(path => membersIn(path).filter(({ kind }) => kind !== 'field'));
  const bindingsIn = remember(path => {
    const bindings = index.bindingsIn(path);
    return bindings === null ? null : groupBy(bindings, ({ name }) => name);
  });
  const usesIn = remember(index.usesIn);
  const byName = remember(path => groupBy(usesIn(path), ({ name }) => name));
  const byLine = remember(path => groupBy(usesIn(path), ({ line }) => String(line)));
  return {
    has: (path: string) => files.has(path),
    paths: [...files.keys()] as readonly string[],
    /** Null for a file that is not indexed. */
    languageOf: (path: string) => files.get(path)?.language ?? null,
    linesOf: (path: string) => files.get(path)?.lines ?? 0,
    definitionsOf: remember(index.definitionsOf),
    /** What may hold changed lines: fields are `membersIn`. */
    definitionsIn,
    /** With the fields of its types. */
    membersIn,
    /** Null where no grammar tells them. */
    bindingsOf(path: string, name: string): readonly Binding[] | null {
      const bindings = bindingsIn(path);
      return bindings === null ? null : (bindings.get(name) ?? []);
    },
    /** Outermost first. */
    enclosing: (path: string, line: number) =>
      definitionsIn(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    referencesTo: remember(index.referencesTo),
    usesIn,
    /** The lines of a file that use a name, in order: a local declaration is one of them. */
    linesUsing: (path: string, name: string) =>
      (byName(path).get(name) ?? []).map(({ line }) => line),
    /** What a line uses, each name once. */
    usesOn: (path: string, line: number): readonly Reference[] =>
      byLine(path).get(String(line)) ?? [],
    importsOf: index.importsOf,
    /** Files that an import would lead to if this file had it. */
    leadsTo: index.leadsTo,
    importersOf: index.importersOf,
    isTest: remember(isTestPath),
  };
}

/** Those of the product go first. */
export function testsLast(view: CodeView) {
  return (one: { readonly path: string }, other: { readonly path: string }): number =>
    Number(view.isTest(one.path)) - Number(view.isTest(other.path));
}

export function remember<Answer>(ask: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return key => {
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const asked = ask(key);
    known.set(key, asked);
    return asked;
  };
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
): Pick<Binding, 'line' | 'startLine'> | null {
  let best: { readonly line: number; readonly startLine: number; readonly size: number } | null =
    null;
  for (const one of view.bindingsOf(path, name) ?? []) {
    const isTop = one.startLine === 0;
    if (!isTop && (line < one.startLine || line > one.endLine)) continue;
    const size = isTop ? Number.MAX_SAFE_INTEGER : one.endLine - one.startLine;
    if (
      best === null ||
      size < best.size ||
      (size === best.size && one.line <= line && one.line > best.line)
    )
      best = { line: one.line, startLine: one.startLine, size };
  }
  return best;
}

/** Longer lines were not written by hand; their end tells nothing. */
const longestLine = 500;

/** Lines of the header of a definition: up to where its body opens, at most twelve. */
export function headerEnd(lines: readonly string[], startLine: number, endLine: number): number {
  const last = Math.min(endLine, startLine + 11, lines.length);
  let depth = 0;
  for (let line = startLine; line <= last; line += 1) {
    const text = (lines[line - 1] ?? '').slice(0, longestLine);
    for (const character of text) {
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
    }
    if (
      depth <= 0 &&
      /[{:;=>)\w\]]\s*(?:(?:\/\/|#).*)?$|=>|\{/.test(text) &&
      !/^\s*(?:@|#\[)/.test(text)
    )
      return line;
  }
  return Math.min(startLine, last);
}
