/** Reads the rules of a grammar from `rules/checks/` and compiles their queries, once for each. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lintSource } from '@secretlint/core';
import { secretLintProfiler } from '@secretlint/profiler';
import { rules } from '@secretlint/secretlint-rule-preset-recommend';
import { loadLanguage, loadLibrary, withTree } from '../../adapters/syntax/grammars.ts';
import { packageRoot } from '../../adapters/system/package-root.ts';
import { remember } from '../../core/groups.ts';
import { grammarOf, isFixturePath } from '../../core/languages/languages.ts';
import { perFile } from '../analyser.ts';
import { findInTree } from '../match.ts';
import { parseLanguage } from '../rule.ts';
import { SecretRules } from '../secrets.ts';
import { Syntax } from '../harm.ts';

/** Files of rules, each with the grammars that it is for. */
const grammars: Record<string, string> = {
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

/** Null where there are none. A rule that is not whole, and a query that does not compile, are faults. */
export const compileRules = remember(async (grammar: string) => {
  const name = languages.find(language => grammars[language]?.split(' ').includes(grammar));
  return name === undefined ? null : compile(grammar, name);
});

export async function readLanguage(name: string) {
  return parseLanguage(await readData(name), await readData('words'));
}

export async function readData(name: string): Promise<Readonly<Record<string, unknown>>> {
  const { parse } = await import('yaml');
  return parse(await readFile(join(packageRoot, 'rules', 'checks', `${name}.yaml`), 'utf8'));
}

async function compile(grammar: string, name: string) {
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

// Opens the rules about credentials: our own, and those of secretlint's recommended preset.

// Version 12.0.0 times itself and searches all its earlier marks at every mark: 2,500 files took eight minutes.
secretLintProfiler.mark = () => undefined;

/** Left out: what Jury's own rules judge better, and the filter that obeys comments of the text. */
const leftOut = /basicauth|database-connection-string|privatekey|filter/;
const used = rules
  .filter(rule => rule.meta.type === 'scanner' && !leftOut.test(rule.meta.id))
  .map(rule => ({ id: rule.meta.id, rule }));

let opened: ReturnType<typeof open> | undefined;

/** Read once for a process. */
export function openSecrets() {
  return (opened ??= open());
}

async function open() {
  return { rules: SecretRules.parse(await readData('secrets')), findByPreset };
}

async function findByPreset(content: string, path: string) {
  // For `.p12` a rule would open a file of that name, here and now; its content is binary anyway.
  const ext = /(?!\.p12$)\.[A-Za-z0-9]{1,12}$/i.exec(path)?.[0] ?? '';
  const { messages } = await lintSource({
    source: { filePath: `file${ext}`, content, ext, contentType: 'text' },
    options: { noPhysicFilePath: true, config: { rules: used } },
  });
  return messages.map(({ range: [start, end], ruleId }) => ({
    start,
    end,
    kind: ruleId.replace(/^.*secretlint-rule-/, ''),
  }));
}

// Structural rules over syntax trees: security and correctness patterns of several languages, as data.

/** For one file; a parser that needs longer has met something nobody wrote by hand. */
const parseLimitMs = 3_000;
const longestText = 3_000_000;

export const patterns = perFile({
  outside: ({ path }) => (grammarOf(path) === null ? 'no rules for this language' : null),
  async examine(source, task) {
    const grammar = grammarOf(source.path);
    if (grammar === null || source.added.length === 0) return [];
    if (isFixturePath(source.path)) return { skipped: 'data of tests' };
    if (source.text.length > longestText) return { skipped: 'too large to parse' };
    const compiled = await compileRules(grammar);
    if (!compiled) return [];
    const endsAt = performance.now() + parseLimitMs;
    const isOver = () => task.signal.aborted || performance.now() > endsAt;
    const found = await withTree(grammar, source.text, isOver, tree =>
      findInTree(tree.rootNode, source, compiled, isOver),
    );
    return found ?? { skipped: 'it could not be parsed in time' };
  },
});
