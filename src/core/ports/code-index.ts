import type {
  Binding,
  Definition,
  Import,
  IndexStatistics,
  IndexedFile,
  Reference,
  Refreshed,
  SearchHit,
  SkippedFile,
} from '../words/code-index.ts';

/** All files of one state of a repository. Paths are relative to its top, with slashes. */
export interface Tree {
  /** Git's name for exactly this list of paths and contents. */
  readonly id: string;
  /** Current branch; eight digits of the commit when no branch is checked out; `unknown` when there is no commit either. */
  readonly branch: string;
  readonly files: readonly TreeFile[];
}

export interface TreeFile {
  readonly path: string;
  /** As git writes it: `100644`, `100755`, `120000` for a link, `160000` for a submodule. */
  readonly mode: string;
  /** Name of the content. */
  readonly id: string;
  /** Bytes; 0 for a submodule. */
  readonly size: number;
}

/**
 * What stands where in one tree of a repository. Contents are kept by their hashes and shared between trees: what did not
 * change is not read again. Nothing of the repository is executed.
 */
export interface CodeIndex {
  /**
   * Makes `tree` the one that is asked. `read` gives a content, or null when it cannot be had. What was finished before an
   * interruption is kept.
   */
  refresh(
    tree: Tree,
    read: (id: string) => Promise<Uint8Array | null>,
    signal?: AbortSignal,
  ): Promise<Refreshed>;
  statistics(): IndexStatistics;
  files(): readonly IndexedFile[];
  skipped(): readonly SkippedFile[];
  /** Where a name is defined, by path and line. */
  definitionsOf(name: string): readonly Definition[];
  /** Everything a file defines, outer before inner. */
  definitionsIn(path: string): readonly Definition[];
  /** Where a name is used, its definitions left out; calls come first, then by path and line. */
  referencesTo(name: string): readonly Reference[];
  /** The names a file uses, by line, its own definitions left out. */
  usesIn(path: string): readonly Reference[];
  /** What a file declares inside of its functions; null where no grammar tells it. */
  bindingsIn(path: string): readonly Binding[] | null;
  importsOf(path: string): readonly Import[];
  /** Files that an import would lead to if this file had it. */
  leadsTo(path: string, specifier: string): readonly string[];
  /** The imports of other files that lead to this one. */
  importersOf(path: string): readonly Import[];
  /** Best first. Words are found in any of the ways identifiers are written. */
  search(query: string, limit: number): readonly SearchHit[];
  /** The same as if these files were not there. */
  hiding(isHidden: (path: string) => boolean): CodeIndex;
  close(): void;
}
