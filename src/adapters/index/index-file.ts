/** `index.sqlite`: nothing in it cannot be made again, so that a file of another version or a damaged one is replaced. */
import { join } from 'node:path';
import type { Disk } from '../../core/ports/disk.ts';
import { explainDiskFailure, makeFolders } from '../store/atomic-write.ts';
import {
  inTransaction,
  explainRefusal,
  isDamage,
  openDatabase,
  type Database,
} from '../store/sqlite.ts';
import type { StateFolder } from '../store/storage.ts';

/** Raised whenever tables change, or what a grammar's queries find. */
const formatVersion = 6;

const tables = `
  CREATE TABLE setting(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE content(number INTEGER PRIMARY KEY, id TEXT NOT NULL, language TEXT NOT NULL, reason TEXT, bytes INTEGER NOT NULL, lines INTEGER NOT NULL, tokens INTEGER NOT NULL, definitions INTEGER NOT NULL, places INTEGER NOT NULL, imports INTEGER NOT NULL, UNIQUE(id, language));
  CREATE TABLE tree(number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, used INTEGER NOT NULL);
  CREATE TABLE entry(tree INTEGER NOT NULL, path TEXT NOT NULL, id TEXT NOT NULL, content INTEGER, reason TEXT, PRIMARY KEY(tree, path)) WITHOUT ROWID;
  CREATE INDEX entry_content ON entry(tree, content);
  CREATE TABLE definition(content INTEGER NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, startLine INTEGER NOT NULL, endLine INTEGER NOT NULL, nameLine INTEGER NOT NULL, signature TEXT NOT NULL);
  CREATE INDEX definition_name ON definition(name);
  CREATE INDEX definition_content ON definition(content);
  CREATE TABLE usage(name TEXT NOT NULL, content INTEGER NOT NULL, calls TEXT NOT NULL, uses TEXT NOT NULL, PRIMARY KEY(name, content)) WITHOUT ROWID;
  CREATE INDEX usage_content ON usage(content);
  CREATE TABLE binding(content INTEGER PRIMARY KEY, places TEXT NOT NULL);
  CREATE TABLE import(content INTEGER NOT NULL, line INTEGER NOT NULL, specifier TEXT NOT NULL, startLine INTEGER NOT NULL, endLine INTEGER NOT NULL);
  CREATE INDEX import_content ON import(content);
  CREATE TABLE place(number INTEGER PRIMARY KEY, content INTEGER NOT NULL, startLine INTEGER NOT NULL, endLine INTEGER NOT NULL);
  CREATE INDEX place_content ON place(content);
  CREATE VIRTUAL TABLE passage USING fts5(body, words, names, tokenize='porter unicode61');
`;

const tableNames = [
  'setting',
  'content',
  'tree',
  'entry',
  'definition',
  'usage',
  'binding',
  'import',
  'place',
  'passage',
];

function indexPath({ root }: StateFolder): string {
  return join(root, 'index.sqlite');
}

/** Creates the file and its tables. `onNote` is told when an earlier one could not be used. Throws `UserError` when the disk refuses. */
export async function openIndexFile(
  state: StateFolder,
  onNote: (message: string) => void,
): Promise<Database> {
  const file = indexPath(state);
  try {
    await makeFolders(state.disk, state.root, ['.']);
    return await openWithTables(state.disk, file, onNote);
  } catch (error) {
    if (!isDamage(error)) throw explainIndexFailure(state, error);
    await removeIndexFile(state);
    onNote('The code index was damaged and is built anew.');
    return openWithTables(state.disk, file, onNote);
  }
}

/** What a person can do about an error of the disk or of the database; the error itself for any other. */
export function explainIndexFailure(state: StateFolder, error: unknown): unknown {
  const path = indexPath(state);
  return explainRefusal(
    explainDiskFailure(error, { what: 'The code index', path, again: 'try again' }),
    path,
  );
}

export async function removeIndexFile(state: StateFolder): Promise<void> {
  for (const ending of ['', '-journal', '-wal', '-shm'])
    await state.disk.remove(indexPath(state) + ending);
}

async function openWithTables(
  disk: Disk,
  file: string,
  onNote: (message: string) => void,
): Promise<Database> {
  // The library would make it readable by others.
  await (await disk.open(file, 'append')).close();
  const database = await openDatabase(disk, file);
  try {
    // What is lost with the power is built again; a killed process loses nothing.
    database.exec(
      'PRAGMA busy_timeout=30000; PRAGMA synchronous=NORMAL; PRAGMA cell_size_check=ON; PRAGMA cache_size=-32000; PRAGMA temp_store=MEMORY',
    );
    if (versionOf(database) !== formatVersion)
      inTransaction(database, () => createTables(database, onNote));
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Another process may have made them while this one waited. */
function createTables(database: Database, onNote: (message: string) => void): void {
  const version = versionOf(database);
  if (version === formatVersion) return;
  if (version !== 0)
    onNote('The code index was written by another version of Jury and is built anew.');
  for (const name of tableNames) database.exec(`DROP TABLE IF EXISTS ${name}`);
  database.exec(`${tables}; PRAGMA user_version=${formatVersion}`);
}

/** Forgets every content and every tree. */
export function emptyTables(database: Database): void {
  for (const name of tableNames) database.exec(`DELETE FROM ${name}`);
}

function versionOf(database: Database): number {
  return (database.prepare('PRAGMA user_version').get() as { readonly user_version: number })
    .user_version;
}
