/** Remarks on calls that are wrong by what they name: every call of the file is looked at once. */
import type { Language, Node } from 'web-tree-sitter';
import type { Grammar } from '../../core/languages/language.ts';
import { isTestPath } from '../../core/languages/path-kinds.ts';
import { quoteOf, type Remark } from '../analyser.ts';
import { calls, functions, readCall } from '../flow/shapes.ts';
import { isAskedByName } from '../patterns/around.ts';
import { uncheckedPeer } from '../patterns/rule.ts';
import type { Source } from '../source.ts';
import type { CallRule } from './call-rule.ts';
import { compiledCalls } from './compiled.ts';
import { webCalls } from './web.ts';

/** Every row. A language more is one file and one line. */
export const callRules: readonly CallRule[] = [...webCalls, ...compiledCalls];

/** Finds every call of a file; empty for a grammar of which no call is known to be wrong. */
export function callPattern(grammar: Grammar, language: Language): string {
  if (!callRules.some(({ grammars }) => grammars.includes(grammar))) return '';
  const types = [...calls].filter(type => language.idForNodeType(type, true) !== null);
  return `[${types.map(type => `(${type})`).join(' ')}] @call`;
}

/** What the change touches and is said in tests and examples too, is correctness alone. */
export function findCalls(
  nodes: readonly Node[],
  grammar: Grammar,
  source: Source,
  isSheltered: boolean,
  isOver: () => boolean,
): readonly Remark[] {
  const rules = callRules.filter(
    ({ grammars, category, isQuietInTests = false }) =>
      grammars.includes(grammar) &&
      (!isSheltered || category === 'correctness') &&
      !(isQuietInTests && isTestPath(source.path)),
  );
  const head = source.text.slice(0, longestHead);
  const remarks: Remark[] = [];
  for (const node of nodes) {
    if (isOver()) break;
    const line = source.touched(node.startPosition.row + 1, node.endPosition.row + 1);
    if (line === null) continue;
    const { name, parameters } = readCall(node);
    const rule = rules.find(
      known => known.name.test(name) && isMeant(known, node, parameters, head, source),
    );
    if (rule === undefined || (rule.weakness === uncheckedPeer && isAskedByName(node))) continue;
    remarks.push(remarkOf(rule, source, line));
  }
  return remarks;
}

const longestHead = 20_000;
const longestCall = 2_000;
const longestFunction = 20_000;

function isMeant(
  rule: CallRule,
  node: Node,
  parameters: readonly Node[],
  head: string,
  source: Source,
): boolean {
  const { argument, when, unless, onLine, inFile, inFunction, notInFunction } = rule;
  const line = source.lines[node.startPosition.row]?.slice(0, longestCall) ?? '';
  const text = node.text.slice(0, longestCall);
  if (argument !== undefined && !argument[1].test(parameters[argument[0]]?.text ?? ''))
    return false;
  if (when?.test(text) === false || unless?.test(text) === true) return false;
  if (onLine?.test(line) === false || inFile?.test(head) === false) return false;
  if (inFunction === undefined && notInFunction === undefined) return true;
  const around = functionAround(node, source);
  if (inFunction?.test(around) === false || notInFunction?.test(around) === true) return false;
  return rule.keeps === undefined || isOnlySpokenTo(line, around);
}

/** The head of the file where there is no function. */
function functionAround(node: Node, source: Source): string {
  let around: Node = node;
  for (let step = 0; step < 200; step += 1) {
    if (functions.has(around.type) || around.parent === null) break;
    around = around.parent;
  }
  return source.text.slice(
    around.startIndex,
    Math.min(around.endIndex, around.startIndex + longestFunction),
  );
}

/** The name on the left is used for its members alone: nobody else has it and could close it. */
function isOnlySpokenTo(line: string, around: string): boolean {
  const name = /(\w+)\s*(?:,\s*\w+\s*)?:?=/.exec(line)?.[1] ?? '';
  if (name === '' || name === '_') return false;
  const uses = [...around.matchAll(new RegExp(`\\b${name}\\b(\\s*\\.)?`, 'g'))];
  return uses.filter(([, part]) => part === undefined).length === 1;
}

/** What a rule says of a line. */
export function remarkOf(
  rule: Pick<CallRule, 'id' | 'severity' | 'category' | 'weakness' | 'issue' | 'recommendation'>,
  source: Source,
  line: number,
): Remark {
  const { id, severity, category, weakness, issue, recommendation } = rule;
  return {
    rule: `patterns/${id}`,
    severity,
    category,
    weakness,
    path: source.path,
    line,
    quote: quoteOf(source, line),
    issue,
    recommendation,
  };
}
