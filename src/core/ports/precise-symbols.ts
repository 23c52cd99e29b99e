import type { Meaning, NamedLine, PreciseSource } from '../words/code-index.ts';

/**
 * What a compiler found out about the names of a project. It may be older than the revision that is asked about, wrong, or written to
 * mislead: an answer is given only where the names stand at both places in the files of that revision. Paths are relative to the top
 * of the repository and lead nowhere else. Never rejects over what it was made from.
 */
export interface PreciseSymbols {
  /** Of the name on that line, in the order of its columns. Empty: nothing can be said. */
  meaningsOf(use: NamedLine): Promise<readonly Meaning[]>;
  /** Lines that use what is defined there, by path and line; null: nothing can be said. Files it does not know may use it too. */
  usesOf(definition: NamedLine): Promise<readonly NamedLine[] | null>;
  /** False for a file of which it tells nothing. */
  knows(path: string): Promise<boolean>;
  describe(): Promise<PreciseSource>;
}
