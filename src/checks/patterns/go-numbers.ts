/** Go: a number is read from text and the error is thrown away. Quiet where zero is answered for, or where no text but a number comes. */
import type { Node } from 'web-tree-sitter';
import { functionText } from './around.ts';
import { type Found, type PatternRule, isExplained, isExplainedAbove } from './rule.ts';

export const goNumberRule: PatternRule = {
  id: 'go-ignored-number',
  weakness: 'CWE-252',
  grammars: ['go'],
  severity: 'low',
  category: 'error-handling',
  query: `(short_var_declaration
      left: (expression_list . (identifier) @number . (identifier) @blank .)
      right: (expression_list
        (call_expression
          function: (selector_expression operand: (identifier) @package field: (field_identifier) @name)
          arguments: (argument_list . (_) @text)))
      (#eq? @blank "_")
      (#eq? @package "strconv")
      (#match? @name "^(Atoi|ParseInt|ParseUint|ParseFloat)$")) @at`,
  issue: 'Text that is no number silently becomes zero.',
  recommendation: 'Check the error.',
  applies: found => {
    const at = found.node('at');
    const text = found.node('text')?.text ?? '';
    return (
      at?.parent?.type !== 'if_statement' &&
      !isExplained(at, found) &&
      !isExplainedAbove(at, found) &&
      !isAnsweredLater(at, found.node('number')?.text ?? '') &&
      !isNumberAlready(text, functionText(at), found)
    );
  },
};

/** The port of an address, the column of a row, the digits that a pattern found: what made the text has seen to it. */
function isNumberAlready(text: string, around: string, { lines }: Found): boolean {
  return isPort(text, around) || isOfRow(text, around) || isOfPattern(text, around, lines);
}

function isPort(text: string, around: string): boolean {
  return (
    /^\w+$/.test(text) &&
    new RegExp(`,\\s*${text}\\s*,\\s*\\w+\\s*:?=\\s*net\\.SplitHostPort\\(`).test(around)
  );
}

/** `string(row["id"])` in a loop over what a query gave: the column has its type. */
function isOfRow(text: string, around: string): boolean {
  const row = /^(?:string\()?(\w+)\["\w+"\]\)?$/.exec(text)?.[1];
  if (row === undefined) return false;
  const loop = new RegExp(`\\bfor\\s+_,\\s*${row}\\s*:=\\s*range\\s+(\\w+)\\b`);
  const rows = loop.exec(around)?.[1];
  return (
    rows !== undefined &&
    new RegExp(`\\b${rows}\\s*,\\s*\\w+\\s*:?=\\s*[\\w.]+\\.Query\\w*\\(`).test(around)
  );
}

/** `match[1]`, where a pattern of this file that asks for digits gave `match`. */
function isOfPattern(text: string, around: string, lines: readonly string[]): boolean {
  const match = /^(?:string\()?(\w+)\[\d+\]\)?$/.exec(text)?.[1];
  if (match === undefined) return false;
  const found = new RegExp(`\\b${match}\\s*:?=\\s*(\\w+)\\.Find(?:String)?Submatch\\(`);
  const pattern = found.exec(around)?.[1];
  if (pattern === undefined) return false;
  const known = digits.get(lines) ?? digitsIn(lines);
  digits.set(lines, known);
  return known.has(pattern);
}

/** By the lines of a file, which are the same array for all that is asked of it: patterns that ask for digits. */
const digits = new WeakMap<readonly string[], ReadonlySet<string>>();

