/** What is known of a programming language. One file for each beside this one; `languages.ts` is the table of them. */
import type { Definition, Import } from '../words/code-index.ts';

/** Names of the tree-sitter grammars in use. */
export type Grammar =
  | 'javascript'
  | 'typescript'
  | 'tsx'
  | 'python'
  | 'go'
  | 'java'
  | 'ruby'
  | 'rust'
  | 'php'
  | 'c_sharp'
  | 'c'
  | 'cpp'
  | 'swift'
  | 'kotlin'
  | 'scala';

export interface Language {
  /** Paths of its files and of those with the same comments and tests. */
  readonly files: RegExp;
  /** Empty for a language without a grammar in use. */
  readonly grammars: Readonly<Partial<Record<Grammar, GrammarUse>>>;
  readonly comments: CommentManners;
  /** Null where names are not followed. */
  readonly vocabulary: Vocabulary | null;
}

export interface GrammarUse {
  /** Of file names, lower case, without the dot. */
  readonly endings: readonly string[];
  /**
   * What to look for in the tree. A capture named after a kind of definition holds the whole of it, with its `@name` beside it;
   * a `@shared-name` names it and is a use as well;
   * `@import` holds an import with its `@specifier`; `@call` and `@use` hold the name that is used. `@local` holds the name of a
   * parameter or a variable, known inside of the `@scope` around it. `@label` holds a word that is no use of a name.
   */
  readonly query: string;
}

export interface CommentManners {
  readonly lineComment: RegExp | null;
  readonly hasBlockComments: boolean;
  readonly quotes: string;
  /** Quotes whose strings go on over line ends. */
  readonly longQuotes: readonly string[];
  readonly hasRegularExpressions: boolean;
}

/** Reserved words, what is built in, and how names are written down. */
export interface Vocabulary {
  readonly keywords: ReadonlySet<string>;
  /** Names that are there without an import. */
  readonly globals: ReadonlySet<string>;
  /** Methods and fields of what is built in: too common to be looked up by name. */
  readonly members: ReadonlySet<string>;
  /** What stands between a thing and a member of it, at the end of a text. */
  readonly access: RegExp;
  /** `name: Type` or `Type name`; Go writes `name Type`. */
  readonly parameters: 'name-first' | 'type-first' | 'go';
  /** What a name reaches without a word: what is imported, the files of its folder too, or all of the project. */
  readonly reach: 'import' | 'package' | 'project';
  /** `name:` at the start of an entry gives a value to a field; `name=` in a call to a parameter. */
  readonly namesFields: 'colon' | 'equals' | 'none';
  /** True where `:name` tells a name without using it; absent elsewhere. */
  readonly hasSymbols?: boolean;
}

export const slashes: CommentManners = {
  lineComment: /\/\//y,
  hasBlockComments: true,
  quotes: '"\'',
  longQuotes: [],
  hasRegularExpressions: false,
};
export const hashes: CommentManners = { ...slashes, lineComment: /#/y, hasBlockComments: false };

/** `thing.member`, `thing?.member`, `Type::member` */
export const dots = /(?:[?!&]\.|\.|::)\s*$/;

/** Lists of words, written as text. */
export function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}

// What is read of a text without a grammar.

export type LineDefinition = Omit<Definition, 'path' | 'nameLine' | 'signature'>;
export type LineImport = Omit<Import, 'path' | 'targets'>;

export interface LineStructure {
  readonly definitions: readonly LineDefinition[];
  /** Lines on which a name is called, and on which it only stands. */
  readonly names: ReadonlyMap<string, { readonly calls: Set<number>; readonly uses: Set<number> }>;
  readonly imports: readonly LineImport[];
  readonly bindings: null;
}
