/** What lines alone tell of a text, for languages without a grammar in use and for texts that cannot be parsed in time. */
import type { DefinitionKind } from '../words/code-index.ts';
import type { LineDefinition, LineImport, LineStructure } from './language.ts';
import { maskText } from './mask-text.ts';
import { familyOf } from './path-kinds.ts';
import { readStatements } from './sql.ts';

const longestLine = 300;

/** `path`: its ending says what is a comment and what a string: names in those are no uses. */
export function readLineStructure(text: string, path: string): LineStructure {
  if (/\.sql$/i.test(path)) return readStatements(text);
  return readLines(text.split('\n'), maskText(text, familyOf(path)).code.split('\n'));
}

/** A definition ends before the next line that is indented no deeper. */
function readLines(lines: readonly string[], code: readonly string[]): LineStructure {
  const definitions: LineDefinition[] = [];
  const open: { readonly indent: number; readonly start: Omit<LineDefinition, 'endLine'> }[] = [];
  const names = new Map<string, { calls: Set<number>; uses: Set<number> }>();
  const imports: LineImport[] = [];
  let lastLine = 0;
  const close = (endLine: number): void => {
    const top = open.pop();
    if (top !== undefined) definitions.push({ ...top.start, endLine });
  };

  for (const [index, full] of code.entries()) {
    const line = full.slice(0, longestLine);
    if (line.trim() === '') continue;
    const number = index + 1;
    const indent = line.length - line.trimStart().length;
    const isClosing = /^\s*(?:[})\]]|end\b)/.test(line);
    while ((open.at(-1)?.indent ?? -1) >= indent)
      close(isClosing && open.at(-1)?.indent === indent ? number : lastLine);
    lastLine = number;
    const found = definitionIn(line);
    if (found !== null) open.push({ indent, start: { ...found, startLine: number } });
    // What is imported may stand in quotes, which the code leaves empty.
    const specifier = importing.exec(lines[index]?.slice(0, longestLine) ?? '')?.[1];
    if (specifier !== undefined)
      imports.push({ specifier, line: number, startLine: number, endLine: number });
    addNames(line, number, found?.name, names);
  }
  while (open.length > 0) close(lastLine);
  return {
    definitions: definitions.toSorted((one, other) => one.startLine - other.startLine),
    names,
    imports,
    bindings: null,
  };
}

const words: Readonly<Record<string, DefinitionKind>> = {
  func: 'function',
  fun: 'function',
  function: 'function',
  def: 'function',
  fn: 'function',
  sub: 'function',
  proc: 'function',
  defp: 'function',
  message: 'class',
  class: 'class',
  struct: 'class',
  object: 'class',
  record: 'class',
  actor: 'class',
  extension: 'extension',
  contract: 'class',
  table: 'class',
  service: 'interface',
  interface: 'interface',
  trait: 'interface',
  protocol: 'interface',
  enum: 'enum',
  type: 'type',
  typealias: 'type',
  module: 'module',
  namespace: 'module',
  defmodule: 'module',
};
/** Annotations and modifiers, the word, type parameters, the name, which may stand in backticks or behind a receiver. */
const definition = new RegExp(
  `^[ \\t]*(?:@[\\w.]+(?:\\([^()]*\\))?[ \\t]+)*(?:[A-Za-z@]+(?:\\[[\\w.]+\\])?[ ` +
    `\\t]+){0,5}?(${Object.keys(words).join('|')})(?:[ \\t]*<[^<>()]{0,100}>)?[ ` +
    `\\t]+(?:\`([^\`]{1,200})\`|([\\p{L}_][\\p{L}\\p{N}_.?]{0,199}(?:<[^<>()]{0,60}>\\.[\\p{L}_][\\p{L}\\p{N}_]{0,99})?))`,
  'u',
);
const value =
  /^(?:[a-z]+[ \t]+){0,4}(?:val|var|const val|let)[ \t]+([\p{L}_][\p{L}\p{N}_]{0,199})[ \t]*[:=]/u;
const importing =
  /^[ \t]*(?:import|using|use|include|#include|#import|source|require|open|alias)[ \t(]+["'<]?([\w./:@{}, -]{1,300}?)["'>;)]*[ \t]*$/;

function definitionIn(
  line: string,
): { readonly name: string; readonly kind: DefinitionKind } | null {
  const match = definition.exec(line);
  const [word, name] = [match?.[1], match?.[2] ?? match?.[3]];
  if (word === undefined || name === undefined || !Object.hasOwn(words, word)) {
    const constant = value.exec(line)?.[1];
    return constant === undefined ? null : { name: constant, kind: 'constant' };
  }
  const kind = words[word] ?? 'function';
  // Behind the type it is added to.
  const own = kind === 'function' && match?.[2] === undefined ? name.replace(/^.*\./s, '') : name;
  return { name: own.replace(/[.?]+$/, ''), kind };
}

function addNames(
  line: string,
  number: number,
  own: string | undefined,
  names: Map<string, { calls: Set<number>; uses: Set<number> }>,
): void {
  for (const match of line.matchAll(/[\p{L}_][\p{L}\p{N}_]+/gu)) {
    const [name] = match;
    if (name === own) continue;
    const known = names.get(name) ?? { calls: new Set(), uses: new Set() };
    names.set(name, known);
    (line[match.index + name.length] === '(' ? known.calls : known.uses).add(number);
  }
}
