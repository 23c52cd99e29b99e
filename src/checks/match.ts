/** What the rules of a language say about one file: its syntax tree is queried once, and its values are followed once. */
import type { Node, Query } from 'web-tree-sitter';
import { isExamplePath, isScriptPath, isTestPath } from '../core/languages/path-kinds.ts';
import { quoteOf, type Remark } from './analyser.ts';
import { followValues } from './flow.ts';
import type { Harm } from './harm.ts';
import type { CheckRule, LanguageFile, Kinds, Places } from './rule.ts';
import type { Source } from './source.ts';
import { readCall, type Syntax } from './syntax.ts';

/** The rules of one grammar, and one query for all of them: a walk of the tree costs more than what is looked for on it. */
export interface CompiledRules {
  readonly language: LanguageFile & { readonly kinds: Kinds };
  readonly syntax: Syntax;
  readonly query: Query;
  /** By the number of a pattern; the last one finds calls and has none. */
  readonly ids: readonly (string | undefined)[];
}

/** Longer files are followed only through the functions that the change touches. */
const longestWhole = 300_000;

/** Null where the file is too much for the time it has. */
export function findInTree(
  root: Node,
  source: Source,
  compiled: CompiledRules,
  isOver: () => boolean,
): readonly Remark[] | null {
  // Marks alone: no rule is about them, and a query looks behind each for the next that has a name.
  if (root.namedChildCount === 0) return [];
  const { query, ids, language, syntax } = compiled;
  const matches = query.matches(root, { progressCallback: isOver, matchLimit: 65_535 });
  // What is too much for the query is left out of its matches.
  if (isOver() || query.didExceedMatchLimit()) return null;
  const isSheltered = isTestPath(source.path) || isExamplePath(source.path);
  const applies = ({ category, quietInTests }: CheckRule): boolean =>
    (!isSheltered || category === 'correctness') && !(quietInTests && isTestPath(source.path));
  const rules = Object.entries(language.rules).filter(([, rule]) => applies(rule));
  const byId = new Map(rules);
  const ofCalls = rules.filter(([, { call }]) => call !== undefined);
  const remarks = new Map<string, Remark>();
  for (const { patternIndex, captures } of matches) {
    if (isOver()) return null;
    const id = ids[patternIndex];
    const node = captures.find(({ name }) => name === 'at')?.node;
    const line = node && source.touched(node.startPosition.row + 1, node.endPosition.row + 1);
    if (node === undefined || line === null || line === undefined) continue;
    const called = id === undefined ? readCall(node, syntax) : null;
    const own = byId.get(id ?? '');
    const meant = called !== null ? ofCalls : own === undefined ? [] : [[id, own] as const];
    for (const [name, rule] of meant) {
      if (called !== null && rule.call?.test(called.name) !== true) continue;
      const place = (wanted: string): string =>
        placeOf(wanted, { node, source, syntax, inside: rule.inside }) ??
        (wanted.startsWith('argument')
          ? called?.parameters[Number(wanted.slice('argument'.length))]
          : captures.find(capture => capture.name === wanted)?.node
        )?.text.slice(0, longestPlace) ??
        '';
      if (!looksOf(rule.when).every(look => isFound(look, place))) continue;
      if (looksOf(rule.unless).some(look => isFound(look, place))) continue;
      remarks.set(`${name}:${line}`, toRemark(name ?? '', rule, source, line));
      if (called !== null) break;
    }
  }
  const isWanted = ({ startPosition, endPosition }: Node): boolean =>
    source.text.length <= longestWhole ||
    source.touched(startPosition.row + 1, endPosition.row + 1) !== null;
  const { flow, kinds } = language;
  if (!isSheltered)
    for (const harm of followValues(root, { flow, kinds, syntax, isOver, isWanted })) {
      const remark = toFlowRemark(harm, language, source);
      if (remark !== null) remarks.set(`${remark.rule}:${remark.line}`, remark);
    }
  return isOver() ? null : withoutEchoes([...remarks.values()]);
}

/** The same said with the way of the value is said better. */
function withoutEchoes(remarks: readonly Remark[]): readonly Remark[] {
  const told = new Set(remarks.filter(isFlow).map(({ line, weakness }) => `${line} ${weakness}`));
  return remarks.filter(remark => isFlow(remark) || !told.has(`${remark.line} ${remark.weakness}`));
}

function isFlow({ rule }: Remark): boolean {
  return rule.includes('-flow-');
}

const longestPlace = 20_000;
const mostAncestors = 60;

