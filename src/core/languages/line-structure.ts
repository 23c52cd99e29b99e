/** What lines alone tell of a text, for languages without a grammar in use and for texts that cannot be parsed in time. */
import type { Definition, DefinitionKind, Import } from '../words/code-index.ts';
import { maskText } from './mask-text.ts';
import { familyOf } from './languages.ts';

type LineDefinition = Omit<Definition, 'path' | 'nameLine' | 'signature'>;
type LineImport = Omit<Import, 'path' | 'targets'>;

export interface LineStructure {
  readonly definitions: readonly LineDefinition[];
  /** Lines on which a name is called, and on which it only stands. */
  readonly names: ReadonlyMap<string, { readonly calls: Set<number>; readonly uses: Set<number> }>;
  readonly imports: readonly LineImport[];
  readonly bindings: null;
}

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

// SQL: what statements create, and the tables and functions that they name.

const kinds: Readonly<Record<string, DefinitionKind>> = {
  table: 'class',
  view: 'class',
  type: 'type',
  domain: 'type',
  function: 'function',
  procedure: 'function',
  trigger: 'function',
  index: 'constant',
  sequence: 'constant',
  schema: 'module',
  database: 'module',
};

const name = '(?:["`[]?[\\w$]+["`\\]]?\\.){0,2}["`[]?([A-Za-z_][\\w$]*)["`\\]]?';
const creating = new RegExp(
  `\\bcreate\\s+(?:or\\s+(?:replace|alter)\\s+|(?:global\\s+|local\\s+)?temp(?:orary)?\\s+|unique\\s+|materialized\\s+|recursive\\s+|unlogged\\s+|virtual\\s+)*(${Object.keys(kinds).join('|')})\\s+(?:concurrently\\s+)?(?:if\\s+not\\s+exists\\s+)?${name}`,
  'giu',
);
const using = new RegExp(
  `\\b(?:from|join|into|update|references|table|on|truncate|call|exec(?:ute)?(?:\\s+(?:function|procedure))?)\\s+(?:only\\s+|if\\s+exists\\s+)?${name}`,
  'giu',
);
const calling = /\b([A-Za-z_][\w$]*)\s*\(/gu;
const including = /^\\ir?[ \t]+(\S+)|^(?:source|@@?)[ \t]+(\S+?);?[ \t]*$/gimu;

/** Lines are those of the text, 1-based. */
function readStatements(text: string): LineStructure {
  const code = withoutComments(text);
  const lineAt = lineCounter(code);
  const names = new Map<string, { calls: Set<number>; uses: Set<number> }>();
  const defined = new Set<number>();
  const definitions = [...code.matchAll(creating)].map(match => {
    const [whole, kind = '', own = ''] = match;
    defined.add(match.index + whole.lastIndexOf(own));
    return {
      name: own,
      kind: kinds[kind.toLowerCase()] ?? ('constant' as const),
      startLine: lineAt(match.index),
      endLine: lineAt(statementEnd(code, match.index)),
    };
  });
  const note = (match: RegExpExecArray, isCall: boolean): void => {
    const [whole, own = ''] = match;
    const at = match.index + whole.lastIndexOf(own);
    if (defined.has(at) || reserved.has(own.toLowerCase())) return;
    const known = names.get(own) ?? { calls: new Set(), uses: new Set() };
    names.set(own, known);
    const line = lineAt(at);
    if (isCall || !known.calls.has(line)) (isCall ? known.calls : known.uses).add(line);
  };
  for (const match of code.matchAll(calling)) note(match, true);
  for (const match of code.matchAll(using)) note(match, false);
  const imports = [...code.matchAll(including)].map(match => {
    const line = lineAt(match.index);
    return { specifier: match[1] ?? match[2] ?? '', line, startLine: line, endLine: line };
  });
  return { definitions, names, imports, bindings: null };
}

const reserved = new Set(
  (
    'select set values where and or not null in exists as if only update delete insert each row key ' +
    'primary foreign unique check default constraint varchar char numeric decimal int integer text ' +
    'timestamp array on using with over partition returns table conflict'
  ).split(' '),
);

/** Comments become blanks of the same length; what stands in dollar quotes is code. */
function withoutComments(text: string): string {
  return text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\n]|'')*'/g, piece =>
    piece.replace(/[^\n]/g, ' '),
  );
}

/** Behind the semicolon that ends it, bodies in dollar quotes or between `begin` and `end` left whole. */
function statementEnd(code: string, from: number): number {
  const quote = /\$(\w*)\$/gu;
  quote.lastIndex = from;
  const semicolon = code.indexOf(';', from);
  const opened = quote.exec(code);
  if (opened !== null && (semicolon === -1 || opened.index < semicolon)) {
    const closed = code.indexOf(opened[0], opened.index + opened[0].length);
    const end = closed === -1 ? -1 : code.indexOf(';', closed);
    return end === -1 ? code.length - 1 : end;
  }
  return semicolon === -1 ? Math.max(0, code.trimEnd().length - 1) : semicolon;
}

function lineCounter(text: string): (at: number) => number {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return at => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((starts[middle] ?? 0) <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
