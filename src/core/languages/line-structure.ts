/** What lines alone tell of a text, for languages without a grammar in use and for texts that cannot be parsed in time. */
import type { Binding, Definition, DefinitionKind, Import } from '../words/code-index.ts';
import table from './line-structure.json' with { type: 'json' };
import { familyOf, maskText } from './languages.ts';

/** What stands in a text: what it defines, which names it uses, what it imports. */
export interface Structure {
  readonly definitions: readonly Omit<Definition, 'path' | 'signature'>[];
  /** Lines on which a name is called, and on which it only stands; each line once. */
  readonly names: Map<string, { readonly calls: Set<number>; readonly uses: Set<number> }>;
  readonly imports: readonly Omit<Import, 'path' | 'targets'>[];
  /** Empty where no grammar tells them. */
  readonly bindings: readonly Binding[];
}

export function noteName(names: Structure['names'], name: string, line: number, isCall: boolean) {
  const known = names.get(name) ?? { calls: new Set(), uses: new Set() };
  names.set(name, known);
  if (isCall) {
    known.calls.add(line);
    known.uses.delete(line);
  } else if (!known.calls.has(line)) known.uses.add(line);
}

const longestLine = 300;

/** `path`: its ending says what is a comment and what a string: names in those are no uses. */
export function readLineStructure(text: string, path: string): Structure {
  if (/\.sql$/i.test(path)) return readStatements(text);
  return readLines(text.split('\n'), maskText(text, familyOf(path)).code.split('\n'));
}

/** A definition ends before the next line that is indented no deeper. */
function readLines(lines: readonly string[], code: readonly string[]): Structure {
  const definitions: Structure['definitions'][number][] = [];
  const open: {
    indent: number;
    start: Omit<(typeof definitions)[number], 'endLine'>;
  }[] = [];
  const names: Structure['names'] = new Map();
  const imports: Structure['imports'][number][] = [];
  let lastLine = 0;
  const close = (endLine: number) => {
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
    if (found !== null)
      open.push({ indent, start: { ...found, startLine: number, nameLine: number } });
    // What is imported may stand in quotes, which the code leaves empty.
    const specifier = importing.exec(lines[index]?.slice(0, longestLine) ?? '')?.[1];
    if (specifier !== undefined)
      imports.push({ specifier, line: number, startLine: number, endLine: number });
    for (const { 0: name, index: at } of line.matchAll(/[\p{L}_][\p{L}\p{N}_]+/gu))
      if (name !== found?.name) noteName(names, name, number, line[at + name.length] === '(');
  }
  while (open.length > 0) close(lastLine);
  return { definitions, names, imports, bindings: [] };
}

const words = table.words as Readonly<Record<string, DefinitionKind>>;
/** Annotations and modifiers, the word, type parameters, the name, which may stand in backticks or behind a receiver. */
const definition = new RegExp(table.definition, 'u');
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

// SQL: what statements create, and the tables and functions that they name.

const kinds = table.created as Readonly<Record<string, DefinitionKind>>;

const creating = new RegExp(table.creating, 'giu');
const using = new RegExp(table.using, 'giu');
const calling = /\b([A-Za-z_][\w$]*)\s*\(/gu;
const including = /^\\ir?[ \t]+(\S+)|^(?:source|@@?)[ \t]+(\S+?);?[ \t]*$/gimu;

function readStatements(text: string): Structure {
  // Comments become blanks of the same length; what stands in dollar quotes is code.
  const code = text.replace(/--[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\n]|'')*'/g, piece =>
    piece.replace(/[^\n]/g, ' '),
  );
  const lineAt = lineCounter(code);
  const names: Structure['names'] = new Map();
  const defined = new Set<number>();
  const definitions = [...code.matchAll(creating)].map(match => {
    const [whole, kind = '', own = ''] = match;
    defined.add(match.index + whole.lastIndexOf(own));
    const startLine = lineAt(match.index);
    return {
      name: own,
      kind: kinds[kind.toLowerCase()] ?? ('constant' as const),
      startLine,
      nameLine: startLine,
      endLine: lineAt(statementEnd(code, match.index)),
    };
  });
  for (const [pattern, isCall] of [
    [calling, true],
    [using, false],
  ] as const)
    for (const match of code.matchAll(pattern)) {
      const [whole, own = ''] = match;
      const at = match.index + whole.lastIndexOf(own);
      if (!defined.has(at) && !reserved.has(own.toLowerCase()))
        noteName(names, own, lineAt(at), isCall);
    }
  const imports = [...code.matchAll(including)].map(match => {
    const line = lineAt(match.index);
    return { specifier: match[1] ?? match[2] ?? '', line, startLine: line, endLine: line };
  });
  return { definitions, names, imports, bindings: [] };
}

const reserved = new Set(table.reserved.split(' '));

/** Behind the semicolon that ends it, bodies in dollar quotes or between `begin` and `end` left whole. */
function statementEnd(code: string, from: number) {
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

/** Number of the line, 1-based, in which a place of the text lies. */
export function lineCounter(text: string): (at: number) => number {
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
