/** `index.sqlite`: nothing in it cannot be made again, so that a file of another version or a damaged one is replaced. */
import { join } from 'node:path';
import { explainDiskFailure } from '../store/atomic-write.ts';
import {
  inTransaction,
  explainRefusal,
  isDamage,
  openPrivate,
  type Database,
} from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';

/** Raised whenever tables change, or what a grammar's queries find. */
const formatVersion = 8;

/**
 * What a content holds is kept as JSON beside it, by name only where it is used and whether it is defined. Its passages have the
 * numbers from `firstPassage` on, so that they follow one another.
 */
const tables = `
  CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE content(number INTEGER PRIMARY KEY, id TEXT NOT NULL, language TEXT NOT NULL, reason TEXT,
    bytes INTEGER, lines INTEGER, tokens INTEGER, places INTEGER, definitions TEXT, imports TEXT, bindings TEXT, UNIQUE(id, language));
  CREATE TABLE tree(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
  CREATE TABLE entry(tree INTEGER NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, content INTEGER, reason TEXT,
    PRIMARY KEY(tree, path)) WITHOUT ROWID;
  CREATE INDEX entry_content ON entry(tree, content);
  CREATE TABLE usage(name TEXT NOT NULL, content INTEGER NOT NULL, isDefined INTEGER NOT NULL, calls TEXT NOT NULL, uses TEXT NOT NULL,
    PRIMARY KEY(name, content)) WITHOUT ROWID;
  CREATE INDEX usage_content ON usage(content);
  CREATE VIRTUAL TABLE passage USING fts5(body, words, names, startLine UNINDEXED, endLine UNINDEXED, tokenize='porter unicode61');
  CREATE TRIGGER tree_dropped AFTER DELETE ON tree BEGIN
    DELETE FROM entry WHERE tree = old.number;
  END;
  CREATE TRIGGER content_dropped AFTER DELETE ON content BEGIN
    DELETE FROM usage WHERE content = old.number;
    DELETE FROM passage WHERE rowid >= old.number << 20 AND rowid < (old.number + 1) << 20;
  END;
`;

export function firstPassage(content: number): number {
  return content * 2 ** 20;
}

function indexPath({ root }: StateFolder) {
  return join(root, 'index.sqlite');
}

/** Creates the file and its tables. `onNote` is told when an earlier one could not be used. Throws `UserError` when the disk refuses. */
export async function openIndexFile(
  state: StateFolder,
  onNote: (message: string) => void,
): Promise<Database> {
  return rebuilding(state, onNote, () => openWithTables(state, onNote));
}

/** Where the index turns out to be damaged, the work is done once more on a new one. Throws `UserError` when the disk refuses. */
export async function rebuilding<Result>(
  state: StateFolder,
  onNote: (message: string) => void,
  work: () => Promise<Result>,
): Promise<Result> {
  const path = indexPath(state);
  return work().catch(async error => {
    if (!isDamage(error))
      throw explainRefusal(
        explainDiskFailure(error, { what: 'The code index', path, again: 'try again' }),
        path,
      );
    for (const ending of ['', '-journal', '-wal', '-shm']) await state.disk.remove(path + ending);
    onNote('The code index was damaged and is built anew.');
    return work();
  });
}

async function openWithTables(state: StateFolder, onNote: (message: string) => void) {
  const database = await openPrivate(state.disk, indexPath(state));
  const version = () =>
    (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version;
  try {
    // What is lost with the power is built again; a killed process loses nothing.
    database.exec(
      'PRAGMA busy_timeout=30000; PRAGMA synchronous=NORMAL; PRAGMA cell_size_check=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY',
    );
    if (version() === formatVersion) return database;
    inTransaction(database, () => {
      // Another process may have made them while this one waited.
      const known = version();
      if (known === formatVersion) return;
      if (known !== 0)
        onNote('The code index was written by another version of Jury and is built anew.');
      forEachTable(database, 'DROP TABLE');
      database.exec(`${tables}; PRAGMA user_version=${formatVersion}`);
    });
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Those that a virtual table keeps for itself go with it. */
export function forEachTable(database: Database, action: 'DROP TABLE' | 'DELETE FROM'): void {
  const names = database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'passage_%'",
    )
    .iterate();
  for (const { name } of Array.from(names as Iterable<{ name: string }>))
    database.exec(`${action} ${name}`);
}