function digitsIn(lines: readonly string[]): ReadonlySet<string> {
  return new Set(
    lines.flatMap(
      line =>
        /^\s*(?:var\s+)?(\w+)\s*:?=\s*regexp\.\w+\(.{0,400}(?:\\d|\[0-9\])/.exec(
          line.slice(0, 1_000),
        )?.[1] ?? [],
    ),
  );
}

const mostStatements = 12;

/** The first statement that does something with the number holds it against one, or asks with it and looks at the error. */
function isAnsweredLater(at: Node | null, name: string): boolean {
  let next = at?.nextNamedSibling ?? null;
  for (let step = 0; next !== null && step < mostStatements; step += 1) {
    if (mentions(next, name) && !isLogged(next))
      return isHeldAgainst(next, name) || isAskedWith(next, name);
    next = next.nextNamedSibling;
  }
  return false;
}

function isLogged({ type, text }: Node): boolean {
  return type === 'expression_statement' && /^(?:\w+\.){0,2}s?log(?:ger|rus)?\.\w+\(/i.test(text);
}

/** A condition or a choice by the number, such that zero goes another way than a number that was meant. */
function isHeldAgainst(statement: Node, name: string): boolean {
  if (statement.type === 'expression_switch_statement')
    return statement.childForFieldName('value')?.text === name;
  const asked = statement.childForFieldName('condition') ?? plain(statement);
  return asked !== null && find(asked, 0, node => tellsZero(node, name));
}

/** A statement without blocks of its own. */
function plain(statement: Node): Node | null {
  const isPlain = /^(?:short_var_declaration|assignment_statement|return_statement)$/;
  return isPlain.test(statement.type) ? statement : null;
}

const turned: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function tellsZero(node: Node, name: string): boolean {
  if (node.type !== 'binary_expression') return false;
  const left = node.childForFieldName('left')?.text ?? '';
  const right = node.childForFieldName('right')?.text ?? '';
  const operator = node.childForFieldName('operator')?.text ?? '';
  if (right === name) return holds(turned[operator] ?? operator, left);
  return left === name && holds(operator, right);
}

/** A cap (`> 100`) leaves zero as it is. */
function holds(operator: string, other: string): boolean {
  if (!/^-?\d{1,15}(?:\.\d{1,15})?$/.test(other)) return false;
  const bound = Number(other);
  if (operator === '==' || operator === '!=') return true;
  if (operator === '<') return bound > 0;
  if (operator === '<=') return bound >= 0;
  if (operator === '>') return bound === 0;
  return operator === '>=' && bound > 0 && bound <= 1;
}

/** What is done to number zero says nothing by its error: it was done to nobody, or to the wrong one. */
const acting =
  /^(?:delete|remove|destroy|drop|purge|revoke|set|update|change|add|create|insert|save|put|write|send|transfer|pay|charge|kill|stop|reset|resize|truncate|exec)/i;

/** `one, err := find(number)` and the error is looked at next, or given back. */
function isAskedWith(statement: Node, name: string): boolean {
  const asking =
    statement.type === 'if_statement' ? statement.childForFieldName('initializer') : statement;
  const call = asking === null ? null : callOf(asking);
  if (asking === null || call === null || !takes(call, name)) return false;
  if (acting.test(/(\w+)$/.exec(call.childForFieldName('function')?.text ?? '')?.[1] ?? ''))
    return false;
  if (asking.type === 'return_statement') return /\berror\b/.test(resultOf(asking));
  const error = asking.childForFieldName('left')?.namedChildren.at(-1)?.text ?? '_';
  const looked = statement.type === 'if_statement' ? statement : statement.nextNamedSibling;
  return (
    error !== '_' &&
    looked?.type === 'if_statement' &&
    mentions(looked.childForFieldName('condition'), error)
  );
}

/** The one call on the right, or the one that is given back. */
function callOf(statement: Node): Node | null {
  const given =
    statement.childForFieldName('right') ??
    (statement.type === 'return_statement' ? statement.namedChildren[0] : null);
  const only = given?.namedChildren.length === 1 ? given.namedChildren[0] : null;
  return only?.type === 'call_expression' ? only : null;
}

function takes(call: Node, name: string): boolean {
  const converted = new RegExp(`^(?:\\w+\\(${name}\\)|${name})$`);
  const given = call.childForFieldName('arguments')?.namedChildren ?? [];
  return given.some(({ text }) => text.length < 100 && converted.test(text));
}

const functions = /^(?:func_literal|function_declaration|method_declaration)$/;

function resultOf(node: Node): string {
  let at: Node | null = node;
  while (at !== null && !functions.test(at.type)) at = at.parent;
  return at?.childForFieldName('result')?.text ?? '';
}

/** By its text alone: a walk through all that follows would be slow. */
function mentions(node: Node | null, name: string): boolean {
  return node !== null && new RegExp(`\\b${name}\\b`).test(node.text);
}

const deepest = 60;

function find(node: Node, depth: number, isIt: (node: Node) => boolean): boolean {
  if (isIt(node)) return true;
  return depth < deepest && node.namedChildren.some(child => find(child, depth + 1, isIt));
}
