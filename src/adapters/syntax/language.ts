/** Which language a file is in, by its name: what a grammar reads, what lines alone tell, and everything else as text. */
import { grammarOf } from './grammars.ts';

/** Languages without a grammar in use, of which a line can still tell a definition. */
const byLines: Readonly<Record<string, string>> = {
  kt: 'kotlin', kts: 'kotlin', swift: 'swift', scala: 'scala', groovy: 'groovy', dart: 'dart', lua: 'lua', pl: 'perl', pm: 'perl', r: 'r',
  ex: 'elixir', exs: 'elixir', erl: 'erlang', hs: 'haskell', ml: 'ocaml', clj: 'clojure', jl: 'julia', zig: 'zig', nim: 'nim',
  sh: 'shell', bash: 'shell', zsh: 'shell', ps1: 'powershell', sql: 'sql', proto: 'protobuf', graphql: 'graphql', m: 'objective-c', mm: 'objective-c',
  vue: 'vue', svelte: 'svelte', sol: 'solidity', tf: 'terraform',
};

const prose: Readonly<Record<string, string>> = {
  md: 'markdown', mdx: 'markdown', rst: 'text', txt: 'text', adoc: 'text', json: 'json', yaml: 'yaml', yml: 'yaml', toml: 'toml', xml: 'xml',
  html: 'html', htm: 'html', css: 'css', scss: 'css', less: 'css', ini: 'ini', cfg: 'ini', csv: 'text',
};

/** `text` when nothing else is known. */
export function languageOf(path: string): string {
  const grammar = grammarOf(path);
  if (grammar !== null) return grammar === 'c_sharp' ? 'csharp' : grammar;
  const extension = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const table = Object.hasOwn(byLines, extension) ? byLines : prose;
  return Object.hasOwn(table, extension) ? (table[extension] ?? 'text') : 'text';
}

/** True when the file holds definitions, so that long lines or a header say something about who wrote it. */
export function isCode(language: string): boolean {
  return language !== 'text' && !Object.values(prose).includes(language);
}
