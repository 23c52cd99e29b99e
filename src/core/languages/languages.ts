/** The table of languages, and what the name of a file tells of its language. */
import { cFamily } from './c.ts';
import { csharp } from './csharp.ts';
import { go } from './go.ts';
import { java } from './java.ts';
import { javascript } from './javascript.ts';
import {
  hashes,
  type Grammar,
  type GrammarUse,
  type Language,
  type Vocabulary,
} from './language.ts';
import { php } from './php.ts';
import { python } from './python.ts';
import { ruby } from './ruby.ts';
import { rust } from './rust.ts';
import { swift } from './swift.ts';

/** Families of languages that share their comment and test manners, named after the largest member. */
export const families = {
  javascript,
  python,
  ruby,
  go,
  rust,
  java,
  csharp,
  php,
  c: cFamily,
  swift,
  shell: {
    files: /\.(?:sh|bash|zsh)$/i,
    grammars: {},
    comments: { ...hashes, lineComment: /(?<![$\w{])#/y },
    vocabulary: null,
  },
} as const satisfies Readonly<Record<string, Language>>;

export type Family = keyof typeof families;

/** Whose names are followed, by the name that `languageOf` gives. */
const vocabularies: Readonly<Record<string, Vocabulary>> = {
  javascript: javascript.vocabulary,
  typescript: javascript.vocabulary,
  tsx: javascript.vocabulary,
  vue: javascript.vocabulary,
  svelte: javascript.vocabulary,
  python: python.vocabulary,
  go: go.vocabulary,
  java: java.vocabulary,
  ruby: ruby.vocabulary,
  rust: rust.vocabulary,
  php: php.vocabulary,
  csharp: csharp.vocabulary,
  c: cFamily.vocabulary,
  cpp: cFamily.vocabulary,
  kotlin: { ...java.vocabulary, parameters: 'name-first' },
  scala: { ...java.vocabulary, parameters: 'name-first' },
  swift: swift.vocabulary,
  jupyter: python.vocabulary,
};

const grammars: Readonly<Record<Grammar, GrammarUse>> = {
  ...javascript.grammars,
  ...python.grammars,
  ...ruby.grammars,
  ...go.grammars,
  ...rust.grammars,
  ...java.grammars,
  ...csharp.grammars,
  ...php.grammars,
  ...cFamily.grammars,
  ...swift.grammars,
};

const grammarByEnding: ReadonlyMap<string, Grammar> = new Map(
  Object.entries(grammars).flatMap(([grammar, { endings }]) =>
    endings.map(ending => [ending, grammar as Grammar]),
  ),
);

/** Languages without a grammar in use, of which a line can still tell a definition. */
const byLines: Readonly<Record<string, string>> = {
  kt: 'kotlin',
  kts: 'kotlin',
  scala: 'scala',
  groovy: 'groovy',
  dart: 'dart',
  lua: 'lua',
  pl: 'perl',
  pm: 'perl',
  r: 'r',
  ex: 'elixir',
  exs: 'elixir',
  erl: 'erlang',
  hs: 'haskell',
  ml: 'ocaml',
  clj: 'clojure',
  jl: 'julia',
  zig: 'zig',
  nim: 'nim',
  sh: 'shell',
  bash: 'shell',
  zsh: 'shell',
  ps1: 'powershell',
  sql: 'sql',
  proto: 'protobuf',
  graphql: 'graphql',
  m: 'objective-c',
  mm: 'objective-c',
  vue: 'vue',
  svelte: 'svelte',
  ipynb: 'jupyter',
  sol: 'solidity',
  tf: 'terraform',
};

const prose: Readonly<Record<string, string>> = {
  md: 'markdown',
  mdx: 'markdown',
  rst: 'text',
  txt: 'text',
  adoc: 'text',
  json: 'json',
  yaml: 'yaml',
  yml: 'yaml',
  toml: 'toml',
  xml: 'xml',
  html: 'html',
  htm: 'html',
  css: 'css',
  scss: 'css',
  less: 'css',
  ini: 'ini',
  cfg: 'ini',
  csv: 'text',
};

export function grammarOf(path: string): Grammar | null {
  return grammarByEnding.get(/\.([A-Za-z]+)$/.exec(path)?.[1]?.toLowerCase() ?? '') ?? null;
}

export function queryOf(grammar: Grammar): string {
  return grammars[grammar].query;
}

/** Name of the language of a file: what a grammar reads, what lines alone tell, else `text`. */
export function languageOf(path: string): string {
  const grammar = grammarOf(path);
  if (grammar !== null) return grammar === 'c_sharp' ? 'csharp' : grammar;
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const table = Object.hasOwn(byLines, extension) ? byLines : prose;
  return Object.hasOwn(table, extension) ? (table[extension] ?? 'text') : 'text';
}

/** Languages that are written in one another's files, or use one another's names. */
export function isSameFamily(one: string | null, other: string | null): boolean {
  return familyName(one) === familyName(other);
}

function familyName(language: string | null): string {
  return (language ?? '')
    .replace(/^(?:typescript|tsx|vue|svelte)$/, 'javascript')
    .replace(/^(?:kotlin|scala|groovy)$/, 'java')
    .replace(/^cpp$/, 'c');
}

/** True when the file holds definitions, so that long lines or a header say something about who wrote it. */
export function isCode(language: string): boolean {
  return language !== 'text' && !Object.values(prose).includes(language);
}

/** Null for a language of which nothing is known: its names are not followed. */
export function vocabularyOf(language: string | null): Vocabulary | null {
  return language !== null && Object.hasOwn(vocabularies, language)
    ? (vocabularies[language] ?? null)
    : null;
}
