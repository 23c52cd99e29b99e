/** The `CodeIndex` port over one SQLite file. Several processes may use it at once. */
import type { CodeIndex } from '../../core/ports.ts';
import type { StateFolder } from '../store/storage.ts';
import { openIndexFile } from './index-file.ts';
import { answerAbout, defaultMaxFileBytes, type Questions } from './questions.ts';
import { refreshTree } from './refresh.ts';

export interface IndexOptions {
  /** Longer files are skipped; default: 1 MiB. Another figure than the last time reads everything again. */
  readonly maxFileBytes?: number;
  /** Told what a person should know: an index that could not be used. */
  readonly onNote?: (message: string) => void;
}

/** Nothing can be asked before a first `refresh`. */
export async function openCodeIndex(
  state: StateFolder,
  { maxFileBytes = defaultMaxFileBytes, onNote = () => {} }: IndexOptions = {},
): Promise<CodeIndex> {
  const database = await openIndexFile(state, onNote);
  let questions: Questions | null = null;
  let isOpen = true;
  const asked = (): Questions => {
    if (questions === null) throw new Error('The index is asked before it was refreshed.');
    return questions;
  };
  return {
    async refresh(tree, read, signal) {
      const { number, ...refreshed } = await refreshTree(database, {
        tree,
        read,
        maxFileBytes,
        signal,
      });
      questions = answerAbout(database, { number, id: tree.id, branch: tree.branch });
      return refreshed;
    },
    statistics: () => asked().statistics(),
    files: () => asked().files(),
    skipped: () => asked().skipped(),
    definitionsOf: name => asked().definitionsOf(name),
    definitionsIn: path => asked().definitionsIn(path),
    enclosing: (path, line) => asked().enclosing(path, line),
    referencesTo: name => asked().referencesTo(name),
    usesIn: path => asked().usesIn(path),
    importsOf: path => asked().importsOf(path),
    importersOf: path => asked().importersOf(path),
    testsOf: name => asked().testsOf(name),
    search: (query, limit) => asked().search(query, limit),
    close() {
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}
