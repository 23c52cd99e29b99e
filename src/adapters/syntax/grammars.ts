/** Loads grammars when they are first needed and keeps them; parses within a time limit. Trees live outside the heap. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Parser, Tree } from 'web-tree-sitter';
import { remember } from '../../core/groups.ts';
import { packageRoot } from '../system/package-root.ts';

let library: ReturnType<typeof startLibrary> | undefined;

export function loadLibrary() {
  return (library ??= startLibrary());
}

async function startLibrary() {
  const loaded = await import('web-tree-sitter');
  await loaded.Parser.init();
  return loaded;
}

export const loadLanguage = remember(async (grammar: string) => {
  const { Language } = await loadLibrary();
  return Language.load(await readFile(fileOf(grammar)));
});

/** Most come in one package. Those of which only a package with a program for every machine exists are copied by the build. */
function fileOf(grammar: string) {
  const name = `tree-sitter-${grammar}.wasm`;
  return copied.has(grammar)
    ? join(packageRoot, 'dist', 'grammars', name)
    : createRequire(import.meta.url).resolve(`@repomix/tree-sitter-wasms/out/${name}`);
}

const copied: ReadonlySet<string> = new Set(['kotlin', 'scala']);

/** Null when `isOver` turned true before the end. `use` must not keep a node. */
export async function withTree<Result>(
  grammar: string,
  text: string,
  isOver: () => boolean,
  use: (tree: Tree) => Result,
) {
  const { Parser: ParserClass } = await loadLibrary();
  const language = await loadLanguage(grammar);
  const parser = new ParserClass();
  let tree: Tree | null = null;
  try {
    parser.setLanguage(language);
    tree = parse(parser, text, isOver);
    return !tree ? null : use(tree);
  } finally {
    tree?.delete();
    parser.delete();
  }
}

/**
 * How often a grammar may read a text: of real files none takes more than 2.1 times, what is no text of the language it reads again
 * at each character.
 */
const mostReadings = 8;
/** Characters that the library copies at once. */
const copiedAtOnce = 5_120;

function parse(parser: Parser, text: string, isOver: () => boolean) {
  let left = text.length * mostReadings + 100 * copiedAtOnce;
  const read = (index: number) => {
    const chunk = text.slice(index, index + copiedAtOnce);
    left -= chunk.length;
    return chunk;
  };
  // The library types the callback as returning nothing; it stops when the callback returns true.
  return parser.parse(read, null, { progressCallback: () => left < 0 || isOver() });
}
