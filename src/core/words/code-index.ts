/** What the code index tells: plain data. Lines are 1-based and inclusive, paths are relative to the top of the repository. */

/** Why a file is listed and not read. */
export type SkipReason =
  | 'binary'
  | 'not UTF-8'
  | 'empty'
  | 'too large'
  | 'vendored'
  | 'generated'
  | 'minified'
  | 'link'
  | 'submodule'
  | 'unreadable';

export interface IndexedFile {
  readonly path: string;
  readonly language: string;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  /** Git's name of the content. */
  readonly id: string;
}

export interface SkippedFile {
  readonly path: string;
  readonly reason: SkipReason;
}

export type DefinitionKind =
  | 'function'
  | 'method'
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'constant'
  | 'module'
  | 'macro'
  | 'test'
  /** Of a type or an enum, or an attribute of an object where it is first given a value. */
  | 'field'
  /** A block that adds members to the type it is named after: `impl`, `extension`. */
  | 'extension';

export interface Definition {
  readonly path: string;
  readonly name: string;
  readonly kind: DefinitionKind;
  readonly startLine: number;
  readonly endLine: number;
  /** Of its name: behind annotations. */
  readonly nameLine: number;
  /** That line, without its indentation, at most 200 characters. */
  readonly signature: string;
}

export interface Reference {
  readonly path: string;
  readonly name: string;
  readonly line: number;
  readonly kind: 'call' | 'use';
}

/** A parameter, a variable or a type parameter: what a name means inside of a function. */
export interface Binding {
  readonly name: string;
  /** Where it is declared. */
  readonly line: number;
  /** Lines in which it is known; both 0 for those at the top of a file. */
  readonly startLine: number;
  readonly endLine: number;
}

export interface Import {
  /** File that imports. */
  readonly path: string;
  /** What it names, as written, without quotes. */
  readonly specifier: string;
  readonly line: number;
  /** The whole statement, with the names it brings in. */
  readonly startLine: number;
  readonly endLine: number;
  /** Files of the repository it leads to; empty for a package from outside. */
  readonly targets: readonly string[];
}

export interface RelatedTest {
  readonly path: string;
  /** The test case or function around the use; null when it stands outside of any. */
  readonly name: string | null;
  readonly startLine: number;
  readonly endLine: number;
  readonly calls: number;
  readonly uses: number;
}

export interface SearchHit {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly text: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
}

export interface Refreshed {
  /** Contents that were read and taken apart. */
  readonly indexed: number;
  /** Contents that were there already. */
  readonly reused: number;
}

export interface IndexStatistics {
  readonly branch: string;
  readonly tree: string;
  readonly files: number;
  readonly bytes: number;
  readonly lines: number;
  readonly tokens: number;
  readonly counter: {
    readonly name: string;
    readonly version: string;
    readonly estimated: boolean;
  };
  readonly definitions: number;
  readonly references: number;
  readonly imports: number;
  readonly languages: readonly {
    readonly language: string;
    readonly files: number;
    readonly tokens: number;
  }[];
  readonly skipped: readonly { readonly reason: SkipReason; readonly files: number }[];
}
