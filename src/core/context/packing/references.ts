/** The names that added lines refer to: no reserved words, nothing declared in the same hunk, each once per file. */
import type { ChangedPiece } from './changed-lines.ts';
import type { CodeView } from './code-view.ts';
import { declares, headerEnd, isParameter } from './declaration.ts';
import type { Vocabulary } from '../../languages/language.ts';
import { vocabularyOf } from '../../languages/languages.ts';
import { holds } from './line-range.ts';
import { occurrencesIn, type Occurrence } from './occurrence.ts';

export interface SymbolUse {
  readonly name: string;
  readonly path: string;
  /** The first added line that refers to it. */
  readonly line: number;
  readonly language: Vocabulary;
  readonly occurrence: Exclude<Occurrence, { role: 'field' }>;
}

/** `linesOf`: text of the new side of a changed file. */
export function symbolsUsed(pieces: readonly ChangedPiece[], view: CodeView, linesOf: (path: string) => readonly string[]): SymbolUse[] {
  const uses = new Map<string, SymbolUse>();
  for (const piece of pieces) {
    const language = vocabularyOf(view.languageOf(piece.path));
    if (language === null) continue;
    const lines = linesOf(piece.path);
    const added = new Set(piece.added);
    for (const { name, line } of view.usesIn(piece.path)) {
      if (!added.has(line) || isIgnored(name, language)) continue;
      const occurrence = chooseOccurrence(occurrencesIn(lines[line - 1]?.slice(0, 2_000) ?? '', name, language));
      if (occurrence === null) continue;
      const key = `${piece.path}\0${name}\0${occurrence.role}`;
      if (!uses.has(key) && !isDeclaredIn(piece, name, { view, lines, language, isMember: occurrence.role === 'member' })) uses.set(key, { name, path: piece.path, line, language, occurrence });
    }
  }
  return [...uses.values()].toSorted((one, other) => (one.path === other.path ? one.line - other.line : 0));
}

/** One letter is a variable, a type parameter or a loop. */
function isIgnored(name: string, { keywords }: Vocabulary): boolean {
  return name.length < 2 || keywords.has(name) || /^\d/.test(name);
}

/** A bare name says more than a member, and both more than the name of a field. Null: only fields. */
function chooseOccurrence(found: readonly Occurrence[]): SymbolUse['occurrence'] | null {
  for (const one of found) if (one.role === 'bare') return one;
  for (const one of found) if (one.role === 'member') return one;
  return null;
}

interface Place {
  readonly view: CodeView;
  readonly lines: readonly string[];
  readonly language: Vocabulary;
  readonly isMember: boolean;
}

function isDeclaredIn({ path, hunk }: ChangedPiece, name: string, { view, lines, language, isMember }: Place): boolean {
  const definitions = view.definitionsIn(path).filter(({ startLine }) => holds(hunk, startLine));
  if (definitions.some(definition => definition.name === name)) return true;
  if (isMember) return false;
  const declaring = view.linesUsing(path, name).find(line => holds(hunk, line) && declares(lines[line - 1] ?? '', name));
  if (declaring !== undefined) return !isImportedOn(path, declaring, view);
  return definitions.some(({ startLine, endLine }) => isParameter(lines.slice(startLine - 1, headerEnd(lines, startLine, endLine)).join('\n'), name, language));
}

/** An import brings a name from elsewhere: that is no declaration of it. */
function isImportedOn(path: string, line: number, view: CodeView): boolean {
  return view.importsOf(path).some(({ startLine, endLine }) => startLine <= line && line <= endLine);
}
