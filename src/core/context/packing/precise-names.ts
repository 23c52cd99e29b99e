/**
 * What a compiler's index says about the names of a change, put before what words alone can tell: a name that means several things
 * by its words means one, and a use of something else that is called the same is no use.
 */
import type { Definition, Meaning, NamedLine, Reference } from '../../words/code-index.ts';
import { type CodeView, headerEnd, occurrencesIn, type SymbolUse } from './references.ts';
import type { Resolution } from './resolve-symbol.ts';

export interface PreciseNames {
  /** `byWords`: what the name was taken for. */
  readonly resolve: (use: SymbolUse, byWords: Resolution) => Resolution;
  /** `byWords`: the uses that were taken for those of a definition. */
  readonly usesOf: (definition: Definition, byWords: readonly Reference[]) => readonly Reference[];
}

/** The meaning of a use among those of its name on the line; undefined where the line has it in several and nobody knows which. */
export function meaningOf(
  { name, occurrence, language }: SymbolUse,
  line: string,
  meanings: readonly Meaning[],
): Meaning['definition'] | undefined {
  const places = wordsAt(line, name);
  const roles = occurrencesIn(line, name, language);
  const same = meanings.filter(
    ({ column }) => roles[places.indexOf(column)]?.role === occurrence.role,
  );
  const [first, ...others] = (same.length > 0 ? same : meanings).map(one => one.definition);
  return others.every(one => one?.path === first?.path && one?.line === first?.line)
    ? first
    : undefined;
}

/** Columns of a whole word. */
function wordsAt(line: string, name: string): number[] {
  const escaped = name.replaceAll('$', '\\$');
  return [
    ...line.matchAll(new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])`, 'gu')),
  ].map(({ index }) => index);
}

/** `isKnown`: of a file, that the compiler saw it: then what it found nowhere is not there. */
export function withMeaning(
  byWords: Resolution,
  meaning: NamedLine | null,
  { path: from }: Pick<SymbolUse, 'path'>,
  { view, isKnown }: { readonly view: CodeView; readonly isKnown: (path: string) => boolean },
): Resolution {
  if (meaning === null)
    return byWords.kind === 'unknown' || (byWords.kind === 'found' && isKnown(byWords.at.path))
      ? { kind: 'external' }
      : byWords;
  if (!view.has(meaning.path)) return byWords;
  const { path, line, name } = meaning;
  if (byWords.kind === 'found' && byWords.at.path === path && isAround(byWords.at, line))
    return byWords;
  const definition = definitionAt(meaning, view);
  return {
    kind: 'found',
    at: {
      path,
      name,
      startLine: definition?.startLine ?? line,
      endLine: definition?.endLine ?? line,
      where: path === from ? 'file' : 'project',
    },
  };
}

/** Lines of a header above the name: annotations, modifiers. */
const mostAbove = 11;

function isAround(
  { startLine, endLine }: { readonly startLine: number; readonly endLine: number },
  line: number,
): boolean {
  return startLine <= line && line <= Math.min(endLine, startLine + mostAbove);
}

/** The definition whose name stands on a line. */
export function definitionAt(
  { path, line, name }: NamedLine,
  view: CodeView,
): Definition | undefined {
  return view.membersIn(path).findLast(one => one.name === name && isAround(one, line));
}

/** Where the name of a definition may stand. */
export function linesOfName(
  { path, name, startLine, endLine }: Definition,
  lines: readonly string[],
): NamedLine[] {
  const end = Math.max(startLine, headerEnd(lines, startLine, endLine));
  return Array.from({ length: end - startLine + 1 }, (_, index) => startLine + index)
    .filter(line => lines[line - 1]?.includes(name) ?? false)
    .map(line => ({ path, line, name }));
}

/** Without what turned out to use something else, with what words did not tell. Calls first, as they come from the index of words. */
export function sharpened(
  byWords: readonly Reference[],
  {
    exact,
    refuted,
  }: { readonly exact: readonly NamedLine[]; readonly refuted: ReadonlySet<string> },
  isCall: (place: string) => boolean,
): Reference[] {
  const kept = byWords.filter(use => !refuted.has(placeOf(use)));
  const known = new Set(kept.map(placeOf));
  const added = exact
    .filter(use => !known.has(placeOf(use)))
    .map(({ path, line, name }): Reference => ({
      path,
      line,
      name,
      kind: isCall(`${path}:${line}`) ? 'call' : 'use',
    }));
  return [...kept, ...added].toSorted(
    (one, other) => Number(one.kind === 'use') - Number(other.kind === 'use'),
  );
}

export function placeOf({ path, line }: Pick<Reference, 'path' | 'line'>): string {
  return `${path}:${line}`;
}
