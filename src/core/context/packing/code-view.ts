/** The index as the ladder asks it: every question once, with what stands around a line worked out here. */
import type { Definition, Import, Reference } from '../../words/code-index.ts';
import type { CodeIndex } from '../../ports.ts';
import { kindsOf } from '../../languages/path-kinds.ts';

export interface CodeView {
  has(path: string): boolean;
  readonly paths: readonly string[];
  /** Null for a file that is not indexed. */
  languageOf(path: string): string | null;
  linesOf(path: string): number;
  definitionsOf(name: string): readonly Definition[];
  definitionsIn(path: string): readonly Definition[];
  /** Outermost first. */
  enclosing(path: string, line: number): readonly Definition[];
  referencesTo(name: string): readonly Reference[];
  usesIn(path: string): readonly Reference[];
  /** The lines of a file that use a name, in order: a local declaration is one of them. */
  linesUsing(path: string, name: string): readonly number[];
  importsOf(path: string): readonly Import[];
  importersOf(path: string): readonly Import[];
  isTest(path: string): boolean;
}

export function createCodeView(index: CodeIndex): CodeView {
  const files = new Map(
    index.files().map(({ path, language, lines }) => [path, { language, lines }]),
  );
  const definitionsIn = remember(index.definitionsIn);
  const usesIn = remember(index.usesIn);
  const linesOf = remember(path => linesByName(usesIn(path)));
  return {
    has: path => files.has(path),
    paths: [...files.keys()],
    languageOf: path => files.get(path)?.language ?? null,
    linesOf: path => files.get(path)?.lines ?? 0,
    definitionsOf: remember(index.definitionsOf),
    definitionsIn,
    enclosing: (path, line) =>
      definitionsIn(path).filter(({ startLine, endLine }) => startLine <= line && line <= endLine),
    referencesTo: remember(index.referencesTo),
    usesIn,
    linesUsing: (path, name) => linesOf(path).get(name) ?? [],
    importsOf: index.importsOf,
    importersOf: index.importersOf,
    isTest: remember(path => kindsOf({ path, changedLines: [] }).has('test')),
  };
}

function linesByName(uses: readonly Reference[]): ReadonlyMap<string, number[]> {
  const lines = new Map<string, number[]>();
  for (const { name, line } of uses) {
    const known = lines.get(name);
    if (known === undefined) lines.set(name, [line]);
    else known.push(line);
  }
  return lines;
}

function remember<Answer>(ask: (key: string) => Answer): (key: string) => Answer {
  const known = new Map<string, Answer>();
  return key => {
    const answer = known.get(key);
    if (answer !== undefined) return answer;
    const asked = ask(key);
    known.set(key, asked);
    return asked;
  };
}