/** Places that are no captures of the query; null for the name of one. */
function placeOf(
  name: string,
  {
    node,
    source: { lines, path, text },
    syntax,
    inside,
  }: { node: Node; source: Source; syntax: Syntax; inside: readonly string[] },
): string | null {
  const { row } = node.startPosition;
  switch (name) {
    case 'path':
      return path;
    case 'line':
      return lines[row]?.slice(0, longestPlace) ?? '';
    case 'above':
      return lines[row - 1]?.slice(0, longestPlace) ?? '';
    case 'near':
      return lines.slice(row, node.endPosition.row + 2).join('\n');
    case 'file':
      return text.slice(0, longestPlace);
    // The head of the file where there is no function.
    case 'function': {
      const around = ancestorsOf(node).find(({ type }) => syntax.functions.has(type));
      return (around?.text ?? text).slice(0, longestPlace);
    }
    case 'inside': {
      const around = ancestorsIn(node, syntax).find(({ type }) => inside.includes(type));
      return around?.text.slice(0, longestPlace) ?? '';
    }
    case 'condition':
      return ancestorsIn(node, syntax)
        .map(ancestor => conditionOf(ancestor, node))
        .join('\n');
    default:
      return null;
  }
}

/** What has to hold so that the node is reached; nothing for what stands in the other branch. */
function conditionOf(ancestor: Node, node: Node): string {
  const otherwise = ancestor.childForFieldName('alternative');
  if (otherwise !== null && ancestor.childWithDescendant(node)?.id === otherwise.id) return '';
  const asked =
    ancestor.childForFieldName('condition') ??
    (ancestor.type === 'expression_case' ? ancestor.childForFieldName('value') : null);
  return asked?.text.slice(0, 400) ?? '';
}

/** From the inside out. */
function ancestorsOf(node: Node): readonly Node[] {
  const ancestors: Node[] = [];
  for (let at = node.parent; at !== null && ancestors.length < mostAncestors; at = at.parent)
    ancestors.push(at);
  return ancestors;
}

function ancestorsIn(node: Node, { functions }: Syntax): readonly Node[] {
  const ancestors = ancestorsOf(node);
  const end = ancestors.findIndex(({ type }) => functions.has(type));
  return end < 0 ? ancestors : ancestors.slice(0, end);
}

interface Look {
  readonly name: string;
  readonly pattern: RegExp;
}

function looksOf(places: Places): readonly Look[] {
  return Object.entries(places).flatMap(([name, patterns]) =>
    patterns.map(pattern => ({ name, pattern })),
  );
}

/** `{name}` in a pattern is the text of that place. */
function isFound({ name, pattern }: Look, textOf: (name: string) => string): boolean {
  if (!/\{[a-z]+\}/.test(pattern.source)) return pattern.test(textOf(name));
  const source = pattern.source.replace(/\{([a-z]+)\}/g, (_, other: string) =>
    textOf(other).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  return new RegExp(source, pattern.flags).test(textOf(name));
}

function toRemark(
  id: string,
  rule: Pick<CheckRule, 'severity' | 'severityInScripts' | 'category' | 'cwe' | 'message' | 'fix'>,
  source: Source,
  line: number,
): Remark {
  const { severity, severityInScripts = severity, category, cwe, message, fix } = rule;
  return {
    rule: `patterns/${id}`,
    severity: isScriptPath(source.path) ? severityInScripts : severity,
    category,
    weakness: cwe,
    path: source.path,
    line,
    quote: quoteOf(source, line),
    issue: message,
    recommendation: fix,
  };
}

/** Where it does harm, or where it is handed to the function that does. */
function toFlowRemark(
  harm: Harm,
  { kinds, flow }: CompiledRules['language'],
  source: Source,
): Remark | null {
  const { kind, cwe, origin, from, call, built, start, end } = harm;
  const line = source.touched(start, end) ?? (call === null ? null : source.touched(call, call));
  const words = kinds[kind];
  const isQuiet = built !== null && words.built?.unlessFile?.test(source.text) === true;
  if (line === null || isQuiet) return null;
  const way = call === null ? '' : `, handed on in line ${call}`;
  const message =
    built === null
      ? `A value from outside (\`${shown(origin)}\`, line ${from}${way}) ${words.harm}`
      : (words.built?.message ?? '');
  const { fix } = (built === null ? null : words.built) ?? words;
  return toRemark(
    built ?? `${flow.language}-flow-${kind}`,
    { ...words, category: 'security', cwe, message, fix },
    source,
    line,
  );
}

/** The change has written it: one line, no marks of ours. */
function shown(origin: string): string {
  return origin
    .replace(/[^\x20-\x7E]+|`/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 60)
    .trim();
}
