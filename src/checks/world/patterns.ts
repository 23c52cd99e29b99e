/** Structural rules over syntax trees: security and correctness patterns of several languages, as data. */
import type { Node, Query } from 'web-tree-sitter';
import type { Grammar } from '../../core/languages/language.ts';
import { grammarOf } from '../../core/languages/languages.ts';
import {
  isExamplePath,
  isFixturePath,
  isScriptPath,
  isTestPath,
} from '../../core/languages/path-kinds.ts';
import type { Change } from '../../core/words/change.ts';
import { loadLanguage, loadLibrary, withTree } from '../../adapters/syntax/grammars.ts';
import { perFile, type Remark, type Task } from '../analyser.ts';
import { callPattern, findCalls, remarkOf } from '../calls/find-calls.ts';
import { findFlows, type FlowRemarks } from '../flow/find-flows.ts';
import { isMoved } from '../moved-lines.ts';
import { isAskedByName } from '../patterns/around.ts';
import { cRules } from '../patterns/c.ts';
import { csharpRules } from '../patterns/csharp.ts';
import { goRules } from '../patterns/go.ts';
import { javaRules } from '../patterns/java.ts';
import { javascriptRules } from '../patterns/javascript.ts';
import { loopRules } from '../patterns/loops.ts';
import { phpRules } from '../patterns/php.ts';
import { pythonRules } from '../patterns/python.ts';
import { resourceRules } from '../patterns/resources.ts';
import { rubyRules } from '../patterns/ruby.ts';
import { type Found, type PatternRule, uncheckedPeer } from '../patterns/rule.ts';
import { rustRules } from '../patterns/rust.ts';
import { settingRules } from '../patterns/settings.ts';
import { type Source, whyLeftOut } from '../source.ts';

/** For one file; a parser that needs longer has met something nobody wrote by hand. */
const parseLimitMs = 3_000;
const longestText = 3_000_000;

export const patterns = perFile({
  outside: ({ path }) => (grammarOf(path) === null ? 'no rules for this language' : null),
  isContentWithHunks: false,
  async examine(source, task) {
    const grammar = grammarOf(source.path);
    if (grammar === null || source.added.length === 0) return [];
    if (isFixturePath(source.path)) return { skipped: 'data of tests' };
    const why = await whyLeftOut(source.file, task.read);
    if (why !== null) return { skipped: why };
    if (source.text.length > longestText) return { skipped: 'too large to parse' };
    return (await findAll(source, grammar, task)) ?? { skipped: 'it could not be parsed in time' };
  },
});

/** One query for all the rules of a grammar: a walk of the tree costs more than what is looked for on it. */
interface CompiledRules {
  readonly query: Query;
  /** By the number of a pattern; the last one finds calls and has none. */
  readonly rules: readonly (PatternRule | undefined)[];
}

async function findAll(
  source: Source,
  grammar: Grammar,
  { signal, change }: Task,
): Promise<Remark[] | null> {
  const { query, rules } = await compileRules(grammar);
  const endsAt = performance.now() + parseLimitMs;
  const isOver = (): boolean => signal.aborted || performance.now() > endsAt;
  const isSheltered = isTestPath(source.path) || isExamplePath(source.path);
  return withTree(grammar, source.text, isOver, tree => {
    // Marks alone: no rule is about them, and a query looks behind each for the next that has a name.
    if (tree.rootNode.namedChildCount === 0) return [];
    const remarks = new Map<string, Remark>();
    const matches = query.matches(tree.rootNode, { progressCallback: isOver, matchLimit: 65_535 });
    // What is too much for the query is left out of its matches.
    if (isOver() || query.didExceedMatchLimit()) return null;
    const calls: Node[] = [];
    for (const { patternIndex, captures } of matches) {
      const rule = rules[patternIndex];
      if (rule === undefined) {
        for (const { node } of captures) calls.push(node);
        continue;
      }
      if (isSheltered && rule.category !== 'correctness') continue;
      const found: Found = {
        path: source.path,
        lines: source.lines,
        node: name => captures.find(capture => capture.name === name)?.node ?? null,
      };
      const remark = toRemark(rule, found, source);
      if (remark === null || isOldNews(rule, remark, source, change)) continue;
      remarks.set(`${rule.id}:${remark.line}`, remark);
    }
    for (const remark of findCalls(calls, grammar, source, isSheltered, isOver))
      remarks.set(`${remark.rule}:${remark.line}`, remark);
    const flows = isSheltered
      ? { remarks: [], harmless: [] }
      : findFlows(tree.rootNode, grammar, source, isOver);
    return isOver() ? null : mergeRemarks([...remarks.values()], flows);
  });
}

