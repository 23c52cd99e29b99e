/** Reads the rules of a grammar from `rules/checks/` and compiles their queries, once for each. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadLanguage, loadLibrary } from '../../adapters/syntax/grammars.ts';
import { packageRoot } from '../../adapters/system/package-root.ts';
import type { CompiledRules } from '../match.ts';
import { parseLanguage } from '../rule.ts';
import { Syntax } from '../syntax.ts';

/** Files of rules, each with the grammars that it is for. */
const grammars: Readonly<Record<string, string>> = {
  c: 'c cpp',
  csharp: 'c_sharp',
  go: 'go',
  java: 'java',
  javascript: 'javascript typescript tsx',
  php: 'php',
  python: 'python',
  ruby: 'ruby',
  rust: 'rust',
};
export const languages = Object.keys(grammars);

const compiled = new Map<string, Promise<CompiledRules>>();

/** Null where there are none. A rule that is not whole, and a query that does not compile, are faults. */
export async function compileRules(grammar: string): Promise<CompiledRules | null> {
  const name = languages.find(language => grammars[language]?.split(' ').includes(grammar));
  if (name === undefined) return null;
  const known = compiled.get(grammar) ?? compile(grammar, name);
  compiled.set(grammar, known);
  return known;
}

export async function readLanguage(name: string): Promise<CompiledRules['language']> {
  return parseLanguage(await readData(name), await readData('words'));
}

export async function readData(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import('yaml');
  return parse(await readFile(join(packageRoot, 'rules', 'checks', `${name}.yaml`), 'utf8'));
}

async function compile(grammar: string, name: string): Promise<CompiledRules> {
  const { Query } = await loadLibrary();
  const tree = await loadLanguage(grammar);
  const syntax = Syntax.parse(await readData('syntax'));
  const language = await readLanguage(name);
  const all = Object.entries(language.rules)
    .filter(([, { grammars }]) => (grammars ?? language.grammars).includes(grammar))
    .map(([id, rule]) => ({ id, rule }));
  const queried = all.filter(({ rule }) => rule.query !== undefined);
  const calls = [...syntax.calls].filter(type => tree.idForNodeType(type, true) !== null);
  const texts = [
    ...queried.map(({ rule }) => rule.query ?? ''),
    `[${calls.map(type => `(${type})`).join(' ')}] @at`,
  ];
  const query = new Query(tree, texts.join('\n'));
  // A rule may have several patterns: each begins within its text.
  let end = 0;
  const ends = texts.map(text => (end += text.length + 1));
  const lists = [...queried.map(one => [one]), all.filter(({ rule }) => rule.call !== undefined)];
  const rules = Array.from(
    { length: query.patternCount() },
    (_, pattern) => lists[ends.findIndex(each => query.startIndexForPattern(pattern) < each)] ?? [],
  );
  return { language, syntax, query, rules };
}
