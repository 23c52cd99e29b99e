/** What lines alone tell, for languages without a grammar in use and for texts that cannot be parsed in time. */
import type { DefinitionKind } from '../../core/words/code-index.ts';
import type { FoundDefinition, FoundName, Structure } from './structure.ts';

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
const definition =
  /^[ \t]*(?:[A-Za-z@]+[ \t]+){0,5}?([a-z]+)[ \t]+([\p{L}_][\p{L}\p{N}_.]{0,199})/u;
const importing =
  /^[ \t]*(?:import|using|use|include|#include|#import|source|require|open|alias)[ \t(]+["'<]?([\w./:@-]{1,300})/;
const longestLine = 300;

/** A definition ends before the next line that is indented no deeper. */
export function readLineStructure(text: string): Structure {
  const definitions: FoundDefinition[] = [];
  const open: { readonly indent: number; readonly start: Omit<FoundDefinition, 'endLine'> }[] = [];
  const names = new Map<string, FoundName>();
  const imports: { specifier: string; line: number; startLine: number; endLine: number }[] = [];
  let lastLine = 0;
  const close = (endLine: number): void => {
    const top = open.pop();
    if (top !== undefined) definitions.push({ ...top.start, endLine });
  };

  for (const [index, full] of text.split('\n').entries()) {
    const line = full.slice(0, longestLine);
    if (line.trim() === '') continue;
    const number = index + 1;
    const indent = line.length - line.trimStart().length;
    const isClosing = /^\s*(?:[})\]]|end\b)/.test(line);
    while ((open.at(-1)?.indent ?? -1) >= indent)
      close(isClosing && open.at(-1)?.indent === indent ? number : lastLine);
    lastLine = number;
    const found = definitionIn(line);
    if (found !== null)
      open.push({ indent, start: { ...found, startLine: number, nameLine: number } });
    const specifier = importing.exec(line)?.[1];
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

function definitionIn(
  line: string,
): { readonly name: string; readonly kind: DefinitionKind } | null {
  const match = definition.exec(line);
  const [word, name] = [match?.[1], match?.[2]];
  if (word === undefined || name === undefined || !Object.hasOwn(words, word)) return null;
  return { name, kind: words[word] ?? 'function' };
}

function addNames(
  line: string,
  number: number,
  own: string | undefined,
  names: Map<string, FoundName>,
): void {
  for (const match of line.matchAll(/[\p{L}_][\p{L}\p{N}_]+/gu)) {
    const [name] = match;
    if (name === own) continue;
    const known = names.get(name) ?? { calls: new Set(), uses: new Set() };
    names.set(name, known);
    (line[match.index + name.length] === '(' ? known.calls : known.uses).add(number);
  }
}