/**
 * The same said with the way of the value is said better, and what the ways show to be fixed or cleaned is no text put together:
 * the other stays away.
 */
function mergeRemarks(
  remarks: readonly Remark[],
  { remarks: flows, harmless }: FlowRemarks,
): Remark[] {
  const told = new Set(flows.map(placeOf));
  const cleared = new Set(
    harmless.flatMap(({ weakness, start, end }) =>
      Array.from(
        { length: Math.min(end - start, 200) + 1 },
        (_, index) => `${start + index} ${weakness}`,
      ),
    ),
  );
  return [
    ...remarks.filter(
      remark =>
        !told.has(placeOf(remark)) && !(isBuiltText(remark) && cleared.has(placeOf(remark))),
    ),
    ...flows,
  ];
}

function placeOf({ line, weakness }: Remark): string {
  return `${line} ${weakness}`;
}

/** Said because text is put together, whatever it is put together of. */
function isBuiltText({ weakness }: Remark): boolean {
  return weakness === 'CWE-78' || weakness === 'CWE-89' || weakness === 'CWE-95';
}

/** An error that was thrown away before, in code that is only moved. A weakness is told wherever it comes to lie. */
function isOldNews(
  { category }: PatternRule,
  { line }: Remark,
  { lines }: Source,
  change: Change,
): boolean {
  return category === 'error-handling' && line !== null && isMoved(change, lines, line - 1);
}

function toRemark(rule: PatternRule, found: Found, source: Source): Remark | null {
  const at = found.node('at');
  if (at === null) return null;
  const line = source.touched(at.startPosition.row + 1, at.endPosition.row + 1);
  if (line === null || !(rule.applies?.(found) ?? true)) return null;
  if (rule.weakness === uncheckedPeer && isAskedByName(at)) return null;
  const severity = isScriptPath(source.path)
    ? (rule.severityInScripts ?? rule.severity)
    : rule.severity;
  return remarkOf({ ...rule, severity }, source, line);
}

const compiledRules = new Map<Grammar, Promise<CompiledRules>>();

/** Every rule of a grammar, compiled once. A query that does not compile is a fault. */
export function compileRules(grammar: Grammar): Promise<CompiledRules> {
  const known = compiledRules.get(grammar) ?? compile(grammar);
  compiledRules.set(grammar, known);
  return known;
}

async function compile(grammar: Grammar): Promise<CompiledRules> {
  const { Query: QueryClass } = await loadLibrary();
  const language = await loadLanguage(grammar);
  const own = patternRules.filter(({ grammars }) => grammars.includes(grammar));
  const texts = [...own.map(rule => rule.query), callPattern(grammar, language)];
  const query = new QueryClass(language, texts.join('\n'));
  // A rule may have several patterns: each begins within its text.
  let end = 0;
  const ends = texts.map(text => (end += text.length + 1));
  const rules = Array.from(
    { length: query.patternCount() },
    (_, pattern) => own[ends.findIndex(each => query.startIndexForPattern(pattern) < each)],
  );
  return { query, rules };
}

/** Every structural rule. A language more is one file and one line. */
export const patternRules: readonly PatternRule[] = [
  ...javascriptRules,
  ...pythonRules,
  ...goRules,
  ...javaRules,
  ...rubyRules,
  ...rustRules,
  ...phpRules,
  ...csharpRules,
  ...cRules,
  ...loopRules,
  ...resourceRules,
  ...settingRules,
];
