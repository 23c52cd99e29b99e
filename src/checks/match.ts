/** What the rules of a language say about one file: its syntax tree is queried once, and its values are followed once. */
import type { Node, Query, QueryMatch } from 'web-tree-sitter';
import { isExamplePath, isScriptPath, isTestPath } from '../core/languages/languages.ts';
import { type Remark, type Source, quoteOf } from './analyser.ts';
import { followValues } from './flow.ts';
import { type Harm, type Syntax, readCall } from './harm.ts';
import type { Language } from './rule.ts';

type CheckRule = Language['rules'][string];

/** The rules of one grammar, and one query for all of them: a walk of the tree costs more than what is looked for on it. */
interface CompiledRules {
  language: Language;
  syntax: Syntax;
  query: Query;
  /** By the number of a pattern; the last one finds calls and is of every rule about them. */
  rules: readonly (readonly { id: string; rule: CheckRule }[])[];
}

/** Longer files are followed only through the functions that the change touches. */
const longestWhole = 300_000;

/** Null where the file is too much for the time it has. */
export function findInTree(
  root: Node,
  source: Source,
  compiled: CompiledRules,
  isOver: () => boolean,
) {
  // Marks alone: no rule is about them, and a query looks behind each for the next that has a name.
  if (root.namedChildCount === 0) return [];
  const { query, language, syntax } = compiled;
  const matches = query.matches(root, { progressCallback: isOver, matchLimit: 65_535 });
  // What is too much for the query is left out of its matches.
  if (isOver() || query.didExceedMatchLimit()) return null;
  const isSheltered = isTestPath(source.path) || isExamplePath(source.path);
  const remarks = new Map<string, Remark>();
  const add = (remark: Remark | null) => {
    if (remark) remarks.set(`${remark.rule}:${remark.line}`, remark);
  };
  for (const match of matches) {
    if (isOver()) return null;
    add(toRuleRemark(match, source, compiled, isSheltered));
  }
  const isWanted = ({ startPosition, endPosition }: Node) =>
    source.text.length <= longestWhole ||
    source.touched(startPosition.row + 1, endPosition.row + 1) !== null;
  if (isSheltered) return isOver() ? null : [...remarks.values()];
  const harms = followValues(root, { language, syntax, isOver, isWanted });
  // Asked of the whole file: once of each kind, not once of each harm.
  const built = new Set(harms.filter(harm => harm.built !== null).map(({ kind }) => kind));
  const quiet = new Set(
    [...built].filter(kind => language.kinds[kind].built?.unlessFile?.test(source.text) === true),
  );
  for (const harm of harms)
    if (harm.built === null || !quiet.has(harm.kind)) add(toFlowRemark(harm, language, source));
  return isOver() ? null : withoutEchoes([...remarks.values()]);
}

/** Of the first rule of the pattern that means what was matched. */
function toRuleRemark(
  { patternIndex, captures }: QueryMatch,
  source: Source,
  { rules, syntax }: CompiledRules,
  isSheltered: boolean,
): Remark | null {
  const node = captures.find(({ name }) => name === 'at')?.node;
  if (!node) return null;
  const line = source.touched(node.startPosition.row + 1, node.endPosition.row + 1);
  if (line === null) return null;
  const own = rules[patternIndex] ?? [];
  const called = own[0]?.rule.call ? readCall(node, syntax) : null;
  const isTest = isTestPath(source.path);
  const hit = own.find(({ rule }) => {
    if (called && !rule.call?.test(called.name)) return false;
    if ((isSheltered && rule.category !== 'correctness') || (isTest && rule.quietInTests))
      return false;
    const textOf = (place: string) =>
      placeOf(place, { node, source, syntax, inside: rule.inside }) ??
      (place.startsWith('argument')
        ? called?.parameters[Number(place.slice('argument'.length))]
        : captures.find(({ name }) => name === place)?.node
      )?.text.slice(0, longestPlace) ??
      '';
    return (
      rule.when.every(look => isFound(look, textOf)) &&
      !rule.unless.some(look => isFound(look, textOf))
    );
  });
  return hit ? toRemark(hit.id, hit.rule, source, line) : null;
}

/** The same said with the way of the value is said better. */
function withoutEchoes(remarks: readonly Remark[]) {
  const told = new Set(remarks.filter(isFlow).map(({ line, weakness }) => `${line} ${weakness}`));
  return remarks.filter(remark => isFlow(remark) || !told.has(`${remark.line} ${remark.weakness}`));
}

function isFlow({ rule }: Remark) {
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
) {
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
function conditionOf(ancestor: Node, node: Node) {
  const otherwise = ancestor.childForFieldName('alternative');
  if (otherwise && ancestor.childWithDescendant(node)?.id === otherwise.id) return '';
  const asked =
    ancestor.childForFieldName('condition') ??
    (ancestor.type === 'expression_case' ? ancestor.childForFieldName('value') : null);
  return asked?.text.slice(0, 400) ?? '';
}

/** From the inside out. */
function ancestorsOf(node: Node) {
  const ancestors: Node[] = [];
  for (let at = node.parent; at && ancestors.length < mostAncestors; at = at.parent)
    ancestors.push(at);
  return ancestors;
}

function ancestorsIn(node: Node, { functions }: Syntax) {
  const ancestors = ancestorsOf(node);
  const end = ancestors.findIndex(({ type }) => functions.has(type));
  return end < 0 ? ancestors : ancestors.slice(0, end);
}

/** `{name}` in a pattern is the text of that place. */
function isFound({ place, pattern }: CheckRule['when'][number], textOf: (name: string) => string) {
  if (!/\{[a-z]+\}/.test(pattern.source)) return pattern.test(textOf(place));
  const source = pattern.source.replace(/\{([a-z]+)\}/g, (_, other: string) =>
    textOf(other).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'),
  );
  return new RegExp(source, pattern.flags).test(textOf(place));
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
function toFlowRemark(harm: Harm, { kinds, flow }: Language, source: Source): Remark | null {
  const { kind, cwe, origin, from, call, built, start, end } = harm;
  const line = source.touched(start, end) ?? (call === null ? null : source.touched(call, call));
  const words = kinds[kind];
  if (line === null) return null;
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
function shown(origin: string) {
  return origin
    .replace(/[^\x20-\x7E]+|`/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(0, 60)
    .trim();
}
