/** SQL, without a grammar: what statements create, and the tables and functions that they name. */
import type { DefinitionKind } from '../words/code-index.ts';
import type { LineStructure } from './language.ts';

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
export function readStatements(text: string): LineStructure {
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
